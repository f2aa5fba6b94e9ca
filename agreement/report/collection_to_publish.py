"""What a published report says of people: answers and devices that fewer than five people share are withheld."""

from __future__ import annotations

from dataclasses import replace

from .collection import NOT_KNOWN
from .collection_report import CollectionReport, PersonalAnswers

# Fewer people than this who share an answer could be told apart by it.
LEAST_ALIKE = 5


def to_publish(collection: CollectionReport) -> CollectionReport:
    """The same, where each question says how many people's answers are `withheld`."""
    recruitment = collection.recruitment
    if recruitment is None:
        return collection
    devices = {device: n for device, n in recruitment.devices.items() if n >= LEAST_ALIKE or device == NOT_KNOWN}
    withheld = sum(recruitment.devices.values()) - sum(devices.values())
    if withheld:
        devices[NOT_KNOWN] = devices.get(NOT_KNOWN, 0) + withheld
    questions = tuple(map(_question, recruitment.questions))
    return replace(collection, recruitment=replace(recruitment, devices=devices, questions=questions))


def _question(question: PersonalAnswers) -> PersonalAnswers:
    """Of numbers, the mean and its spread; the least and the most are one person's each."""
    if question.options is not None:
        shared = {option: n for option, n in question.options.items() if n >= LEAST_ALIKE}
        withheld = sum(question.options.values()) - sum(shared.values()) + question.no_longer_an_option
        return replace(question, options=shared, no_longer_an_option=0, withheld=withheld)
    if question.answered < LEAST_ALIKE:
        return replace(question, mean=None, sd=None, least=None, most=None)
    return replace(question, least=None, most=None)
