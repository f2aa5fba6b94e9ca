"""What was asked can't change once somebody has answered it: a changed item is a new item."""

from django.db import migrations

from annotation.database.frozen_fields import FreezeOnceJudged


class Migration(migrations.Migration):
    dependencies = [("annotation", "0002_append_only")]

    operations = [
        FreezeOnceJudged(
            "Item", ("item_id", "kind", "fields", "image", "check_name", "expected", "min", "max", "repeats")
        ),
        FreezeOnceJudged(
            "Study", ("kind", "question", "scale_low", "scale_high", "low_label", "high_label", "slider_start")
        ),
        FreezeOnceJudged("Label", ("value", "shown")),
    ]
