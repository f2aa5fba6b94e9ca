"""`manage.py look`: the command on files of that name."""

from annotation.management.base import command_on_files

Command = command_on_files("agreement.cli.look")
