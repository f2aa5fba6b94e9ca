"""Several questions of one study: rows of their own, and the number of the question in what belongs to one."""

import django.core.validators
import django.db.models.deletion
import django.db.models.lookups
from django.db import migrations, models

import annotation.models.expressions


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0021_payments_that_lapse"),
    ]

    operations = [
        migrations.CreateModel(
            name="Question",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("slider", "Slider: one number"),
                            ("sliders", "Sliders: one number per label"),
                            ("choice", "Choice: one label"),
                            ("choices", "Choices: one or more labels"),
                            ("verify", "Verify: true or false"),
                            ("list", "List: one property per line"),
                            ("text", "Text: one free text"),
                            ("ranking", "Ranking: labels put in order"),
                        ],
                        max_length=8,
                    ),
                ),
                (
                    "question_name",
                    models.CharField(
                        db_default="answer",
                        default="answer",
                        help_text="What files and addresses call the question, where a study has several.",
                        max_length=40,
                        validators=[
                            django.core.validators.RegexValidator(
                                "^[a-z][a-z0-9_]*$", "Use small letters, digits and _, a letter first."
                            )
                        ],
                    ),
                ),
                ("question", models.TextField()),
                (
                    "is_required",
                    models.BooleanField(db_default=True, default=True, help_text="Nobody goes on without an answer."),
                ),
                (
                    "offers_dont_know",
                    models.BooleanField(
                        db_default=False,
                        default=False,
                        help_text="Offer “I don't know”, which is counted apart and never in gold.",
                    ),
                ),
                (
                    "asks_confidence",
                    models.BooleanField(
                        db_default=False,
                        default=False,
                        help_text="Ask how sure the person is, from 1 to 5, beside the answer.",
                    ),
                ),
                ("metrics", models.JSONField(blank=True, default=list)),
                ("synonyms", models.JSONField(blank=True, default=dict)),
                (
                    "scale_low",
                    models.DecimalField(
                        blank=True,
                        decimal_places=4,
                        max_digits=12,
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(-99999999),
                            django.core.validators.MaxValueValidator(99999999),
                        ],
                    ),
                ),
                (
                    "scale_high",
                    models.DecimalField(
                        blank=True,
                        decimal_places=4,
                        max_digits=12,
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(-99999999),
                            django.core.validators.MaxValueValidator(99999999),
                        ],
                    ),
                ),
                ("low_label", models.CharField(blank=True, max_length=80)),
                ("high_label", models.CharField(blank=True, max_length=80)),
                (
                    "slider_start",
                    models.CharField(
                        choices=[
                            ("hidden", "Hidden until the line is touched"),
                            ("middle", "In the middle; an untouched slider counts as the middle"),
                        ],
                        default="hidden",
                        max_length=6,
                    ),
                ),
                ("slider_shows_number", models.BooleanField(default=False)),
                ("number", models.PositiveSmallIntegerField()),
                (
                    "shown_if",
                    models.PositiveSmallIntegerField(
                        blank=True, help_text="The number of an earlier question.", null=True
                    ),
                ),
                (
                    "shown_if_labels",
                    models.JSONField(blank=True, help_text="Shown where the answer has one of these.", null=True),
                ),
                ("shown_if_low", models.FloatField(blank=True, null=True)),
                ("shown_if_high", models.FloatField(blank=True, null=True)),
            ],
            options={
                "ordering": ["study", "number"],
                "abstract": False,
            },
        ),
        migrations.AlterModelOptions(
            name="judgment",
            options={"ordering": ["assigned_item", "question", "revision"]},
        ),
        migrations.AlterModelOptions(
            name="label",
            options={"ordering": ["study", "question", "position"]},
        ),
        migrations.RemoveConstraint(
            model_name="judgment",
            name="judgment_revision_once",
        ),
        migrations.RemoveConstraint(
            model_name="judgment",
            name="judgment_client_key_once",
        ),
        migrations.RemoveConstraint(
            model_name="judgment",
            name="judgment_one_answer",
        ),
        migrations.RemoveConstraint(
            model_name="label",
            name="label_value_once_a_study",
        ),
        migrations.RemoveConstraint(
            model_name="label",
            name="label_position_once_a_study",
        ),
        migrations.AddField(
            model_name="assigneditem",
            name="done_at",
            field=models.DateTimeField(
                blank=True,
                help_text="Of several questions: since when none lacks an answer. One needs no such time.",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="assigneditem",
            name="questions",
            field=models.PositiveSmallIntegerField(
                db_default=1, default=1, help_text="How many questions the study asks of it."
            ),
        ),
        migrations.AddField(
            model_name="item",
            name="check_question",
            field=models.PositiveSmallIntegerField(db_default=1, default=1, help_text="The number of the question."),
        ),
        migrations.AddField(
            model_name="judgment",
            name="confidence",
            field=models.PositiveSmallIntegerField(help_text="How sure the person is, from 1 to 5.", null=True),
        ),
        migrations.AddField(
            model_name="judgment",
            name="no_answer",
            field=models.CharField(
                choices=[
                    ("dont-know", "I don't know"),
                    ("not-asked", "Not asked, for an earlier answer hides the question"),
                    ("left-empty", "Not required, and left empty"),
                ],
                max_length=10,
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="judgment",
            name="question",
            field=models.PositiveSmallIntegerField(db_default=1, default=1, help_text="The number of the question."),
        ),
        migrations.AddField(
            model_name="label",
            name="question",
            field=models.PositiveSmallIntegerField(db_default=1, default=1, help_text="The number of the question."),
        ),
        migrations.AddField(
            model_name="study",
            name="asks_confidence",
            field=models.BooleanField(
                db_default=False, default=False, help_text="Ask how sure the person is, from 1 to 5, beside the answer."
            ),
        ),
        migrations.AddField(
            model_name="study",
            name="is_required",
            field=models.BooleanField(db_default=True, default=True, help_text="Nobody goes on without an answer."),
        ),
        migrations.AddField(
            model_name="study",
            name="offers_dont_know",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="Offer “I don't know”, which is counted apart and never in gold.",
            ),
        ),
        migrations.AddField(
            model_name="study",
            name="question_name",
            field=models.CharField(
                db_default="answer",
                default="answer",
                help_text="What files and addresses call the question, where a study has several.",
                max_length=40,
                validators=[
                    django.core.validators.RegexValidator(
                        "^[a-z][a-z0-9_]*$", "Use small letters, digits and _, a letter first."
                    )
                ],
            ),
        ),
        migrations.AddConstraint(
            model_name="assigneditem",
            constraint=models.CheckConstraint(
                condition=models.Q(("questions__gte", 1), ("questions__lte", 8)), name="assigneditem_questions_few"
            ),
        ),
        migrations.AddConstraint(
            model_name="assigneditem",
            constraint=models.CheckConstraint(
                condition=models.Q(("done_at__isnull", True), ("questions__gt", 1), _connector="OR"),
                name="assigneditem_done_of_several_questions",
            ),
        ),
        migrations.AddConstraint(
            model_name="judgment",
            constraint=models.UniqueConstraint(
                fields=("assigned_item", "question", "revision"), name="judgment_revision_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="judgment",
            constraint=models.UniqueConstraint(
                fields=("assigned_item", "question", "client_key"), name="judgment_client_key_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="judgment",
            constraint=models.CheckConstraint(
                condition=models.Q(("question__gte", 1), ("question__lte", 8)), name="judgment_question_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="judgment",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("confidence__isnull", True),
                    models.Q(
                        ("confidence__gte", 1),
                        ("confidence__lte", 5),
                        ("could_not_see__isnull", True),
                        ("no_answer__isnull", True),
                    ),
                    _connector="OR",
                ),
                name="judgment_confidence_in_an_answer",
            ),
        ),
        migrations.AddConstraint(
            model_name="judgment",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("could_not_see__isnull", True),
                        ("label__isnull", True),
                        ("labels__isnull", True),
                        ("no_answer__isnull", True),
                        ("number__isnull", False),
                        ("numbers__isnull", True),
                        ("properties__isnull", True),
                        ("text__isnull", True),
                    ),
                    models.Q(
                        ("could_not_see__isnull", True),
                        ("label__isnull", False),
                        ("labels__isnull", True),
                        ("no_answer__isnull", True),
                        ("number__isnull", True),
                        ("numbers__isnull", True),
                        ("properties__isnull", True),
                        ("text__isnull", True),
                    ),
                    models.Q(
                        ("could_not_see__isnull", True),
                        ("label__isnull", True),
                        ("labels__isnull", False),
                        ("no_answer__isnull", True),
                        ("number__isnull", True),
                        ("numbers__isnull", True),
                        ("properties__isnull", True),
                        ("text__isnull", True),
                    ),
                    models.Q(
                        ("could_not_see__isnull", True),
                        ("label__isnull", True),
                        ("labels__isnull", True),
                        ("no_answer__isnull", True),
                        ("number__isnull", True),
                        ("numbers__isnull", False),
                        ("properties__isnull", True),
                        ("text__isnull", True),
                    ),
                    models.Q(
                        ("could_not_see__isnull", True),
                        ("label__isnull", True),
                        ("labels__isnull", True),
                        ("no_answer__isnull", True),
                        ("number__isnull", True),
                        ("numbers__isnull", True),
                        ("properties__isnull", False),
                        ("text__isnull", True),
                    ),
                    models.Q(
                        ("could_not_see__isnull", True),
                        ("label__isnull", True),
                        ("labels__isnull", True),
                        ("no_answer__isnull", True),
                        ("number__isnull", True),
                        ("numbers__isnull", True),
                        ("properties__isnull", True),
                        ("text__isnull", False),
                    ),
                    models.Q(
                        ("could_not_see__isnull", False),
                        ("label__isnull", True),
                        ("labels__isnull", True),
                        ("no_answer__isnull", True),
                        ("number__isnull", True),
                        ("numbers__isnull", True),
                        ("properties__isnull", True),
                        ("text__isnull", True),
                    ),
                    models.Q(
                        ("could_not_see__isnull", True),
                        ("label__isnull", True),
                        ("labels__isnull", True),
                        ("no_answer__isnull", False),
                        ("number__isnull", True),
                        ("numbers__isnull", True),
                        ("properties__isnull", True),
                        ("text__isnull", True),
                    ),
                    _connector="OR",
                ),
                name="judgment_one_answer",
            ),
        ),
        migrations.AddConstraint(
            model_name="judgment",
            constraint=models.CheckConstraint(
                condition=models.Q(("no_answer__in", ["dont-know", "not-asked", "left-empty"])),
                name="judgment_no_answer_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="label",
            constraint=models.UniqueConstraint(
                fields=("study", "question", "value"), name="label_value_once_a_question"
            ),
        ),
        migrations.AddConstraint(
            model_name="label",
            constraint=models.UniqueConstraint(
                fields=("study", "question", "position"), name="label_position_once_a_question"
            ),
        ),
        migrations.AddConstraint(
            model_name="study",
            constraint=models.CheckConstraint(
                condition=models.Q(("question_name__regex", "^[a-z][a-z0-9_]*$")), name="study_question_name_is_one"
            ),
        ),
        migrations.AddField(
            model_name="question",
            name="study",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="further_questions", to="annotation.study"
            ),
        ),
        migrations.AddConstraint(
            model_name="question",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("scale_high__isnull", False), ("scale_low__isnull", False)),
                    models.Q(("scale_high__isnull", True), ("scale_low__isnull", True)),
                    _connector="OR",
                ),
                name="question_scale_low_with_scale_high",
            ),
        ),
        migrations.AddConstraint(
            model_name="question",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("scale_low__isnull", True),
                    ("scale_high__isnull", True),
                    ("scale_low__lt", models.F("scale_high")),
                    _connector="OR",
                ),
                name="question_scale_low_before_scale_high",
            ),
        ),
        migrations.AddConstraint(
            model_name="question",
            constraint=models.CheckConstraint(
                condition=models.Q(("question", ""), _negated=True), name="question_question_filled"
            ),
        ),
        migrations.AddConstraint(
            model_name="question",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind__in", ("slider", "sliders")), _negated=True),
                    ("scale_low__isnull", False),
                    _connector="OR",
                ),
                name="question_slider_has_scale",
            ),
        ),
        migrations.AddConstraint(
            model_name="question",
            constraint=models.CheckConstraint(
                condition=models.Q(("question_name__regex", "^[a-z][a-z0-9_]*$")), name="question_question_name_is_one"
            ),
        ),
        migrations.AddConstraint(
            model_name="question",
            constraint=models.UniqueConstraint(fields=("study", "number"), name="question_number_once_a_study"),
        ),
        migrations.AddConstraint(
            model_name="question",
            constraint=models.UniqueConstraint(fields=("study", "question_name"), name="question_name_once_a_study"),
        ),
        migrations.AddConstraint(
            model_name="question",
            constraint=models.CheckConstraint(
                condition=models.Q(("number__gt", 1), ("number__lte", 8)), name="question_number_after_the_first"
            ),
        ),
        migrations.AddConstraint(
            model_name="question",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("shown_if__isnull", True),
                    models.Q(("shown_if__gte", 1), ("shown_if__lt", models.F("number"))),
                    _connector="OR",
                ),
                name="question_shown_if_an_earlier_one",
            ),
        ),
        migrations.AddConstraint(
            model_name="question",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("shown_if__isnull", True),
                        ("shown_if_high__isnull", True),
                        ("shown_if_labels", None),
                        ("shown_if_low__isnull", True),
                    ),
                    models.Q(
                        ("shown_if__isnull", False),
                        ("shown_if_high__isnull", True),
                        ("shown_if_low__isnull", True),
                        django.db.models.lookups.Exact(
                            annotation.models.expressions.JSONKind(models.F("shown_if_labels")), models.Value("array")
                        ),
                        django.db.models.lookups.GreaterThan(
                            annotation.models.expressions.JSONArrayLength(models.F("shown_if_labels")), models.Value(0)
                        ),
                    ),
                    models.Q(("shown_if__isnull", False), ("shown_if_labels", None), ("shown_if_low__isnull", False)),
                    models.Q(("shown_if__isnull", False), ("shown_if_high__isnull", False), ("shown_if_labels", None)),
                    _connector="OR",
                ),
                name="question_shown_if_labels_or_a_range",
            ),
        ),
        migrations.AddConstraint(
            model_name="question",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("shown_if_low__isnull", True),
                    models.Q(
                        ("shown_if_low__gte", -1.7976931348623157e308), ("shown_if_low__lte", 1.7976931348623157e308)
                    ),
                    _connector="OR",
                ),
                name="question_shown_if_low_finite",
            ),
        ),
        migrations.AddConstraint(
            model_name="question",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("shown_if_high__isnull", True),
                    models.Q(
                        ("shown_if_high__gte", -1.7976931348623157e308), ("shown_if_high__lte", 1.7976931348623157e308)
                    ),
                    _connector="OR",
                ),
                name="question_shown_if_high_finite",
            ),
        ),
        migrations.AddConstraint(
            model_name="question",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("shown_if_low__isnull", True),
                    ("shown_if_high__isnull", True),
                    ("shown_if_low__lte", models.F("shown_if_high")),
                    _connector="OR",
                ),
                name="question_shown_if_low_before_shown_if_high",
            ),
        ),
        migrations.AddConstraint(
            model_name="question",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("kind__in", ["slider", "sliders", "choice", "choices", "verify", "list", "text", "ranking"])
                ),
                name="question_kind_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="question",
            constraint=models.CheckConstraint(
                condition=models.Q(("slider_start__in", ["hidden", "middle"])), name="question_slider_start_known"
            ),
        ),
    ]
