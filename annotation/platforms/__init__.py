"""Where people come from and go back to: a module a platform, one shape for all."""

from annotation.platforms import connect, direct, mturk, prolific, sona
from annotation.platforms.shape import Arrival, BadArrival, CantTell, Ending, Entrance, Handback, Outcome, Platform

PLATFORMS: dict[str, Platform] = {
    "prolific": prolific.PROLIFIC,
    "connect": connect.CONNECT,
    "mturk": mturk.MTURK,
    "sona": sona.SONA,
    "direct": direct.DIRECT,
}

__all__ = [
    "PLATFORMS",
    "Arrival",
    "BadArrival",
    "CantTell",
    "Ending",
    "Entrance",
    "Handback",
    "Outcome",
    "Platform",
]
