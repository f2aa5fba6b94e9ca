"""A qualification round with a pass mark: items of a kind of their own, and people who did not qualify."""

import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0024_fitted_errors"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="item",
            name="item_target_has_no_right_answer",
        ),
        migrations.RemoveConstraint(
            model_name="item",
            name="item_kind_known",
        ),
        migrations.RemoveConstraint(
            model_name="participation",
            name="participation_status_known",
        ),
        migrations.AddField(
            model_name="study",
            name="code_failed_qualification",
            field=models.CharField(blank=True, db_default="", default="", max_length=40),
        ),
        migrations.AddField(
            model_name="study",
            name="qualification_feedback",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="study",
            name="qualification_items",
            field=models.PositiveSmallIntegerField(
                blank=True,
                help_text="How many of the qualification items each person answers; empty: all of them.",
                null=True,
                validators=[
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(1000),
                ],
            ),
        ),
        migrations.AddField(
            model_name="study",
            name="qualification_pass_mark",
            field=models.PositiveSmallIntegerField(
                blank=True,
                null=True,
                validators=[
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(1000),
                ],
            ),
        ),
        migrations.AlterField(
            model_name="assigneditem",
            name="slot",
            field=models.PositiveSmallIntegerField(
                blank=True,
                help_text="From 1 to the number of judgments per item; empty for all but items to judge.",
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="item",
            name="kind",
            field=models.CharField(
                choices=[
                    ("target", "Target"),
                    ("check", "Check"),
                    ("practice", "Practice"),
                    ("qualification", "Qualification"),
                ],
                default="target",
                max_length=13,
            ),
        ),
        migrations.AlterField(
            model_name="participation",
            name="status",
            field=models.CharField(
                choices=[
                    ("entered", "Entered"),
                    ("declined", "No consent"),
                    ("failed-comprehension", "Failed Comprehension"),
                    ("failed-qualification", "Did not qualify"),
                    ("working", "Working"),
                    ("finished", "Finished"),
                    ("returned", "Returned on the platform"),
                    ("timed-out", "Timed out on the platform"),
                    ("rejected", "Rejected on the platform"),
                    ("withdrawn", "Withdrawn"),
                ],
                default="entered",
                max_length=20,
            ),
        ),
        migrations.AddConstraint(
            model_name="item",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind", "target"), _negated=True),
                    models.Q(("expected__isnull", True), ("max__isnull", True), ("min__isnull", True)),
                    _connector="OR",
                ),
                name="item_target_has_no_right_answer",
            ),
        ),
        migrations.AddConstraint(
            model_name="item",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind", "qualification"), _negated=True),
                    ("expected__isnull", False),
                    ("min__isnull", False),
                    ("max__isnull", False),
                    _connector="OR",
                ),
                name="item_qualification_has_right_answer",
                violation_error_message="A qualification item needs its right answer: expected, min or max.",
            ),
        ),
        migrations.AddConstraint(
            model_name="item",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["target", "check", "practice", "qualification"])),
                name="item_kind_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="participation",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "status__in",
                        [
                            "entered",
                            "declined",
                            "failed-comprehension",
                            "failed-qualification",
                            "working",
                            "finished",
                            "returned",
                            "timed-out",
                            "rejected",
                            "withdrawn",
                        ],
                    )
                ),
                name="participation_status_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="study",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("qualification_pass_mark__isnull", True), ("qualification_pass_mark__gte", 1), _connector="OR"
                ),
                name="study_pass_mark_at_least_one",
            ),
        ),
        migrations.AddConstraint(
            model_name="study",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("qualification_items__isnull", True),
                    models.Q(
                        ("qualification_items__gte", models.F("qualification_pass_mark")),
                        ("qualification_pass_mark__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="study_pass_mark_can_be_reached",
            ),
        ),
    ]
