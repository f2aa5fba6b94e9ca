from annotation.management.of_files import command_on_files

Command = command_on_files("studies.commands.studies")
