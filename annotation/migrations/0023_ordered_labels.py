"""Ordered labels, limits of sets of labels, and where a label was shown."""

import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0022_several_questions"),
    ]

    operations = [
        migrations.AddField(
            model_name="judgment",
            name="shown_order",
            field=models.JSONField(
                help_text="An item's own labels in the order in which they were offered.", null=True
            ),
        ),
        migrations.AddField(
            model_name="judgment",
            name="shown_position",
            field=models.PositiveSmallIntegerField(
                help_text="Where the chosen label stood among those that were offered, from 1.", null=True
            ),
        ),
        migrations.AddField(
            model_name="label",
            name="exclusive",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="Chosen together with no other label, such as “none of these”.",
            ),
        ),
        migrations.AddField(
            model_name="question",
            name="fewest",
            field=models.PositiveSmallIntegerField(
                blank=True,
                help_text="Fewest labels of one answer.",
                null=True,
                validators=[
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(1000),
                ],
            ),
        ),
        migrations.AddField(
            model_name="question",
            name="most",
            field=models.PositiveSmallIntegerField(
                blank=True,
                help_text="Most labels of one answer.",
                null=True,
                validators=[
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(1000),
                ],
            ),
        ),
        migrations.AddField(
            model_name="question",
            name="ordered",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="The labels are the points of a scale, from its low to its high end.",
            ),
        ),
        migrations.AddField(
            model_name="question",
            name="shows_points",
            field=models.BooleanField(
                db_default=False, default=False, help_text="A number stands above each point of the scale."
            ),
        ),
        migrations.AddField(
            model_name="study",
            name="fewest",
            field=models.PositiveSmallIntegerField(
                blank=True,
                help_text="Fewest labels of one answer.",
                null=True,
                validators=[
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(1000),
                ],
            ),
        ),
        migrations.AddField(
            model_name="study",
            name="most",
            field=models.PositiveSmallIntegerField(
                blank=True,
                help_text="Most labels of one answer.",
                null=True,
                validators=[
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(1000),
                ],
            ),
        ),
        migrations.AddField(
            model_name="study",
            name="ordered",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="The labels are the points of a scale, from its low to its high end.",
            ),
        ),
        migrations.AddField(
            model_name="study",
            name="shows_points",
            field=models.BooleanField(
                db_default=False, default=False, help_text="A number stands above each point of the scale."
            ),
        ),
        migrations.AddConstraint(
            model_name="question",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("fewest__isnull", True), ("most__isnull", True), ("fewest__lte", models.F("most")), _connector="OR"
                ),
                name="question_fewest_before_most",
            ),
        ),
        migrations.AddConstraint(
            model_name="study",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("fewest__isnull", True), ("most__isnull", True), ("fewest__lte", models.F("most")), _connector="OR"
                ),
                name="study_fewest_before_most",
            ),
        ),
    ]
