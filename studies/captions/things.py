"""Things in pictures, each drawn at a place."""

from __future__ import annotations

import math
import random

from studies.captions.scene import (
    BLACK,
    BLUE,
    BROWN,
    GREEN,
    GREY,
    NIGHT,
    ORANGE,
    RED,
    SKIN,
    SKY,
    WHITE,
    YELLOW,
    Canvas,
)


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
    c.half_disc(x, y - 150, r, r * 0.8, colour)


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


# Things with a place of their own.


def rain(c: Canvas) -> None:
    rng = random.Random(1)  # noqa: S311 - the same picture every time
    for _ in range(48):
        x, y = rng.uniform(0, 480), rng.uniform(0, 330)
        c.line(BLUE, 2, x, y, x - 5, y + 16)


def stars(c: Canvas) -> None:
    rng = random.Random(2)  # noqa: S311
    for _ in range(26):
        c.disc(rng.uniform(10, 330), rng.uniform(10, 170), 2, WHITE)


def moon(c: Canvas) -> None:
    c.disc(380, 75, 36, "#f6efc4")
    c.disc(396, 66, 32, NIGHT)


def snowman(c: Canvas) -> None:
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


def kite(c: Canvas) -> None:
    c.shape(RED, 370, 40, 410, 90, 370, 150, 330, 90)
    c.line(BLACK, 2, 370, 150, 250, 205, 186, 178)
    c.line(YELLOW, 4, 370, 150, 384, 175, 368, 196)


def balloons(c: Canvas) -> None:
    for x, y, colour in ((262, 70, RED), (310, 56, BLUE), (352, 84, YELLOW)):
        c.line(BLACK, 2, x, y + 28, 286, 190)
        c.disc(x, y, 25, colour, 30)


def mountains(c: Canvas) -> None:
    for x, y, w in ((150, 70, 140), (320, 100, 150)):
        c.shape(GREY, x - w, 250, x, y, x + w, 250)
        c.shape(WHITE, x - 0.25 * w, y + 45, x, y, x + 0.25 * w, y + 45, x + 0.08 * w, y + 60, x - 0.08 * w, y + 58)


def vase(c: Canvas) -> None:
    c.shape(BLUE, 212, 120, 268, 120, 258, 180, 222, 180)


def book(c: Canvas) -> None:
    c.shape(WHITE, 190, 162, 250, 172, 250, 182, 190, 178)
    c.shape(WHITE, 250, 172, 310, 162, 310, 178, 250, 182)
    c.line(GREY, 2, 250, 170, 250, 182)


def lamp(c: Canvas) -> None:
    c.box(136, 172, 184, 180, BLACK)
    c.line(BLACK, 6, 160, 174, 160, 110)
    c.shape(YELLOW, 140, 70, 180, 70, 200, 112, 120, 112)


def ladder(c: Canvas) -> None:
    for x, top in ((110, 190), (146, 226)):
        c.line(ORANGE, 6, x, 318, top, 130)
    for step in range(6):
        part = step / 6 + 0.08
        y = 318 - 188 * part
        c.line(ORANGE, 5, 110 + 80 * part, y, 146 + 80 * part, y)


def apples_in_tree(c: Canvas) -> None:
    for x, y in ((215, 175), (262, 150), (300, 190), (250, 205), (285, 120)):
        c.disc(x, y, 9, RED)


def branch(c: Canvas) -> None:
    c.line(BROWN, 14, 20, 250, 180, 232, 460, 240)
    for x, y in ((60, 228), (400, 222), (330, 252)):
        c.disc(x, y, 22, GREEN, 12)


def cup(c: Canvas) -> None:
    c.ring(278, 158, 15, BLUE, 6)
    c.box(222, 135, 276, 180, BLUE)


def road(c: Canvas) -> None:
    c.box(0, 262, 480, 322, GREY)
    for x in range(10, 480, 80):
        c.box(x, 289, x + 40, 295, WHITE)


def apples(c: Canvas) -> None:
    for at in range(5):
        apple(c, 140 + 50 * at, 180, GREEN if at == 3 else RED, 20)
