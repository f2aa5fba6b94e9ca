"""What speaks against a worker, in figures and in words. Words describe the answers, and call nobody anything."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from ..arrays import Floats
from ..files.numbers import in_digits, short_decimal
from ..typed_json import ABSENT
from .indices import robust_z, usual_value
from .screen import Screened
from .suspects import KINDS

DECIMALS = 6  # of figures in files: the last digits of a sum depend on the order of its rows
SUSPECTS_TITLE = "People whose answers look careless"
NOBODY_SCREENED = "Nobody was screened for careless answers"
CAUTION = (
    "Nobody is excluded by this, and nothing here proves that somebody was careless: look at their answers before you"
    " decide anything. It is no ground for withholding pay or rejecting work."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexValue:
    """An index of a worker, and how many robust standard deviations it is from that of the median worker; null where
    there is none.
    """

    value: float | None
    z: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SuspectEvidence:
    """The indices of a suspect: correlation with the mean of the others or chance-corrected agreement, standard
    deviation, longest run of equal answers, agreement of their own halves, logarithm of the median response time in
    milliseconds, squared Mahalanobis distance, and of labels how often they know the answer by the model MACE.
    """

    agreement: IndexValue
    spread: IndexValue
    longest_run: IndexValue
    halves: IndexValue
    log_time: IndexValue
    distance: IndexValue
    competence: IndexValue | None = field(default=None, metadata=ABSENT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspect:
    """A worker whose answers look careless: of which kinds, in a sentence, and by which indices. Nobody is excluded by
    it.
    """

    worker: str
    kinds: tuple[str, ...]
    sentence: str
    evidence: SuspectEvidence


def suspects_of(screened: Screened, competence: Mapping[int, float]) -> tuple[Suspect, ...]:
    """The suspects among those who are kept, in the order of the workers. `competence` is by worker, where a model of
    annotators has one.
    """
    found, workers = screened.found, screened.crowd.workers
    of_model = np.full(len(workers), np.nan)
    of_model[list(competence)] = list(competence.values())
    model_z = robust_z(of_model, np.isfinite(of_model), 0.1)
    suspects = []
    for who in np.flatnonzero(found.named & screened.others).tolist():
        columns = screened.columns
        indices = {name: _index(columns[name].value, columns[name].z, who) for name in columns}
        suspects.append(
            Suspect(
                worker=str(workers[who]),
                kinds=kinds_of(screened, who),
                sentence=sentence_of(screened, who),
                evidence=SuspectEvidence(
                    **indices, competence=None if math.isnan(of_model[who]) else _index(of_model, model_z, who)
                ),
            )
        )
    return tuple(suspects)


def _index(values: Floats, z: Floats, who: int) -> IndexValue:
    return IndexValue(value=_rounded(values[who]), z=_rounded(z[who]))


def _rounded(value: float) -> float | None:
    """With no more digits than any order of the rows gives.

    >>> _rounded(0.12345678), _rounded(float("nan"))
    (0.123457, None)
    """
    return round(float(value), DECIMALS) + 0.0 if math.isfinite(value) else None


def kinds_of(screened: Screened, who: int) -> tuple[str, ...]:
    """The kinds of a worker who is suspected; none of one who isn't."""
    return tuple(kind for kind in KINDS if screened.found.kinds[kind][who])


# The sentence: what the answers look like, and the figure that says so.


def sentence_of(screened: Screened, who: int) -> str:
    """Such as "Answers agree with those of the others no better than chance: correlation .04, where .83 is usual"."""
    parts = [part for kind in kinds_of(screened, who) for part in _WORDS[kind](screened, who)]
    text = "; ".join(parts)
    return f"{text[:1].upper()}{text[1:]}."


def _agreement(screened: Screened, who: int) -> str:
    others, found = screened.found.indices.with_others, screened.found
    name = "chance-corrected agreement" if screened.is_of_labels else "correlation"
    items = int(others.n[who]) // screened.parts
    figure = others.agreement[who]
    agreement = "undefined" if math.isnan(figure) else short_decimal(figure)
    return f"{name} with the others {agreement} over {items:,} items, where {short_decimal(found.usual)} is usual"


def _repeated_answer(screened: Screened, who: int) -> str:
    number, crowd = float(screened.repeated[who]), screened.crowd
    if screened.parts > 1:
        return "the same answer"
    if screened.is_of_labels:
        return f"“{crowd.labels[int(number)]}”"
    scale = crowd.scale
    is_middle = scale is not None and math.isclose(2 * number, float(scale.low + scale.high), abs_tol=1e-9)
    return f"{in_digits(number)}{', the middle of the scale,' if is_middle else ''}"


def _constant(screened: Screened, who: int) -> Iterator[str]:
    own = screened.found.indices.own
    n, length, answer = int(own.judgments[who]), int(own.longest_run.length[who]), _repeated_answer(screened, who)
    unlikely = "which is improbable given the others' answers to the same items"
    if own.constant[who]:
        yield f"gave {answer} to all {n:,} items, {unlikely}"
    elif 2 * length >= n:
        yield f"gave {answer} {length:,} times in a row of {n:,} answers, {unlikely}; {_agreement(screened, who)}"
    else:
        yield f"hardly moves on the scale (standard deviation {own.spread[who]:.3g}); {_agreement(screened, who)}"


def _pattern(screened: Screened, who: int) -> Iterator[str]:
    pattern, n = screened.found.indices.own.pattern, int(screened.found.indices.own.judgments[who])
    length, period = int(pattern.length[who]), int(pattern.period[who])
    if 2 * length >= n:
        yield f"repeats the same {period} answers through {length:,} of {n:,}; {_agreement(screened, who)}"
    else:
        yield f"nearly repeats their own last answers, again and again; {_agreement(screened, who)}"


def _reversed(screened: Screened, who: int) -> Iterator[str]:
    yield f"answers fall where those of the others rise: {_agreement(screened, who)}"


def _wrong(screened: Screened, who: int) -> Iterator[str]:
    yield f"agrees with the others less often than chance would: {_agreement(screened, who)}"


def _random(screened: Screened, who: int) -> Iterator[str]:
    yield f"agrees with the others no better than chance: {_agreement(screened, who)}"


def _half_random(screened: Screened, who: int) -> Iterator[str]:
    change, n = screened.found.indices.change, int(screened.found.indices.with_others.n[who])
    parts, after = screened.parts, int(change.after[who])
    first, last = f"the first {after // parts:,} answers", f"the last {(n - after) // parts:,}"
    before, behind = change.before[who], change.behind[who]
    (good, well), (bad, badly) = sorted([(first, before), (last, behind)], key=lambda part: -part[1])
    yield (
        f"agrees with the others in {good} ({short_decimal(well)}), and in {bad} no better than chance"
        f" ({short_decimal(badly)})"
    )


def _too_fast(screened: Screened, who: int) -> Iterator[str]:
    own, others = screened.found.indices.own, screened.others
    usual = math.exp(own.log_time[who] + usual_value(own.pace, others) - own.pace[who])
    seconds = math.exp(own.log_time[who])
    agreement = "" if screened.found.by_agreement[who] else f"; {_agreement(screened, who)}"
    yield f"takes {seconds / 1000:.3g} s per answer, where {usual / 1000:.3g} s is usual for these items{agreement}"


_WORDS = {
    "constant": _constant,
    "pattern": _pattern,
    "reversed": _reversed,
    "wrong": _wrong,
    "half-random": _half_random,
    "random": _random,
    "too-fast": _too_fast,
}
