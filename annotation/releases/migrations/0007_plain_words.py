"""Help texts and names of choices in plain words; nothing in the database changes."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("agreement", "0006_no_reports"),
    ]

    operations = [
        migrations.AlterField(
            model_name="exclusion",
            name="lifted_by_run",
            field=models.ForeignKey(
                blank=True,
                help_text="The later run whose rules the worker passed.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="lifted_exclusions",
                to="agreement.cleaningrun",
            ),
        ),
        migrations.AlterField(
            model_name="leaderboard",
            name="comparisons",
            field=models.JSONField(
                help_text="Every pair of probes: difference, interval, p, and p corrected by Holm in two ways."
            ),
        ),
        migrations.AlterField(
            model_name="quote",
            name="digest",
            field=models.CharField(help_text="What the release's row holds instead of the text.", max_length=64),
        ),
        migrations.AlterField(
            model_name="quote",
            name="salt",
            field=models.CharField(
                help_text="Added before hashing, so that nobody can guess a short text from its digest.", max_length=32
            ),
        ),
        migrations.AlterField(
            model_name="scoring",
            name="coverage",
            field=models.JSONField(
                help_text="The number of items in gold and of those covered, and the ids that are missing or not in gold."
            ),
        ),
        migrations.AlterField(
            model_name="scoring",
            name="matched_share",
            field=models.JSONField(
                help_text="The share of a typical person, on each worker's own items, or why there is none."
            ),
        ),
    ]
