"""What cleaning did, in words: for the methods paragraph, the terminal and the results page, from the report alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Report = Mapping[str, Any]
NO_CHECKS = "no checks"


def cleaning_paragraph(report: Report) -> str:
    """Which rules, whom they excluded and what is left, as a paper says it."""
    return " ".join(_sentences(report))


def kept_in_words(report: Report) -> str:
    """How many workers and judgments are kept, under which rules; or that no rule had anything to judge by.

    >>> none = {"rules": {"name": "own-bounds"}, "cleaning": {"by_rule": []}, "counts": dict(workers=3,
    ... workers_kept=3, judgments=9, judgments_kept=9, items=3, check_items=0, check_judgments=0)}
    >>> kept_in_words(none)
    'No checks: nobody excluded. 3 of 3 workers and 9 of 9 judgments of 3 items are kept.'
    """
    counts = report["counts"]
    workers = f"{counts['workers_kept']:,} of {counts['workers']:,} workers"
    judgments = f"{counts['judgments_kept']:,} of {counts['judgments']:,} judgments of {counts['items']:,} items"
    if why := nothing_judged(report):
        nobody = "nobody excluded" if counts["workers_kept"] == counts["workers"] else "nobody excluded by a rule"
        return f"{why[:1].upper()}{why[1:]}: {nobody}. {workers} and {judgments} are kept."
    return f"{workers} and {judgments} are kept under {report['rules']['name']}."


def nothing_judged(report: Report) -> str:
    """Why no rule judged anybody; nothing where one did. "Not applicable" to everybody is not "passed"."""
    counts, rules = report["counts"], report["cleaning"]["by_rule"]
    if any(rule["passed"] or rule["failed"] or rule["kind"] == "row-disagreement" for rule in rules):
        return ""
    if any(rule["kind"] != "check" for rule in rules):
        return "no rule applied to anybody"
    if not counts.get("check_items", counts["check_judgments"]):
        return NO_CHECKS
    if not rules:
        return "the rule set has no rules"
    return "no rule looks at the checks" if counts["check_judgments"] else "nobody answered a check"


def notices(report: Report) -> list[str]:
    """What a reader of the results would otherwise not see: checks, rules and bounds that decided nothing."""
    found, cleaning = [], report["cleaning"]
    if not nothing_judged(report):
        idle = [rule["rule"] for rule in cleaning["by_rule"] if _is_idle(rule)]
        found += [f"This rule applied to nobody: {rule}." for rule in idle]
    if unseen := cleaning["checks_without_a_rule"]:
        found.append(f"No rule looks at the checks named {', '.join(unseen)}: failing them has no consequence.")
    if other := cleaning.get("bounds_not_used"):
        names = ", ".join(other)
        found.append(f"The rules' bounds took the place of those that the check items named {names} came with.")
    return found + warning_texts(report)


def warning_texts(report: Report) -> list[str]:
    """What the report warns of, in its order; an older release has no warnings."""
    return [warning["text"] for warning in report.get("warnings", ())]


def _is_idle(rule: Mapping[str, Any]) -> bool:
    return not (rule["passed"] or rule["failed"] or rule["kind"] == "row-disagreement")


def several(count: int, thing: str) -> str:
    """How many of a thing, in words.

    >>> several(1, "worker"), several(1200, "worker")
    ('1 worker', '1,200 workers')
    """
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


def _sentences(report: Report) -> Iterator[str]:
    rules, counts, cleaning, by_hand = report["rules"], report["counts"], report["cleaning"], report["by_hand"]
    named = f"rule set {rules['name']} (version {rules['version']}, SHA-256 {rules['sha256']})"
    if why := nothing_judged(report):
        which = f" of the {named}" if rules["rule"] and why != NO_CHECKS else ""
        because = "there were no check items" if why == NO_CHECKS else why
        yield f"No rule{which} excluded a worker, because {because}; {_left(counts)}"
    else:
        yield f"The {named} was applied: {'; '.join(rules['rule'])}."
        workers, judgments = counts["workers"] - counts["workers_kept"], counts["judgments"] - counts["judgments_kept"]
        who = "It and the decisions by hand" if by_hand["set_aside"] or by_hand["by_earlier_runs"] else "It"
        yield f"{who} excluded {several(workers, 'worker')} and {several(judgments, 'judgment')}; {_left(counts)}"
        if counts["workers_unchecked"] and counts.get("check_items", counts["check_judgments"]):
            yield f"{several(counts['workers_unchecked'], 'worker')} answered no check that a rule looks at."
    if cleaning["checks_without_a_rule"]:
        yield f"No rule looks at the checks named {', '.join(cleaning['checks_without_a_rule'])}."
    if cleaning["bounds_not_used"]:
        names = ", ".join(cleaning["bounds_not_used"])
        yield f"The rules' bounds took the place of those that the check items named {names} came with."
    yield from _by_hand(by_hand)
    if cleaning["selects_on_outcome"]:
        yield _selecting(cleaning["selects_on_outcome"], rules["rule"])
    if cleaning["honest_workers_lost"]:
        first = cleaning["honest_workers_lost"][0]
        lost, kept = (f"{100 * first[share]:.1f} %" for share in ("honest_lost", "uniform_clickers_kept"))
        yield (
            f"If an honest worker slips on a check with chance {first['slip']:g} (an assumption), the checks lose"
            f" {lost} of the honest, and keep {kept} of those who click anywhere."
        )


def _left(counts: Mapping[str, Any]) -> str:
    """What is kept: all of it where nothing was excluded."""
    per_item = f"{counts['judgments_per_item']:.2f}".rstrip("0").removesuffix(".")
    workers, judgments = (several(counts[f"{what}_kept"], what[:-1]) for what in ("workers", "judgments"))
    every = "all " if counts["judgments_kept"] == counts["judgments"] and counts["workers"] > 2 else ""
    return f"{every}{workers} and {judgments} are kept, {per_item} per item on average."


def _selecting(selecting: Sequence[str], rules: Sequence[str]) -> str:
    """Which rules look at what agreement is made of; those that were just named aren't named again."""
    if list(selecting) == list(rules):
        who, look, select = ("This rule", "looks", "selects") if len(rules) == 1 else ("These rules", "look", "select")
        which = ""
    else:
        who, look, select, which = "Some of these rules", "look", "select", f": {'; '.join(selecting)}"
    return (
        f"{who} {look} at other people's answers or times and so {select} on the outcome, which raises agreement by"
        f" itself{which}."
    )


def _by_hand(by_hand: Mapping[str, int]) -> Iterator[str]:
    if by_hand["set_aside"] or by_hand["kept"]:
        yield (
            f"By hand, {several(by_hand['set_aside'], 'worker')} {_was(by_hand['set_aside'])} excluded and"
            f" {by_hand['kept']:,} kept against a rule's verdict; the reasons are with the data."
        )
    if by_hand["by_earlier_runs"]:
        yield (
            f"Excluded still, from an earlier cleaning run: {several(by_hand['by_earlier_runs'], 'worker')} to whom no"
            " rule of this one applies."
        )
    if by_hand["not_in_the_data"]:
        beyond = by_hand["not_in_the_data"]
        yield f"{several(beyond, 'decision')} by hand {_was(beyond)} on workers who are not in the data."


def _was(count: int) -> str:
    return "was" if count == 1 else "were"
