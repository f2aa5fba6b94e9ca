"""The bundle: a release with all that is needed to make it again, as one zip whose bytes are always the same."""

from __future__ import annotations

import hashlib
import re
import shlex
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from io import RawIOBase
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

from agreement.analysis.output_folder import json_bytes
from agreement.analysis.output_tables import annotators_of, items_table, judgments_table, workers_table
from agreement.cleaning.check_items import Checks, misfits
from agreement.cleaning.decided_by_hand import by_hand_table
from agreement.files.cell_texts import join_bars
from agreement.files.table import encode
from agreement.files.writing import SUMS, csv_chunks
from agreement.kinds.options import has_own_labels
from agreement.on_request import FURTHER
from agreement.output.bundle_files import DESCRIBED_TABLES, BundleRecord, dictionary_of
from agreement.output.bundle_files import NAME as RECORD
from agreement.output.made_with import software_record
from agreement.output.question_folders import OF_EACH, joined_files, record_of
from agreement.output.report_files import cards_of
from agreement.report.croissant import FILES
from agreement.report.data_dictionary import NAME as DICTIONARY
from agreement.report.markdown import markdown_document
from agreement.report.methods import methods_text
from agreement.report.methods_paragraph import DETAILS, methods_paragraph
from agreement.report.report import Report, Results
from agreement.scoring.answer_mapping.mapping_table import FOLDER as MAPPINGS
from agreement.scoring.probe_formats import OPTIONS, all_options, options_of
from agreement.stimuli.blocks import as_plain
from agreement.typed_json import JsonObject
from annotation.models import Blob, ItemMedium, Study
from annotation.releases.actions.adjudicating import adjudications_of, adjudications_table
from annotation.releases.actions.scoring_probes import SUFFIXES, probes_of
from annotation.releases.exports.bundle_contents import Contents, as_released, safe_to_publish
from annotation.releases.exports.export_files import zip_entry
from annotation.releases.exports.release_tables import gold, notes_table, peoples_matrix
from annotation.releases.models import GoldRelease, Probe

# The models' outputs that a release was published with, as files of its bundle and options of the command.

# `analyse_file` tells probes apart by the names of their files.
_FILE_NAME = re.compile(r"\w[\w .+()@-]*")


def path_of(probe: Probe, number: int) -> str:
    stem = probe.name if _FILE_NAME.fullmatch(probe.name) else f"probe-{number}"
    return f"probes/{stem}{SUFFIXES[probe.file.content_type]}"


def mapping_files(probes: Sequence[Probe], report: Report) -> dict[str, str]:
    """What models' answers were mapped to when they were scored: the files, and the SHA-256 of each."""
    counts = {about.probe: about.answers for about in report.results.probes if about.answers is not None}
    stems = [(probe, Path(path_of(probe, at)).stem) for at, probe in enumerate(probes, start=1)]
    return {f"{MAPPINGS}/{stem}.csv": counts[probe.name].table for probe, stem in stems if probe.name in counts}


def options_for(probes: Sequence[Probe], mappings: Sequence[str]) -> list[str]:
    """What the command that makes the figures again is told of them."""
    if not probes:
        return []
    said = [f"--probe {' '.join(shlex.quote(path_of(probe, at)) for at, probe in enumerate(probes, start=1))}"]
    said += [f"--answer-mapping {' '.join(map(shlex.quote, mappings))}"] if mappings else []
    for option in OPTIONS.values():
        values = {options_of(probe.options)[option] for probe in probes} - {option.default}
        if option.is_words:
            said += [f"{option.flag} {name}" for name in list(words_files(probes))[:1]]
            continue
        given = sorted(values, key=str)
        said += [option.flag if value is True else f"{option.flag} {shlex.quote(str(value))}" for value in given]
    return said


def words_files(probes: Sequence[Probe]) -> dict[str, str]:
    """Lists of words that probes were read with, as files of the bundle by name."""
    options = [(option, options_of(probe.options)[option]) for option in OPTIONS.values() for probe in probes]
    texts = dict.fromkeys((option.name, text) for option, text in options if option.is_words and text)
    return {f"{name}{at or ''}.txt": f"{text}\n" for at, (name, text) in enumerate(texts)}


def what_differs(probes: Sequence[Probe]) -> str:
    """Where the command can't make exactly the same scores, because files have no such names or options differ."""
    renamed = [
        f"{path_of(probe, at)} is {probe.name}"
        for at, probe in enumerate(probes, start=1)
        if not _FILE_NAME.fullmatch(probe.name)
    ]
    options = {tuple(all_options(options_of(probe.options)).values()) for probe in probes}
    apart = ["the probes were read with different options, so run one command per probe"] if len(options) > 1 else []
    return "; ".join([*renamed, *apart])


