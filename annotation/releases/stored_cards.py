"""The data card that a study's researchers have filled in, as reports take it."""

from dataclasses import fields

from agreement.report.data_card import EMPTY, Card, Creator
from annotation.models import Study
from annotation.releases.models import DatasetCard


def card_of(study: Study) -> Card:
    """What the study's researchers have filled in; nothing yet: an empty card, whose fields are to be filled in."""
    stored = DatasetCard.objects.filter(study=study).first()
    return EMPTY if stored is None else as_card(stored)


def as_card(stored: DatasetCard) -> Card:
    values = {each.name: getattr(stored, each.name) for each in fields(Card)}
    values["creators"] = tuple(Creator(**one) for one in stored.creators)
    values["keywords"] = tuple(stored.keywords)
    values["published"] = "" if stored.published is None else stored.published.isoformat()
    return Card(**values)
