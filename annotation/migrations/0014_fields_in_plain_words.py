"""Fields renamed to plain words. On SQLite and PostgreSQL a column is renamed in place; no row changes."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0013_plain_words"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="checkquota",
            name="checkquota_at_least_one",
        ),
        migrations.RemoveConstraint(
            model_name="item",
            name="item_target_positive",
        ),
        migrations.RemoveConstraint(
            model_name="label",
            name="label_shown_filled",
        ),
        migrations.RemoveConstraint(
            model_name="study",
            name="study_target_at_least_one",
        ),
        migrations.RemoveConstraint(
            model_name="study",
            name="study_assignment_has_items",
        ),
        migrations.RenameField(
            model_name="assignment",
            old_name="items_a_page",
            new_name="items_per_page",
        ),
        migrations.RenameField(
            model_name="checkquota",
            old_name="an_assignment",
            new_name="per_assignment",
        ),
        migrations.RenameField(
            model_name="entrylink",
            old_name="most_an_hour",
            new_name="most_per_hour",
        ),
        migrations.RenameField(
            model_name="item",
            old_name="target",
            new_name="judgments_per_item",
        ),
        migrations.RenameField(
            model_name="label",
            old_name="shown",
            new_name="display_text",
        ),
        migrations.RenameField(
            model_name="study",
            old_name="assignments_a_worker",
            new_name="assignments_per_worker",
        ),
        migrations.RenameField(
            model_name="study",
            old_name="late_answers_count",
            new_name="counts_late_answers",
        ),
        migrations.RenameField(
            model_name="study",
            old_name="items_an_assignment",
            new_name="items_per_assignment",
        ),
        migrations.RenameField(
            model_name="study",
            old_name="items_a_page",
            new_name="items_per_page",
        ),
        migrations.RenameField(
            model_name="study",
            old_name="target",
            new_name="judgments_per_item",
        ),
        migrations.AddConstraint(
            model_name="checkquota",
            constraint=models.CheckConstraint(
                condition=models.Q(("per_assignment__gte", 1)), name="checkquota_at_least_one"
            ),
        ),
        migrations.AddConstraint(
            model_name="item",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("judgments_per_item__isnull", True), ("judgments_per_item__gte", 1), _connector="OR"
                ),
                name="item_judgments_per_item_positive",
            ),
        ),
        migrations.AddConstraint(
            model_name="label",
            constraint=models.CheckConstraint(
                condition=models.Q(("display_text", ""), _negated=True), name="label_display_text_filled"
            ),
        ),
        migrations.AddConstraint(
            model_name="study",
            constraint=models.CheckConstraint(
                condition=models.Q(("judgments_per_item__gte", 1)), name="study_judgments_per_item_at_least_one"
            ),
        ),
        migrations.AddConstraint(
            model_name="study",
            constraint=models.CheckConstraint(
                condition=models.Q(("items_per_assignment__gte", 1)), name="study_assignment_has_items"
            ),
        ),
    ]