# The zip.

STIMULUS = (
    "stimulus.json says what people were shown with each item, and how they were asked: templates, whose fields are"
    " the columns of items.csv."
)
DESCRIBED = frozenset({*FILES, *DESCRIBED_TABLES})  # in croissant.json and in the dictionary


def bundle(release: GoldRelease, *others: GoldRelease, with_participants: bool = False) -> Iterator[bytes]:
    """The zip in pieces as it is made: nothing of it is kept in memory. With the release's rows of the study's `others`
    questions each has a folder.

    It has participants.csv only if asked for, and then without comments and free text.
    """
    return _zipped([(each, as_released(each, with_participants=with_participants)) for each in (release, *others)])


def published_bundle(release: GoldRelease, *others: GoldRelease, names: Mapping[str, str]) -> Iterator[bytes]:
    """The same as everybody may have it; `names` are the workers' published names by pseudonym."""
    return _zipped([(each, safe_to_publish(each, names)) for each in (release, *others)])


def _zipped(parts: Sequence[tuple[GoldRelease, Contents]]) -> Iterator[bytes]:
    """croissant.json says the size and the hash of what stands before it, which a folder keeps so long."""
    sink = _Sink()
    with TemporaryDirectory(prefix="touchstone-bundle-") as folder, zipfile.ZipFile(sink, "w") as archive:
        writer = _ZipWriter(archive, sink)
        if len(parts) == 1:
            yield from _written(writer, Path(folder), *parts[0])
        else:
            names = [release.study.question_name for release, _contents in parts]
            for name, part in zip(names, parts, strict=True):
                (Path(folder) / name).mkdir()
                yield from _written(writer, Path(folder) / name, *part, prefix=f"{name}/")
            above = [("README.txt", _readme_above(parts[0][0], names)), (RECORD, record_of(names))]
            for name, content in chain(above, joined_files(Path(folder), names)):
                yield from writer.add(name, [content])
            writer.add_sums()
    yield sink.drained()


def _written(
    writer: _ZipWriter, kept: Path, release: GoldRelease, contents: Contents, prefix: str = ""
) -> Iterator[bytes]:
    """One question's bundle, with checksums of its own."""
    for name, content in chain(_files(release, contents), _cards(contents, kept)):
        yield from writer.add(f"{prefix}{name}", content, kept / name if name in {*DESCRIBED, *OF_EACH} else None)
    writer.add_sums(prefix)


def _readme_above(release: GoldRelease, names: Sequence[str]) -> bytes:
    sentences = [
        f"{release.study.title}: gold release {release.number} of {len(names)} questions",
        f"Each question has a folder, which is a bundle of its own: {', '.join(names)}.",
        "gold-NAME.csv is the gold of a question, judgments.csv has the judgments of all (the question comes last).",
        "report.json has their reports. `verify` computes every figure of all of them again.",
    ]
    return ("\n\n".join(sentences) + "\n").encode()


class _ZipWriter:
    """Adds files to the zip, and knows their hashes."""

    def __init__(self, archive: zipfile.ZipFile, sink: _Sink) -> None:
        self.archive, self.sink = archive, sink
        self.sums: dict[str, str] = {}

    def add(self, name: str, content: Iterable[bytes], copy_to: Path | None = None) -> Iterator[bytes]:
        digest = hashlib.sha256()
        with ExitStack() as stack:
            entry = stack.enter_context(self.archive.open(zip_entry(name), "w", force_zip64=True))
            copy = stack.enter_context(copy_to.open("wb")) if copy_to is not None else None
            for piece in content:
                digest.update(piece)
                entry.write(piece)
                if copy is not None:
                    copy.write(piece)
                yield self.sink.drained()
        self.sums[name] = digest.hexdigest()

    def add_sums(self, prefix: str = "") -> None:
        """SHA256SUMS of the files in the folder of that name, or of all."""
        lines = [
            f"{sha256}  {name.removeprefix(prefix)}\n" for name, sha256 in self.sums.items() if name.startswith(prefix)
        ]
        content = "".join(lines).encode()
        self.archive.writestr(zip_entry(f"{prefix}{SUMS}"), content)
        self.sums[f"{prefix}{SUMS}"] = hashlib.sha256(content).hexdigest()


