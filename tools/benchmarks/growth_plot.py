"""Time and memory against the number of judgments, on logarithmic axes, as an SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence

WIDTH, HEIGHT, LEFT, TOP, INNER = 640, 360, 70, 30, 240


def growth_svg(runs: Sequence[tuple[int, float, float]]) -> str:
    """(judgments, seconds, megabytes) of each run as two lines, with the slope of 1 as a dashed guide."""
    panels = [("seconds", [(n, s) for n, s, _ in runs]), ("peak MB", [(n, mb) for n, _, mb in runs])]
    body = "".join(_panel(name, points, at) for at, (name, points) in enumerate(panels))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"'
        ' font-family="sans-serif" font-size="12">'
        f"<title>Growth of time and memory with the number of judgments</title>{body}</svg>\n"
    )


def _panel(name: str, points: list[tuple[int, float]], at: int) -> str:
    left = LEFT + at * (WIDTH - LEFT) // 2
    xs, ys = [math.log10(n) for n, _ in points], [math.log10(y) for _, y in points]
    low_x, high_x, low_y = min(xs), max(*xs, min(xs) + 1), math.floor(min(ys))
    high_y = max(math.ceil(max(ys)), low_y + 1)
    width = (WIDTH - LEFT) // 2 - 60

    def place(x: float, y: float) -> str:
        across = left + (x - low_x) / (high_x - low_x) * width
        return f"{across:.1f},{TOP + INNER - (y - low_y) / (high_y - low_y) * INNER:.1f}"

    ticks = "".join(
        f'<text x="{left - 8}" y="{place(low_x, y).split(",")[1]}" text-anchor="end">{10.0**y:g}</text>'
        for y in range(low_y, high_y + 1)
    )
    ticks += "".join(
        f'<text x="{place(x, low_y).split(",")[0]}" y="{TOP + INNER + 18}" text-anchor="middle">{n:,}</text>'
        for x, (n, _) in zip(xs, points, strict=True)
    )
    guide_y = min(ys[-1], high_y)
    rise = min(high_x - low_x, guide_y - low_y)
    guide = f"{place(high_x - rise, guide_y - rise)} {place(high_x, guide_y)}"
    line = " ".join(place(x, y) for x, y in zip(xs, ys, strict=True))
    return (
        f'<text x="{left}" y="{TOP - 10}" font-weight="bold">{name}</text>{ticks}'
        f'<polyline points="{guide}" fill="none" stroke="#999" stroke-dasharray="4 4"/>'
        f'<polyline points="{line}" fill="none" stroke="#0b5394" stroke-width="2"/>'
    )
