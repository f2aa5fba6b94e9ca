"""Rule sets as they are stored with the runs that used them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db.models import Exists, OuterRef

from agreement.cleaning.ruleset import RuleSet, built_in_names, built_in_toml, parse_rules
from agreement.models import CleaningRun, StoredRuleSet
from annotation.errors import Refused
from annotation.models import Study


def built_in(name: str) -> str:
    """The TOML of a built-in rule set: what a request may name, which no file of this machine is."""
    if name not in built_in_names():
        raise Refused(f"There is no built-in rule set {name!r}; there are {', '.join(built_in_names())}.")
    return built_in_toml(name)


def toml_of(name_or_path: str) -> str:
    """The TOML of a built-in rule set, or of a file: for commands."""
    if name_or_path in built_in_names():
        return built_in_toml(name_or_path)
    path = Path(name_or_path)
    try:
        toml = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        known = ", ".join(built_in_names())
        raise Refused(
            f"{name_or_path}: no such rule set ({error.strerror}); give a TOML file or one of {known}"
        ) from error
    except UnicodeDecodeError as error:
        raise Refused(f"{path.name}: the file is not UTF-8 text") from error
    parse_rules(toml, source=path.name)
    return toml


def stored(toml: str) -> StoredRuleSet:
    """The row of a rule set, found by the hash of what it says; a comment more or less makes no other rule set."""
    rules = parse_rules(toml)
    row, _ = StoredRuleSet.objects.get_or_create(sha256=rules.sha256, defaults={"name": rules.name, "toml": toml})
    return row


@dataclass(frozen=True, slots=True)
class Offered:
    """A rule set that can be chosen: a built-in one by its name, a stored one by its hash."""

    key: str
    words: str
    sha256: str
    toml: str


def offered_rule_sets(study: Study) -> list[Offered]:
    """The built-in rule sets, then those that the study used or that another study shares, newest first."""
    built = [(name, built_in_toml(name)) for name in built_in_names()]
    offered = [Offered(name, name, parse_rules(toml).sha256, toml) for name, toml in built]
    known = [each.sha256 for each in offered]
    return offered + [
        Offered(row.sha256, _words(row), row.sha256, row.toml)
        for row in StoredRuleSet.objects.of_studies_or_shared(Study.objects.filter(pk=study.pk))
        .exclude(sha256__in=known)
        .annotate(is_own=Exists(CleaningRun.objects.filter(study=study, rule_set=OuterRef("pk"))))
        .order_by("-created_at", "-pk")
    ]


def _words(row: Any) -> str:
    whose = "" if row.is_own else ", shared by another study"
    return f"{row.name} ({row.sha256[:8]}, {row.created_at:%-d %b %Y}{whose})"


def rules_of(row: StoredRuleSet) -> RuleSet:
    return parse_rules(row.toml, source=row.name)
