"""The pictures of the presets on captions: small scenes, drawn here, with ways in which people might describe each.

`python -m tools.caption_pictures` draws them all into annotation/presets/items/captions/.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from PIL import Image, ImageDraw

from tools import place

FOLDER = place.ROOT / "annotation" / "presets" / "items" / "captions"
SIZE = (480, 360)
FINER = 3  # drawn at three times the size and scaled down, so that edges are smooth
COLOURS = 96  # of the palette: 2 to 9 kB a picture

SKY, NIGHT, GRASS, SEA, SAND, WALL, FLOOR = (
    "#bfe3f5", "#1d2a4d", "#7dbb5c", "#3f86b5", "#ecd9a0", "#f1e8da", "#b98d5f"
)  # fmt: skip
RED, BLUE, YELLOW, GREEN, WHITE, BLACK, BROWN, GREY, ORANGE, SKIN = (
    "#cc3b33", "#2f62ad", "#f2c533", "#2f7d3a", "#ffffff", "#222222", "#7a5230", "#8d9399", "#e58a2c", "#e9b48f"
)  # fmt: skip


class Canvas:
    """Shapes in the picture's own pixels, 480 by 360."""

    def __init__(self, upper: str, lower: str, horizon: int) -> None:
        self.image = Image.new("RGB", (SIZE[0] * FINER, SIZE[1] * FINER), upper)
        self.draw = ImageDraw.Draw(self.image)
        self.box(0, horizon, SIZE[0], SIZE[1], lower)

    def box(self, x: float, y: float, to_x: float, to_y: float, colour: str) -> None:
        self.draw.rectangle(_scaled(x, y, to_x, to_y), fill=colour)

    def disc(self, x: float, y: float, r: float, colour: str, ry: float | None = None) -> None:
        h = r if ry is None else ry
        self.draw.ellipse(_scaled(x - r, y - h, x + r, y + h), fill=colour)

    def ring(self, x: float, y: float, r: float, colour: str, width: float = 5) -> None:
        self.draw.ellipse(_scaled(x - r, y - r, x + r, y + r), outline=colour, width=round(width * FINER))

    def shape(self, colour: str, *points: float) -> None:
        self.draw.polygon(_scaled(*points), fill=colour)

    def line(self, colour: str, width: float, *points: float) -> None:
        self.draw.line(_scaled(*points), fill=colour, width=round(width * FINER), joint="curve")

    def save(self, file: Path) -> None:
        small = self.image.resize(SIZE, Image.Resampling.LANCZOS)
        small.quantize(COLOURS, dither=Image.Dither.NONE).save(file, optimize=True)


def _scaled(*numbers: float) -> list[float]:
    return [number * FINER for number in numbers]


# Things, each at a place.


def sun(c: Canvas, x: float = 400, y: float = 60) -> None:
    for turn in range(8):
        a = turn * math.pi / 4
        c.line(YELLOW, 5, x + 42 * math.cos(a), y + 42 * math.sin(a), x + 58 * math.cos(a), y + 58 * math.sin(a))
    c.disc(x, y, 34, YELLOW)


def cloud(c: Canvas, x: float, y: float, colour: str = WHITE) -> None:
    for dx, dy, r in ((-30, 6, 20), (0, -6, 27), (30, 6, 20)):
        c.disc(x + dx, y + dy, r, colour)


def house(c: Canvas, x: float, y: float, colour: str = RED, size: float = 1.0) -> None:
    """`x`, `y` is the middle of its foot."""
    w, h = 70 * size, 90 * size
    c.box(x - w, y - h, x + w, y, colour)
    c.shape(BROWN, x - w - 16, y - h, x + w + 16, y - h, x, y - h - 65 * size)
    c.box(x - 15 * size, y - 52 * size, x + 15 * size, y, BROWN)
    for dx in (-44, 44):
        c.box(x + (dx - 14) * size, y - 66 * size, x + (dx + 14) * size, y - 38 * size, YELLOW)


def tree(c: Canvas, x: float, y: float, size: float = 1.0) -> None:
    c.box(x - 10 * size, y - 90 * size, x + 10 * size, y, BROWN)
    for dx, dy in ((-32, -105), (32, -105), (0, -145), (0, -100)):
        c.disc(x + dx * size, y + dy * size, 42 * size, GREEN)


