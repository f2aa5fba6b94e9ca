import uuid

import django.db.models.deletion
import django.db.models.lookups
from django.conf import settings
from django.db import migrations, models

import annotation.models.expressions
import annotation.releases.models.leaderboard
from annotation.database.squashed import CreateModels


class Migration(migrations.Migration):
    replaces = [
        ("agreement", "0001_first"),
        ("agreement", "0002_append_only"),
        ("agreement", "0003_shared_rule_sets"),
        ("agreement", "0004_quotes"),
        ("agreement", "0005_quotes_moved"),
        ("agreement", "0006_no_reports"),
        ("agreement", "0007_plain_words"),
        ("agreement", "0008_release_reports"),
        ("agreement", "0009_groups_and_references"),
        ("agreement", "0010_property_codes"),
        ("agreement", "0011_summaries_and_adjudications"),
        ("agreement", "0012_leaderboard_columns"),
        ("agreement", "0013_dataset_cards"),
        ("agreement", "0014_frozen_judgments"),
        ("agreement", "0015_members_moved"),
        ("agreement", "0016_no_members"),
    ]

    initial = True

    dependencies = [
        ("annotation", "0019_no_code_for_devices"),
    ]

    operations = [
        CreateModels(
            [
                migrations.CreateModel(
                    name="Adjudication",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                        (
                            "study",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="adjudications",
                                to="annotation.study",
                            ),
                        ),
                        (
                            "item",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="adjudications",
                                to="annotation.item",
                            ),
                        ),
                        ("revision", models.PositiveIntegerField(default=1)),
                        ("number", models.FloatField(null=True)),
                        ("label", models.CharField(max_length=80, null=True)),
                        ("labels", models.JSONField(null=True)),
                        ("numbers", models.JSONField(null=True)),
                        ("properties", models.JSONField(null=True)),
                        ("text", models.TextField(null=True)),
                        (
                            "is_removed",
                            models.BooleanField(help_text="The researcher's answer was removed again.", null=True),
                        ),
                        ("why", models.TextField()),
                        (
                            "by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                    ],
                    options={
                        "ordering": ["item", "revision"],
                        "constraints": [
                            models.UniqueConstraint(fields=("item", "revision"), name="adjudication_revision_once"),
                            models.CheckConstraint(
                                condition=models.Q(("revision__gte", 1)), name="adjudication_revision_from_one"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("is_removed__isnull", True),
                                        ("label__isnull", True),
                                        ("labels__isnull", True),
                                        ("number__isnull", False),
                                        ("numbers__isnull", True),
                                        ("properties__isnull", True),
                                        ("text__isnull", True),
                                    ),
                                    models.Q(
                                        ("is_removed__isnull", True),
                                        ("label__isnull", False),
                                        ("labels__isnull", True),
                                        ("number__isnull", True),
                                        ("numbers__isnull", True),
                                        ("properties__isnull", True),
                                        ("text__isnull", True),
                                    ),
                                    models.Q(
                                        ("is_removed__isnull", True),
                                        ("label__isnull", True),
                                        ("labels__isnull", False),
                                        ("number__isnull", True),
                                        ("numbers__isnull", True),
                                        ("properties__isnull", True),
                                        ("text__isnull", True),
                                    ),
                                    models.Q(
                                        ("is_removed__isnull", True),
                                        ("label__isnull", True),
                                        ("labels__isnull", True),
                                        ("number__isnull", True),
                                        ("numbers__isnull", False),
                                        ("properties__isnull", True),
                                        ("text__isnull", True),
                                    ),
                                    models.Q(
                                        ("is_removed__isnull", True),
                                        ("label__isnull", True),
                                        ("labels__isnull", True),
                                        ("number__isnull", True),
                                        ("numbers__isnull", True),
                                        ("properties__isnull", False),
                                        ("text__isnull", True),
                                    ),
                                    models.Q(
                                        ("is_removed__isnull", True),
                                        ("label__isnull", True),
                                        ("labels__isnull", True),
                                        ("number__isnull", True),
                                        ("numbers__isnull", True),
                                        ("properties__isnull", True),
                                        ("text__isnull", False),
                                    ),
                                    models.Q(
                                        ("is_removed__isnull", False),
                                        ("label__isnull", True),
                                        ("labels__isnull", True),
                                        ("number__isnull", True),
                                        ("numbers__isnull", True),
                                        ("properties__isnull", True),
                                        ("text__isnull", True),
                                    ),
                                    _connector="OR",
                                ),
                                name="adjudication_one_answer",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("number__isnull", True),
                                    models.Q(
                                        ("number__gte", -1.7976931348623157e308),
                                        ("number__lte", 1.7976931348623157e308),
                                    ),
                                    _connector="OR",
                                ),
                                name="adjudication_number_finite",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("label", ""), _negated=True), name="adjudication_label_filled"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("text", ""), _negated=True), name="adjudication_text_filled"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("labels__isnull", True),
                                    models.Q(
                                        django.db.models.lookups.Exact(
                                            annotation.models.expressions.JSONKind(models.F("labels")),
                                            models.Value("array"),
                                        ),
                                        django.db.models.lookups.GreaterThan(
                                            annotation.models.expressions.JSONArrayLength(models.F("labels")),
                                            models.Value(0),
                                        ),
                                    ),
                                    _connector="OR",
                                ),
                                name="adjudication_labels_are_list",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("properties__isnull", True),
                                    models.Q(
                                        django.db.models.lookups.Exact(
                                            annotation.models.expressions.JSONKind(models.F("properties")),
                                            models.Value("array"),
                                        ),
                                        django.db.models.lookups.GreaterThan(
                                            annotation.models.expressions.JSONArrayLength(models.F("properties")),
                                            models.Value(0),
                                        ),
                                    ),
                                    _connector="OR",
                                ),
                                name="adjudication_properties_are_list",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("numbers__isnull", True),
                                    django.db.models.lookups.Exact(
                                        annotation.models.expressions.JSONKind(models.F("numbers")),
                                        models.Value("object"),
                                    ),
                                    _connector="OR",
                                ),
                                name="adjudication_numbers_are_object",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("why", ""), _negated=True), name="adjudication_why_filled"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("is_removed__isnull", True), ("is_removed", True), _connector="OR"),
                                name="adjudication_removed",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="DatasetCard",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "study",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="dataset_card",
                                to="annotation.study",
                            ),
                        ),
                        ("title", models.CharField(blank=True, max_length=200)),
                        ("description", models.TextField(blank=True)),
                        ("license", models.CharField(blank=True, max_length=200)),
                        ("url", models.URLField(blank=True)),
                        ("creators", models.JSONField(blank=True, default=list)),
                        ("published", models.DateField(blank=True, null=True)),
                        ("version", models.CharField(default="1.0.0", max_length=20)),
                        ("keywords", models.JSONField(blank=True, default=list)),
                        ("language", models.CharField(blank=True, max_length=20)),
                        ("collection", models.TextField(blank=True)),
                        ("limitations", models.TextField(blank=True)),
                        ("biases", models.TextField(blank=True)),
                        ("sensitive_information", models.TextField(blank=True)),
                        ("social_impact", models.TextField(blank=True)),
                        ("use_cases", models.TextField(blank=True)),
                        ("maintenance", models.TextField(blank=True)),
                        ("derived_from", models.CharField(blank=True, max_length=200)),
                        ("synthetic", models.BooleanField(blank=True, null=True)),
                        ("citation", models.TextField(blank=True)),
                    ],
                ),
                migrations.CreateModel(
                    name="LeaderboardColumns",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "study",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="leaderboard_columns",
                                to="annotation.study",
                            ),
                        ),
                        ("tables", models.JSONField(default=list, help_text="Columns whose groups stand in a table.")),
                        (
                            "curves",
                            models.JSONField(default=list, help_text="Those of them that are drawn as a curve."),
                        ),
                        (
                            "changed_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("changed_at", models.DateTimeField(auto_now=True)),
                    ],
                ),
                migrations.CreateModel(
                    name="Probe",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                        (
                            "study",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="probes",
                                to="annotation.study",
                            ),
                        ),
                        ("name", models.CharField(max_length=120)),
                        (
                            "file",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="annotation.blob"
                            ),
                        ),
                        (
                            "group",
                            models.CharField(blank=True, help_text="Models of one group are averaged.", max_length=80),
                        ),
                        (
                            "options",
                            models.JSONField(default=dict, help_text="How the file is read: log base, normalise, ..."),
                        ),
                        (
                            "created_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                    ],
                    options={
                        "ordering": ["study", "name"],
                        "constraints": [
                            models.UniqueConstraint(fields=("study", "name"), name="probe_name_once_a_study"),
                            models.CheckConstraint(
                                condition=models.Q(("name", ""), _negated=True), name="probe_name_filled"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="PropertyCode",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "study",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="property_codes",
                                to="annotation.study",
                            ),
                        ),
                        (
                            "revision",
                            models.PositiveIntegerField(
                                help_text="The number of the save, within the study, that this row is of."
                            ),
                        ),
                        ("spelling", models.TextField(help_text="What people wrote, normalised.")),
                        ("relation", models.CharField(blank=True, max_length=200)),
                        ("feature", models.CharField(blank=True, max_length=200)),
                        (
                            "type",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("", "not said"),
                                    ("visual perceptual", "visual perceptual"),
                                    ("other perceptual", "other perceptual"),
                                    ("functional", "functional"),
                                    ("encyclopaedic", "encyclopaedic"),
                                    ("taxonomic", "taxonomic"),
                                ],
                                max_length=20,
                            ),
                        ),
                        ("is_left_out", models.BooleanField(default=False)),
                        (
                            "by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("spelling", ""), _negated=True), name="propertycode_spelling_filled"
                            ),
                            models.UniqueConstraint(
                                fields=("study", "revision", "spelling"), name="propertycode_once_a_revision"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("revision__gte", 1)), name="propertycode_revision_from_one"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("is_left_out", True), models.Q(("feature", ""), _negated=True), _connector="OR"
                                ),
                                name="propertycode_has_a_feature",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "type__in",
                                        [
                                            "",
                                            "visual perceptual",
                                            "other perceptual",
                                            "functional",
                                            "encyclopaedic",
                                            "taxonomic",
                                        ],
                                    )
                                ),
                                name="propertycode_type_known",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="PublicLeaderboard",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "study",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="public_leaderboard",
                                to="annotation.study",
                            ),
                        ),
                        (
                            "token",
                            models.CharField(
                                default=annotation.releases.models.leaderboard.new_token, max_length=64, unique=True
                            ),
                        ),
                        (
                            "created_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        ("revoked_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "revoked_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("revoked_at__isnull", False), ("revoked_by__isnull", False)),
                                    models.Q(("revoked_at__isnull", True), ("revoked_by__isnull", True)),
                                    _connector="OR",
                                ),
                                name="publicleaderboard_revoked_at_with_revoked_by",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="StoredRuleSet",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.CharField(max_length=80)),
                        ("sha256", models.CharField(max_length=64, unique=True)),
                        ("toml", models.TextField()),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                    ],
                    options={
                        "verbose_name": "rule set",
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("name", ""), _negated=True), name="storedruleset_name_filled"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("toml", ""), _negated=True), name="storedruleset_toml_filled"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="StudySummary",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "study",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="stored_summary",
                                to="annotation.study",
                            ),
                        ),
                        ("made_at", models.DateTimeField()),
                        (
                            "judgments",
                            models.PositiveIntegerField(help_text="How many judgments counted when it was made."),
                        ),
                        (
                            "last_judgment",
                            models.BigIntegerField(help_text="The highest number of a judgment that it looked at."),
                        ),
                        (
                            "basis",
                            models.CharField(
                                help_text="Digest of all else that it depends on: rules, exclusions, status.",
                                max_length=64,
                            ),
                        ),
                        (
                            "facts",
                            models.JSONField(
                                help_text="Agreement, the distribution of answers, judgments over time, times."
                            ),
                        ),
                        (
                            "workers",
                            models.BinaryField(
                                help_text="Columns of numbers with a row per person, as numpy writes them."
                            ),
                        ),
                        ("items", models.BinaryField(help_text="The same with a row per item.")),
                    ],
                    options={
                        "verbose_name_plural": "study summaries",
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("last_judgment__gte", 0)),
                                name="studysummary_last_judgment_from_zero",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="CleaningRun",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                        (
                            "study",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="cleaning_runs",
                                to="annotation.study",
                            ),
                        ),
                        (
                            "rule_set",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="cleaning_runs",
                                to="agreement.storedruleset",
                            ),
                        ),
                        (
                            "job",
                            models.OneToOneField(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="cleaning_run",
                                to="annotation.job",
                            ),
                        ),
                        (
                            "created_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        ("completed_at", models.DateTimeField(blank=True, null=True)),
                        ("counts", models.JSONField(default=dict)),
                    ],
                    options={
                        "ordering": ["-created_at", "-id"],
                    },
                ),
                migrations.CreateModel(
                    name="SharedRuleSet",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "rule_set",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="shares",
                                to="agreement.storedruleset",
                            ),
                        ),
                        (
                            "study",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="shared_rule_sets",
                                to="annotation.study",
                            ),
                        ),
                        (
                            "by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("at", models.DateTimeField(auto_now_add=True)),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("rule_set", "study"), name="sharedruleset_once_a_study")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Exclusion",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "participation",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="exclusions",
                                to="annotation.participation",
                            ),
                        ),
                        (
                            "run",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="exclusions",
                                to="agreement.cleaningrun",
                            ),
                        ),
                        ("reason", models.TextField()),
                        (
                            "created_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        ("lifted_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "lifted_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "lifted_by_run",
                            models.ForeignKey(
                                blank=True,
                                help_text="The later run whose rules the worker passed.",
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="lifted_exclusions",
                                to="agreement.cleaningrun",
                            ),
                        ),
                        ("lift_reason", models.TextField(blank=True)),
                    ],
                    options={
                        "ordering": ["-created_at", "-id"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("reason", ""), _negated=True), name="exclusion_reason_filled"
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("lifted_at__isnull", True)),
                                fields=("participation",),
                                name="exclusion_one_in_force",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("lift_reason", ""), ("lifted_at__isnull", True)),
                                    models.Q(
                                        ("lifted_at__isnull", False), models.Q(("lift_reason", ""), _negated=True)
                                    ),
                                    _connector="OR",
                                ),
                                name="exclusion_lifted_with_reason",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="FrozenJudgments",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "run",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="frozen",
                                to="agreement.cleaningrun",
                            ),
                        ),
                        ("position", models.PositiveIntegerField()),
                        ("last_key", models.BigIntegerField(help_text="The highest of the keys.")),
                        (
                            "keys",
                            models.JSONField(help_text="0 for a judgment that was withdrawn before keys were kept."),
                        ),
                        ("uuids", models.BinaryField(help_text="16 bytes for each of the keys, in the same order.")),
                    ],
                    options={
                        "ordering": ["run", "position"],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("run", "position"), name="frozenjudgments_position_once_a_run"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="GoldRelease",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                        (
                            "study",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="releases",
                                to="annotation.study",
                            ),
                        ),
                        (
                            "run",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="release",
                                to="agreement.cleaningrun",
                            ),
                        ),
                        ("number", models.PositiveIntegerField()),
                        ("sha256", models.CharField(max_length=64)),
                        ("columns", models.JSONField(help_text="The columns of gold.csv, in order.")),
                        ("report", models.JSONField(help_text="report.json as it was published with this release.")),
                        ("report_file", models.TextField(editable=False, null=True)),
                        ("methods", models.TextField(help_text="The methods paragraph.")),
                        (
                            "created_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                    ],
                    options={
                        "ordering": ["study", "-number"],
                        "constraints": [
                            models.UniqueConstraint(fields=("study", "number"), name="goldrelease_number_once_a_study"),
                            models.CheckConstraint(
                                condition=models.Q(("sha256__regex", "^[0-9a-f]{64}$")),
                                name="goldrelease_sha256_is_one",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("number__gte", 1)), name="goldrelease_number_from_one"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Verdict",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "run",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="verdicts",
                                to="agreement.cleaningrun",
                            ),
                        ),
                        (
                            "participation",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="verdicts",
                                to="annotation.participation",
                            ),
                        ),
                        ("rule", models.CharField(max_length=200)),
                        (
                            "outcome",
                            models.CharField(
                                choices=[
                                    ("passed", "Passed"),
                                    ("failed", "Failed"),
                                    ("not applicable", "Not Applicable"),
                                ],
                                max_length=14,
                            ),
                        ),
                        (
                            "evidence",
                            models.JSONField(default=list, help_text="Item, answer and bound of each failure."),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("run", "participation", "rule"), name="verdict_once_a_rule"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("outcome__in", ["passed", "failed", "not applicable"])),
                                name="verdict_outcome_known",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="GoldLabel",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "release",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="labels",
                                to="agreement.goldrelease",
                            ),
                        ),
                        ("position", models.PositiveIntegerField()),
                        ("item_id", models.CharField(max_length=200)),
                        ("cells", models.JSONField()),
                    ],
                    options={
                        "ordering": ["release", "position"],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("release", "position"), name="goldlabel_position_once_a_release"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="JudgmentsInGold",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
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
                        (
                            "frozen",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="in_gold",
                                to="agreement.frozenjudgments",
                            ),
                        ),
                        (
                            "bits",
                            models.BinaryField(
                                help_text="A bit for each judgment of the portion; a byte begins with its highest bit."
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("release", "frozen"), name="judgmentsingold_portion_once_a_release"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Leaderboard",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "release",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="leaderboard",
                                to="agreement.goldrelease",
                            ),
                        ),
                        ("metric", models.CharField(max_length=80)),
                        (
                            "comparisons",
                            models.JSONField(
                                help_text="Every pair of probes: difference, interval, p, and p corrected by Holm in two ways."
                            ),
                        ),
                        (
                            "groups",
                            models.JSONField(default=list, help_text="The mean scores of each group of models."),
                        ),
                        (
                            "against_reference",
                            models.JSONField(
                                default=dict,
                                help_text="Models and people against the items' own references, as in report.json.",
                            ),
                        ),
                        ("made_at", models.DateTimeField(auto_now=True)),
                    ],
                ),
                migrations.CreateModel(
                    name="PublishedNames",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "release",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="published_names",
                                to="agreement.goldrelease",
                            ),
                        ),
                        (
                            "names",
                            models.JSONField(
                                help_text="The name in published bundles (w01, w02, …) of each pseudonym."
                            ),
                        ),
                        ("made_at", models.DateTimeField(auto_now_add=True)),
                    ],
                ),
                migrations.CreateModel(
                    name="Quote",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "release",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="quotes",
                                to="agreement.goldrelease",
                            ),
                        ),
                        ("judgment_uuid", models.UUIDField(db_index=True)),
                        (
                            "digest",
                            models.CharField(
                                help_text="What the release's row holds instead of the text.", max_length=64
                            ),
                        ),
                        (
                            "salt",
                            models.CharField(
                                help_text="Added before hashing, so that nobody can guess a short text from its digest.",
                                max_length=32,
                            ),
                        ),
                        ("text", models.TextField()),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("release", "digest", "judgment_uuid"), name="quote_once_a_judgment_and_line"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ReleaseReport",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "release",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="drawn",
                                to="agreement.goldrelease",
                            ),
                        ),
                        (
                            "figures",
                            models.JSONField(
                                help_text="Name, title, caption and description of every figure, in order."
                            ),
                        ),
                        (
                            "content",
                            models.BinaryField(help_text="report.html, figures/ and tables/ as one zip."),
                        ),
                        ("drawn_at", models.DateTimeField(auto_now_add=True)),
                    ],
                ),
                migrations.CreateModel(
                    name="Scoring",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "probe",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="scorings",
                                to="agreement.probe",
                            ),
                        ),
                        (
                            "release",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="scorings",
                                to="agreement.goldrelease",
                            ),
                        ),
                        ("release_sha256", models.CharField(max_length=64)),
                        ("seed", models.BigIntegerField()),
                        (
                            "coverage",
                            models.JSONField(
                                help_text="The number of items in gold and of those covered, and the ids that are missing or not in gold."
                            ),
                        ),
                        ("notes", models.JSONField(default=list)),
                        (
                            "matched_share",
                            models.JSONField(
                                help_text="The share of a typical person, on each worker's own items, or why there is none."
                            ),
                        ),
                        (
                            "created_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                    ],
                    options={
                        "ordering": ["release", "probe"],
                        "constraints": [
                            models.UniqueConstraint(fields=("probe", "release"), name="scoring_once_a_release"),
                            models.CheckConstraint(
                                condition=models.Q(("release_sha256__regex", "^[0-9a-f]{64}$")),
                                name="scoring_sha256_is_one",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Score",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "scoring",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="scores",
                                to="agreement.scoring",
                            ),
                        ),
                        ("metric", models.CharField(max_length=80)),
                        (
                            "breakdown",
                            models.CharField(
                                blank=True, help_text="The column of the breakdown; empty: all items.", max_length=200
                            ),
                        ),
                        ("group", models.CharField(blank=True, max_length=400)),
                        ("estimate", models.FloatField(null=True)),
                        ("low", models.FloatField(null=True)),
                        ("high", models.FloatField(null=True)),
                        ("n", models.PositiveIntegerField(null=True)),
                        ("method", models.TextField(blank=True)),
                        ("undefined", models.TextField(blank=True, help_text="Why there is no figure.")),
                        ("chance", models.FloatField(null=True)),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("scoring", "metric", "breakdown", "group"), name="score_once_a_scoring"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("high__isnull", False), ("low__isnull", False)),
                                    models.Q(("high__isnull", True), ("low__isnull", True)),
                                    _connector="OR",
                                ),
                                name="score_low_with_high",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("estimate__isnull", True),
                                    models.Q(
                                        ("estimate__gte", -1.7976931348623157e308),
                                        ("estimate__lte", 1.7976931348623157e308),
                                    ),
                                    _connector="OR",
                                ),
                                name="score_estimate_finite",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("low__isnull", True),
                                    models.Q(
                                        ("low__gte", -1.7976931348623157e308), ("low__lte", 1.7976931348623157e308)
                                    ),
                                    _connector="OR",
                                ),
                                name="score_low_finite",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("high__isnull", True),
                                    models.Q(
                                        ("high__gte", -1.7976931348623157e308), ("high__lte", 1.7976931348623157e308)
                                    ),
                                    _connector="OR",
                                ),
                                name="score_high_finite",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("chance__isnull", True),
                                    models.Q(
                                        ("chance__gte", -1.7976931348623157e308),
                                        ("chance__lte", 1.7976931348623157e308),
                                    ),
                                    _connector="OR",
                                ),
                                name="score_chance_finite",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("low__isnull", True),
                                    ("high__isnull", True),
                                    ("low__lte", models.F("high")),
                                    _connector="OR",
                                ),
                                name="score_low_before_high",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("estimate__isnull", False), ("undefined", "")),
                                    models.Q(("estimate__isnull", True), models.Q(("undefined", ""), _negated=True)),
                                    _connector="OR",
                                ),
                                name="score_figure_or_reason",
                            ),
                        ],
                    },
                ),
            ]
        ),
    ]
