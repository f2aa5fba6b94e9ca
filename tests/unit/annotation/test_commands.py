"""Every management command answers alike: `--json`, a help text, exit codes by `TouchstoneCommand`."""

from argparse import ArgumentError
from itertools import product

import pytest
from django.core.management import get_commands, load_command_class
from django.core.management.base import CommandParser

from annotation.management.base import TouchstoneCommand

# Django's own, which ours wraps, keeps the options that it has.
DJANGOS = {"migrate"}
COMMANDS = {
    name: app for name, app in get_commands().items() if app in {"annotation", "agreement"} and name not in DJANGOS
}


def test_commands_are_found() -> None:
    assert {"create_study", "analyse", "analyse_file", "export"} <= set(COMMANDS)


def test_every_command_prints_json_if_asked_and_says_what_it_does(subtests: pytest.Subtests) -> None:
    for name, app in COMMANDS.items():
        with subtests.test(name=name):
            command = load_command_class(app, name)
            actions = command.create_parser("manage.py", name)._actions
            options = {option for action in actions for option in action.option_strings}

            assert isinstance(command, TouchstoneCommand)
            assert "--json" in options
            assert command.help.endswith(".")


def parser_of(name: str) -> CommandParser:
    return load_command_class(COMMANDS[name], name).create_parser("manage.py", name)


NUMBERS = [
    (name, option)
    for name in COMMANDS
    for action in parser_of(name)._actions
    for option in action.option_strings
    if option in {"--seed", "--replicates"}
]


def test_a_number_that_no_database_holds_is_wrong_usage(subtests: pytest.Subtests) -> None:
    for (name, option), number in product(NUMBERS, ["9" * 30, "1e3", "½", ""]):
        with subtests.test(name=name, option=option, number=number):
            parser = parser_of(name)
            [action] = [each for each in parser._actions if option in each.option_strings]

            assert parser._get_value(action, "3") == 3
            with pytest.raises(ArgumentError):
                parser._get_value(action, number)
