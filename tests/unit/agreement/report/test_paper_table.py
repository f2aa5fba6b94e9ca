"""Tables for LaTeX: any text is only text, minus signs, wide tables and long ones."""

import re

import pytest

from agreement.report.methods import methods_tex
from agreement.report.paper_table import PaperTable, latex_text

HOSTILE = "50 % & $x_1$ #~^\\{} <a|b>"
ACTIVE = re.compile(r"(?<!\\)[%&$#_~^{}]")  # characters that LaTeX acts on, where nothing escapes them
COMMANDS = re.compile(r"\\(textbackslash|textasciitilde|textasciicircum|textbar|textless|textgreater)\{\}")


def rows_of(tex: str) -> list[str]:
    return tex.partition("\\midrule\n")[2].partition("\\bottomrule")[0].strip().splitlines()


def test_no_character_of_a_text_is_left_for_latex_to_act_on(subtests: pytest.Subtests) -> None:
    for text in [HOSTILE, *HOSTILE.replace(" ", "")]:
        with subtests.test(text=text):
            escaped = COMMANDS.sub("", latex_text(text))
            assert not ACTIVE.search(escaped)
            assert not re.search(r"\\(?![%&$#_{}])", escaped)


def test_a_hostile_name_is_one_cell_of_one_row() -> None:
    tex = PaperTable(HOSTILE, HOSTILE, (HOSTILE, "n"), [(HOSTILE, "1"), ("b", "2")], frozenset({1})).latex()
    assert [len(re.findall(r"(?<!\\)&", row)) for row in rows_of(tex)] == [1, 1]
    assert not ACTIVE.search(COMMANDS.sub("", latex_text(HOSTILE)))


def test_hostile_names_in_the_methods_are_texts_too() -> None:
    tex = methods_tex(f"# Methods: x\n\n{HOSTILE} came.\n\n- {HOSTILE}: .4\n- b: .5")
    assert tex.count(latex_text(HOSTILE)) == 2


def test_negative_numbers_have_a_minus_and_words_keep_their_hyphens() -> None:
    row = ("p-value", "-.159 (-.4 to -0.1)", "2026-11-19", "a -3")
    [line] = rows_of(PaperTable("x", "", ("a", "b", "c", "d"), [row]).latex())
    assert line.strip() == r"p-value & $-$.159 ($-$.4 to $-$0.1) & 2026-11-19 & a $-$3 \\"


def test_a_set_of_labels_may_be_broken_after_its_bars() -> None:
    [line] = rows_of(PaperTable("x", "", ("a",), [("red|green|blue",)]).latex())
    assert line.strip() == r"red\textbar{}\allowbreak{}green\textbar{}\allowbreak{}blue \\"


def test_a_table_that_is_wider_than_a_page_breaks_its_texts_into_lines() -> None:
    wide = PaperTable("x", "", ("a", "b", "n"), [("word " * 20, "more " * 10, "7")], frozenset({2})).latex()
    assert wide.startswith("% \\usepackage{booktabs,array}\n")
    widths = [float(width) for width in re.findall(r"p\{([.\d]+)\\linewidth\}", wide)]
    assert len(widths) == 2
    assert widths[0] > widths[1]
    assert sum(widths) < 0.95


def test_a_table_that_is_longer_than_a_page_goes_over_several() -> None:
    long = PaperTable("x", "All.", ("a",), [(str(at),) for at in range(41)]).latex()
    assert long.startswith(
        "% \\usepackage{booktabs,longtable}\n\\begin{longtable}{l}\n  \\caption{All.}\\label{tab:x} \\\\"
    )
    assert long.count("\\endfirsthead") == long.count("\\endhead") == long.count("\\endfoot") == 1


@pytest.mark.parametrize("name", ["中文标签", "تسمية عربية", "Ω"])
def test_letters_that_pdflatex_lacks_are_said(name: str) -> None:
    assert (
        PaperTable("x", "", ("a",), [(name,)]).latex().startswith("% It has letters that pdfLaTeX lacks: use XeLaTeX")
    )
    assert methods_tex(f"# Methods: x\n\n{name}").startswith("% It has letters that pdfLaTeX lacks")


def test_letters_that_pdflatex_has_are_not_said() -> None:
    assert PaperTable("x", "±1", ("a",), [("naïve ž",)]).latex().startswith("\\begin{table}")


# What is compiled with shell escape off and on alike: the commands of TeX in a file are ours.

WORDS_OF_TEX = re.compile(r"\\([a-zA-Z]+|.)", re.DOTALL)
INJECTED = (
    HOSTILE + " \\write18{touch x} \\input{/etc/passwd} ^^5cinput{x} \\catcode`|=0 }\n\n\\par %\x1b\r\n\\end{tabular}"
)
OURS = {
    *{"begin", "end", "centering", "caption", "label", "toprule", "midrule", "bottomrule", "raggedright"},
    *{"arraybackslash", "linewidth", "allowbreak", "endfirsthead", "endhead", "endfoot", "item", "cite", "usepackage"},
    *{"textbackslash", "textasciitilde", "textasciicircum", "textbar", "textless", "textgreater"},
    *"&%$#_{}\\",
}


@pytest.mark.parametrize("rows", [1, 60])
def test_no_name_is_a_command_in_latex(rows: int) -> None:
    table = PaperTable("models", INJECTED, (INJECTED, "n"), [(INJECTED, "-.3")] * rows, frozenset({1}))
    methods = methods_tex(f"# Methods: {INJECTED}\n\nOf {INJECTED} it is said.\n\n- {INJECTED}\n- b")
    for tex in (table.latex(), methods):
        assert {command[1] for command in WORDS_OF_TEX.finditer(tex)} <= OURS
        assert not any(sign in tex for sign in ("^^", "\x1b", "\r"))
        assert "\n\n" not in tex or tex is methods  # a paragraph's end within a cell stops LaTeX
