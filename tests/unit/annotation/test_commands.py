"""Every management command answers alike: `--json`, a help text, exit codes by `TouchstoneCommand`."""

import pytest
from django.core.management import get_commands, load_command_class

from annotation.management.base import TouchstoneCommand

COMMANDS = {name: app for name, app in get_commands().items() if app in {"annotation", "agreement"}}


def test_commands_are_found() -> None:
    assert {"create_study", "analyse", "analyse_file", "export"} <= set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_prints_json_if_asked_and_says_what_it_does(name: str) -> None:
    command = load_command_class(COMMANDS[name], name)
    options = {
        option for action in command.create_parser("manage.py", name)._actions for option in action.option_strings
    }

    assert isinstance(command, TouchstoneCommand)
    assert "--json" in options
    assert command.help.endswith(".")
