import uuid

import django.contrib.auth.models
import django.contrib.auth.validators
import django.core.serializers.json
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.text
import django.db.models.lookups
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import annotation.models.entry_link
import annotation.models.expressions
import annotation.models.participation
import annotation.models.study
from annotation.database.squashed import CreateModels


class Migration(migrations.Migration):
    replaces = [
        ("annotation", "0001_first"),
        ("annotation", "0002_append_only"),
        ("annotation", "0003_frozen_once_judged"),
        ("annotation", "0004_set_aside"),
        ("annotation", "0005_payments_and_devices"),
        ("annotation", "0006_languages_are_a_setting"),
        ("annotation", "0007_log_ins"),
        ("annotation", "0008_entrances"),
        ("annotation", "0009_who_asks"),
        ("annotation", "0010_item_imports"),
        ("annotation", "0011_item_uploads"),
        ("annotation", "0012_rankings"),
        ("annotation", "0013_plain_words"),
        ("annotation", "0014_fields_in_plain_words"),
        ("annotation", "0015_metrics_and_synonyms"),
        ("annotation", "0016_archived_studies"),
        ("annotation", "0017_notices"),
        ("annotation", "0018_api"),
        ("annotation", "0019_no_code_for_devices"),
        ("annotation", "0020_limits_of_numbers"),
    ]

    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        CreateModels(
            [
                migrations.CreateModel(
                    name="Blob",
                    fields=[
                        ("sha256", models.CharField(max_length=64, primary_key=True, serialize=False)),
                        ("content_type", models.CharField(max_length=80)),
                        ("content", models.BinaryField()),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("sha256__regex", "^[0-9a-f]{64}$")), name="blob_sha256_is_one"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="User",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("password", models.CharField(max_length=128, verbose_name="password")),
                        ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                        (
                            "is_superuser",
                            models.BooleanField(
                                default=False,
                                help_text="Designates that this user has all permissions without explicitly assigning them.",
                                verbose_name="superuser status",
                            ),
                        ),
                        (
                            "username",
                            models.CharField(
                                error_messages={"unique": "A user with that username already exists."},
                                help_text="Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.",
                                max_length=150,
                                unique=True,
                                validators=[django.contrib.auth.validators.UnicodeUsernameValidator()],
                                verbose_name="username",
                            ),
                        ),
                        ("first_name", models.CharField(blank=True, max_length=150, verbose_name="first name")),
                        ("last_name", models.CharField(blank=True, max_length=150, verbose_name="last name")),
                        ("email", models.EmailField(blank=True, max_length=254, verbose_name="email address")),
                        (
                            "is_staff",
                            models.BooleanField(
                                default=False,
                                help_text="Designates whether the user can log into this admin site.",
                                verbose_name="staff status",
                            ),
                        ),
                        (
                            "is_active",
                            models.BooleanField(
                                default=True,
                                help_text="Designates whether this user should be treated as active. Unselect this instead of deleting accounts.",
                                verbose_name="active",
                            ),
                        ),
                        (
                            "date_joined",
                            models.DateTimeField(default=django.utils.timezone.now, verbose_name="date joined"),
                        ),
                        ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                        (
                            "groups",
                            models.ManyToManyField(
                                blank=True,
                                help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                                related_name="user_set",
                                related_query_name="user",
                                to="auth.group",
                                verbose_name="groups",
                            ),
                        ),
                        (
                            "user_permissions",
                            models.ManyToManyField(
                                blank=True,
                                help_text="Specific permissions for this user.",
                                related_name="user_set",
                                related_query_name="user",
                                to="auth.permission",
                                verbose_name="user permissions",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "user",
                        "verbose_name_plural": "users",
                        "abstract": False,
                    },
                    managers=[
                        ("objects", django.contrib.auth.models.UserManager()),
                    ],
                ),
                migrations.CreateModel(
                    name="Worker",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                        (
                            "platform",
                            models.CharField(
                                choices=[
                                    ("prolific", "Prolific"),
                                    ("connect", "CloudResearch Connect"),
                                    ("mturk", "MTurk"),
                                    ("sona", "SONA"),
                                    ("direct", "Direct: invitations or an open link"),
                                ],
                                max_length=8,
                            ),
                        ),
                        ("platform_id", models.CharField(blank=True, max_length=200, null=True)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("platform", "platform_id"), name="worker_platform_id_once"),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("platform__in", ["prolific", "connect", "mturk", "sona", "direct"])
                                ),
                                name="worker_platform_known",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="AccountEntry",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="account_entries",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("at", models.DateTimeField(auto_now_add=True)),
                        (
                            "by",
                            models.ForeignKey(
                                blank=True,
                                help_text="Empty: a command on the server did it.",
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "action",
                            models.CharField(
                                choices=[
                                    ("unlocked", "Unlocked after failed log-ins"),
                                    ("factor-set", "Set up a second factor"),
                                    ("factor-removed", "Removed the second factor"),
                                    ("factor-reset", "Reset by an administrator"),
                                    ("code-used", "Used a recovery code"),
                                    ("token-made", "Created an API token"),
                                    ("token-revoked", "Revoked an API token"),
                                ],
                                max_length=14,
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "account entries",
                        "ordering": ["-at", "-id"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "action__in",
                                        [
                                            "unlocked",
                                            "factor-set",
                                            "factor-removed",
                                            "factor-reset",
                                            "code-used",
                                            "token-made",
                                            "token-revoked",
                                        ],
                                    )
                                ),
                                name="accountentry_action_known",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ApiToken",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="api_tokens",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("name", models.CharField(max_length=80)),
                        ("scopes", models.JSONField()),
                        ("digest", models.CharField(max_length=64, unique=True)),
                        (
                            "ending",
                            models.CharField(help_text="Its last characters, to tell it from others.", max_length=4),
                        ),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        ("expires_at", models.DateTimeField()),
                        ("last_used_at", models.DateTimeField(blank=True, help_text="To the minute.", null=True)),
                        ("revoked_at", models.DateTimeField(blank=True, null=True)),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("name", ""), _negated=True), name="apitoken_name_filled"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("digest", ""), _negated=True), name="apitoken_digest_filled"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="IdempotencyKey",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("key", models.CharField(max_length=200)),
                        (
                            "request",
                            models.CharField(
                                help_text="The SHA-256 of the method, the address and the body.", max_length=64
                            ),
                        ),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        ("status", models.PositiveSmallIntegerField(blank=True, null=True)),
                        ("answer", models.JSONField(blank=True, null=True)),
                    ],
                    options={
                        "indexes": [models.Index(fields=["created_at"], name="idempotencykey_created_at")],
                        "constraints": [
                            models.UniqueConstraint(fields=("user", "key"), name="idempotencykey_once_a_user"),
                            models.CheckConstraint(
                                condition=models.Q(("key", ""), _negated=True), name="idempotencykey_key_filled"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("status__isnull", True),
                                    models.Q(("status__gte", 200), ("status__lt", 300)),
                                    _connector="OR",
                                ),
                                name="idempotencykey_done_or_nothing",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="LogInAttempt",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("account", models.CharField(max_length=64)),
                        ("network", models.CharField(blank=True, max_length=64)),
                        (
                            "user",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("at", models.DateTimeField()),
                        (
                            "outcome",
                            models.CharField(
                                choices=[
                                    ("begun", "Not finished"),
                                    ("wrong", "Wrong name or password"),
                                    ("code-asked", "Password right, code asked for"),
                                    ("wrong-code", "Wrong code"),
                                    ("logged-in", "Logged in"),
                                    ("confirmed", "Confirmed by a code"),
                                    ("refused", "Refused: too many failed log-ins"),
                                ],
                                default="begun",
                                max_length=10,
                            ),
                        ),
                        (
                            "forgiven_at",
                            models.DateTimeField(
                                blank=True,
                                help_text="Not counted since then, because a log-in succeeded or an administrator unlocked the account.",
                                null=True,
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "log-in attempt",
                        "ordering": ["-at", "-id"],
                        "indexes": [
                            models.Index(fields=["account", "at"], name="loginattempt_account_at"),
                            models.Index(fields=["network", "at"], name="loginattempt_network_at"),
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("account", ""), _negated=True), name="loginattempt_account_filled"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "outcome__in",
                                        [
                                            "begun",
                                            "wrong",
                                            "code-asked",
                                            "wrong-code",
                                            "logged-in",
                                            "confirmed",
                                            "refused",
                                        ],
                                    )
                                ),
                                name="loginattempt_outcome_known",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="SecondFactor",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "user",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="second_factor",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("nonce", models.CharField(max_length=64)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "last_step",
                            models.BigIntegerField(
                                help_text="The 30 seconds of the code that was used last, so that no code works twice."
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("nonce", ""), _negated=True), name="secondfactor_nonce_filled"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Study",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                        ("slug", models.SlugField(max_length=80, unique=True)),
                        (
                            "owner",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="studies",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("draft", "Draft"),
                                    ("piloting", "Piloting"),
                                    ("live", "Live"),
                                    ("paused", "Paused"),
                                    ("closed", "Closed"),
                                ],
                                default="draft",
                                max_length=10,
                            ),
                        ),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        ("archived_at", models.DateTimeField(blank=True, editable=False, null=True)),
                        ("deleted_at", models.DateTimeField(blank=True, editable=False, null=True)),
                        ("edits", models.PositiveIntegerField(db_default=0, default=0, editable=False)),
                        ("title", models.CharField(max_length=200)),
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
                            "language",
                            models.CharField(choices=annotation.models.study.languages, default="en", max_length=12),
                        ),
                        (
                            "translation_of",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="translations",
                                to="annotation.study",
                            ),
                        ),
                        ("preset", models.CharField(blank=True, max_length=80)),
                        ("preset_version", models.CharField(blank=True, max_length=20)),
                        ("preset_sha256", models.CharField(blank=True, max_length=64)),
                        ("metrics", models.JSONField(blank=True, default=list)),
                        ("synonyms", models.JSONField(blank=True, default=dict)),
                        ("question", models.TextField()),
                        (
                            "summary",
                            models.TextField(
                                blank=True, help_text="What the study asks people to do, shown on the first page."
                            ),
                        ),
                        ("consent", models.TextField(blank=True)),
                        ("consent_version", models.CharField(default="1", max_length=20)),
                        ("instructions", models.TextField(blank=True)),
                        ("contact", models.CharField(blank=True, max_length=200)),
                        ("researchers", models.CharField(blank=True, max_length=300)),
                        ("institution", models.CharField(blank=True, max_length=200)),
                        ("ethics", models.CharField(blank=True, max_length=200)),
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
                        (
                            "scale_direction",
                            models.CharField(
                                choices=[
                                    ("fixed", "As written"),
                                    ("counterbalanced", "Reversed for half of the workers"),
                                    ("random", "Random for each item"),
                                ],
                                default="fixed",
                                max_length=15,
                            ),
                        ),
                        (
                            "word_order",
                            models.CharField(
                                choices=[
                                    ("fixed", "As written"),
                                    ("counterbalanced", "Reversed for half of the workers"),
                                    ("random", "Random for each item"),
                                ],
                                default="fixed",
                                max_length=15,
                            ),
                        ),
                        (
                            "word_layout",
                            models.CharField(
                                choices=[("stacked", "Stacked"), ("side-by-side", "Side By Side")],
                                default="stacked",
                                max_length=12,
                            ),
                        ),
                        (
                            "items_per_page",
                            models.PositiveSmallIntegerField(
                                default=1,
                                validators=[
                                    django.core.validators.MinValueValidator(1),
                                    django.core.validators.MaxValueValidator(50),
                                ],
                            ),
                        ),
                        (
                            "seed",
                            models.BigIntegerField(
                                default=annotation.models.study.new_seed,
                                help_text="Decides in which order items are given out.",
                                validators=[
                                    django.core.validators.MinValueValidator(0),
                                    django.core.validators.MaxValueValidator(9223372036854775807),
                                ],
                            ),
                        ),
                        (
                            "judgments_per_item",
                            models.PositiveSmallIntegerField(
                                default=10,
                                help_text="Judgments per item.",
                                validators=[
                                    django.core.validators.MinValueValidator(1),
                                    django.core.validators.MaxValueValidator(10000),
                                ],
                            ),
                        ),
                        (
                            "items_per_assignment",
                            models.PositiveIntegerField(
                                default=20,
                                validators=[
                                    django.core.validators.MinValueValidator(1),
                                    django.core.validators.MaxValueValidator(10000),
                                ],
                            ),
                        ),
                        (
                            "assignments_per_worker",
                            models.PositiveSmallIntegerField(
                                default=1,
                                validators=[
                                    django.core.validators.MinValueValidator(1),
                                    django.core.validators.MaxValueValidator(1000),
                                ],
                            ),
                        ),
                        (
                            "minutes_allowed",
                            models.PositiveIntegerField(
                                default=60,
                                help_text="After this time other people can answer what is still unanswered.",
                                validators=[
                                    django.core.validators.MinValueValidator(1),
                                    django.core.validators.MaxValueValidator(525600),
                                ],
                            ),
                        ),
                        ("refills_after_exclusion", models.BooleanField(default=True)),
                        (
                            "counts_late_answers",
                            models.BooleanField(default=False, help_text="Answers that arrive late may enter gold."),
                        ),
                        (
                            "capacity",
                            models.PositiveIntegerField(
                                blank=True,
                                help_text="How many people may take part.",
                                null=True,
                                validators=[
                                    django.core.validators.MinValueValidator(1),
                                    django.core.validators.MaxValueValidator(1000000),
                                ],
                            ),
                        ),
                        ("starts_at", models.DateTimeField(blank=True, null=True)),
                        ("ends_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "unverified_per_hour",
                            models.PositiveSmallIntegerField(
                                default=20,
                                help_text="How many unverified participants may start per network (a household, a lab) and hour.",
                                validators=[
                                    django.core.validators.MinValueValidator(1),
                                    django.core.validators.MaxValueValidator(10000),
                                ],
                            ),
                        ),
                        (
                            "platform",
                            models.CharField(
                                choices=[
                                    ("prolific", "Prolific"),
                                    ("connect", "CloudResearch Connect"),
                                    ("mturk", "MTurk"),
                                    ("sona", "SONA"),
                                    ("direct", "Direct: invitations or an open link"),
                                ],
                                default="direct",
                                max_length=8,
                            ),
                        ),
                        (
                            "platform_study_id",
                            models.CharField(
                                blank=True,
                                help_text="The study's id on Prolific; a signed link must be for this study.",
                                max_length=60,
                            ),
                        ),
                        (
                            "requires_signed_entry",
                            models.BooleanField(
                                default=False,
                                help_text="Accept only signed links from Prolific (Secured External URL).",
                            ),
                        ),
                        (
                            "pay",
                            models.DecimalField(
                                blank=True,
                                decimal_places=2,
                                max_digits=8,
                                null=True,
                                validators=[
                                    django.core.validators.MinValueValidator(0),
                                    django.core.validators.MaxValueValidator(999999),
                                ],
                            ),
                        ),
                        (
                            "currency",
                            models.CharField(
                                blank=True,
                                max_length=3,
                                null=True,
                                validators=[django.core.validators.RegexValidator("^[A-Z]{3}$")],
                            ),
                        ),
                        (
                            "minutes_expected",
                            models.PositiveSmallIntegerField(
                                default=10,
                                validators=[
                                    django.core.validators.MinValueValidator(1),
                                    django.core.validators.MaxValueValidator(10080),
                                ],
                            ),
                        ),
                        (
                            "fee_percent",
                            models.DecimalField(
                                blank=True,
                                decimal_places=2,
                                help_text="What the platform charges on top of the pay, in per cent. Empty: its usual fee.",
                                max_digits=5,
                                null=True,
                                validators=[
                                    django.core.validators.MinValueValidator(0),
                                    django.core.validators.MaxValueValidator(200),
                                ],
                            ),
                        ),
                        ("code_completed", models.CharField(blank=True, max_length=40)),
                        ("code_no_consent", models.CharField(blank=True, max_length=40)),
                        ("code_failed_comprehension", models.CharField(blank=True, max_length=40)),
                        (
                            "finish_url",
                            models.URLField(
                                blank=True,
                                help_text="Where people go at the end (Connect, SONA, direct). XXXX in SONA's address becomes the survey code.",
                                max_length=400,
                            ),
                        ),
                        (
                            "asks_comments",
                            models.BooleanField(default=True, help_text="A field for comments on the last page."),
                        ),
                        (
                            "retention_days",
                            models.PositiveIntegerField(
                                default=365,
                                help_text="Platform ids are purged this many days after the study is closed.",
                                validators=[
                                    django.core.validators.MinValueValidator(0),
                                    django.core.validators.MaxValueValidator(365250),
                                ],
                            ),
                        ),
                        ("closed_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "shuts_out",
                            models.ManyToManyField(blank=True, related_name="shut_out_by", to="annotation.study"),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "studies",
                        "ordering": ["-created_at"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("scale_high__isnull", False), ("scale_low__isnull", False)),
                                    models.Q(("scale_high__isnull", True), ("scale_low__isnull", True)),
                                    _connector="OR",
                                ),
                                name="study_scale_low_with_scale_high",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("currency__isnull", False), ("pay__isnull", False)),
                                    models.Q(("currency__isnull", True), ("pay__isnull", True)),
                                    _connector="OR",
                                ),
                                name="study_pay_with_currency",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("scale_low__isnull", True),
                                    ("scale_high__isnull", True),
                                    ("scale_low__lt", models.F("scale_high")),
                                    _connector="OR",
                                ),
                                name="study_scale_low_before_scale_high",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("starts_at__isnull", True),
                                    ("ends_at__isnull", True),
                                    ("starts_at__lt", models.F("ends_at")),
                                    _connector="OR",
                                ),
                                name="study_starts_at_before_ends_at",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("question", ""), _negated=True), name="study_question_filled"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("kind__in", ("slider", "sliders")), _negated=True),
                                    ("scale_low__isnull", False),
                                    _connector="OR",
                                ),
                                name="study_slider_has_scale",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("judgments_per_item__gte", 1)),
                                name="study_judgments_per_item_at_least_one",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("items_per_assignment__gte", 1)), name="study_assignment_has_items"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("pay__isnull", True), ("pay__gte", 0), _connector="OR"),
                                name="study_pay_not_negative",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("translation_of", models.F("pk")), _negated=True),
                                name="study_no_translation_of_itself",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("requires_signed_entry", False),
                                    models.Q(
                                        ("platform", "prolific"), models.Q(("platform_study_id", ""), _negated=True)
                                    ),
                                    _connector="OR",
                                ),
                                name="study_signed_entry_names_its_study",
                                violation_error_message="Signed links are for Prolific alone, and need the study's id on Prolific: choose Prolific and fill in the id, or don't require signed links.",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("translation_of__isnull", False)),
                                fields=("translation_of", "language"),
                                name="study_one_translation_a_language",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("status__in", ["draft", "piloting", "live", "paused", "closed"])),
                                name="study_status_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "kind__in",
                                        ["slider", "sliders", "choice", "choices", "verify", "list", "text", "ranking"],
                                    )
                                ),
                                name="study_kind_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("slider_start__in", ["hidden", "middle"])),
                                name="study_slider_start_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("scale_direction__in", ["fixed", "counterbalanced", "random"])),
                                name="study_scale_direction_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("word_order__in", ["fixed", "counterbalanced", "random"])),
                                name="study_word_order_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("word_layout__in", ["stacked", "side-by-side"])),
                                name="study_word_layout_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("platform__in", ["prolific", "connect", "mturk", "sona", "direct"])
                                ),
                                name="study_platform_known",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="AuditEntry",
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
                                related_name="audit_entries",
                                to="annotation.study",
                            ),
                        ),
                        ("at", models.DateTimeField(auto_now_add=True)),
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
                        (
                            "action",
                            models.CharField(
                                choices=[
                                    ("created", "Created"),
                                    ("changed-status", "Changed Status"),
                                    ("changed", "Changed"),
                                    ("duplicated", "Duplicated"),
                                    ("archived", "Archived"),
                                    ("restored", "Restored"),
                                    ("deleted", "Deleted a draft"),
                                    ("shared", "Shared"),
                                    ("imported", "Imported"),
                                    ("cleaned", "Cleaned"),
                                    ("excluded", "Excluded"),
                                    ("lifted", "Lifted an exclusion"),
                                    ("released", "Released gold"),
                                    ("exported", "Exported"),
                                    ("paid", "Paid"),
                                    ("withdrew", "Withdrew"),
                                    ("purged", "Purged platform ids"),
                                    ("scored", "Scored"),
                                ],
                                max_length=14,
                            ),
                        ),
                        ("why", models.TextField(blank=True)),
                        ("detail", models.JSONField(default=dict)),
                    ],
                    options={
                        "verbose_name_plural": "audit entries",
                        "ordering": ["-at", "-id"],
                        "indexes": [models.Index(fields=["study", "-at"], name="auditentry_study_at")],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "action__in",
                                        [
                                            "created",
                                            "changed-status",
                                            "changed",
                                            "duplicated",
                                            "archived",
                                            "restored",
                                            "deleted",
                                            "shared",
                                            "imported",
                                            "cleaned",
                                            "excluded",
                                            "lifted",
                                            "released",
                                            "exported",
                                            "paid",
                                            "withdrew",
                                            "purged",
                                            "scored",
                                        ],
                                    )
                                ),
                                name="auditentry_action_known",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="CheckQuota",
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
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="check_quotas",
                                to="annotation.study",
                            ),
                        ),
                        ("check_name", models.CharField(max_length=40)),
                        (
                            "per_assignment",
                            models.PositiveSmallIntegerField(
                                default=1,
                                validators=[
                                    django.core.validators.MinValueValidator(1),
                                    django.core.validators.MaxValueValidator(1000),
                                ],
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("study", "check_name"), name="checkquota_name_once_a_study"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("per_assignment__gte", 1)), name="checkquota_at_least_one"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("check_name", ""), _negated=True),
                                name="checkquota_check_name_filled",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ComprehensionQuestion",
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
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="comprehension_questions",
                                to="annotation.study",
                            ),
                        ),
                        ("position", models.PositiveSmallIntegerField()),
                        ("text", models.CharField(max_length=400)),
                        ("right_answer", models.CharField(max_length=200)),
                        (
                            "wrong_answers",
                            models.TextField(help_text="One per line. Each person sees them in a different order."),
                        ),
                    ],
                    options={
                        "ordering": ["study", "position"],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("study", "position"), name="comprehensionquestion_position_once_a_study"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("text", ""), _negated=True),
                                name="comprehensionquestion_text_filled",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("right_answer", ""), _negated=True),
                                name="comprehensionquestion_right_answer_filled",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("wrong_answers", ""), _negated=True),
                                name="comprehensionquestion_wrong_answers_filled",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="EndQuestion",
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
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="end_questions",
                                to="annotation.study",
                            ),
                        ),
                        ("position", models.PositiveSmallIntegerField()),
                        (
                            "name",
                            models.CharField(
                                help_text="The name of its column in exports.",
                                max_length=40,
                                validators=[django.core.validators.RegexValidator("^[a-z][a-z0-9_]*$")],
                            ),
                        ),
                        ("text", models.CharField(max_length=400)),
                        (
                            "options",
                            models.TextField(blank=True, help_text="One per line. Leave it empty for a free text."),
                        ),
                    ],
                    options={
                        "ordering": ["study", "position"],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("study", "position"), name="endquestion_position_once_a_study"
                            ),
                            models.UniqueConstraint(fields=("study", "name"), name="endquestion_name_once_a_study"),
                            models.CheckConstraint(
                                condition=models.Q(("name", ""), _negated=True), name="endquestion_name_filled"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("text", ""), _negated=True), name="endquestion_text_filled"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="EntryLink",
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
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="entry_links",
                                to="annotation.study",
                            ),
                        ),
                        (
                            "kind",
                            models.CharField(
                                choices=[("invitation", "For one person"), ("open", "For anyone who has it")],
                                max_length=10,
                            ),
                        ),
                        (
                            "token",
                            models.CharField(
                                default=annotation.models.entry_link.new_token, max_length=64, unique=True
                            ),
                        ),
                        ("note", models.CharField(blank=True, max_length=120)),
                        (
                            "capacity",
                            models.PositiveIntegerField(
                                blank=True,
                                null=True,
                                validators=[
                                    django.core.validators.MinValueValidator(1),
                                    django.core.validators.MaxValueValidator(1000000),
                                ],
                            ),
                        ),
                        (
                            "most_per_hour",
                            models.PositiveSmallIntegerField(
                                default=20,
                                help_text="How many people may start per network (a household, an office) and hour; for open links.",
                                validators=[
                                    django.core.validators.MinValueValidator(1),
                                    django.core.validators.MaxValueValidator(10000),
                                ],
                            ),
                        ),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        ("revoked_at", models.DateTimeField(blank=True, null=True)),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("kind", "open"), ("capacity", 1), _connector="OR"),
                                name="entrylink_invitation_for_one",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("kind__in", ["invitation", "open"])), name="entrylink_kind_known"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Job",
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
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="jobs",
                                to="annotation.study",
                            ),
                        ),
                        ("kind", models.CharField(max_length=40)),
                        ("parameters", models.JSONField(default=dict)),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("queued", "Queued"),
                                    ("running", "Running"),
                                    ("done", "Done"),
                                    ("failed", "Failed"),
                                    ("cancelled", "Cancelled"),
                                ],
                                default="queued",
                                max_length=9,
                            ),
                        ),
                        ("attempts", models.PositiveSmallIntegerField(default=0)),
                        ("progress", models.FloatField(default=0, help_text="From 0 to 1.")),
                        ("is_cancel_wanted", models.BooleanField(default=False)),
                        ("error", models.TextField(blank=True)),
                        ("result", models.JSONField(blank=True, null=True)),
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
                        (
                            "touched_at",
                            models.DateTimeField(
                                default=django.utils.timezone.now,
                                help_text="When it was queued, or when its worker last reported.",
                            ),
                        ),
                        (
                            "not_before",
                            models.DateTimeField(
                                blank=True,
                                help_text="After a temporary failure it waits until then; other jobs continue.",
                                null=True,
                            ),
                        ),
                        (
                            "retry_of",
                            models.ForeignKey(
                                blank=True,
                                help_text="The failed job that it repeats.",
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="retries",
                                to="annotation.job",
                            ),
                        ),
                        ("finished_at", models.DateTimeField(blank=True, null=True)),
                    ],
                    options={
                        "ordering": ["-created_at", "-id"],
                        "indexes": [
                            models.Index(
                                condition=models.Q(("status__in", ("queued", "running"))),
                                fields=["touched_at"],
                                name="job_unfinished",
                            )
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("progress__gte", 0), ("progress__lte", 1)),
                                name="job_progress_is_share",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("finished_at__isnull", True), ("status__in", ("queued", "running"))),
                                    models.Q(
                                        ("finished_at__isnull", False), ("status__in", ("done", "failed", "cancelled"))
                                    ),
                                    _connector="OR",
                                ),
                                name="job_finished_has_time",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("retry_of__isnull", False)),
                                fields=("retry_of",),
                                name="job_retried_once",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("status__in", ["queued", "running", "done", "failed", "cancelled"])
                                ),
                                name="job_status_known",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Label",
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
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="labels",
                                to="annotation.study",
                            ),
                        ),
                        ("value", models.CharField(max_length=80)),
                        ("display_text", models.CharField(max_length=120)),
                        ("position", models.PositiveSmallIntegerField()),
                        (
                            "swatch",
                            models.CharField(
                                blank=True, help_text="A colour such as #c81e1e, shown beside the text.", max_length=7
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["study", "position"],
                        "constraints": [
                            models.UniqueConstraint(fields=("study", "value"), name="label_value_once_a_study"),
                            models.UniqueConstraint(fields=("study", "position"), name="label_position_once_a_study"),
                            models.CheckConstraint(
                                condition=models.Q(("value__contains", "|"), _negated=True), name="label_without_bar"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("value", ""), _negated=True), name="label_value_filled"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("display_text", ""), _negated=True),
                                name="label_display_text_filled",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="NoticeWish",
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
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="notice_wishes",
                                to="annotation.study",
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="notice_wishes",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "stuck_after_hours",
                            models.PositiveSmallIntegerField(
                                default=24,
                                help_text="A study without an answer for so long, that still needs some, is stuck.",
                            ),
                        ),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("study", "user"), name="noticewish_once_a_study"),
                            models.CheckConstraint(
                                condition=models.Q(("stuck_after_hours__gte", 1), ("stuck_after_hours__lte", 1440)),
                                name="noticewish_hours_in_range",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="RecoveryCode",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "factor",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="recovery_codes",
                                to="annotation.secondfactor",
                            ),
                        ),
                        ("digest", models.CharField(max_length=64, unique=True)),
                        ("used_at", models.DateTimeField(blank=True, null=True)),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("digest", ""), _negated=True), name="recoverycode_digest_filled"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Role",
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
                                on_delete=django.db.models.deletion.CASCADE, related_name="roles", to="annotation.study"
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="roles",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "level",
                            models.CharField(
                                choices=[
                                    ("viewer", "May look and export under pseudonyms"),
                                    ("editor", "May also change, clean and release"),
                                    ("manager", "May also share, pay and see platform ids"),
                                ],
                                max_length=7,
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("study", "user"), name="role_once_a_study"),
                            models.CheckConstraint(
                                condition=models.Q(("level__in", ["viewer", "editor", "manager"])),
                                name="role_level_known",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Tombstone",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("judgment_uuid", models.UUIDField(unique=True)),
                        (
                            "study",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="tombstones",
                                to="annotation.study",
                            ),
                        ),
                        ("erased_at", models.DateTimeField(auto_now_add=True)),
                    ],
                ),
                migrations.CreateModel(
                    name="Webhook",
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
                                related_name="webhooks",
                                to="annotation.study",
                            ),
                        ),
                        ("address", models.URLField(max_length=400)),
                        ("events", models.JSONField()),
                        ("nonce", models.CharField(max_length=64)),
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
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("address", ""), _negated=True), name="webhook_address_filled"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("nonce", ""), _negated=True), name="webhook_nonce_filled"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ItemImport",
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
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="imports",
                                to="annotation.study",
                            ),
                        ),
                        ("source", models.TextField(help_text="The file's name.")),
                        ("rows", models.PositiveIntegerField()),
                        (
                            "job",
                            models.OneToOneField(
                                blank=True,
                                help_text="Empty if a command imported it.",
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="annotation.job",
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
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "touched_at",
                            models.DateTimeField(
                                default=django.utils.timezone.now, help_text="When the last of its rows were written."
                            ),
                        ),
                        ("published_at", models.DateTimeField(blank=True, null=True)),
                    ],
                    options={
                        "ordering": ["-created_at", "-id"],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("published_at__isnull", True)),
                                fields=("study",),
                                name="itemimport_one_at_a_time",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ItemUpload",
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
                                related_name="upload",
                                to="annotation.study",
                            ),
                        ),
                        ("name", models.TextField(help_text="The file's name.")),
                        (
                            "job",
                            models.OneToOneField(
                                help_text="Empty while it is being uploaded.",
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="upload",
                                to="annotation.job",
                            ),
                        ),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "touched_at",
                            models.DateTimeField(
                                default=django.utils.timezone.now, help_text="When the last of its parts was written."
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="Notice",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "wish",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="notices",
                                to="annotation.noticewish",
                            ),
                        ),
                        (
                            "event",
                            models.CharField(
                                choices=[
                                    ("full", "all judgments are in"),
                                    ("stuck", "no answers are coming in"),
                                    ("job-failed", "a job failed"),
                                ],
                                max_length=10,
                            ),
                        ),
                        (
                            "about",
                            models.CharField(
                                help_text="What makes it another notice: a job's UUID, an assignment.", max_length=40
                            ),
                        ),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        ("attempts", models.PositiveSmallIntegerField(default=0)),
                        ("tried_at", models.DateTimeField(blank=True, null=True)),
                        ("sent_at", models.DateTimeField(blank=True, null=True)),
                        ("error", models.TextField(blank=True)),
                    ],
                    options={
                        "ordering": ["-created_at", "-id"],
                        "indexes": [
                            models.Index(
                                condition=models.Q(("sent_at__isnull", True)),
                                fields=["created_at"],
                                name="notice_to_send",
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(fields=("wish", "event", "about"), name="notice_once"),
                            models.CheckConstraint(
                                condition=models.Q(("about", ""), _negated=True), name="notice_about_filled"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("event__in", ["full", "stuck", "job-failed"])),
                                name="notice_event_known",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Participation",
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
                                related_name="participations",
                                to="annotation.study",
                            ),
                        ),
                        (
                            "worker",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="participations",
                                to="annotation.worker",
                            ),
                        ),
                        (
                            "entry_link",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="participations",
                                to="annotation.entrylink",
                            ),
                        ),
                        (
                            "pseudonym",
                            models.CharField(default=annotation.models.participation.new_pseudonym, max_length=20),
                        ),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("entered", "Entered"),
                                    ("declined", "No consent"),
                                    ("failed-comprehension", "Failed Comprehension"),
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
                        ("is_pilot", models.BooleanField(default=False)),
                        (
                            "is_verified",
                            models.BooleanField(
                                default=True, help_text="Verified by an invitation or by the platform's signature."
                            ),
                        ),
                        (
                            "seed",
                            models.BigIntegerField(
                                default=annotation.models.study.new_seed,
                                help_text="Decides the order of items, checks and words, and the direction of the scale.",
                            ),
                        ),
                        (
                            "device",
                            models.CharField(
                                blank=True,
                                choices=[("phone", "Phone"), ("tablet", "Tablet"), ("computer", "Computer")],
                                help_text="The device that the person used; empty: not known.",
                                max_length=8,
                                null=True,
                            ),
                        ),
                        ("session_digest", models.CharField(blank=True, max_length=64)),
                        ("is_direction_reversed", models.BooleanField(default=False)),
                        ("is_word_order_swapped", models.BooleanField(default=False)),
                        ("entered_at", models.DateTimeField(auto_now_add=True)),
                        ("consented_at", models.DateTimeField(blank=True, null=True)),
                        ("consent_version", models.CharField(blank=True, max_length=20, null=True)),
                        ("finished_at", models.DateTimeField(blank=True, null=True)),
                        ("ended_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "set_aside_at",
                            models.DateTimeField(
                                blank=True,
                                help_text="When the person was excluded. They may finish what they have started, and get nothing new.",
                                null=True,
                            ),
                        ),
                        ("comprehension_tries", models.PositiveSmallIntegerField(default=0)),
                        ("comments", models.TextField(blank=True)),
                        ("demographics", models.JSONField(blank=True, default=dict)),
                    ],
                    options={
                        "indexes": [models.Index(fields=["study", "status"], name="participation_study_status")],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("study", "worker", "session_digest"), name="participation_once_per_session"
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("is_verified", True)),
                                fields=("study", "worker"),
                                name="participation_verified_once_per_worker",
                            ),
                            models.UniqueConstraint(
                                fields=("study", "pseudonym"), name="participation_pseudonym_once_a_study"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("consent_version__isnull", False), ("consented_at__isnull", False)),
                                    models.Q(("consent_version__isnull", True), ("consented_at__isnull", True)),
                                    _connector="OR",
                                ),
                                name="participation_consented_at_with_consent_version",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("finished_at__isnull", False), ("status", "finished")),
                                    models.Q(("status", "finished"), _negated=True),
                                    _connector="OR",
                                ),
                                name="participation_finished_has_time",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "status__in",
                                        [
                                            "entered",
                                            "declined",
                                            "failed-comprehension",
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
                            models.CheckConstraint(
                                condition=models.Q(("device__in", ["phone", "tablet", "computer"])),
                                name="participation_device_known",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="WebhookDelivery",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                        (
                            "webhook",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="deliveries",
                                to="annotation.webhook",
                            ),
                        ),
                        (
                            "event",
                            models.CharField(
                                choices=[
                                    ("study.filled", "Every judgment that was wanted is there"),
                                    ("job.ended", "A job is done, has failed or was cancelled"),
                                    ("release.made", "A gold release was made"),
                                ],
                                max_length=12,
                            ),
                        ),
                        (
                            "subject",
                            models.CharField(help_text="Which job, release or filling it is about.", max_length=60),
                        ),
                        ("about", models.JSONField(help_text="Ids alone: who may read more asks the API.")),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        ("attempts", models.PositiveSmallIntegerField(default=0)),
                        (
                            "due_at",
                            models.DateTimeField(
                                blank=True, help_text="When it is sent next; empty: it has ended.", null=True
                            ),
                        ),
                        ("delivered_at", models.DateTimeField(blank=True, null=True)),
                        ("last_status", models.PositiveSmallIntegerField(blank=True, null=True)),
                        (
                            "last_reply",
                            models.CharField(
                                blank=True, help_text="How the reply began, or why there was none.", max_length=500
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-created_at", "-id"],
                        "indexes": [
                            models.Index(
                                condition=models.Q(("due_at__isnull", False)),
                                fields=["due_at"],
                                name="webhookdelivery_due",
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("webhook", "event", "subject"), name="webhookdelivery_once"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("delivered_at__isnull", True), ("due_at__isnull", True), _connector="OR"
                                ),
                                name="webhookdelivery_delivered_is_not_due",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("event__in", ["study.filled", "job.ended", "release.made"])),
                                name="webhookdelivery_event_known",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Assignment",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                        (
                            "participation",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="assignments",
                                to="annotation.participation",
                            ),
                        ),
                        ("number", models.PositiveSmallIntegerField(default=1)),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("open", "Open"),
                                    ("submitted", "Submitted"),
                                    ("expired", "Expired"),
                                    ("released", "Its items were given back"),
                                ],
                                default="open",
                                max_length=9,
                            ),
                        ),
                        (
                            "token_version",
                            models.PositiveSmallIntegerField(
                                default=1, help_text="Raising it revokes all earlier links to the assignment."
                            ),
                        ),
                        (
                            "items_per_page",
                            models.PositiveSmallIntegerField(
                                blank=True,
                                help_text="The study's number of items per page when the assignment started.",
                                null=True,
                            ),
                        ),
                        ("claimed_at", models.DateTimeField(auto_now_add=True)),
                        ("expires_at", models.DateTimeField()),
                        ("ended_at", models.DateTimeField(blank=True, null=True)),
                    ],
                    options={
                        "indexes": [
                            models.Index(
                                condition=models.Q(("status", "open")),
                                fields=["expires_at"],
                                name="assignment_open_by_expiry",
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("participation", "number"), name="assignment_number_once_a_participation"
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("status", "open")),
                                fields=("participation",),
                                name="assignment_one_open_a_participation",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("ended_at__isnull", True), ("status", "open")),
                                    models.Q(models.Q(("status", "open"), _negated=True), ("ended_at__isnull", False)),
                                    _connector="OR",
                                ),
                                name="assignment_ended_has_time",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("status__in", ["open", "submitted", "expired", "released"])),
                                name="assignment_status_known",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Item",
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
                                on_delete=django.db.models.deletion.CASCADE, related_name="items", to="annotation.study"
                            ),
                        ),
                        ("item_id", models.CharField(max_length=200)),
                        ("position", models.PositiveIntegerField()),
                        (
                            "kind",
                            models.CharField(
                                choices=[("target", "Target"), ("check", "Check"), ("practice", "Practice")],
                                default="target",
                                max_length=8,
                            ),
                        ),
                        (
                            "fields",
                            models.JSONField(
                                default=dict,
                                encoder=django.core.serializers.json.DjangoJSONEncoder,
                                help_text="The fields that the question uses.",
                            ),
                        ),
                        (
                            "image",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="annotation.blob",
                            ),
                        ),
                        ("check_name", models.CharField(blank=True, max_length=40, null=True)),
                        ("expected", models.JSONField(blank=True, help_text="The right labels, as a list.", null=True)),
                        ("min", models.FloatField(blank=True, null=True)),
                        ("max", models.FloatField(blank=True, null=True)),
                        (
                            "repeats",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="repeated_by",
                                to="annotation.item",
                            ),
                        ),
                        (
                            "reference",
                            models.TextField(blank=True, help_text="Labels from another source, separated by |."),
                        ),
                        (
                            "judgments_per_item",
                            models.PositiveSmallIntegerField(
                                blank=True,
                                help_text="Replaces the study's judgments per item.",
                                null=True,
                                validators=[
                                    django.core.validators.MinValueValidator(1),
                                    django.core.validators.MaxValueValidator(10000),
                                ],
                            ),
                        ),
                        (
                            "in_import",
                            models.ForeignKey(
                                blank=True,
                                editable=False,
                                help_text="The large import that brought the item.",
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="items",
                                to="annotation.itemimport",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["study", "position"],
                        "indexes": [
                            models.Index(
                                condition=models.Q(("kind", "target"), _negated=True),
                                fields=["study", "position"],
                                name="item_beside_targets",
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(fields=("study", "item_id"), name="item_id_once_a_study"),
                            models.UniqueConstraint(fields=("study", "position"), name="item_position_once_a_study"),
                            models.CheckConstraint(
                                condition=models.Q(("item_id", ""), _negated=True), name="item_item_id_filled"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("min__isnull", True),
                                    models.Q(
                                        ("min__gte", -1.7976931348623157e308), ("min__lte", 1.7976931348623157e308)
                                    ),
                                    _connector="OR",
                                ),
                                name="item_min_finite",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("max__isnull", True),
                                    models.Q(
                                        ("max__gte", -1.7976931348623157e308), ("max__lte", 1.7976931348623157e308)
                                    ),
                                    _connector="OR",
                                ),
                                name="item_max_finite",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("min__isnull", True),
                                    ("max__isnull", True),
                                    ("min__lte", models.F("max")),
                                    _connector="OR",
                                ),
                                name="item_min_before_max",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("check_name__isnull", False), ("kind", "check")),
                                    models.Q(models.Q(("kind", "check"), _negated=True), ("check_name__isnull", True)),
                                    _connector="OR",
                                ),
                                name="item_check_has_name",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("kind", "check"),
                                    ("kind", "practice"),
                                    models.Q(("expected__isnull", True), ("max__isnull", True), ("min__isnull", True)),
                                    _connector="OR",
                                ),
                                name="item_target_has_no_right_answer",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("kind", "check"), ("repeats__isnull", True), _connector="OR"),
                                name="item_only_checks_repeat",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("repeats", models.F("pk")), _negated=True),
                                name="item_repeats_another",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("expected__isnull", True),
                                    django.db.models.lookups.Exact(
                                        annotation.models.expressions.JSONKind(models.F("expected")),
                                        models.Value("array"),
                                    ),
                                    _connector="OR",
                                ),
                                name="item_expected_is_list",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("judgments_per_item__isnull", True),
                                    ("judgments_per_item__gte", 1),
                                    _connector="OR",
                                ),
                                name="item_judgments_per_item_positive",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("kind__in", ["target", "check", "practice"])),
                                name="item_kind_known",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ItemUploadPart",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "upload",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="parts",
                                to="annotation.itemupload",
                            ),
                        ),
                        (
                            "file_number",
                            models.PositiveIntegerField(help_text="0 is the file of items; its pictures follow."),
                        ),
                        ("file_name", models.TextField()),
                        ("number", models.PositiveIntegerField()),
                        ("content", models.BinaryField()),
                    ],
                    options={
                        "ordering": ["upload", "file_number", "number"],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("upload", "file_number", "number"), name="itemuploadpart_number_once_a_file"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    django.db.models.lookups.LessThanOrEqual(
                                        django.db.models.functions.text.Length(models.F("content")),
                                        models.Value(1000000),
                                    )
                                ),
                                name="itemuploadpart_at_most_a_part",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="OpenEntry",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "link",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="open_entries",
                                to="annotation.entrylink",
                            ),
                        ),
                        (
                            "study",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="open_entries",
                                to="annotation.study",
                            ),
                        ),
                        (
                            "participation",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="open_entries",
                                to="annotation.participation",
                            ),
                        ),
                        ("network", models.CharField(max_length=64)),
                        ("at", models.DateTimeField()),
                    ],
                    options={
                        "verbose_name_plural": "open entries",
                        "indexes": [
                            models.Index(fields=["link", "network", "at"], name="openentry_lately"),
                            models.Index(fields=["study", "network", "at"], name="openentry_lately_to_study"),
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("network", ""), _negated=True), name="openentry_network_filled"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("link__isnull", False), ("study__isnull", True)),
                                    models.Q(("link__isnull", True), ("study__isnull", False)),
                                    _connector="OR",
                                ),
                                name="openentry_by_link_or_to_study",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Payment",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "participation",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="payment",
                                to="annotation.participation",
                            ),
                        ),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("due", "Due"),
                                    ("approved", "Approved, to be paid"),
                                    ("paid", "Paid"),
                                    ("rejected", "Rejected"),
                                    ("waived", "Nothing is owed"),
                                ],
                                default="due",
                                max_length=8,
                            ),
                        ),
                        ("platform_id", models.CharField(blank=True, max_length=200, null=True)),
                        ("session_id", models.CharField(blank=True, max_length=200, null=True)),
                        ("amount", models.DecimalField(blank=True, decimal_places=2, max_digits=8, null=True)),
                        ("currency", models.CharField(blank=True, max_length=3, null=True)),
                        (
                            "reason",
                            models.TextField(
                                blank=True, help_text="Why the person was rejected, in the words for the platform."
                            ),
                        ),
                        ("settled_at", models.DateTimeField(blank=True, null=True)),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("amount__isnull", False), ("currency__isnull", False)),
                                    models.Q(("amount__isnull", True), ("currency__isnull", True)),
                                    _connector="OR",
                                ),
                                name="payment_amount_with_currency",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("amount__isnull", True), ("amount__gte", 0), _connector="OR"),
                                name="payment_not_negative",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("settled_at__isnull", True), ("status__in", ("due", "approved"))),
                                    models.Q(
                                        models.Q(("status__in", ("due", "approved")), _negated=True),
                                        ("settled_at__isnull", False),
                                    ),
                                    _connector="OR",
                                ),
                                name="payment_settled_has_time",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("status__in", ("due", "approved")),
                                    models.Q(("platform_id__isnull", True), ("session_id__isnull", True)),
                                    _connector="OR",
                                ),
                                name="payment_settled_keeps_no_ids",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("status", "rejected"), _negated=True),
                                    models.Q(("reason", ""), _negated=True),
                                    _connector="OR",
                                ),
                                name="payment_rejected_has_reason",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("status__in", ["due", "approved", "paid", "rejected", "waived"])),
                                name="payment_status_known",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="AssignedItem",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                        (
                            "assignment",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="assigned_items",
                                to="annotation.assignment",
                            ),
                        ),
                        (
                            "participation",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="assigned_items",
                                to="annotation.participation",
                            ),
                        ),
                        (
                            "item",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="assigned_items",
                                to="annotation.item",
                            ),
                        ),
                        (
                            "slot",
                            models.PositiveSmallIntegerField(
                                blank=True,
                                help_text="From 1 to the number of judgments per item; empty for checks and practice.",
                                null=True,
                            ),
                        ),
                        ("position", models.PositiveIntegerField()),
                        ("released_at", models.DateTimeField(blank=True, null=True)),
                        ("is_direction_reversed", models.BooleanField(default=False)),
                        ("is_word_order_swapped", models.BooleanField(default=False)),
                    ],
                    options={
                        "ordering": ["assignment", "position"],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("released_at__isnull", True), ("slot__isnull", False)),
                                fields=("item", "slot"),
                                name="assigneditem_place_held_once",
                            ),
                            models.UniqueConstraint(
                                fields=("participation", "item"), name="assigneditem_once_a_worker"
                            ),
                            models.UniqueConstraint(
                                fields=("assignment", "position"), name="assigneditem_position_once"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("slot__isnull", True), ("slot__gte", 1), _connector="OR"),
                                name="assigneditem_slot_from_one",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="OpenPlace",
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
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="open_places",
                                to="annotation.study",
                            ),
                        ),
                        (
                            "item",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="open_places",
                                to="annotation.item",
                            ),
                        ),
                        ("slot", models.PositiveSmallIntegerField()),
                        (
                            "rank",
                            models.IntegerField(
                                help_text="Random, by the study's seed: the order in which open places are given out."
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(fields=["study", "slot", "rank", "item"], name="openplace_claim_order")
                        ],
                        "constraints": [
                            models.UniqueConstraint(fields=("item", "slot"), name="openplace_once"),
                            models.CheckConstraint(
                                condition=models.Q(("slot__gte", 1)), name="openplace_slot_from_one"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Judgment",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                        (
                            "assigned_item",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="judgments",
                                to="annotation.assigneditem",
                            ),
                        ),
                        ("revision", models.PositiveIntegerField(default=1)),
                        (
                            "client_key",
                            models.UUIDField(
                                default=uuid.uuid4,
                                help_text="The browser's key for this answer, so that an answer that is sent twice is stored once.",
                            ),
                        ),
                        ("number", models.FloatField(null=True)),
                        ("label", models.CharField(max_length=80, null=True)),
                        ("labels", models.JSONField(null=True)),
                        ("numbers", models.JSONField(null=True)),
                        ("properties", models.JSONField(null=True)),
                        ("text", models.TextField(null=True)),
                        (
                            "could_not_see",
                            models.BooleanField(
                                help_text="The person could not see the picture, so the answer is not counted.",
                                null=True,
                            ),
                        ),
                        ("is_direction_reversed", models.BooleanField(default=False)),
                        ("is_word_order_swapped", models.BooleanField(default=False)),
                        ("is_untouched_middle", models.BooleanField(default=False)),
                        (
                            "is_late",
                            models.BooleanField(
                                default=False,
                                help_text="The answer arrived after its place had been given to somebody else.",
                            ),
                        ),
                        (
                            "input_kind",
                            models.CharField(
                                choices=[
                                    ("mouse", "Mouse"),
                                    ("touch", "Touch"),
                                    ("pen", "Pen"),
                                    ("keyboard", "Keyboard"),
                                    ("no-script", "No Script"),
                                    ("simulated", "Simulated"),
                                    ("imported", "Imported"),
                                    ("unknown", "Unknown"),
                                ],
                                default="unknown",
                                max_length=9,
                            ),
                        ),
                        ("response_ms", models.PositiveIntegerField(null=True)),
                        ("first_touch_ms", models.PositiveIntegerField(null=True)),
                        ("moves", models.PositiveIntegerField(null=True)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                    ],
                    options={
                        "ordering": ["assigned_item", "revision"],
                        "indexes": [
                            models.Index(
                                condition=models.Q(("could_not_see", True)),
                                fields=["assigned_item"],
                                name="judgment_could_not_see",
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("assigned_item", "revision"), name="judgment_revision_once"
                            ),
                            models.UniqueConstraint(
                                fields=("assigned_item", "client_key"), name="judgment_client_key_once"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("revision__gte", 1)), name="judgment_revision_from_one"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("could_not_see__isnull", True),
                                        ("label__isnull", True),
                                        ("labels__isnull", True),
                                        ("number__isnull", False),
                                        ("numbers__isnull", True),
                                        ("properties__isnull", True),
                                        ("text__isnull", True),
                                    ),
                                    models.Q(
                                        ("could_not_see__isnull", True),
                                        ("label__isnull", False),
                                        ("labels__isnull", True),
                                        ("number__isnull", True),
                                        ("numbers__isnull", True),
                                        ("properties__isnull", True),
                                        ("text__isnull", True),
                                    ),
                                    models.Q(
                                        ("could_not_see__isnull", True),
                                        ("label__isnull", True),
                                        ("labels__isnull", False),
                                        ("number__isnull", True),
                                        ("numbers__isnull", True),
                                        ("properties__isnull", True),
                                        ("text__isnull", True),
                                    ),
                                    models.Q(
                                        ("could_not_see__isnull", True),
                                        ("label__isnull", True),
                                        ("labels__isnull", True),
                                        ("number__isnull", True),
                                        ("numbers__isnull", False),
                                        ("properties__isnull", True),
                                        ("text__isnull", True),
                                    ),
                                    models.Q(
                                        ("could_not_see__isnull", True),
                                        ("label__isnull", True),
                                        ("labels__isnull", True),
                                        ("number__isnull", True),
                                        ("numbers__isnull", True),
                                        ("properties__isnull", False),
                                        ("text__isnull", True),
                                    ),
                                    models.Q(
                                        ("could_not_see__isnull", True),
                                        ("label__isnull", True),
                                        ("labels__isnull", True),
                                        ("number__isnull", True),
                                        ("numbers__isnull", True),
                                        ("properties__isnull", True),
                                        ("text__isnull", False),
                                    ),
                                    models.Q(
                                        ("could_not_see__isnull", False),
                                        ("label__isnull", True),
                                        ("labels__isnull", True),
                                        ("number__isnull", True),
                                        ("numbers__isnull", True),
                                        ("properties__isnull", True),
                                        ("text__isnull", True),
                                    ),
                                    _connector="OR",
                                ),
                                name="judgment_one_answer",
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
                                name="judgment_number_finite",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("label", ""), _negated=True), name="judgment_label_filled"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("text", ""), _negated=True), name="judgment_text_filled"
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
                                name="judgment_labels_are_list",
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
                                name="judgment_properties_are_list",
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
                                name="judgment_numbers_are_object",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("could_not_see__isnull", True), ("could_not_see", True), _connector="OR"
                                ),
                                name="judgment_not_seen",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "input_kind__in",
                                        [
                                            "mouse",
                                            "touch",
                                            "pen",
                                            "keyboard",
                                            "no-script",
                                            "simulated",
                                            "imported",
                                            "unknown",
                                        ],
                                    )
                                ),
                                name="judgment_input_kind_known",
                            ),
                        ],
                    },
                ),
            ]
        ),
    ]
