"""A picture to draw shapes in; and a scene: what is in the picture, and the words for it that people might choose."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from PIL import Image, ImageDraw

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

    def half_disc(self, x: float, y: float, rx: float, ry: float, colour: str) -> None:
        self.draw.pieslice(_scaled(x - rx, y - ry, x + rx, y + ry), 180, 360, fill=colour)

    def save(self, file: Path) -> None:
        small = self.image.resize(SIZE, Image.Resampling.LANCZOS)
        small.quantize(COLOURS, dither=Image.Dither.NONE).save(file, optimize=True)


def _scaled(*numbers: float) -> list[float]:
    return [number * FINER for number in numbers]


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
