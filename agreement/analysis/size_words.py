"""The fitted threshold of size words in sentences that a paper can print."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from agreement.analysis.figure_words import over_in_words, over_what, said_figure


def size_paragraph(found: Mapping[str, Any]) -> str:
    """People's k beside that of the literature; nothing where items say nothing of sizes."""
    if not found:
        return ""
    why = found.get("undefined") or found["k"].get("undefined")
    if why:
        return f"No threshold was fitted to the verdicts on size: {why}."
    return " ".join(filter(None, _fitted(found)))


def _fitted(found: Mapping[str, Any]) -> Iterator[str]:
    known, k = found["literature"], found["k"]
    yield (
        f"A threshold was fitted to {found['informative']:,} verdicts on shapes that are neither the largest nor the"
        f" smallest of those they are compared with ({found['verdicts']:,} verdicts in all): a shape is big if its area"
        " is above max - k (max - min), with k normally distributed."
    )
    yield (
        f"People's k has the mean {said_figure(k)} and the standard deviation {said_figure(found['sd'])};"
        f" in the literature it is {known['k']} and {known['sd']} ({known['source']})."
    )
    if "not a sampling interval" in k["method"]:
        yield "The two limits are the ends of the range of k that parts the verdicts without an error; no interval."
        return
    yield f"The share of verdicts given without regard to size: {said_figure(found['lapse'])}."
    yield f"A sharp threshold at people's k gives {said_figure(found['sharp_right'])} of these verdicts."
    yield over_in_words(over_what(found[name] for name in ("k", "sd", "lapse")))
