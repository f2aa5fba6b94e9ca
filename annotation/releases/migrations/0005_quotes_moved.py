"""What releases of texts and lists quote moves out of their lines, so that it can be erased with its giver's answers."""

from typing import Any

from django.db import migrations, transaction
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from annotation.releases.release_quotes import sealed, spelt


def move_quotes(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """A release is moved whole or not at all. One that has quotes was moved before; one that has none because all its
    givers have withdrawn may be sealed twice with no harm.
    """
    using = schema_editor.connection.alias
    releases = apps.get_model("agreement", "GoldRelease").objects.using(using)
    for release in releases.filter(study__kind__in=("text", "list"), quotes__isnull=True).select_related("study"):
        with transaction.atomic(using=using):
            _move(apps, using, release)


def _move(apps: Any, using: str, release: Any) -> None:
    labels = list(release.labels.order_by("position"))
    said: dict[tuple[str, str], list[Any]] = {}
    for item_id, text, judgment in _said(apps, using, release):
        said.setdefault((item_id, text), []).append(judgment)
    lines, quotes = sealed(release.study.kind, release.columns, [label.cells for label in labels], said)
    for label, line in zip(labels, lines, strict=True):
        label.cells = line
    apps.get_model("agreement", "GoldLabel").objects.using(using).bulk_update(labels, ["cells"], batch_size=500)
    quote = apps.get_model("agreement", "Quote")
    quote.objects.using(using).bulk_create(
        (
            quote(
                release_id=release.pk, judgment_uuid=each.judgment, digest=each.digest, salt=each.salt, text=each.text
            )
            for each in quotes
        ),
        batch_size=1000,
    )


def _said(apps: Any, using: str, release: Any) -> Any:
    """Item, text and judgment of all that the people who are still there said in this release."""
    members = apps.get_model("agreement", "ReleaseMember").objects.using(using).filter(release=release.pk)
    judgments = apps.get_model("annotation", "Judgment").objects.using(using)
    theirs = judgments.filter(uuid__in=members.values("judgment_uuid")).order_by("pk")
    for item_id, text, properties, uuid in theirs.values_list(
        "assigned_item__item__item_id", "text", "properties", "uuid"
    ).iterator(2_000):
        for said in [text] if properties is None else spelt(properties):
            yield item_id, said, uuid


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("agreement", "0004_quotes"), ("annotation", "0006_languages_are_a_setting")]
    operations = [migrations.RunPython(move_quotes)]
