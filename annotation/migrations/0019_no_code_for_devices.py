from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0018_api"),
    ]

    operations = [
        migrations.RemoveField(
            model_name="study",
            name="code_incompatible_device",
        ),
    ]
