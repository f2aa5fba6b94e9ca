"""Signs that a person answered: what may be counted beside an answer, what each means, and its innocent reasons.

Counts and durations alone, never content. They decide nothing: no cleaning rule reads them, nobody is excluded or
rejected by them, and they are never added up to one figure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

LONG_PASTE = 100  # characters
MOST = 1_000_000
WEEK_MS = 7 * 24 * 3600 * 1000


@dataclass(frozen=True, slots=True)
class Sign:
    """One column. A person's sum of it is flagged from `flagged_from` on; nothing: it only belongs to another sign."""

    name: str
    title: str
    meaning: str
    innocent: str = ""
    unit: str = ""
    most: int = MOST
    flagged_from: int | None = None

    def words(self, sums: Mapping[str, int]) -> str:
        """A person's number of it, in words."""
        number = sums[self.name]
        match self.name:
            case "hidden_ms":
                return f"{number / 60_000:,.1f} minutes"
            case "long_pastes":
                return f"{number:,}, together {sums['pasted_characters']:,} characters"
            case "unmoved_clicks":
                return f"{number:,} of {sums['clicks']:,} clicks"
            case "webdriver":
                return f"with {number:,} of the answers"
            case _:
                return f"{number:,}"


SIGNS = (
    Sign(
        "hidden_ms",
        "Page hidden",
        "for how long the page was hidden while the item was shown, behind another tab or with the screen off",
        "A message, a phone call or a break.",
        "milliseconds",
        WEEK_MS,
        5 * 60_000,
    ),
    Sign(
        "copied_and_left",
        "Text copied, then page left",
        "how often text of the item was copied and the page then left",
        "Somebody looks up a word or translates a sentence.",
        "times",
        flagged_from=2,
    ),
    Sign(
        "long_pastes",
        "Long texts pasted",
        f"how many texts of {LONG_PASTE} characters or more were pasted that weren't copied on the page",
        "Somebody writes in another program, or dictates there, and pastes what they wrote.",
        "times",
        flagged_from=1,
    ),
    Sign("pasted_characters", "Characters pasted", "how long these texts are together", unit="characters"),
    Sign("clicks", "Clicks", "clicks with a mouse, on which the next column looks", unit="times"),
    Sign(
        "unmoved_clicks",
        "Clicks without movement",
        "clicks with a mouse at a place to which its pointer had not moved; touch and keyboard never count",
        "Voice control, eye tracking, switch access, a remote desktop, or a touch screen that says it is a mouse.",
        "times",
        flagged_from=3,
    ),
    Sign(
        "untrusted_events",
        "Events that no person made",
        "clicks, key presses and inputs that a script made in the page, and no mouse, finger or keyboard",
        "An extension of the browser, such as a password manager, a spelling checker or a tool for accessibility.",
        "times",
        flagged_from=1,
    ),
    Sign(
        "webdriver",
        "Browser under a program's control",
        "1 if the browser said that a program controls it (navigator.webdriver), otherwise 0",
        "A managed or remote computer, or a tool for accessibility that works by controlling the browser.",
        most=1,
        flagged_from=1,
    ),
)
NAMES = tuple(sign.name for sign in SIGNS)


def is_possible(counts: Mapping[str, int]) -> bool:
    """Whether counts of one item can be true together."""
    pasted, pastes = counts["pasted_characters"], counts["long_pastes"]
    is_within = all(0 <= counts[sign.name] <= sign.most for sign in SIGNS)
    fits = pasted >= LONG_PASTE * pastes if pastes else not pasted
    return is_within and fits and counts["unmoved_clicks"] <= counts["clicks"]


@dataclass(frozen=True, slots=True)
class Flag:
    """A sign of one person that is worth a look."""

    sign: Sign
    number: str


def flags_of(sums: Mapping[str, int]) -> list[Flag]:
    """Those of a person whose sums over all items these are.

    >>> [flag.sign.name for flag in flags_of(dict.fromkeys(NAMES, 0) | {"webdriver": 3, "unmoved_clicks": 2})]
    ['webdriver']
    """
    return [Flag(sign, sign.words(sums)) for sign in _flagged() if sums[sign.name] >= (sign.flagged_from or 0)]


def _flagged() -> Iterable[Sign]:
    return (sign for sign in SIGNS if sign.flagged_from is not None)