def table(c: Canvas, x: float = 240, y: float = 300, width: float = 130) -> None:
    """`y` is where its feet stand."""
    c.box(x - width, y - 120, x + width, y - 104, BROWN)
    for side in (-1, 1):
        c.box(x + side * (width - 16) - 7, y - 104, x + side * (width - 16) + 7, y, BROWN)


def chair(c: Canvas, x: float, y: float) -> None:
    c.box(x - 45, y - 150, x - 35, y, BLUE)
    c.box(x - 45, y - 75, x + 45, y - 63, BLUE)
    c.box(x + 35, y - 63, x + 45, y, BLUE)


def dog(c: Canvas, x: float, y: float) -> None:
    """Standing, its head to the right."""
    c.disc(x, y - 45, 52, BROWN, 24)
    for dx in (-38, -24, 24, 38):
        c.box(x + dx - 5, y - 40, x + dx + 5, y, BROWN)
    c.disc(x + 54, y - 72, 24, BROWN, 20)
    c.disc(x + 78, y - 66, 12, BROWN, 9)
    c.disc(x + 42, y - 66, 8, BLACK, 18)
    c.disc(x + 62, y - 77, 3.5, BLACK)
    c.disc(x + 87, y - 68, 4, BLACK)
    c.line(BROWN, 8, x - 48, y - 55, x - 72, y - 85)


def cat(c: Canvas, x: float, y: float, colour: str = GREY) -> None:
    """Sitting, seen from the front."""
    c.disc(x, y - 30, 30, colour, 34)
    c.disc(x, y - 72, 23, colour)
    for side in (-1, 1):
        c.shape(colour, x + side * 22, y - 76, x + side * 20, y - 108, x + side * 3, y - 92)
        c.disc(x + side * 9, y - 76, 3.5, BLACK)
    c.shape(RED, x - 4, y - 68, x + 4, y - 68, x, y - 63)
    c.line(colour, 8, x + 24, y - 10, x + 52, y - 14, x + 58, y - 42)


def bird(c: Canvas, x: float, y: float, colour: str = RED) -> None:
    """Its feet are at `y`."""
    c.line(BLACK, 3, x - 4, y, x - 4, y - 12)
    c.line(BLACK, 3, x + 6, y, x + 6, y - 12)
    c.disc(x, y - 26, 26, colour, 17)
    c.disc(x + 22, y - 42, 14, colour)
    c.shape(ORANGE, x + 34, y - 47, x + 34, y - 38, x + 48, y - 42)
    c.disc(x + 26, y - 45, 3, BLACK)
    c.shape(colour, x - 18, y - 32, x - 50, y - 42, x - 46, y - 20)


def person(c: Canvas, x: float, y: float, colour: str = BLUE, arm: float = 0.0) -> None:
    """`arm` is how far up the right arm is stretched."""
    for side in (-1, 1):
        c.line(BLACK, 13, x + side * 5, y - 75, x + side * 14, y)
    c.box(x - 19, y - 140, x + 19, y - 70, colour)
    c.line(colour, 12, x - 17, y - 130, x - 34, y - 82)
    c.line(colour, 12, x + 17, y - 130, x + 46, y - 92 - arm)
    c.disc(x, y - 162, 22, SKIN)
    c.disc(x, y - 174, 22, BROWN, 11)


def ball(c: Canvas, x: float, y: float, r: float = 24, colour: str = RED) -> None:
    c.disc(x, y - r, r, colour)
    c.disc(x - r / 3, y - 1.35 * r, r / 5, WHITE)


def boat(c: Canvas, x: float, y: float, colour: str = RED) -> None:
    c.shape(colour, x - 85, y - 30, x + 85, y - 30, x + 55, y + 12, x - 55, y + 12)


def sail(c: Canvas, x: float, y: float) -> None:
    c.line(BROWN, 6, x, y - 30, x, y - 170)
    c.shape(WHITE, x + 6, y - 168, x + 6, y - 45, x + 76, y - 45)
    c.shape(WHITE, x - 6, y - 140, x - 6, y - 45, x - 58, y - 45)


