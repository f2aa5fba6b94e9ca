"""Probes as they are kept, read again as the mathematics takes them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from agreement.scoring.probe import Probe, StudyItems
from agreement.scoring.probe_file import read_probe
from agreement.scoring.probe_format import DEFAULT, ProbeOptions
from agreement.scoring.probe_formats import options_of
from annotation.models import Study
from annotation.releases.from_database.answer_columns import items_of
from annotation.releases.models import GoldRelease
from annotation.releases.models import Probe as StoredProbe
from annotation.studies import presets

SUFFIXES = {"application/x-ndjson": ".jsonl", "text/csv": ".csv"}
CONTENT_TYPES = {".jsonl": "application/x-ndjson", ".ndjson": "application/x-ndjson"}


def content_type_of(path: Path) -> str:
    return CONTENT_TYPES.get(path.suffix, "text/csv")


def study_items_of(study: Study) -> StudyItems:
    """What a probe is held against: the study's items (checks too) and its labels in their order."""
    items, _keys = items_of(study)
    labels = tuple(study.labels.order_by("position").values_list("value", flat=True))
    return StudyItems.of_frame(study.kind, items, labels, study.synonyms)


def first_options(study: Study) -> ProbeOptions:
    """How a probe is read unless somebody says otherwise: what the study's preset says, elsewhere the defaults."""
    if study.preset not in presets.names():
        return DEFAULT
    return options_of(presets.load(study.preset).probe_options)


def probe_of(stored: StoredProbe, items: StudyItems) -> Probe:
    with _as_file(stored) as path:
        read = read_probe(path, items, name=stored.name, options=options_of(stored.options))
    return replace(read, group=stored.group)


@contextmanager
def _as_file(stored: StoredProbe) -> Iterator[Path]:
    """The readers stream from a file, so that no probe need be in memory twice."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"probe{SUFFIXES[stored.file.content_type]}"
        path.write_bytes(stored.file.content)
        yield path


def probes_of(release: GoldRelease) -> list[StoredProbe]:
    """Those in the published report, in its order; probes that were scored later belong to no bundle."""
    names = [about.probe for about in release.published.results.probes]
    found = {probe.name: probe for probe in release.study.probes.filter(name__in=names).select_related("file")}
    return [found[name] for name in names if name in found]
