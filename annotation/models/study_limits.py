"""The least and the most of each number of a study: the models, the forms and the API hold it to these alone."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.core.validators import MaxValueValidator, MinValueValidator
from django.forms import Field

MINUTES_A_WEEK, MINUTES_A_YEAR = 7 * 24 * 60, 365 * 24 * 60
DAYS_IN_A_THOUSAND_YEARS = 365_250


@dataclass(frozen=True, slots=True)
class Limits:
    least: int
    most: int

    def __str__(self) -> str:
        return f"Give a number from {self.least:,} to {self.most:,}."

    @property
    def validators(self) -> list[MinValueValidator | MaxValueValidator]:
        return [MinValueValidator(self.least), MaxValueValidator(self.most)]

    @property
    def messages(self) -> dict[str, str]:
        """What a form says of a number beyond them, by Django's codes."""
        codes = ("min_value", "max_value", "max_digits", "max_whole_digits")
        return dict.fromkeys(codes, str(self))


ENDS_OF_SCALES = Limits(-99_999_999, 99_999_999)
JUDGMENTS_PER_ITEM = Limits(1, 10_000)
PEOPLE = Limits(1, 1_000_000)
PEOPLE_PER_HOUR = Limits(1, 10_000)
CHECKS_PER_ASSIGNMENT = Limits(1, 1_000)

# By the field of a study.
OF_STUDIES = {
    "scale_low": ENDS_OF_SCALES,
    "scale_high": ENDS_OF_SCALES,
    "items_per_page": Limits(1, 50),
    "seed": Limits(0, 2**63 - 1),
    "judgments_per_item": JUDGMENTS_PER_ITEM,
    "items_per_assignment": Limits(1, 10_000),
    "assignments_per_worker": Limits(1, 1_000),
    "minutes_allowed": Limits(1, MINUTES_A_YEAR),
    "capacity": PEOPLE,
    "unverified_per_hour": PEOPLE_PER_HOUR,
    "pay": Limits(0, 999_999),
    "minutes_expected": Limits(1, MINUTES_A_WEEK),
    "fee_percent": Limits(0, 200),
    "retention_days": Limits(0, DAYS_IN_A_THOUSAND_YEARS),
}


def say_limits(fields: Mapping[str, Field], limits: Mapping[str, Limits] = OF_STUDIES) -> None:
    """A form's fields name both limits, wherever a number is beyond one of them."""
    for name in limits.keys() & fields.keys():
        fields[name].error_messages |= limits[name].messages
