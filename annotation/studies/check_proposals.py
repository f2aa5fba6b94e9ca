"""Checks that are proposed from a study's own items, with how many of them an assignment should contain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count

from agreement.errors import Refused
from annotation.models import Study
from annotation.studies.item_files import NewItem
from annotation.studies.pairs_of_terms import CheckOfTerms, Term, items_of_pairs

# The bounds of the study that came first, in per cent of the scale (docs/studies/000-spatial-similarity.md).
UNRELATED_AT_MOST, SELF_AT_LEAST = 60, 90
UNRELATED_WORD = "green"
MOST_TERMS = 24  # a check of each kind for so many of the terms at most
MANY_ITEMS = 10  # from which an assignment gets two checks of each kind


@dataclass(frozen=True, slots=True)
class Proposal:
    """Two kinds of check for pairs on a line: a word with an unrelated one, and a word with itself."""

    terms: tuple[str, ...]
    per_assignment: int
    named: tuple[str, ...]  # "unrelated", "self": those that the study doesn't have yet

    @property
    def count(self) -> int:
        return len(self.terms) * len(self.named)


def proposal_of(study: Study) -> Proposal | None:
    """None where the study isn't about pairs on a line, or has both kinds of check."""
    kind = study.question_kind
    if not kind.has_scale or kind.has_labels:
        return None
    has = set(study.items.checks().order_by().values_list("check_name", flat=True).distinct())
    named = tuple(name for name in ("unrelated", "self") if name not in has)
    terms = _terms(study)
    if not named or not terms:
        return None
    per_assignment = 2 if study.items_per_assignment > MANY_ITEMS else 1
    return Proposal(terms, min(per_assignment, len(terms)), named)


def _terms(study: Study) -> tuple[str, ...]:
    """The words of the pairs, each once; of many, some from the beginning to the end."""
    pairs = study.items.targets().order_by("position").values_list("fields__left", "fields__right")[:5_000]
    words = list(dict.fromkeys(word for pair in pairs for word in pair if isinstance(word, str) and word.strip()))
    step = max(1, -(-len(words) // MOST_TERMS))
    return tuple(words[::step])


def items_of_proposal(proposal: Proposal, unrelated_word: str) -> list[NewItem]:
    word = unrelated_word.strip()
    if "unrelated" in proposal.named:
        if not word:
            raise Refused("Give a word that is unrelated to every word of the items.")
        if word.casefold() in {term.casefold() for term in proposal.terms}:
            raise Refused(f"'{word}' is one of the items' own words: give one that is unrelated to all of them.")
    checks: dict[str, CheckOfTerms] = {
        "unrelated": {"with": word, "max": UNRELATED_AT_MOST},
        "self": {"min": SELF_AT_LEAST},
    }
    terms = [Term(term) for term in proposal.terms]
    wanted = {name: checks[name] for name in proposal.named}
    return [item for item in items_of_pairs(terms, wanted) if item["kind"] == "check"]


def checks_without_quota(study: Study) -> Sequence[tuple[str, int]]:
    """Names of check items that no assignment contains, with how many items there are of each."""
    named = study.items.checks().exclude(check_name__in=study.check_quotas.values("check_name"))
    return list(named.order_by("check_name").values_list("check_name").annotate(n=Count("pk")))
