"""What goes out of a study: its data card, and what people are called in what is published."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields

from django.db import IntegrityError, transaction

from agreement.report.data_card import EMPTY, Card, Creator
from annotation.models import AuditEntry, Study, User
from annotation.releases.from_database.reading_judgments import crowd_of
from annotation.releases.models import DatasetCard, GoldRelease, PublishedNames

# A study's data card, saved by one of its researchers.


@transaction.atomic
def save_card(*, study: Study, values: Mapping[str, object], by: User) -> list[str]:
    """Returns the names of the fields that changed; nothing is recorded where none did."""
    card, _ = DatasetCard.objects.select_for_update(no_key=True).get_or_create(study=study)
    changed = [name for name, value in values.items() if getattr(card, name) != value]
    if changed:
        for name in changed:
            setattr(card, name, values[name])
        card.save(update_fields=changed)
        detail = {"what": "data card", "fields": changed}
        AuditEntry.objects.create(study=study, by=by, action=AuditEntry.Action.CHANGED, detail=detail)
    return changed


# What people are called in what is published of a release: given once, and kept.

FEWEST_DIGITS = 2


def published_names(*, release: GoldRelease) -> Mapping[str, str]:
    """The published name of everybody in the release by pseudonym: w01, w02, … in the order of the pseudonyms, which
    are random. Given when it is first asked for; whoever withdraws later leaves a gap.
    """
    found = PublishedNames.objects.filter(release=release).first()
    if found is None:
        pseudonyms = sorted(map(str, crowd_of(release.run).workers))
        digits = max(FEWEST_DIGITS, len(str(len(pseudonyms))))
        names = {pseudonym: f"w{number:0{digits}}" for number, pseudonym in enumerate(pseudonyms, start=1)}
        try:
            with transaction.atomic():
                found = PublishedNames.objects.create(release=release, names=names)
        except IntegrityError:  # somebody else asked at the same moment, and gave the same names
            found = PublishedNames.objects.get(release=release)
    names_given: Mapping[str, str] = found.names
    return names_given


# The record of exports: which one, of which release, for whom.


# The data card that a study's researchers have filled in, as reports take it.


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
