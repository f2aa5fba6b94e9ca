"""A study changed: its fields, its parts (labels, quotas, questions) and its checks, each with its audit row."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, cast

from django.db import models, transaction
from django.db.models import F

from agreement.errors import Refused
from annotation.database.rows import refused_if_doubled
from annotation.media.taking import Medium
from annotation.models import AuditEntry, CheckQuota, ComprehensionQuestion, EndQuestion, Label, Study, User
from annotation.models.question import FIRST
from annotation.models.study import OPEN_NOW
from annotation.models.study_parts import Part
from annotation.places.allocation import open_places
from annotation.studies.completeness import mismatched_checks
from annotation.studies.item_files import NewItem
from annotation.studies.presets import Preset
from annotation.studies.question_actions import store_questions
from annotation.studies.questions import LabelFields, QuestionSettings
from annotation.studies.study_form_fields import is_fixed
from annotation.studies.study_life import add_items, create_study

WITH_POSITION = (Label, ComprehensionQuestion, EndQuestion)


def define_study(
    *,
    slug: str,
    fields: Mapping[str, object],
    labels: Sequence[LabelFields] = (),
    check_quotas: Mapping[str, int] | None = None,
    parts: Mapping[type[models.Model], Sequence[Mapping[str, object]]] | None = None,
    further: Sequence[QuestionSettings] = (),
    owner: User,
) -> Study:
    """A draft study from fields of its own, where no preset is like it."""
    own = Preset(
        name="",
        version="",
        sha256="",
        study={**fields},
        labels=list(labels),
        check_quotas={**(check_quotas or {})},
        items=[],
        rules="",
        metrics=tuple(cast("Sequence[str]", fields.get("metrics", ()))),
        probe_options={},
        checks_of_terms=None,
        further=tuple(further),
    )
    with transaction.atomic():
        study = create_study(slug=slug, preset=own, owner=owner)
        for model, rows in (parts or {}).items():
            _add(study, model, rows)
    return study


def change_study(
    *,
    study: Study,
    changes: Mapping[str, object],
    shuts_out: Sequence[Study] | None = None,
    questions: Sequence[QuestionSettings] | None = None,
    by: User,
    refuse_if_changed: Callable[[Study], None],
    recorded: Mapping[str, object],
) -> Study:
    """Changes these fields, if the study is still as the person has seen it, which `refuse_if_changed` looks at.

    The race: two people change the study at once. The lock lets the second see what the first did.
    """
    with transaction.atomic():
        now = Study.objects.select_for_update(no_key=True, of=("self",)).get(pk=study.pk)
        refuse_if_changed(now)
        for name, value in {**changes, "edits": now.edits + 1}.items():
            setattr(now, name, value)
        with refused_if_doubled("Another study has just taken that short name, or is the translation: choose another."):
            now.save(update_fields=[*changes, "edits"])
        if shuts_out is not None:
            now.shuts_out.set(shuts_out)
        if questions is not None:
            store_questions(now, questions)
        AuditEntry.objects.create(study=now, by=by, action=AuditEntry.Action.CHANGED, detail=dict(recorded))
    if now.status != Study.Status.DRAFT and "judgments_per_item" in changes:
        open_places(study=now)
    return now


def replace_parts(*, study: Study, model: type[Part], rows: Sequence[Mapping[str, object]], by: User) -> None:
    """The study's labels, quotas or questions are these from now on."""
    with transaction.atomic():
        # The race: the study is opened in between. Whoever opens it holds this lock while it looks at its parts.
        now = Study.objects.select_for_update(no_key=True, of=("self",)).get(pk=study.pk)
        if model is Label and is_fixed(now):
            raise Refused("People have chosen from these labels, or may: they stay what they are once a study is open.")
        if model is CheckQuota and now.status in OPEN_NOW:
            wanted = {str(row["check_name"]): int(str(row["per_assignment"])) for row in rows}
            if reasons := list(mismatched_checks(now, wanted)):
                raise Refused(reasons)
        _rows_of(model, now).delete()
        _add(now, model, rows)
        Study.objects.filter(pk=now.pk).update(edits=F("edits") + 1)
        detail = {"fields": [str(model._meta.verbose_name_plural)]}
        AuditEntry.objects.create(study=now, by=by, action=AuditEntry.Action.CHANGED, detail=detail)


def _rows_of(model: type[models.Model], study: Study) -> models.QuerySet[Any]:
    """Of labels those of the first question: the others come with their questions."""
    of_first = {"question": FIRST} if model is Label else {}
    return model._default_manager.filter(study=study, **of_first)


def _add(study: Study, model: type[models.Model], rows: Sequence[Mapping[str, object]]) -> None:
    is_in_order = model in WITH_POSITION
    model._default_manager.bulk_create(
        model(study=study, **({"position": number} if is_in_order else {}), **row)
        for number, row in enumerate(rows, start=1)
    )


# Checks: their items and how many of them each assignment contains, added together.


def add_checks(
    *,
    study: Study,
    items: Sequence[NewItem],
    quotas: Mapping[str, int],
    by: User | None,
    source: str,
    pictures: Collection[Medium] = (),
) -> int:
    """Adds items with checks among them, if any, and what each assignment contains of every name; returns how many."""
    with transaction.atomic():
        now = Study.objects.select_for_update(of=("self",), no_key=True).get(pk=study.pk)
        if now.status in OPEN_NOW:
            raise Refused(f"{now} is {now.status}: pause it before you change its checks.")
        added = add_items(study=now, items=list(items), by=by, source=source, pictures=pictures)
        counted = {name: now.items.checks().filter(check_name=name).count() for name in quotas}
        for name, count in quotas.items():
            needed = count * now.assignments_per_worker
            if count < 1 or counted[name] < needed:
                has = counted[name]
                raise Refused(f"{name}: {count} in each assignment need {needed} check items, and there are {has}.")
            CheckQuota.objects.update_or_create(study=now, check_name=name, defaults={"per_assignment": count})
        Study.objects.filter(pk=now.pk).update(edits=F("edits") + 1)
        detail = {"fields": ["checks"], "checks": dict(quotas)}
        AuditEntry.objects.create(study=now, by=by, action=AuditEntry.Action.CHANGED, detail=detail)
    return added
