"""Signs that a person answered, kept beside answers, and results of a platform's authenticity checks."""

import django.db.models.deletion
import django.db.models.expressions
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0029_expert_pace"),
    ]

    operations = [
        migrations.CreateModel(
            name="AnswerSigns",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("client_key", models.UUIDField(help_text="The key of the answer beside which it came.")),
                ("hidden_ms", models.PositiveIntegerField()),
                ("copied_and_left", models.PositiveIntegerField()),
                ("long_pastes", models.PositiveIntegerField()),
                ("pasted_characters", models.PositiveIntegerField()),
                ("clicks", models.PositiveIntegerField()),
                ("unmoved_clicks", models.PositiveIntegerField()),
                ("untrusted_events", models.PositiveIntegerField()),
                ("webdriver", models.PositiveSmallIntegerField()),
            ],
            options={
                "verbose_name_plural": "answer signs",
            },
        ),
        migrations.CreateModel(
            name="AuthenticityResult",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "check_name",
                    models.CharField(
                        choices=[
                            ("texts", "Texts"),
                            ("automation", "Automation"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "result",
                    models.CharField(choices=[("high", "High"), ("mixed", "Mixed"), ("low", "Low")], max_length=5),
                ),
                ("imported_at", models.DateTimeField()),
            ],
            options={
                "ordering": ["participation", "check_name"],
            },
        ),
        migrations.AddField(
            model_name="participation",
            name="agreed_to_signs",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="Whether the consent page named the signs that the study counts. Without that none are kept.",
            ),
        ),
        migrations.AddField(
            model_name="study",
            name="counts_signs",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="Counted beside each answer: time hidden, copying before leaving, long pastes, clicks that no person made; never what was written. The consent page says so.",
                verbose_name="signs that a person answered",
            ),
        ),
        migrations.AddConstraint(
            model_name="participation",
            constraint=models.CheckConstraint(
                condition=models.Q(("agreed_to_signs", False), ("consented_at__isnull", False), _connector="OR"),
                name="participation_signs_after_consent",
            ),
        ),
        migrations.AddField(
            model_name="answersigns",
            name="assigned_item",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="signs",
                to="annotation.assigneditem",
            ),
        ),
        migrations.AddField(
            model_name="authenticityresult",
            name="participation",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="authenticity_results",
                to="annotation.participation",
            ),
        ),
        migrations.AddConstraint(
            model_name="answersigns",
            constraint=models.UniqueConstraint(
                fields=("assigned_item", "client_key"), name="answersigns_once_an_answer"
            ),
        ),
        migrations.AddConstraint(
            model_name="answersigns",
            constraint=models.CheckConstraint(
                condition=models.Q(("hidden_ms__lte", 604800000)), name="answersigns_hidden_ms_within"
            ),
        ),
        migrations.AddConstraint(
            model_name="answersigns",
            constraint=models.CheckConstraint(
                condition=models.Q(("copied_and_left__lte", 1000000)), name="answersigns_copied_and_left_within"
            ),
        ),
        migrations.AddConstraint(
            model_name="answersigns",
            constraint=models.CheckConstraint(
                condition=models.Q(("long_pastes__lte", 1000000)), name="answersigns_long_pastes_within"
            ),
        ),
        migrations.AddConstraint(
            model_name="answersigns",
            constraint=models.CheckConstraint(
                condition=models.Q(("pasted_characters__lte", 1000000)), name="answersigns_pasted_characters_within"
            ),
        ),
        migrations.AddConstraint(
            model_name="answersigns",
            constraint=models.CheckConstraint(
                condition=models.Q(("clicks__lte", 1000000)), name="answersigns_clicks_within"
            ),
        ),
        migrations.AddConstraint(
            model_name="answersigns",
            constraint=models.CheckConstraint(
                condition=models.Q(("unmoved_clicks__lte", 1000000)), name="answersigns_unmoved_clicks_within"
            ),
        ),
        migrations.AddConstraint(
            model_name="answersigns",
            constraint=models.CheckConstraint(
                condition=models.Q(("untrusted_events__lte", 1000000)), name="answersigns_untrusted_events_within"
            ),
        ),
        migrations.AddConstraint(
            model_name="answersigns",
            constraint=models.CheckConstraint(
                condition=models.Q(("webdriver__lte", 1)), name="answersigns_webdriver_within"
            ),
        ),
        migrations.AddConstraint(
            model_name="answersigns",
            constraint=models.CheckConstraint(
                condition=models.Q(("unmoved_clicks__lte", models.F("clicks"))), name="answersigns_unmoved_of_clicks"
            ),
        ),
        migrations.AddConstraint(
            model_name="answersigns",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("long_pastes", 0), ("pasted_characters", 0)),
                    models.Q(
                        ("long_pastes__gte", 1),
                        (
                            "pasted_characters__gte",
                            django.db.models.expressions.CombinedExpression(
                                models.Value(100), "*", models.F("long_pastes")
                            ),
                        ),
                    ),
                    _connector="OR",
                ),
                name="answersigns_pastes_are_long",
            ),
        ),
        migrations.AddConstraint(
            model_name="authenticityresult",
            constraint=models.UniqueConstraint(
                fields=("participation", "check_name"), name="authenticityresult_once_a_check"
            ),
        ),
        migrations.AddConstraint(
            model_name="authenticityresult",
            constraint=models.CheckConstraint(
                condition=models.Q(("check_name__in", ["texts", "automation"])),
                name="authenticityresult_check_name_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="authenticityresult",
            constraint=models.CheckConstraint(
                condition=models.Q(("result__in", ["high", "mixed", "low"])), name="authenticityresult_result_known"
            ),
        ),
    ]
