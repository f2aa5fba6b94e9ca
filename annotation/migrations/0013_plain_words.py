"""Help texts and names of choices in plain words; nothing in the database changes."""

import uuid

import django.core.serializers.json
import django.core.validators
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import annotation.models.study


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0012_rankings"),
    ]

    operations = [
        migrations.AlterField(
            model_name="accountentry",
            name="by",
            field=models.ForeignKey(
                blank=True,
                help_text="Empty: a command on the server did it.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AlterField(
            model_name="assigneditem",
            name="slot",
            field=models.PositiveSmallIntegerField(
                blank=True,
                help_text="From 1 to the number of judgments per item; empty for checks and practice.",
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="assignment",
            name="items_a_page",
            field=models.PositiveSmallIntegerField(
                blank=True, help_text="The study's number of items per page when the assignment started.", null=True
            ),
        ),
        migrations.AlterField(
            model_name="assignment",
            name="status",
            field=models.CharField(
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
        migrations.AlterField(
            model_name="assignment",
            name="token_version",
            field=models.PositiveSmallIntegerField(
                default=1, help_text="Raising it revokes all earlier links to the assignment."
            ),
        ),
        migrations.AlterField(
            model_name="comprehensionquestion",
            name="wrong_answers",
            field=models.TextField(help_text="One per line. Each person sees them in a different order."),
        ),
        migrations.AlterField(
            model_name="endquestion",
            name="name",
            field=models.CharField(
                help_text="The name of its column in exports.",
                max_length=40,
                validators=[django.core.validators.RegexValidator("^[a-z][a-z0-9_]*$")],
            ),
        ),
        migrations.AlterField(
            model_name="endquestion",
            name="options",
            field=models.TextField(blank=True, help_text="One per line. Leave it empty for a free text."),
        ),
        migrations.AlterField(
            model_name="entrylink",
            name="most_an_hour",
            field=models.PositiveSmallIntegerField(
                default=20,
                help_text="How many people may start per network (a household, an office) and hour; for open links.",
            ),
        ),
        migrations.AlterField(
            model_name="item",
            name="fields",
            field=models.JSONField(
                default=dict,
                encoder=django.core.serializers.json.DjangoJSONEncoder,
                help_text="The fields that the question uses.",
            ),
        ),
        migrations.AlterField(
            model_name="item",
            name="in_import",
            field=models.ForeignKey(
                blank=True,
                editable=False,
                help_text="The large import that brought the item.",
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="items",
                to="annotation.itemimport",
            ),
        ),
        migrations.AlterField(
            model_name="item",
            name="reference",
            field=models.TextField(blank=True, help_text="Labels from another source, separated by |."),
        ),
        migrations.AlterField(
            model_name="item",
            name="target",
            field=models.PositiveSmallIntegerField(
                blank=True, help_text="Replaces the study's judgments per item.", null=True
            ),
        ),
        migrations.AlterField(
            model_name="itemimport",
            name="job",
            field=models.OneToOneField(
                blank=True,
                help_text="Empty if a command imported it.",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="annotation.job",
            ),
        ),
        migrations.AlterField(
            model_name="itemupload",
            name="job",
            field=models.OneToOneField(
                help_text="Empty while it is being uploaded.",
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="upload",
                to="annotation.job",
            ),
        ),
        migrations.AlterField(
            model_name="job",
            name="not_before",
            field=models.DateTimeField(
                blank=True, help_text="After a temporary failure it waits until then; other jobs continue.", null=True
            ),
        ),
        migrations.AlterField(
            model_name="job",
            name="retry_of",
            field=models.ForeignKey(
                blank=True,
                help_text="The failed job that it repeats.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="retries",
                to="annotation.job",
            ),
        ),
        migrations.AlterField(
            model_name="job",
            name="touched_at",
            field=models.DateTimeField(
                default=django.utils.timezone.now, help_text="When it was queued, or when its worker last reported."
            ),
        ),
        migrations.AlterField(
            model_name="judgment",
            name="client_key",
            field=models.UUIDField(
                default=uuid.uuid4,
                help_text="The browser's key for this answer, so that an answer that is sent twice is stored once.",
            ),
        ),
        migrations.AlterField(
            model_name="judgment",
            name="could_not_see",
            field=models.BooleanField(
                help_text="The person could not see the picture, so the answer is not counted.", null=True
            ),
        ),
        migrations.AlterField(
            model_name="judgment",
            name="is_late",
            field=models.BooleanField(
                default=False, help_text="The answer arrived after its place had been given to somebody else."
            ),
        ),
        migrations.AlterField(
            model_name="loginattempt",
            name="forgiven_at",
            field=models.DateTimeField(
                blank=True,
                help_text="Not counted since then, because a log-in succeeded or an administrator unlocked the account.",
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="loginattempt",
            name="outcome",
            field=models.CharField(
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
        migrations.AlterField(
            model_name="openplace",
            name="rank",
            field=models.IntegerField(
                help_text="Random, by the study's seed: the order in which open places are given out."
            ),
        ),
        migrations.AlterField(
            model_name="participation",
            name="device",
            field=models.CharField(
                blank=True,
                choices=[("phone", "Phone"), ("tablet", "Tablet"), ("computer", "Computer")],
                help_text="The device that the person used; empty: not known.",
                max_length=8,
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="participation",
            name="is_verified",
            field=models.BooleanField(
                default=True, help_text="Verified by an invitation or by the platform's signature."
            ),
        ),
        migrations.AlterField(
            model_name="participation",
            name="seed",
            field=models.BigIntegerField(
                default=annotation.models.study.new_seed,
                help_text="Decides the order of items, checks and words, and the direction of the scale.",
            ),
        ),
        migrations.AlterField(
            model_name="participation",
            name="set_aside_at",
            field=models.DateTimeField(
                blank=True,
                help_text="When the person was excluded. They may finish what they have started, and get nothing new.",
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="payment",
            name="reason",
            field=models.TextField(blank=True, help_text="Why the person was rejected, in the words for the platform."),
        ),
        migrations.AlterField(
            model_name="secondfactor",
            name="last_step",
            field=models.BigIntegerField(
                help_text="The 30 seconds of the code that was used last, so that no code works twice."
            ),
        ),
        migrations.AlterField(
            model_name="study",
            name="capacity",
            field=models.PositiveIntegerField(blank=True, help_text="How many people may take part.", null=True),
        ),
        migrations.AlterField(
            model_name="study",
            name="finish_url",
            field=models.URLField(
                blank=True,
                help_text="Where people go at the end (Connect, SONA, direct). XXXX in SONA's address becomes the survey code.",
                max_length=400,
            ),
        ),
        migrations.AlterField(
            model_name="study",
            name="kind",
            field=models.CharField(
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
        migrations.AlterField(
            model_name="study",
            name="late_answers_count",
            field=models.BooleanField(default=False, help_text="Answers that arrive late may enter gold."),
        ),
        migrations.AlterField(
            model_name="study",
            name="minutes_allowed",
            field=models.PositiveIntegerField(
                default=60, help_text="After this time other people can answer what is still unanswered."
            ),
        ),
        migrations.AlterField(
            model_name="study",
            name="requires_signed_entry",
            field=models.BooleanField(
                default=False, help_text="Accept only signed links from Prolific (Secured External URL)."
            ),
        ),
        migrations.AlterField(
            model_name="study",
            name="retention_days",
            field=models.PositiveIntegerField(
                default=365, help_text="Platform ids are purged this many days after the study is closed."
            ),
        ),
        migrations.AlterField(
            model_name="study",
            name="scale_direction",
            field=models.CharField(
                choices=[
                    ("fixed", "As written"),
                    ("counterbalanced", "Reversed for half of the workers"),
                    ("random", "Random for each item"),
                ],
                default="fixed",
                max_length=15,
            ),
        ),
        migrations.AlterField(
            model_name="study",
            name="seed",
            field=models.BigIntegerField(
                default=annotation.models.study.new_seed, help_text="Decides in which order items are given out."
            ),
        ),
        migrations.AlterField(
            model_name="study",
            name="slider_start",
            field=models.CharField(
                choices=[
                    ("hidden", "Hidden until the line is touched"),
                    ("middle", "In the middle; an untouched slider counts as the middle"),
                ],
                default="hidden",
                max_length=6,
            ),
        ),
        migrations.AlterField(
            model_name="study",
            name="summary",
            field=models.TextField(blank=True, help_text="What the study asks people to do, shown on the first page."),
        ),
        migrations.AlterField(
            model_name="study",
            name="target",
            field=models.PositiveSmallIntegerField(default=10, help_text="Judgments per item."),
        ),
        migrations.AlterField(
            model_name="study",
            name="unverified_per_hour",
            field=models.PositiveSmallIntegerField(
                default=20,
                help_text="How many unverified participants may start per network (a household, a lab) and hour.",
            ),
        ),
        migrations.AlterField(
            model_name="study",
            name="word_order",
            field=models.CharField(
                choices=[
                    ("fixed", "As written"),
                    ("counterbalanced", "Reversed for half of the workers"),
                    ("random", "Random for each item"),
                ],
                default="fixed",
                max_length=15,
            ),
        ),
    ]
