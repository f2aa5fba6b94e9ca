"""Every way of writing a model's outputs, found by walking the folder: told, read, refused and documented."""

import pkgutil
from argparse import ArgumentParser
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from agreement.cli.arguments import add_probe_arguments, probe_options
from agreement.errors import Refused
from agreement.files.problems import Problems
from agreement.files.reading import read_table
from agreement.scoring import probe_formats as folder
from agreement.scoring.metrics import FAMILIES
from agreement.scoring.probe import AGAINST_NO_GOLD, Probe, StudyItems
from agreement.scoring.probe_file import probe_of_table, quick_probe, read_probe
from agreement.scoring.probe_format import DEFAULT, ProbeFormat
from agreement.scoring.probe_formats import FORMATS, OPTIONS, all_options, options_of
from annotation.pages.result_forms import ProbeForm

MANUAL = Path(__file__).parents[4] / "docs" / "formats.md"
IDS = np.array(["a", "b", "c"], dtype=object)
LEFT, RIGHT = np.array(["on", "on", "by"], dtype=object), np.array(["over", "by", "over"], dtype=object)
STUDY = StudyItems("choice", IDS, ("red", "blue"), left=LEFT, right=RIGHT)
WITHOUT_LABELS = StudyItems("slider", IDS, left=LEFT, right=RIGHT)

CELLS = [f"s,a,-{len(term)},{term},{context}" for context in ("on", "by") for term in ("on", "over", "besides")]
# A file of each format, and the shape of what it gives for a study with labels.
FILES = {
    "item_id,score": ("item_id,score\na,1\nb,2.5\n", "numbers"),
    "item_id,label": ("item_id,label\na,red\nb,red|blue\n", "labels"),
    "item_id,label,probability": ("item_id,label,probability\na,red,0.25\na,blue,0.75\n", "labels"),
    "item_id,p:<label>,…": ("item_id,p:red,p:blue\na,0.25,0.75\n", "labels"),
    "item_id,candidate,score": ("item_id,candidate,score\na,red,1\na,blue,2\n", "labels"),
    "term,<context>,…": ("term,v1,v2\non,1,2\nover,2,1\nby,1,3\n", "numbers"),
    "item_id,text": ("item_id,text\na,a cat\n", "texts"),
    "sentence_id,token,logprob": ("sentence_id,token,logprob\ns,the,-1\ns,cat,-2\n", "logprobs"),
    "sentence_id,token,logprob,term,context": (
        "\n".join(["sentence_id,token,logprob,term,context", *CELLS, ""]),
        "numbers",
    ),
    "item_id,span": ("item_id,span\na,NP:0-2\na,NP:0-2\nb,\n", "spans"),
    "item_id,brackets": ("item_id,brackets\na,(S (NP (DT the) (NN dog)) (VP (VBZ runs)))\n", "spans"),
    "item_id,answer": ("item_id,answer\na,Red.\nb,**blue**\n", "labels"),
    "item_id,label,logprob": ("item_id,label,logprob\na,red,-1\na,blue,-2\n", "labels"),
}

every_format = pytest.mark.parametrize("form", FORMATS, ids=[form.columns for form in FORMATS])
every_option = pytest.mark.parametrize("name", OPTIONS)


def file_of(folder: Path, text: str) -> Path:
    path = folder / "probe.csv"
    path.write_text(text, encoding="utf-8")
    return path


def read(path: Path, study: StudyItems = STUDY) -> Probe:
    table = read_table(path, Problems(path.name))
    assert table is not None
    return probe_of_table(table, study, name="m")


def told(text: str) -> ProbeFormat:
    columns = text.split("\n", 1)[0].split(",")
    return next(each for each in sorted(FORMATS, key=lambda each: each.tried) if each.told_by(set(columns)))


def test_each_format_of_the_folder_is_found_and_has_a_place_of_its_own() -> None:
    modules = [import_module(f"{folder.__name__}.{module.name}") for module in pkgutil.iter_modules(folder.__path__)]
    declared = [[value for value in vars(module).values() if isinstance(value, ProbeFormat)] for module in modules]
    assert all(declared)
    assert sum(map(len, declared)) == len(FORMATS)
    assert len({form.order for form in FORMATS}) == len({form.tried for form in FORMATS}) == len(FORMATS)
    assert [form.columns for form in FORMATS] == list(FILES)


@every_format
def test_a_file_is_read_as_what_its_columns_say(form: ProbeFormat, tmp_path: Path) -> None:
    text, shape = FILES[form.columns]
    assert told(text) is form
    probe = read(file_of(tmp_path, text))
    assert probe.shape == shape
    assert bool(probe.runs) != bool(probe.perplexities)
    assert (FAMILIES[probe.shape].without_gold is not None) == (probe.shape in AGAINST_NO_GOLD)
    assert not any("aren't the study's" in note for note in probe.notes)


@pytest.mark.parametrize("form", [form for form in FORMATS if form.key == "item_id"], ids=lambda form: form.columns)
def test_a_row_of_an_unknown_item_is_named(form: ProbeFormat, tmp_path: Path) -> None:
    text = FILES[form.columns][0].replace("\na,", "\nz,")
    with pytest.raises(Refused) as refused:
        read_probe(file_of(tmp_path, text), STUDY)
    assert refused.value.reasons[0].startswith("probe.csv, row 2, column item_id: 'z' is not an item of the study")


@every_format
def test_a_file_without_rows_is_refused(form: ProbeFormat, tmp_path: Path) -> None:
    header = FILES[form.columns][0].partition("\n")[0]
    with pytest.raises(Refused, match="it has no outputs"):
        read_probe(file_of(tmp_path, f"{header}\n"), STUDY)


