"""Every sentence that people read exists in every language, and what is compiled is what is written."""

import ast
import gettext
import re
from pathlib import Path

import pytest
from django.template import Engine
from django.templatetags.i18n import BlockTranslateNode, TranslateNode
from django.utils import translation
from django.utils.translation import trim_whitespace

ROOT = Path(__file__).parents[3]
LOCALE = ROOT / "annotation" / "locale"
THE_SAME = {"Contact", "Question {number}", "Video"}  # in one of the languages or another
LANGUAGES = ["ar", "de", "es", "fr", "sv", "zh_Hans"]
# Those that annotators read; researchers' pages are in English.
TEMPLATES = [
    *(ROOT / "templates" / "annotation").rglob("*.html"),
    *(ROOT / "templates").glob("*.html"),
    *(ROOT / "annotation" / "answering" / "kinds").rglob("*.html"),
]
CODE = [path for folder in ("annotation", "agreement", "config") for path in (ROOT / folder).rglob("*.py")]
GETTEXT = {"_", "gettext", "ngettext"}
NUMBERS = (0, 1, 2, 5, 11, 100)  # one of each plural form of Arabic

# A sentence: the text alone, or its singular and its plural.
Sentence = tuple[str, ...]


def sentences_of_templates() -> set[Sentence]:
    found: set[Sentence] = set()
    for path in TEMPLATES:
        nodes = Engine.get_default().from_string(path.read_text()).nodelist
        for node in nodes.get_nodes_by_type(TranslateNode):
            assert isinstance(node, TranslateNode)
            found.add((str(node.filter_expression.var.literal),))
        for node in nodes.get_nodes_by_type(BlockTranslateNode):
            assert isinstance(node, BlockTranslateNode)
            texts = [node.render_token_list(tokens)[0] for tokens in (node.singular, node.plural) if tokens]
            found.add(tuple(trim_whitespace(text) if node.trimmed else text for text in texts))
    return found


def sentences_of_code() -> set[Sentence]:
    found: set[Sentence] = set()
    for path in CODE:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in GETTEXT:
                found.add(tuple(str(text.value) for text in node.args if isinstance(text, ast.Constant)))
    return found


def sentences() -> set[Sentence]:
    return sentences_of_templates() | sentences_of_code()


def translations(texts: gettext.GNUTranslations, sentence: Sentence) -> set[str]:
    if len(sentence) == 1:
        return {texts.gettext(sentence[0])}
    singular, plural = sentence
    return {texts.ngettext(singular, plural, number) for number in NUMBERS}


def catalogue(language: str) -> gettext.GNUTranslations:
    with (LOCALE / language / "LC_MESSAGES" / "django.mo").open("rb") as compiled:
        return gettext.GNUTranslations(compiled)


def test_texts_of_blocks_are_among_the_sentences() -> None:
    found = sentences_of_templates()
    assert ("%(number)s of %(total)s",) in found
    assert ("about %(minutes)s minute", "about %(minutes)s minutes") in found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_is_translated(language: str) -> None:
    texts = catalogue(language)
    untranslated = {each for each in sentences() if translations(texts, each) & set(each)}
    assert sorted(untranslated - {(each,) for each in THE_SAME}) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogues_have_no_sentence_that_nothing_says(language: str) -> None:
    written = (LOCALE / language / "LC_MESSAGES" / "django.po").read_text()
    sources = {ast.literal_eval(text) for text in re.findall(r'^msgid (".+")$', written, re.MULTILINE)}
    assert len(sources) > 150
    assert sorted(sources - {each[0] for each in sentences()}) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_translation_is_only_guessed(language: str) -> None:
    assert "#, fuzzy" not in (LOCALE / language / "LC_MESSAGES" / "django.po").read_text()


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
    texts = catalogue(language)
    places = re.compile(r"%\([a-z_]+\)s|\{[a-z]+\}")
    for sentence in sentences():
        for target in translations(texts, sentence):
            assert sorted(places.findall(sentence[0])) == sorted(places.findall(target)), target


def test_minutes_have_the_six_forms_of_arabic() -> None:
    with translation.override("ar"):
        said = {translation.ngettext("about %(minutes)s minute", "about %(minutes)s minutes", n) for n in (1, 2, 5, 50)}
    assert len(said) == 4
