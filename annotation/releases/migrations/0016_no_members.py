"""The tables with a row per judgment of a run and of a release go: their rows have moved into portions."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("agreement", "0015_members_moved")]
    operations = [migrations.DeleteModel("ReleaseMember"), migrations.DeleteModel("RunMember")]