def car(c: Canvas, x: float, y: float, colour: str = BLUE) -> None:
    c.shape(colour, x - 58, y - 48, x - 36, y - 84, x + 34, y - 84, x + 60, y - 48)
    c.shape(SKY, x - 44, y - 50, x - 28, y - 75, x - 4, y - 75, x - 4, y - 50)
    c.shape(SKY, x + 4, y - 50, x + 4, y - 75, x + 28, y - 75, x + 44, y - 50)
    c.box(x - 92, y - 50, x + 92, y - 16, colour)
    for dx in (-52, 52):
        c.disc(x + dx, y - 16, 20, BLACK)
        c.disc(x + dx, y - 16, 8, GREY)


def bicycle(c: Canvas, x: float, y: float) -> None:
    for dx in (-58, 58):
        c.ring(x + dx, y - 40, 40, BLACK)
    c.line(RED, 7, x - 58, y - 40, x - 22, y - 96, x + 34, y - 96, x - 4, y - 40, x - 58, y - 40)
    c.line(RED, 7, x - 22, y - 96, x - 4, y - 40)
    c.line(RED, 7, x + 58, y - 40, x + 30, y - 112)
    c.line(BLACK, 8, x - 38, y - 102, x - 8, y - 102)
    c.line(BLACK, 7, x + 20, y - 118, x + 48, y - 114)


def umbrella(c: Canvas, x: float, y: float, colour: str = RED, r: float = 75) -> None:
    """`y` is the end of its stick."""
    c.line(BLACK, 5, x, y, x, y - 150)
    c.draw.pieslice(_scaled(x - r, y - 150 - r * 0.8, x + r, y - 150 + r * 0.8), 180, 360, fill=colour)


def fish(c: Canvas, x: float, y: float, colour: str) -> None:
    c.disc(x, y, 40, colour, 22)
    c.shape(colour, x - 34, y, x - 66, y - 24, x - 66, y + 24)
    c.disc(x + 22, y - 6, 4, BLACK)


def flower(c: Canvas, x: float, y: float, to_y: float, colour: str) -> None:
    c.line(GREEN, 5, x, y, 240, to_y)
    for turn in range(5):
        a = turn * 2 * math.pi / 5
        c.disc(x + 15 * math.cos(a), y + 15 * math.sin(a), 12, colour)
    c.disc(x, y, 9, YELLOW)


def window(c: Canvas, x: float, y: float, w: float = 90, h: float = 80) -> None:
    c.box(x - w - 8, y - h - 8, x + w + 8, y + h + 8, BROWN)
    c.box(x - w, y - h, x + w, y + h, SKY)
    c.box(x - 4, y - h, x + 4, y + h, BROWN)


def apple(c: Canvas, x: float, y: float, colour: str = RED, r: float = 24) -> None:
    c.disc(x, y - r, r, colour)
    c.line(BROWN, 4, x, y - 2 * r + 4, x + 4, y - 2 * r - 10)


# Scenes: what is in the picture, and in braces with | between them the words that people might choose.

Paint: TypeAlias = Callable[[], Canvas]


@dataclass(frozen=True)
class Scene:
    name: str
    sayings: tuple[str, ...]
    paint: Paint
    has: tuple[str, ...] = ()

    @property
    def caption(self) -> str:
        """What it shows, in the first words of each brace."""
        return _said(self.sayings[0], lambda words: words[0])

    def described(self, rng: random.Random) -> str:
        """As somebody might say it."""
        return _said(rng.choice(self.sayings), rng.choice)

    def sentences(self, most: int) -> list[str]:
        """So many different ways to say it, the same every time: the references of the preset."""
        rng = random.Random(self.name)  # noqa: S311
        return list(dict.fromkeys([self.caption, *(self.described(rng) for _ in range(200))]))[:most]


_BRACE = re.compile(r"\{([^}]*)\}")


def _said(pattern: str, choose: Callable[[Sequence[str]], str]) -> str:
    text = " ".join(_BRACE.sub(lambda found: choose(found[1].split("|")), pattern).split())
    return f"{text[:1].upper()}{text[1:]}."


def outdoors(*things: Callable[[Canvas], None], upper: str = SKY, lower: str = GRASS, horizon: int = 240) -> Paint:
    """A scene of things, the farthest first."""

    def paint() -> Canvas:
        canvas = Canvas(upper, lower, horizon)
        for thing in things:
            thing(canvas)
        return canvas

    return paint


def indoors(*things: Callable[[Canvas], None]) -> Paint:
    return outdoors(*things, upper=WALL, lower=FLOOR, horizon=270)


