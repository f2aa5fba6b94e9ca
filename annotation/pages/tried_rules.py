"""What trying rules has found, as a page shows it: figures in words and numbers, workers with their links."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict, cast

from django.urls import reverse

from agreement.figures import threshold_sweep
from agreement.kinds.registry import KINDS
from agreement.report.figure_rows import FigureCell, shown, statistic_name
from agreement.report.stored_parts import stored_figure, stored_scores, stored_statistic
from agreement.scoring.metrics import title_of
from annotation.models import Study


class TriedRules(TypedDict):
    """What the trial of one rule set has found, as far as more is said of it than stands in it."""

    counts: dict[str, int]
    statistic: str
    raw: Mapping[str, object]
    cleaned: Mapping[str, object]
    metric: str
    ceiling: Mapping[str, object]
    scores: list[Mapping[str, object]]


class SweptThresholds(TypedDict):
    """Both axes by their rules' names, the values that stand now, and a row per cell."""

    axes: tuple[str, str]
    now: tuple[list[str], list[str]]
    statistic: str
    rows: list[Mapping[str, object]]


def shown_result(study: Study, result: Mapping[str, object]) -> dict[str, object]:
    """Without a question to the database."""
    match result["what"]:
        case "preview":
            return {**_figures(cast("TriedRules", result)), **_people(study, result)}
        case "sweep":
            return _sweep(result)
        case "compare":
            return _compared(study, result)
    raise ValueError(f"nothing shows what {result['what']} found")


def _figures(result: TriedRules) -> dict[str, object]:
    counts = result["counts"]
    return {
        **result,
        "counts": {**counts, "judgments_lost": counts["judgments"] - counts["judgments_kept"]},
        "statistic_name": statistic_name(result["statistic"]),
        "raw": shown(stored_statistic(result["raw"])),
        "cleaned": shown(stored_statistic(result["cleaned"])),
        "ceiling": shown(stored_figure(result["ceiling"])),
        "metric_name": title_of(result["metric"]) if result["metric"] else "",
    }


def _people(study: Study, result: Mapping[str, object]) -> dict[str, object]:
    workers = {key: cast("list[dict[str, object]]", result[key]) for key in ("excluded", "near")}
    return {
        key: [{**each, "link": person_page(study, str(each["worker"]))} for each in rows]
        for key, rows in workers.items()
    }


def person_page(study: Study, pseudonym: str) -> str:
    return reverse("agreement:person", args=[study.uuid, pseudonym])


def _sweep(result: Mapping[str, object]) -> dict[str, object]:
    if "why_not" in result:
        return dict(result)
    swept = cast("SweptThresholds", result)
    first, second = swept["axes"]
    now = " and ".join(
        f"{name} {', '.join(values)}"
        for name, values in zip(swept["axes"], swept["now"], strict=True)
        if name and values
    )
    figure = threshold_sweep.draw(
        swept["rows"],
        axes=(first, second),
        statistic=swept["statistic"],
        caption=f"{swept['statistic']}; every check with such a bound is held to the cell's. Framed: the present"
        f" rules ({now}). Point at a cell for workers, judgments and gold.",
    )
    return {**result, "figure": figure}


def _compared(study: Study, result: Mapping[str, object]) -> dict[str, object]:
    sides = cast("list[TriedRules]", result["sides"])
    scores: dict[str, list[FigureCell | None]] = {}
    for column, side in enumerate(sides):
        for score in stored_scores(side["scores"]):
            scores.setdefault(score.probe, [None, None])[column] = shown(score.figure)
    has_scale = KINDS[study.kind].has_scale
    return {
        **result,
        "sides": [_figures(side) for side in sides],
        "scores": list(scores.items()),
        "has_scale": has_scale,
    }
