"""Releases, models and decisions belong to one question of a study."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("agreement", "0016_no_members"),
        ("annotation", "0022_several_questions"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="adjudication",
            options={"ordering": ["item", "question", "revision"]},
        ),
        migrations.RemoveConstraint(
            model_name="adjudication",
            name="adjudication_revision_once",
        ),
        migrations.RemoveConstraint(
            model_name="goldrelease",
            name="goldrelease_number_once_a_study",
        ),
        migrations.RemoveConstraint(
            model_name="probe",
            name="probe_name_once_a_study",
        ),
        migrations.RemoveConstraint(
            model_name="propertycode",
            name="propertycode_once_a_revision",
        ),
        migrations.RemoveConstraint(
            model_name="verdict",
            name="verdict_once_a_rule",
        ),
        migrations.AddField(
            model_name="adjudication",
            name="question",
            field=models.PositiveSmallIntegerField(db_default=1, default=1, help_text="The number of the question."),
        ),
        migrations.AddField(
            model_name="goldrelease",
            name="question",
            field=models.PositiveSmallIntegerField(db_default=1, default=1, help_text="The number of the question."),
        ),
        migrations.AddField(
            model_name="probe",
            name="question",
            field=models.PositiveSmallIntegerField(db_default=1, default=1, help_text="The number of the question."),
        ),
        migrations.AddField(
            model_name="propertycode",
            name="question",
            field=models.PositiveSmallIntegerField(db_default=1, default=1, help_text="The number of the question."),
        ),
        migrations.AddField(
            model_name="studysummary",
            name="question",
            field=models.PositiveSmallIntegerField(db_default=1, default=1, help_text="The number of the question."),
        ),
        migrations.AddField(
            model_name="verdict",
            name="question",
            field=models.PositiveSmallIntegerField(db_default=1, default=1, help_text="The number of the question."),
        ),
        migrations.AlterField(
            model_name="goldrelease",
            name="run",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="releases", to="agreement.cleaningrun"
            ),
        ),
        migrations.AlterField(
            model_name="judgmentsingold",
            name="frozen",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="in_gold", to="agreement.frozenjudgments"
            ),
        ),
        migrations.AlterField(
            model_name="studysummary",
            name="study",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="stored_summaries", to="annotation.study"
            ),
        ),
        migrations.AddConstraint(
            model_name="adjudication",
            constraint=models.UniqueConstraint(
                fields=("item", "question", "revision"), name="adjudication_revision_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="goldrelease",
            constraint=models.UniqueConstraint(
                fields=("study", "question", "number"), name="goldrelease_number_once_a_question"
            ),
        ),
        migrations.AddConstraint(
            model_name="goldrelease",
            constraint=models.UniqueConstraint(fields=("run", "question"), name="goldrelease_once_a_run"),
        ),
        migrations.AddConstraint(
            model_name="probe",
            constraint=models.UniqueConstraint(fields=("study", "question", "name"), name="probe_name_once_a_question"),
        ),
        migrations.AddConstraint(
            model_name="propertycode",
            constraint=models.UniqueConstraint(
                fields=("study", "question", "revision", "spelling"), name="propertycode_once_a_revision"
            ),
        ),
        migrations.AddConstraint(
            model_name="studysummary",
            constraint=models.UniqueConstraint(fields=("study", "question"), name="studysummary_once_a_question"),
        ),
        migrations.AddConstraint(
            model_name="verdict",
            constraint=models.UniqueConstraint(
                fields=("run", "participation", "question", "rule"), name="verdict_once_a_rule"
            ),
        ),
    ]
