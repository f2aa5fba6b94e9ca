"""A scene: what is in the picture, and in braces with | between them the words that people might choose."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from studies.caption_pictures.canvas import FLOOR, GRASS, NIGHT, SEA, SKY, WALL, Canvas

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
