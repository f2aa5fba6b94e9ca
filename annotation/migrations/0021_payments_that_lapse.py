"""Payments that nobody decides on lapse, and their researchers are warned before."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0020_limits_of_numbers"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="notice",
            name="notice_event_known",
        ),
        migrations.RemoveConstraint(
            model_name="payment",
            name="payment_status_known",
        ),
        migrations.AddField(
            model_name="study",
            name="pay_warned_at",
            field=models.DateTimeField(
                blank=True,
                help_text="Since when its researchers are told that ids of undecided payments will go.",
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="notice",
            name="event",
            field=models.CharField(
                choices=[
                    ("full", "all judgments are in"),
                    ("stuck", "no answers are coming in"),
                    ("job-failed", "a job failed"),
                    ("pay-open", "payments are undecided, and their ids will go"),
                ],
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="payment",
            name="status",
            field=models.CharField(
                choices=[
                    ("due", "Due"),
                    ("approved", "Approved, to be paid"),
                    ("paid", "Paid"),
                    ("rejected", "Rejected"),
                    ("waived", "Nothing is owed"),
                    ("lapsed", "Never decided"),
                ],
                default="due",
                max_length=8,
            ),
        ),
        migrations.AddConstraint(
            model_name="notice",
            constraint=models.CheckConstraint(
                condition=models.Q(("event__in", ["full", "stuck", "job-failed", "pay-open"])),
                name="notice_event_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="payment",
            constraint=models.CheckConstraint(
                condition=models.Q(("status__in", ["due", "approved", "paid", "rejected", "waived", "lapsed"])),
                name="payment_status_known",
            ),
        ),
    ]
