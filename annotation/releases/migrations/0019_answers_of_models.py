"""Answers of models in their own words: what researchers decided, and scores by what they were mapped to."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("agreement", "0018_fitted_errors"),
        ("annotation", "0022_several_questions"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="AnswerDecision",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "question",
                    models.PositiveSmallIntegerField(db_default=1, default=1, help_text="The number of the question."),
                ),
                ("answer", models.TextField(help_text="As the models gave it.")),
                ("answer_sha256", models.CharField(max_length=64)),
                (
                    "value",
                    models.TextField(
                        blank=True, help_text="A label, a number, a list, refusal, or empty: none of these."
                    ),
                ),
                (
                    "checked",
                    models.CharField(
                        blank=True,
                        choices=[("", "not of a sample"), ("right", "Right"), ("wrong", "Wrong")],
                        default="",
                        help_text="Of a random sample: whether the rules had it right.",
                        max_length=5,
                    ),
                ),
                ("decided_at", models.DateTimeField(auto_now=True)),
            ],
            options={
                "ordering": ["study", "pk"],
            },
        ),
        migrations.RemoveConstraint(
            model_name="scoring",
            name="scoring_once_a_release",
        ),
        migrations.AddField(
            model_name="leaderboard",
            name="scorings",
            field=models.JSONField(default=list, help_text="The scorings that it shows; empty: all of the release."),
        ),
        migrations.AddField(
            model_name="scoring",
            name="answers",
            field=models.JSONField(help_text="How many of its answers were mapped, refused, truncated, …", null=True),
        ),
        migrations.AddField(
            model_name="scoring",
            name="answers_sha256",
            field=models.CharField(blank=True, db_default="", default="", help_text="Of their table.", max_length=64),
        ),
        migrations.AddConstraint(
            model_name="scoring",
            constraint=models.UniqueConstraint(
                fields=("probe", "release", "answers_sha256"), name="scoring_once_a_mapping"
            ),
        ),
        migrations.AddField(
            model_name="answerdecision",
            name="decided_by",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="answerdecision",
            name="study",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="answer_decisions", to="annotation.study"
            ),
        ),
        migrations.AddConstraint(
            model_name="answerdecision",
            constraint=models.UniqueConstraint(
                fields=("study", "question", "answer_sha256"), name="answerdecision_answer_once_a_question"
            ),
        ),
        migrations.AddConstraint(
            model_name="answerdecision",
            constraint=models.CheckConstraint(
                condition=models.Q(("answer_sha256__regex", "^[0-9a-f]{64}$")), name="answerdecision_sha256_is_one"
            ),
        ),
        migrations.AddConstraint(
            model_name="answerdecision",
            constraint=models.CheckConstraint(
                condition=models.Q(("checked__in", ["", "right", "wrong"])), name="answerdecision_checked_known"
            ),
        ),
    ]
