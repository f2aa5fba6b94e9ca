"""What an item shows apart from its questions: blocks, none until somebody gives them."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0026_looked_at"),
    ]

    operations = [
        migrations.AddField(
            model_name="study",
            name="stimulus",
            field=models.JSONField(
                blank=True,
                db_default=models.Value({}, models.JSONField()),
                default=dict,
                help_text="What an item shows apart from its questions, as blocks; empty: nothing but the questions.",
            ),
        ),
    ]
