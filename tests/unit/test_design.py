"""The look that pages share: one set of colours, their contrasts as docs/design.md prints them, no name undefined.

TOUCHSTONE_TEST_WRITE_DESIGN=1 pytest tests/unit/test_design.py writes the table anew.
"""

import os
import re
from pathlib import Path

import pytest

from agreement.figures.figure import CATEGORIES
from config.theme import UNFOLD

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "static"
TOKENS = (STATIC / "design" / "tokens.css").read_text()
COLOURS = dict(re.findall(r"--([a-z-]+): light-dark\((#[0-9a-f]{6}, #[0-9a-f]{6})\);", TOKENS))
LIGHT = {name: pair.split(", ")[0] for name, pair in COLOURS.items()}
DARK = {name: pair.split(", ")[1] for name, pair in COLOURS.items()}
SHARED = dict(re.findall(r"--(space|radius|sans|serif|mono): ([^;]+);", TOKENS))
PAGE = ROOT / "docs" / "design.md"
# What is written in which colour on what, and the least contrast that it needs.
PAIRS = (
    *((text, ground, 4.5) for text in ("ink", "quiet", "accent", "alarm", "good") for ground in ("paper", "card")),
    *((text, "soft", 4.5) for text in ("ink", "quiet", "accent")),
    ("accent-ink", "accent", 4.5),
    ("ink", "accent-soft", 4.5),
    *((name, f"{name}-soft", 4.5) for name in ("accent", "alarm", "warn", "good")),
    ("edge", "paper", 3.0),
    ("edge", "card", 3.0),
)


def luminance(colour: str) -> float:
    """Relative luminance, as WCAG 2.2 defines it."""
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_contrast_of_black_and_white_is_21() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("look", [LIGHT, DARK], ids=["light", "dark"])
def test_text_stands_out_from_what_it_stands_on(look: dict[str, str]) -> None:
    too_faint = [
        (text, ground, contrast(look[text], look[ground]))
        for text, ground, least in PAIRS
        if contrast(look[text], look[ground]) < least
    ]
    assert too_faint == []


def test_design_page_prints_the_contrasts() -> None:
    rows = [
        f"| {text} | {ground} | {contrast(LIGHT[text], LIGHT[ground]):.1f} | {contrast(DARK[text], DARK[ground]):.1f} |"
        for text, ground, _ in PAIRS
    ]
    table = "\n".join(["| text | on | light | dark |", "| --- | --- | --- | --- |", *rows])
    written = PAGE.read_text()
    before, _, rest = written.partition("<!-- contrasts -->\n")
    wanted = f"{before}<!-- contrasts -->\n{table}\n<!-- end -->{rest.partition('<!-- end -->')[2]}"
    if os.environ.get("TOUCHSTONE_TEST_WRITE_DESIGN"):
        PAGE.write_text(wanted)
    assert PAGE.read_text() == wanted


def test_annotators_pages_carry_the_same_values() -> None:
    """In one style sheet of their own. What it defines beside these is its own."""
    blocks = re.findall(r":root \{(.*?)\}", (STATIC / "pages" / "touchstone.css").read_text(), re.DOTALL)
    light, dark = (dict(re.findall(r"--([a-z-]+): ([^;]+);", block)) for block in blocks)
    shared = {name: value for name, value in {**LIGHT, **SHARED}.items() if name in light}
    assert {name: light[name] for name in shared} == shared
    assert {"paper", "ink", "accent", "sans", "serif"} <= shared.keys()
    assert dark == {name: DARK[name] for name in light if name in DARK}


def test_report_carries_the_same_values() -> None:
    page = (ROOT / "agreement" / "output" / "templates" / "report.html").read_text()
    pattern = r"--([a-z-]+): ([^;]+);"
    assert set(re.findall(pattern, page)) <= set(re.findall(pattern, TOKENS))
    assert {name for name, _ in re.findall(pattern, page)} == set(re.findall(r"var\(--([a-z-]+)\)", page))


def test_theme_and_charts_take_the_accent_and_the_paper() -> None:
    colours = UNFOLD["COLORS"]
    assert isinstance(colours, dict)
    assert colours["primary"]["600"] == LIGHT["accent"] == CATEGORIES[0]
    assert colours["primary"]["500"] == DARK["accent"]
    assert (colours["base"]["50"], colours["base"]["200"]) == (LIGHT["paper"], LIGHT["rule"])
    assert (colours["base"]["900"], colours["base"]["700"]) == (DARK["paper"], DARK["rule"])


def test_no_page_uses_a_name_that_nothing_defines() -> None:
    sheets = [*STATIC.rglob("*.css"), *(ROOT / "annotation" / "answering" / "kinds").rglob("*.css")]
    texts = {sheet: sheet.read_text() for sheet in sheets}
    defined = {name for text in texts.values() for name in re.findall(r"(--[a-z0-9-]+):", text)}
    unknown = {
        (sheet.name, name)
        for sheet, text in texts.items()
        for name in re.findall(r"var\((--[a-z0-9-]+)\)", text)
        if name not in defined and not name.startswith("--color-")
    }
    assert unknown == set()


def test_no_page_of_researchers_writes_a_colour_down() -> None:
    """But for a picture that must be black on white, and the box beside a point of a chart."""
    sheets = ("admin-touchstone/admin.css", "api/documentation.css", "leaderboard/public.css")
    written = {
        (name, line.strip()[:60])
        for name in sheets
        for line in (STATIC / name).read_text().splitlines()
        if re.search(r"#[0-9a-f]{3,6}\b", line) and "--series" not in line and ".t-qr" not in line
    }
    assert written == set()
