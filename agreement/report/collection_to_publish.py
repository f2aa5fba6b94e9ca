"""What a published report says of people: answers and devices that fewer than five people share are withheld."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .collection import NOT_KNOWN

# Fewer people than this who share an answer could be told apart by it.
LEAST_ALIKE = 5


def to_publish(collection: Mapping[str, Any]) -> dict[str, Any]:
    """The report's `collection`, where each question says how many people's answers are `withheld`."""
    if "questions" not in collection:
        return dict(collection)
    devices = {device: n for device, n in collection["devices"].items() if n >= LEAST_ALIKE or device == NOT_KNOWN}
    not_told = sum(collection["devices"].values()) - sum(devices.values())
    if not_told:
        devices[NOT_KNOWN] = devices.get(NOT_KNOWN, 0) + not_told
    return {**collection, "devices": devices, "questions": [_question(each) for each in collection["questions"]]}


def _question(question: Mapping[str, Any]) -> dict[str, Any]:
    """Of numbers, the mean and its spread; the least and the most are one person's each."""
    if "options" in question:
        shared = {option: n for option, n in question["options"].items() if n >= LEAST_ALIKE}
        withheld = sum(question["options"].values()) - sum(shared.values()) + question["no_longer_an_option"]
        return {**question, "options": shared, "no_longer_an_option": 0, "withheld": withheld}
    told = {name: value for name, value in question.items() if name not in {"least", "most"}}
    if question["answered"] < LEAST_ALIKE:
        told = {name: value for name, value in told.items() if name not in {"mean", "sd"}}
    return told