def at_sea(*things: Callable[[Canvas], None]) -> Paint:
    return outdoors(*things, lower=SEA, horizon=230)


def at_night(*things: Callable[[Canvas], None]) -> Paint:
    return outdoors(*things, upper=NIGHT, lower="#2f4a35", horizon=260)


def _rain(c: Canvas) -> None:
    rng = random.Random(1)  # noqa: S311 - the same picture every time
    for _ in range(48):
        x, y = rng.uniform(0, 480), rng.uniform(0, 330)
        c.line(BLUE, 2, x, y, x - 5, y + 16)


def _stars(c: Canvas) -> None:
    rng = random.Random(2)  # noqa: S311
    for _ in range(26):
        c.disc(rng.uniform(10, 330), rng.uniform(10, 170), 2, WHITE)


def _moon(c: Canvas) -> None:
    c.disc(380, 75, 36, "#f6efc4")
    c.disc(396, 66, 32, NIGHT)


def _snowman(c: Canvas) -> None:
    for y, r in ((265, 58), (180, 42), (116, 30)):
        c.disc(240, y, r, WHITE)
    c.box(214, 60, 266, 92, BLACK)
    c.box(198, 90, 282, 98, BLACK)
    for dx in (-10, 10):
        c.disc(240 + dx, 110, 4, BLACK)
    c.shape(ORANGE, 240, 116, 240, 125, 276, 122)
    for y in (165, 185, 205):
        c.disc(240, y, 4, BLACK)
    c.box(212, 138, 268, 150, RED)


def _kite(c: Canvas) -> None:
    c.shape(RED, 370, 40, 410, 90, 370, 150, 330, 90)
    c.line(BLACK, 2, 370, 150, 250, 205, 186, 178)
    c.line(YELLOW, 4, 370, 150, 384, 175, 368, 196)


def _balloons(c: Canvas) -> None:
    for x, y, colour in ((262, 70, RED), (310, 56, BLUE), (352, 84, YELLOW)):
        c.line(BLACK, 2, x, y + 28, 286, 190)
        c.disc(x, y, 25, colour, 30)


def _mountains(c: Canvas) -> None:
    for x, y, w in ((150, 70, 140), (320, 100, 150)):
        c.shape(GREY, x - w, 250, x, y, x + w, 250)
        c.shape(WHITE, x - 0.25 * w, y + 45, x, y, x + 0.25 * w, y + 45, x + 0.08 * w, y + 60, x - 0.08 * w, y + 58)


def _vase(c: Canvas) -> None:
    c.shape(BLUE, 212, 120, 268, 120, 258, 180, 222, 180)


def _book(c: Canvas) -> None:
    c.shape(WHITE, 190, 162, 250, 172, 250, 182, 190, 178)
    c.shape(WHITE, 250, 172, 310, 162, 310, 178, 250, 182)
    c.line(GREY, 2, 250, 170, 250, 182)


def _lamp(c: Canvas) -> None:
    c.box(136, 172, 184, 180, BLACK)
    c.line(BLACK, 6, 160, 174, 160, 110)
    c.shape(YELLOW, 140, 70, 180, 70, 200, 112, 120, 112)


def _ladder(c: Canvas) -> None:
    for x, top in ((110, 190), (146, 226)):
        c.line(ORANGE, 6, x, 318, top, 130)
    for step in range(6):
        part = step / 6 + 0.08
        y = 318 - 188 * part
        c.line(ORANGE, 5, 110 + 80 * part, y, 146 + 80 * part, y)


def _apples_in_tree(c: Canvas) -> None:
    for x, y in ((215, 175), (262, 150), (300, 190), (250, 205), (285, 120)):
        c.disc(x, y, 9, RED)


def _branch(c: Canvas) -> None:
    c.line(BROWN, 14, 20, 250, 180, 232, 460, 240)
    for x, y in ((60, 228), (400, 222), (330, 252)):
        c.disc(x, y, 22, GREEN, 12)


def _cup(c: Canvas) -> None:
    c.ring(278, 158, 15, BLUE, 6)
    c.box(222, 135, 276, 180, BLUE)


def _road(c: Canvas) -> None:
    c.box(0, 262, 480, 322, GREY)
    for x in range(10, 480, 80):
        c.box(x, 289, x + 40, 295, WHITE)