def _cards(contents: Contents, folder: Path) -> Iterator[tuple[str, Iterable[bytes]]]:
    """Made when what they describe has been written to the folder."""
    yield DICTIONARY, [dictionary_of(folder)]
    cards = cards_of(contents.report, contents.methods, folder, contents.card)
    yield from ((name, [content]) for name, content in cards.items())


def _files(release: GoldRelease, contents: Contents) -> Iterator[tuple[str, Iterable[bytes]]]:
    cleaning, by_hand, probes = contents.cleaning, contents.by_hand, probes_of(release)
    yield "README.txt", [_readme(release, contents, probes).encode()]
    yield RECORD, [_record(release, contents).as_json()]
    yield "gold.csv", gold(release)
    yield "judgments.csv", csv_chunks(judgments_table(cleaning))
    yield "workers.csv", csv_chunks(workers_table(cleaning, contents.screened, annotators_of(cleaning)))
    if contents.people is not None:
        yield "participants.csv", contents.people
    yield "report.json", [contents.report_json]
    yield "methods.md", [markdown_document(methods_paragraph(contents.report)).encode()]
    yield DETAILS, [markdown_document(contents.methods).encode()]
    if (matrix := peoples_matrix(release)) is not None:
        yield matrix.file, [matrix.matrix.csv()]
    yield from ((name, [content]) for name, content in contents.drawn)
    yield "items.csv", csv_chunks(items_table(cleaning.crowd))
    yield from _stimulus(release)
    yield "rules.toml", [release.run.rule_set.toml.encode()]
    if cleaning.crowd.coding is not None:
        yield "coding.csv", [cleaning.crowd.coding.csv()]
    if by_hand:
        yield "by_hand.csv", csv_chunks(by_hand_table(by_hand))
    for name, text in words_files(probes).items():
        yield name, [text.encode()]
    yield from _said_of_items(release, contents)
    if synonyms := release.published.question.synonyms:
        rows = [(spelling, join_bars(labels)) for spelling, labels in synonyms.items()]
        yield "synonyms.csv", _csv(("synonym", "label"), rows)
    if any(probe.group for probe in probes):
        names = [(Path(path_of(probe, at)).stem, probe.group) for at, probe in enumerate(probes, start=1)]
        yield "groups.csv", _csv(("probe", "group"), [(name, group) for name, group in names if group])
    for number, probe in enumerate(probes, start=1):
        yield path_of(probe, number), [bytes(probe.file.content)]
    for name, sha256 in mapping_files(probes, contents.report).items():
        yield name, [bytes(Blob.objects.get(sha256=sha256).content)]


def _stimulus(release: GoldRelease) -> Iterator[tuple[str, Iterable[bytes]]]:
    if release.study.stimulus:
        shown: JsonObject = {"question": release.study.question, "stimulus": as_plain(release.study.blocks)}
        if media := [*_media(release.study)]:
            shown["media"] = media
        yield "stimulus.json", [json_bytes(shown)]


def _media(study: Study) -> Iterator[JsonObject]:
    """Which file each item showed, by its hash: the files themselves may be large, and not ours to give on."""
    named = ItemMedium.objects.filter(item__study=study).order_by("item__position", "column")
    names = (
        "item__item_id",
        "column",
        "blob",
        "blob__content_type",
        "blob__width",
        "blob__height",
        "blob__duration_ms",
    )
    for item_id, column, sha256, content_type, width, height, duration_ms in named.values_list(*names):
        yield {
            "item_id": item_id,
            "column": column,
            "sha256": sha256,
            "content_type": content_type,
            "width": width,
            "height": height,
            "duration_ms": duration_ms,
        }


def _record(release: GoldRelease, contents: Contents) -> BundleRecord:
    return BundleRecord(
        made_with=software_record(),
        drawn_with=contents.drawn_with,
        are_methods_current=contents.methods == methods_text(contents.report),
        title=release.study.title,
        notes=contents.notes,
        card=contents.card,
    )


def _said_of_items(release: GoldRelease, contents: Contents) -> Iterator[tuple[str, Iterable[bytes]]]:
    """A researcher's own answers, to be published without who gave them, when, and what they wrote; and people's notes,
    which are never published. Where there are any.
    """
    notes = notes_table(release.study, until=release.created_at)
    if contents.published is None and notes["item_id"].values:
        yield "notes.csv", csv_chunks(notes)
    rows = adjudications_of(release.study, until=release.created_at)
    if not rows:
        return
    table = adjudications_table(release.study, rows)
    if contents.published is not None:
        table = {name: cells for name, cells in table.items() if name not in {"why", "by", "at"}}
    yield "adjudications.csv", csv_chunks(table)