@pytest.mark.parametrize("key", ["item_id", "sentence_id", "x"])  # with `term` any file is one of vectors
@every_format
def test_a_file_whose_rows_are_told_by_another_column_is_refused(form: ProbeFormat, key: str, tmp_path: Path) -> None:
    text = FILES[form.columns][0].replace(form.key, "x" if key == form.key else key, 1)
    with pytest.raises(Refused, match=r"there is no column (item_id|token)|no column says what the model gives"):
        read_probe(file_of(tmp_path, text), STUDY)


@every_format
@pytest.mark.parametrize("study", [STUDY, WITHOUT_LABELS], ids=["labels", "numbers"])
def test_a_study_without_what_a_format_needs_is_told_so(form: ProbeFormat, study: StudyItems, tmp_path: Path) -> None:
    """Labels for a study that has none; anything else is read, and then fits its gold or doesn't."""
    text, shape = FILES[form.columns]
    path = file_of(tmp_path, text)
    if "label" in form.columns and not study.labels:
        with pytest.raises(Refused, match="it gives labels, and a study of kind slider has none"):
            read_probe(path, study)
    else:
        of_numbers = "numbers" if form.columns == "item_id,answer" else "ranking"
        assert read_probe(path, study).shape == (shape if study.labels or shape != "labels" else of_numbers)


@every_format
def test_the_manual_has_the_columns(form: ProbeFormat) -> None:
    assert f"\n| `{form.columns}` | " in MANUAL.read_text()
    assert form.row_meaning


def test_whoever_gives_no_outputs_is_told_every_way(tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        read_probe(file_of(tmp_path, "item_id,mood\na,1\n"), STUDY)
    assert all(form.says in refused.value.reasons[0] for form in FORMATS)


@every_option
def test_an_option_is_asked_for_by_commands_and_by_the_form_alike(name: str, tmp_path: Path) -> None:
    option = OPTIONS[name]
    parser = ArgumentParser()
    add_probe_arguments(parser)
    assert all_options(probe_options(vars(parser.parse_args([])))) == all_options(DEFAULT)
    field = ProbeForm().fields[name]
    assert (field.label, [key for key, _ in getattr(field, "choices", ())]) == (option.label, list(option.choices))
    words = tmp_path / "words.txt"
    words.write_text("Green\nred\n")
    texts = ("green\nred",) if option.is_words else ("why",) if option.is_text else ()
    for choice in texts or option.choices or (True,):
        given = str(words) if option.is_words else str(choice)
        arguments = [option.flag, *([] if choice is True else [given])]
        assert probe_options(vars(parser.parse_args(arguments)))[option] == choice
        assert options_of({name: choice})[option] == choice
        assert all_options(options_of({name: choice})) == {**all_options(DEFAULT), name: choice}
    assert option.default in (("",) if texts else option.choices or (False,))


def test_an_option_that_there_is_not_is_refused() -> None:
    with pytest.raises(KeyError, match="a probe has no option mood"):
        options_of({"mood": 1})


# What the quick way reads, the strict way reads too, to the last bit; what it doesn't, it leaves to the strict way.

NUMBER = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.from_regex(r"[+-]?[0-9]{1,25}\.?[0-9]{0,25}(?:[eE][+-]?[0-9]{1,3})?", fullmatch=True),
    st.sampled_from(["", "nan", "inf", " 1", "1 ", '"1"', "1_000", "0x10", "True", "\u0661", "1,5", "-0", "NA"]),
)
SHARE = st.one_of(st.floats(0, 1).map(lambda p: f"{p!r},{1 - p!r}"), st.tuples(NUMBER, NUMBER).map(",".join))
ITEM = st.sampled_from(["a", "b", "c", "a ", "'a", "z", ""])
LINES = st.one_of(
    st.lists(st.tuples(ITEM, NUMBER).map(",".join), max_size=4).map(lambda rows: ["item_id,score", *rows]),
    st.lists(st.tuples(ITEM, SHARE).map(",".join), max_size=4).map(lambda rows: ["item_id,p:red,p:blue", *rows]),
    st.lists(st.tuples(ITEM, SHARE).map(",".join), max_size=4).map(lambda rows: ["item_id,p:blue,p:red", *rows]),
)


def same(one: Probe, other: Probe) -> bool:
    def of(probe: Probe) -> Any:
        return probe.name, probe.shape, probe.notes, probe.other_labels, [run.keys for run in probe.runs]

    mine, theirs = (np.array([run.values for run in probe.runs]) for probe in (one, other))
    return of(one) == of(other) and np.array_equal(mine, theirs, equal_nan=True)


@settings(max_examples=600, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(lines=LINES)
@example(lines=["item_id,p:red,p:blue", "a,8.99e307,1.7e308"])
def test_the_quick_way_reads_what_the_strict_way_reads_or_nothing(lines: list[str], tmp_path: Path) -> None:
    path = file_of(tmp_path, "\n".join(lines) + "\n")
    for study in (STUDY, WITHOUT_LABELS):
        quick = quick_probe(path, study, "m")
        if quick is not None:
            assert same(quick, read(path, study))


def test_each_format_with_a_quick_way_takes_it(tmp_path: Path) -> None:
    quick = [form for form in FORMATS if form.quick is not None]
    assert len(quick) > 1
    for form in quick:
        assert quick_probe(file_of(tmp_path, FILES[form.columns][0]), STUDY, "m") is not None
