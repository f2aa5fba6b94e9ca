"""Media beside pictures: sizes, dimensions and durations, what columns name, and how often people played them."""

from io import BytesIO

import django.db.models.deletion
import django.db.models.lookups
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from PIL import Image

import annotation.models.expressions

PICTURES = ("image/png", "image/jpeg", "image/webp", "image/gif")


def measure(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Sizes and dimensions of the pictures that are there, one at a time: together they may be gigabytes."""
    blobs = apps.get_model("annotation", "Blob").objects.using(schema_editor.connection.alias)
    for sha256 in list(blobs.filter(content_type__in=PICTURES).values_list("pk", flat=True)):
        content = bytes(blobs.values_list("content", flat=True).get(pk=sha256))
        try:
            with Image.open(BytesIO(content)) as picture:
                measured = {"width": picture.width, "height": picture.height}
        except (OSError, ValueError):  # no picture, whatever its row says; nobody saw it so far either
            measured = {}
        blobs.filter(pk=sha256).update(size=len(content), **measured)


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0030_signs"),
    ]

    operations = [
        migrations.CreateModel(
            name="ItemMedium",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("column", models.CharField(max_length=200)),
            ],
        ),
        migrations.AddField(
            model_name="blob",
            name="duration_ms",
            field=models.PositiveIntegerField(help_text="Of a sound or a video.", null=True),
        ),
        migrations.AddField(
            model_name="blob",
            name="height",
            field=models.PositiveIntegerField(null=True),
        ),
        migrations.AddField(
            model_name="blob",
            name="in_folder",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="blob",
            name="size",
            field=models.PositiveBigIntegerField(help_text="In bytes; empty: as many as its content has.", null=True),
        ),
        migrations.AddField(
            model_name="blob",
            name="width",
            field=models.PositiveIntegerField(help_text="In pixels, of a picture or a video.", null=True),
        ),
        migrations.AddField(
            model_name="itemupload",
            name="files",
            field=models.JSONField(
                help_text="Of one that comes in requests of its own, part by part: each file's name and size.",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="judgment",
            name="media_use",
            field=models.JSONField(
                help_text="How often each sound and video was started and ended, and what could not be perceived.",
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="blob",
            name="content",
            field=models.BinaryField(help_text="Empty where the bytes lie in the folder of media."),
        ),
        migrations.AddConstraint(
            model_name="blob",
            constraint=models.CheckConstraint(
                condition=models.Q(("in_folder", False), ("size__isnull", False), _connector="OR"),
                name="blob_in_folder_has_size",
            ),
        ),
        migrations.AddConstraint(
            model_name="judgment",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("media_use__isnull", True),
                    django.db.models.lookups.Exact(
                        annotation.models.expressions.JSONKind(models.F("media_use")), models.Value("object")
                    ),
                    _connector="OR",
                ),
                name="judgment_media_use_is_object",
            ),
        ),
        migrations.AddField(
            model_name="itemmedium",
            name="blob",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="annotation.blob"
            ),
        ),
        migrations.AddField(
            model_name="itemmedium",
            name="item",
            field=models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="media", to="annotation.item"
            ),
        ),
        migrations.AddConstraint(
            model_name="itemmedium",
            constraint=models.UniqueConstraint(fields=("item", "column"), name="itemmedium_once_a_column"),
        ),
        migrations.RunPython(measure, migrations.RunPython.noop),
    ]
