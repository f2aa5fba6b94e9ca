"""What trying rules has found, as a page shows it: figures in words and numbers, workers with their links."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.urls import reverse

from agreement.figures import threshold_sweep
from agreement.kinds.registry import KINDS
from agreement.report.figure_rows import FigureCell, shown, statistic_name
from agreement.report.stored_parts import stored_figure, stored_scores, stored_statistic
from agreement.scoring.metrics import title_of
from annotation.models import Study


def shown_result(study: Study, result: Mapping[str, Any]) -> dict[str, Any]:
    """Without a question to the database."""
    match result["what"]:
        case "preview":
            return {**_figures(result), **_people(study, result)}
        case "sweep":
            return _sweep(result)
        case "compare":
            return _compared(study, result)
    raise ValueError(f"nothing shows what {result['what']} found")


def _figures(result: Mapping[str, Any]) -> dict[str, Any]:
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


def _people(study: Study, result: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: [{**each, "link": person_page(study, each["worker"])} for each in result[key]]
        for key in ("excluded", "near")
    }


def person_page(study: Study, pseudonym: str) -> str:
    return reverse("agreement:person", args=[study.uuid, pseudonym])


def _sweep(result: Mapping[str, Any]) -> dict[str, Any]:
    if "why_not" in result:
        return dict(result)
    first, second = result["axes"]
    now = " and ".join(
        f"{name} {', '.join(values)}"
        for name, values in zip(result["axes"], result["now"], strict=True)
        if name and values
    )
    figure = threshold_sweep.draw(
        result["rows"],
        axes=(first, second),
        statistic=result["statistic"],
        caption=f"{result['statistic']}; every check with such a bound is held to the cell's. Framed: the present"
        f" rules ({now}). Point at a cell for workers, judgments and gold.",
    )
    return {**result, "figure": figure}


def _compared(study: Study, result: Mapping[str, Any]) -> dict[str, Any]:
    one, other = map(_figures, result["sides"])
    scores: dict[str, list[FigureCell | None]] = {}
    for at, side in enumerate((one, other)):
        for score in stored_scores(side["scores"]):
            scores.setdefault(score.probe, [None, None])[at] = shown(score.figure)
    has_scale = KINDS[study.kind].has_scale
    return {**result, "sides": [one, other], "scores": list(scores.items()), "has_scale": has_scale}
