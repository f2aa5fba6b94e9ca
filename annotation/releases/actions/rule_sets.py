"""Rule sets as they are stored with the runs that used them, and shared with every researcher on purpose."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef

from agreement.cleaning.rule_set import RuleSet, built_in_names, built_in_toml, parse_rules
from agreement.errors import Refused
from annotation.models import AuditEntry, Study, User
from annotation.releases.models import CleaningRun, SharedRuleSet, StoredRuleSet

# Rule sets as they are stored with the runs that used them.


def built_in(name: str) -> str:
    """The TOML of a built-in rule set: what a request may name, which no file of this machine is."""
    if name not in built_in_names():
        raise Refused(
            f"There is no built-in rule set {name!r}. The built-in rule sets are: {', '.join(built_in_names())}."
        )
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
class RuleSetChoice:
    """A rule set that can be chosen: a built-in one by its name, a stored one by its hash."""

    key: str
    words: str
    sha256: str
    toml: str


def offered_rule_sets(study: Study) -> list[RuleSetChoice]:
    """The built-in rule sets, then those that the study used or that another study shares, newest first."""
    built = [(name, built_in_toml(name)) for name in built_in_names()]
    offered = [RuleSetChoice(name, name, parse_rules(toml).sha256, toml) for name, toml in built]
    known = [each.sha256 for each in offered]
    return offered + [
        RuleSetChoice(row.sha256, _words(row), row.sha256, row.toml)
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


# Sharing a study's rule set with every researcher of the site, on purpose, and no longer sharing it.


def share_rule_set(*, rule_set: StoredRuleSet, study: Study, by: User | None) -> bool:
    """Everybody who signs in may read and use it from now on. Says whether it was not shared before."""
    if not CleaningRun.objects.filter(rule_set=rule_set, study=study).exists():
        raise Refused(f"{study} has not used {rule_set}: only a study that used a rule set can share it.")
    with transaction.atomic():
        _shared, is_new = SharedRuleSet.objects.get_or_create(rule_set=rule_set, study=study, defaults={"by": by})
        if is_new:
            _record(rule_set, study, by, "everybody on this site")
    return is_new


def stop_sharing_rule_set(*, rule_set: StoredRuleSet, study: Study, by: User | None) -> bool:
    """Other studies keep it where their runs used it: what they did with it stays reproducible."""
    with transaction.atomic():
        deleted, _ = SharedRuleSet.objects.filter(rule_set=rule_set, study=study).delete()
        if deleted:
            _record(rule_set, study, by, "the studies that used it")
    return bool(deleted)


def _record(rule_set: StoredRuleSet, study: Study, by: User | None, readers: str) -> None:
    detail = {"rule set": rule_set.name, "sha256": rule_set.sha256, "read by": readers}
    AuditEntry.objects.create(study=study, by=by, action=AuditEntry.Action.SHARED, detail=detail)
