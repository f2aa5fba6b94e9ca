"""How the judgments were collected, in sentences that a paper can print, from the report's `collection`."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from typing import Any

from agreement.analysis.collection import DIRECT, NOT_KNOWN

# Not `calendar`'s, which are in the language of the machine.
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
# Everybody who came is in one of these, but for those who consented, who are in others too.
_ENDED = {
    "declined": "declined",
    "failed_comprehension": "failed the comprehension questions",
    "returned_or_timed_out": "returned the task or ran out of time",
    "rejected": "rejected on the platform",
    "withdrew": "withdrew",
    "unfinished": "had not finished",
}


def collection_text(collection: Mapping[str, Any]) -> str:
    """The paragraph; nothing where nothing is known."""
    return " ".join(_sentences(collection))


def _sentences(collection: Mapping[str, Any]) -> Iterator[str]:
    when = days_text(collection["first_day"], collection["last_day"]) if "first_day" in collection else ""
    if "platform" not in collection:  # a file, whose times may be in any zone
        if when:
            yield f"The judgments were given {when}."
        return
    platform = collection["platform"]
    yield (
        "People were recruited directly, by invitations or an open link"
        if platform == DIRECT
        else f"People were recruited through {platform}"
    ) + (f"; the judgments were given {when} (UTC)." if when else ".")
    yield _people(collection["people"])
    yield from _time_and_pay(collection)
    unverified = collection["unverified"]
    if unverified["workers"]:
        yield (
            f"{unverified['workers']:,} of the {unverified['of']:,} workers in the data came through an open link or"
            " through the platform without its signature, so their identities are not verified."
        )
    yield from _workers(collection)


def days_text(first: str, last: str) -> str:
    """From day to day, without saying a month or a year twice.

    >>> print(days_text("2026-11-03", "2026-11-18"), days_text("2026-10-31", "2026-11-02"), sep="; ")
    from 3 to 18 November 2026; from 31 October to 2 November 2026
    >>> print(days_text("2026-11-03", "2026-11-03"), days_text("2025-12-31", "2026-01-02"), sep="; ")
    on 3 November 2026; from 31 December 2025 to 2 January 2026
    """
    begin, end = dt.date.fromisoformat(first), dt.date.fromisoformat(last)
    until = f"{end.day} {_MONTHS[end.month - 1]} {end.year}"
    if begin == end:
        return f"on {until}"
    month = f" {_MONTHS[begin.month - 1]}" if (begin.year, begin.month) != (end.year, end.month) else ""
    year = f" {begin.year}" if begin.year != end.year else ""
    return f"from {begin.day}{month}{year} to {until}"


def _people(people: Mapping[str, int]) -> str:
    came = "1 person" if people["came"] == 1 else f"{people['came']:,} people"
    ended = ", ".join(f"{people[key]:,} {words}" for key, words in _ENDED.items() if people[key])
    said = f"{came} came, of whom {people['consented']:,} consented and {people['finished']:,} finished"
    return f"{said} ({ended})." if ended else f"{said}."


def _time_and_pay(collection: Mapping[str, Any]) -> Iterator[str]:
    time = collection["median_minutes"]
    if "estimate" in time:
        yield (
            f"The median time from consent to the end was {time['estimate']:.1f} minutes, over the {time['n']:,} people"
            " who finished and are in the data."
        )
    for pay in collection["pay"]:
        least, most = f"{pay['least']:.2f}", f"{pay['most']:.2f}"
        amount = least if least == most else f"{least} to {most}"
        currency = pay["currency"]
        an_hour = f", which comes to {pay['per_hour']:.2f} {currency} per hour" if "per_hour" in pay else ""
        yield f"Pay was {amount} {currency} per person{f'{an_hour} at the median time' if an_hour else ''}."


def _workers(collection: Mapping[str, Any]) -> Iterator[str]:
    described, devices = collection["workers_described"], dict(collection["devices"])
    if not described:
        return
    whose = f"the {described:,} {'worker' if described == 1 else 'workers'} whose judgments are kept"
    not_known = devices.pop(NOT_KNOWN, 0)
    if devices:
        used = ", ".join(f"{count:,} used a {device}" for device, count in devices.items())
        yield f"Of {whose}, {used}{f'; the device of {not_known:,} is not known' if not_known else ''}."
    if collection["questions"]:
        yield f"At the end, {'they' if devices else whose} were asked about themselves, and could leave any answer out."
    for question in collection["questions"]:
        yield _question(question)


def _question(question: Mapping[str, Any]) -> str:
    asked, answered, blank = f'"{" ".join(question["text"].split())}"', question["answered"], question["no_answer"]
    if "options" in question:
        counts = [f"{option} {count:,}" for option, count in question["options"].items()]
        if question["no_longer_an_option"]:
            counts.append(f"an answer that is no longer offered {question['no_longer_an_option']:,}")
        return f"{asked}: {', '.join([*counts, f'no answer {blank:,}'])}."
    if "mean" in question:
        of_them = f"M = {question['mean']:.1f}, SD = {question['sd']:.1f}"
        lowest, highest = f"{question['least']:g}", f"{question['most']:g}"
        return f"{asked}: n = {answered:,}, {of_them}, range {lowest} to {highest}, no answer {blank:,}."
    return f"{asked}: {answered:,} answered in their own words, no answer {blank:,}."
