"""`manage.py unlock_log_in NAME`: failed log-ins of a researcher no longer count; `--second-factor` resets that too."""

from argparse import ArgumentParser, Namespace
from typing import TypedDict

from agreement.errors import Refused
from annotation.accounts.researcher_accounts import reset_second_factor, unlock_account
from annotation.management.base import TouchstoneCommand
from annotation.models import User


class Unlocked(TypedDict):
    user: str
    forgiven: int
    second_factor_reset: bool


class Command(TouchstoneCommand[Unlocked]):
    help = "Lets a researcher log in again, when no administrator can do it on the site."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("name", metavar="NAME", help="the researcher's user name")
        parser.add_argument(
            "--second-factor",
            action="store_true",
            help="also remove the second factor, for someone who has lost the app and the recovery codes",
        )

    def answer(self, options: Namespace) -> Unlocked:
        user = User.objects.filter(username=options.name).first()
        if user is None:
            raise Refused(f"There is no researcher '{options.name}'. The list is under Researchers on the site.")
        was_reset = options.second_factor and reset_second_factor(user=user, by=None)
        return {
            "user": user.get_username(),
            "forgiven": unlock_account(user=user, by=None),
            "second_factor_reset": was_reset,
        }

    def say(self, answer: Unlocked) -> str:
        unlocked = f"{answer['user']} can log in again: {answer['forgiven']} failed log-ins are no longer counted."
        return f"{unlocked} The second factor is removed." if answer["second_factor_reset"] else unlocked