def _csv(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterable[bytes]:
    columns = {name: encode([row[at] for row in rows], len(rows)) for at, name in enumerate(header)}
    return csv_chunks(columns)


def _readme(release: GoldRelease, contents: Contents, probes: Sequence[Probe]) -> str:
    """What the bundle is, the command that makes every figure again, and what the reader should know of them."""
    sentences = [
        f"{release.study.title}: gold release {release.number}",
        f"SHA-256 of gold.csv{' as it was published, see below' if release.lost_lines() else ''}: {release.sha256}",
        f"{_who(contents)} To compute every figure again:",
        f"    python manage.py analyse_file judgments.csv {' '.join(_options(contents, probes))} --out again",
        *([STIMULUS] if release.study.stimulus else []),
        *_about_people(contents),
        *_about_figures(contents, probes),
    ]
    return "\n\n".join([*sentences, *contents.notes]) + "\n"


def _options(contents: Contents, probes: Sequence[Probe]) -> list[str]:
    """The options of `analyse_file` with which it repeats the release."""
    cleaning, report = contents.cleaning, contents.report
    crowd = cleaning.crowd
    has_own = has_own_labels(crowd.labels)
    return [
        "--items items.csv",
        *([f"--question {crowd.question}"] if crowd.question else []),
        f"--kind {crowd.kind}",
        # With =, for a scale or a label may begin with a minus sign, which alone would name an option.
        *([f"--scale={shlex.quote(str(crowd.scale))}"] if crowd.scale else []),
        # Labels of items' own stand in items.csv.
        *([f"--labels={shlex.quote(join_bars(crowd.labels))}"] if crowd.labels and not has_own else []),
        *(["--ordered"] if crowd.ordered else []),
        "--rules rules.toml",
        *(["--by-hand by_hand.csv"] if cleaning.by_hand else []),
        *(["--coding coding.csv"] if crowd.coding is not None else []),
        *(["--synonyms synonyms.csv"] if report.question.synonyms else []),
        *(["--groups groups.csv"] if any(probe.group for probe in probes) else []),
        *options_for(probes, list(mapping_files(probes, report))),
        *_further(report.results),
        *(["--fixed-workers"] if report.fixed_workers else []),
        f"--seed {report.seed}",
        f"--replicates {report.replicates}",
    ]


def _about_people(contents: Contents) -> Iterator[str]:
    """How many workers nobody has verified, and what participants.csv has."""
    if (unverified := contents.report.unverified) and unverified.workers:
        yield (
            f"{unverified.workers} of the {unverified.of} workers are unverified: they came through an open link,"
            " or from the platform without its signature."
        )
    if contents.published is not None:
        yield contents.published.sentence()
    elif contents.people is not None:
        yield (
            "participants.csv has everybody who came, as things stood when this bundle was downloaded: it is not part"
            " of the release. Of the questions about the person it has those with fixed answers; comments and free"
            " text are left out."
        )


def _about_figures(contents: Contents, probes: Sequence[Probe]) -> Iterator[str]:
    """What the command refuses, reads otherwise or leaves out."""
    if misfit := list(misfits(contents.cleaning.rules, Checks.of(contents.cleaning.crowd))):
        yield f"This release is from a version in which rules could miss checks. The command is refused: {misfit[0]}"
    if differs := what_differs(probes):
        yield f"Of the models' outputs: {differs}."
    if apart := _of_workers(contents.report.results):
        yield f"Not made again by this command: {', '.join(apart)}. What workers said of themselves is in no bundle."


def _further(results: Results) -> list[str]:
    """The option that asks for the further analyses again, but for those by what workers said of themselves."""
    apart = _of_workers(results)
    keys = [part.analysis for part in results.further if part.analysis not in apart]
    return [f"--also {' '.join(map(shlex.quote, keys))}"] if keys else []


def _of_workers(results: Results) -> list[str]:
    keys = [part.analysis for part in results.further]
    return [key for key in keys if FURTHER[key.partition(":")[0]].reads_workers]


def _who(contents: Contents) -> str:
    if contents.published is None:
        return "Worker ids are pseudonyms, random in each study."
    return "Worker ids were made for this bundle; the key to them is not part of it."


class _Sink(RawIOBase):
    """Takes what the zip writes until it is drained; it can't be sought in, as a download can't."""

    def __init__(self) -> None:
        self._written = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]
        self._written += data
        return len(data)

    def drained(self) -> bytes:
        piece = bytes(self._written)
        self._written.clear()
        return piece
