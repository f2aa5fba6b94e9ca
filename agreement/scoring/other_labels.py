"""Labels that a probe gives and the study doesn't have: wrong wherever they stand, counted and listed."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

MOST_LISTED = 10


@dataclass(frozen=True, slots=True)
class OtherLabel:
    """`outputs` is how many outputs name it, or give it a probability above 0; `probability` is the sum over them."""

    label: str
    outputs: int
    probability: float | None = None
    looks_like: str = ""  # the study's label that differs in capitals or spaces alone


def other_labels(
    given: Sequence[str],
    outputs: npt.NDArray[np.integer],
    labels: Sequence[str],
    probability: npt.NDArray[np.floating] | None = None,
) -> tuple[OtherLabel, ...]:
    """Those with outputs, the commonest first and then by the alphabet."""
    as_seen = {label.casefold().strip(): label for label in labels}
    found = [
        OtherLabel(
            label,
            int(outputs[at]),
            None if probability is None else float(probability[at]),
            as_seen.get(label.casefold().strip(), ""),
        )
        for at, label in enumerate(given)
        if outputs[at] > 0
    ]
    return tuple(sorted(found, key=lambda one: (-one.outputs, one.label)))


def other_labels_in_words(found: Sequence[OtherLabel]) -> str:
    """What is said of them beside the scores; nothing where there are none.

    >>> other_labels_in_words([OtherLabel("None of the above", 3), OtherLabel("Yes", 1, looks_like="yes")])
    "labels that aren't the study's count as wrong: None of the above (3 outputs), Yes (1 output; the study has yes)"
    >>> other_labels_in_words([OtherLabel("maybe", 2, 0.5)])  # doctest: +ELLIPSIS
    "probability on labels that aren't the study's is ... to the right ones: maybe (2 outputs, 0.25 on average)"
    """
    if not found:
        return ""
    parts = [_listed(one) for one in found[:MOST_LISTED]]
    if len(found) > MOST_LISTED:
        parts.append(f"and {len(found) - MOST_LISTED:,} more")
    if found[0].probability is None:
        return f"labels that aren't the study's count as wrong: {', '.join(parts)}"
    said = "probability on labels that aren't the study's is probability not given to the right ones"
    return f"{said}: {', '.join(parts)}"


def _listed(one: OtherLabel) -> str:
    said = f"{one.outputs:,} output{'' if one.outputs == 1 else 's'}"
    if one.probability is not None:
        said += f", {one.probability / one.outputs:.2g} on average"
    return f"{one.label} ({said}{f'; the study has {one.looks_like}' if one.looks_like else ''})"