def _apples(c: Canvas) -> None:
    for at in range(5):
        apple(c, 140 + 50 * at, 180, GREEN if at == 3 else RED, 20)


SCENES: tuple[Scene, ...] = (
    Scene(
        "house-and-tree",
        (
            "a {red|small red} house {beside|next to|by} a {tall|big|green} tree",
            "a {tree|tall tree} {stands|is} {beside|next to} a {red house|house}",
        ),
        outdoors(lambda c: house(c, 170, 290), lambda c: tree(c, 350, 290, 1.2)),
    ),
    Scene(
        "sailing-boat",
        (
            "a {red|sailing|small} boat {on the|sailing on the|at} sea {under the sun||on a sunny day}",
            "the sun shines on a {boat|sailing boat} {on|in} the {sea|water}",
        ),
        at_sea(sun, lambda c: boat(c, 220, 285), lambda c: sail(c, 220, 285)),
    ),
    Scene(
        "ball-under-table",
        (
            "a red ball {under|below|underneath} a {table|brown table}",
            "a {table|wooden table} with a red ball {under|below} it",
        ),
        indoors(table, lambda c: ball(c, 240, 305)),
    ),
    Scene(
        "cup-on-table",
        ("a blue cup {on|standing on} a {table|brown table}", "a {table|wooden table} with a blue {cup|mug} on it"),
        indoors(table, _cup),
    ),
    Scene(
        "dog-and-ball",
        (
            "a {brown dog|dog} {looking at|in front of|and} a {yellow|small yellow|} ball {on the grass|}",
            "a ball {lies|is} in front of a {dog|brown dog}",
        ),
        outdoors(lambda c: dog(c, 170, 310), lambda c: ball(c, 340, 312, 22, YELLOW)),
    ),
    Scene(
        "cat-on-chair",
        (
            "a {grey cat|cat} {sitting|sits|is} on a {blue chair|chair}",
            "a {blue chair|chair} with a {grey cat|cat} on it",
        ),
        indoors(lambda c: chair(c, 240, 320), lambda c: cat(c, 240, 246)),
    ),
    Scene(
        "umbrella-in-the-rain",
        (
            "a {person|man|woman} {with|holding|under} {a red|an} umbrella in the rain",
            "it {is raining|rains} and {a person|somebody} {holds|has} {a red|an} umbrella",
        ),
        outdoors(_rain, lambda c: person(c, 220, 330, BLUE, 20), lambda c: umbrella(c, 266, 232), upper="#c9d3da"),
    ),
    Scene(
        "snowman",
        (
            "a snowman with a {black|big black} hat {and a red scarf|}",
            "a {white|big} snowman {wearing|with} a {hat|black hat}",
        ),
        outdoors(_snowman, lower="#e6eef2", horizon=230),
    ),
    Scene(
        "two-birds",
        (
            "two {birds|small birds} {sitting|sit|} on a branch",
            "a {red|small} bird and a blue {bird|one} {on|sitting on} a {branch|tree branch}",
        ),
        outdoors(_branch, lambda c: bird(c, 150, 228), lambda c: bird(c, 310, 231, BLUE), lower=SKY),
    ),
    Scene(
        "three-fish",
        ("three fish {swimming|swim|} in the {water|sea}", "three {colourful fish|fish} {under|in the} {water|sea}"),
        outdoors(
            lambda c: fish(c, 150, 110, ORANGE),
            lambda c: fish(c, 320, 170, YELLOW),
            lambda c: fish(c, 200, 250, RED),
            upper=SEA,
            lower=SAND,
            horizon=320,
        ),
    ),
    Scene(
        "car-on-road",
        ("a blue car {on|driving on|drives along} a {road|grey road}", "a {blue car|car} {on the|on a} {road|street}"),
        outdoors(lambda c: cloud(c, 110, 70), _road, lambda c: car(c, 250, 305)),
    ),
    Scene(
        "bicycle-and-house",
        (
            "a red {bicycle|bike} in front of a {house|yellow house}",
            "a {bike|bicycle} {stands|is} {in front of|by} a house",
        ),
        outdoors(lambda c: house(c, 300, 262, YELLOW, 1.2), lambda c: bicycle(c, 150, 325)),
    ),
    Scene(
        "flying-a-kite",
        (
            "a {person|child|boy} {flying|with|flies} a {red kite|kite}",
            "a {red kite|kite} in the sky {held by|flown by} a {person|child}",
        ),
        outdoors(lambda c: cloud(c, 90, 70), lambda c: person(c, 140, 325, GREEN, 55), _kite),
    ),
    Scene(
        "vase-of-flowers",
        (
            "three flowers in a blue vase {on a table|}",
            "a {blue vase|vase} {with|of} {three|some} flowers {on a table|}",
        ),
        indoors(
            table,
            lambda c: flower(c, 195, 62, 130, RED),
            lambda c: flower(c, 240, 45, 130, WHITE),
            lambda c: flower(c, 286, 64, 130, ORANGE),
            _vase,
        ),
    ),
    Scene(
        "house-at-night",
        (
            "a {small house|house} at night {under the moon|with stars in the sky}",
            "the moon {and stars|} above a {house|small house} {at night|}",
        ),
        at_night(_stars, _moon, lambda c: house(c, 200, 310, BLUE)),
    ),
    Scene(
        "balloons",
        (
            "a {person|child|girl} {holding|with} three {balloons|coloured balloons}",
            "a {person|woman} {in red|} {holds|has} {three|some} balloons",
        ),
        outdoors(lambda c: person(c, 240, 330, RED, 40), _balloons),
    ),
    Scene(
        "mountains",
        ("{two|snowy} mountains {under|and} the sun", "two mountains with {snow on them|snow on top} {and the sun|}"),
        outdoors(lambda c: sun(c, 410, 60), _mountains),
    ),
    Scene(
        "on-the-beach",
        (
            "a {yellow umbrella|beach umbrella} and a {red ball|ball} on the beach",
            "a {ball|red ball} under {an umbrella|a yellow umbrella} on the {beach|sand}",
        ),
        outdoors(
            lambda c: c.box(0, 170, 480, 232, SEA),
            lambda c: umbrella(c, 200, 315, YELLOW, 100),
            lambda c: ball(c, 320, 325),
            lower=SAND,
            horizon=230,
        ),
    ),
    Scene(
        "lamp-and-book",
        (
            "a lamp and an open book on a {table|desk}",
            "{an open book|a book} {beside|next to|by} a {lamp|yellow lamp} {on a table|}",
        ),
        indoors(lambda c: table(c, 240, 300, 150), _lamp, _book),
    ),
    Scene(
        "ladder-and-apple-tree",
        (
            "a ladder {leaning|leans|} against an apple tree",
            "{an apple tree|a tree with apples} and {a|an orange} ladder",
        ),
        outdoors(lambda c: tree(c, 260, 322, 1.5), _apples_in_tree, _ladder),
    ),
    Scene(
        "cat-at-window",
        (
            "a {black cat|cat} {sitting|sits|} {in front of|at|by} a window",
            "a {cat|black cat} {at the|looking out of a} window",
        ),
        indoors(lambda c: window(c, 240, 140), lambda c: cat(c, 240, 300, BLACK)),
    ),
    Scene(
        "two-people-in-boat",
        (
            "two people {in|sitting in} a {boat|red boat} {on the sea|on the water}",
            "a {boat|small boat} with two people {in it|on the water}",
        ),
        at_sea(
            lambda c: cloud(c, 380, 70),
            lambda c: person(c, 195, 330, GREEN),
            lambda c: person(c, 265, 330, YELLOW),
            lambda c: boat(c, 230, 300),
            lambda c: c.box(0, 312, 480, 360, SEA),
        ),
    ),
    Scene(
        "car-and-house",
        (
            "a yellow car {in front of|outside} a {house|red house}",
            "a {house|red house} {with|and} a {yellow car|car} in front of it",
        ),
        outdoors(lambda c: house(c, 260, 270, RED, 1.3), lambda c: car(c, 220, 335, YELLOW)),
    ),
    Scene(
        "five-apples",
        (
            "five apples on a table, {one of them|one is} green",
            "four red apples and {one|a} green {apple|one} on a table",
        ),
        indoors(table, _apples),
    ),
)


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for scene in SCENES:
        scene.paint().save(FOLDER / f"{scene.name}.png")
    print(f"{len(SCENES)} pictures in {FOLDER.relative_to(place.ROOT)}")


if __name__ == "__main__":
    main()
