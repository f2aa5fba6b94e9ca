"""An analysis in a few lines, for the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agreement.analysis.cleaning_words import kept_in_words, notices
from agreement.analysis.methods import blank_looking, said_figure
from agreement.analysis.score_words import spoken


def summary(report: Mapping[str, Any], out: Path) -> str:
    """What was kept, the agreement that stands first for this kind of question, scores, and where the files are."""
    lines = [kept_in_words(report), *notices(report)]
    if note := blank_looking(report["labels"]):
        lines.append(note)
    cleaned = report["agreement"]["cleaned"]
    if first := cleaned["first"]:
        figure = cleaned
        for name in first.split("."):
            figure = figure[name]
        lines.append(f"{first.replace('_', ' ').replace('.', ', ')}: {said_figure(figure)}")
        lines += [f"note: {note}" for note in (*cleaned["notes"], *figure.get("notes", ()))]
    left_out = report["ceiling"]["leave_one_out"]
    if "metric" in left_out:
        lines.append(f"leave-one-out, {spoken(left_out['metric'])}: {said_figure(left_out['mean'])}")
    crowd = [("the crowd against the reference", score) for score in report["ceiling"]["reference"].get("crowd", [])]
    for name, score in [*crowd, *((score["probe"], score) for score in report["scores"])]:
        if not score["breakdown"]:
            lines.append(f"{name}, {spoken(score['metric'])}: {said_figure(score)}")
    lines += [f"{probe['probe']}: {note}" for probe in report["probes"] for note in probe["notes"]]
    lines.append(f"gold release {report['release']['sha256'][:12]} and all else in {out}")
    return "\n".join(lines)
