"""Clicks anywhere, without reading: every answer is drawn anew."""

from typing import ClassVar

from simulation.vice import Careless


class RandomClicks(Careless):
    name: ClassVar[str] = "random"


VICE = RandomClicks()
