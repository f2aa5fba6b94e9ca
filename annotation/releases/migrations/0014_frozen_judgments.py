"""The judgments of a run are kept by portions: a row per judgment took most of the time of a large analysis."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("agreement", "0013_dataset_cards"),
    ]

    operations = [
        migrations.CreateModel(
            name="FrozenJudgments",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("position", models.PositiveIntegerField()),
                ("last_key", models.BigIntegerField(help_text="The highest of the keys.")),
                ("keys", models.JSONField(help_text="0 for a judgment that was withdrawn before keys were kept.")),
                ("uuids", models.BinaryField(help_text="16 bytes for each of the keys, in the same order.")),
                (
                    "run",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="frozen",
                        to="agreement.cleaningrun",
                    ),
                ),
            ],
            options={
                "ordering": ["run", "position"],
                "constraints": [
                    models.UniqueConstraint(fields=("run", "position"), name="frozenjudgments_position_once_a_run")
                ],
            },
        ),
        migrations.CreateModel(
            name="JudgmentsInGold",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "bits",
                    models.BinaryField(
                        help_text="A bit for each judgment of the portion; a byte begins with its highest bit."
                    ),
                ),
                (
                    "frozen",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="in_gold",
                        to="agreement.frozenjudgments",
                    ),
                ),
                (
                    "release",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="judgments_in_gold",
                        to="agreement.goldrelease",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("release", "frozen"), name="judgmentsingold_portion_once_a_release")
                ],
            },
        ),
    ]
