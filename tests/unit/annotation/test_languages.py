"""Every sentence that people read exists in every language, and what is compiled is what is written."""

import ast
import gettext
import re
from pathlib import Path

import pytest
from django.utils import translation

ROOT = Path(__file__).parents[3]
LOCALE = ROOT / "annotation" / "locale"
THE_SAME_IN_FRENCH = {"Contact", "Question {number}"}
LANGUAGES = ["ar", "de", "es", "fr", "sv", "zh_Hans"]
TEMPLATES = [
    *(ROOT / "templates" / "annotation").rglob("*.html"),
    *(ROOT / "templates").glob("*.html"),
    *(ROOT / "questions").rglob("*.html"),
]
CODE = [
    *(ROOT / "questions").rglob("*.py"),
    *(path for folder in ("actions", "platforms", "views") for path in (ROOT / "annotation" / folder).glob("*.py")),
]


def sentences_of_templates() -> set[str]:
    found: set[str] = set()
    for path in TEMPLATES:
        found.update(re.findall(r'{% translate "([^"]+)" %}', path.read_text()))
    return found


def sentences_of_code() -> set[str]:
    found: set[str] = set()
    for path in CODE:
        for node in ast.walk(ast.parse(path.read_text())):
            is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "_"
            if is_call and isinstance(node, ast.Call) and isinstance(node.args[0], ast.Constant):
                found.add(str(node.args[0].value))
    return found


def catalogue(language: str) -> gettext.GNUTranslations:
    with (LOCALE / language / "LC_MESSAGES" / "django.mo").open("rb") as compiled:
        return gettext.GNUTranslations(compiled)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_is_translated(language: str) -> None:
    sentences = sentences_of_templates() | sentences_of_code()
    assert len(sentences) > 80
    texts = catalogue(language)
    untranslated = {sentence for sentence in sentences if texts.gettext(sentence) == sentence}
    assert sorted(untranslated - THE_SAME_IN_FRENCH) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_compiled_is_what_is_written(language: str) -> None:
    written = (LOCALE / language / "LC_MESSAGES" / "django.po").read_text()
    texts = catalogue(language)
    pairs = re.findall(r'^msgid "(.+)"\nmsgstr "(.+)"$', written, re.MULTILINE)
    assert len(pairs) > 80
    for source, target in pairs:
        assert texts.gettext(ast.literal_eval(f'"{source}"')) == ast.literal_eval(f'"{target}"')


@pytest.mark.parametrize("language", LANGUAGES)
def test_placeholders_survive_translation(language: str) -> None:
    written = (LOCALE / language / "LC_MESSAGES" / "django.po").read_text()
    for source, target in re.findall(r'^msgid "(.+)"\nmsgstr "(.+)"$', written, re.MULTILINE):
        places = r"%\([a-z_]+\)s|\{[a-z]+\}"
        assert sorted(re.findall(places, source)) == sorted(re.findall(places, target)), source


def test_minutes_have_the_six_forms_of_arabic() -> None:
    with translation.override("ar"):
        said = {translation.ngettext("about %(minutes)s minute", "about %(minutes)s minutes", n) for n in (1, 2, 5, 50)}
    assert len(said) == 4
