from annotation.management.base import command_on_files

Command = command_on_files("studies.commands.score_spans")
