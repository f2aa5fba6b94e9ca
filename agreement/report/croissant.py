"""croissant.json: what is in an analysis's folder and how it came about, for machines (Croissant 1.1 with RAI 1.0)."""

from __future__ import annotations

import csv
import hashlib
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain, count
from pathlib import Path

from ..typed_json import Json, JsonObject
from .agreement_words import agreement_paragraph
from .cleaning_report import cleaning_paragraph
from .collection import DIRECT, LEAST_ALIKE, collection_text, to_publish
from .collection_report import CollectionReport
from .data_card import TO_BE_FILLED_IN, Card, Creator
from .paper_table import latex_text
from .report import Report
from .score_words import people_paragraph

CONFORMS_TO = ["http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0"]
FILES = {
    "gold.csv": ("text/csv", "The gold labels, one row per item."),
    "judgments.csv": ("text/csv", "Every judgment, kept or excluded with the reason."),
    "workers.csv": ("text/csv", "Every worker, with checks and evidence."),
    "report.json": ("application/json", "Every figure with its interval and method."),
    "methods.md": ("text/markdown", "The methods paragraph."),
    "methods-details.md": ("text/markdown", "How every figure was made, and the warnings."),
}
TABLES = ("gold.csv", "judgments.csv", "workers.csv")
WHOLE = frozenset(
    {"n", "tied", "frequency", "judgments", "checks", "checks_failed", "kept", "judgments_kept", "unchecked"}
)
NOBODY = {"@type": "sc:Organization", "name": TO_BE_FILLED_IN}  # a creator can't be a text
CONTEXT: JsonObject = {
    "@language": "en", "@vocab": "https://schema.org/", "annotation": "cr:annotation", "arrayShape": "cr:arrayShape",
    "citeAs": "cr:citeAs", "column": "cr:column", "conformsTo": "dct:conformsTo", "containedIn": "cr:containedIn",
    "cr": "http://mlcommons.org/croissant/", "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"}, "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty", "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract", "field": "cr:field", "fileObject": "cr:fileObject", "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet", "format": "cr:format", "includes": "cr:includes", "isArray": "cr:isArray",
    "isLiveDataset": "cr:isLiveDataset", "jsonPath": "cr:jsonPath", "key": "cr:key", "md5": "cr:md5",
    "parentField": "cr:parentField", "path": "cr:path", "prov": "http://www.w3.org/ns/prov#",
    "rai": "http://mlcommons.org/croissant/RAI/", "recordSet": "cr:recordSet", "references": "cr:references",
    "regex": "cr:regex", "repeated": "cr:repeated", "replace": "cr:replace", "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/", "sdVersion": "cr:sdVersion", "separator": "cr:separator", "source": "cr:source",
    "subField": "cr:subField", "transform": "cr:transform", "value": "cr:value",
}  # fmt: skip


def croissant(report: Report, card: Card, folder: Path) -> JsonObject:
    """The description of the files in `folder`. What only the researcher knows and did not say is to be filled in."""
    collection = report.collection
    days = [day for day in (collection.first_day, collection.last_day) if day]
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": CONFORMS_TO,
        "name": card.title or report.study,
        "description": card.description or TO_BE_FILLED_IN,
        "license": card.license_address if card.license else TO_BE_FILLED_IN,
        "url": card.url or TO_BE_FILLED_IN,
        "creator": [_creator(one) for one in card.creators] or NOBODY,
        **({"datePublished": published} if (published := card.published or (days[-1] if days else "")) else {}),
        "version": card.version,
        **({"keywords": list(card.keywords)} if card.keywords else {}),
        **({"inLanguage": card.language} if card.language else {}),
        **({"citeAs": cited} if (cited := card.citation or _citation(report, card)) else {}),
        **_how_it_came_about(report, card, days),
        "distribution": [_file(folder, name) for name in FILES],
        "recordSet": [_records(folder, name) for name in TABLES],
    }


def _citation(report: Report, card: Card) -> str:
    """In BibTeX, where creators are known."""
    if not card.creators:
        return ""
    authors = " and ".join(latex_text(one.name) for one in card.creators)
    year = f", year = {{{card.published[:4]}}}" if card.published else ""
    key, title = re.sub(r"[^\w.:-]+", "-", report.study), latex_text(card.title or report.study)
    return f"@misc{{{key}, author = {{{authors}}}, title = {{{title}}}{year}}}"


def _creator(one: Creator) -> JsonObject:
    creator: JsonObject = {"@type": "sc:Person", "name": one.name}
    if one.orcid:
        creator["sameAs"] = f"https://orcid.org/{one.orcid.removeprefix('https://orcid.org/')}"
    return (
        {**creator, "affiliation": {"@type": "sc:Organization", "name": one.affiliation}}
        if one.affiliation
        else creator
    )


def _how_it_came_about(report: Report, card: Card, days: Sequence[str]) -> JsonObject:
    counts, collection = report.counts, report.collection
    cleaning, agreement = cleaning_paragraph(report), agreement_paragraph(report)
    platform = collection.recruitment.platform if collection.recruitment else ""
    fields: JsonObject = {
        "rai:dataCollection": " ".join(filter(None, [card.collection, collection_text(to_publish(collection))]))
        or TO_BE_FILLED_IN,
        "rai:dataCollectionType": "Surveys",
        **({"rai:dataCollectionTimeframe": list(dict.fromkeys(days))} if days else {}),  # a date can't be a text
        "rai:dataPreprocessingProtocol": cleaning,
        "rai:dataAnnotationProtocol": f"{counts.workers:,} people gave {counts.judgments:,} judgments of "
        f"{counts.items:,} items, each on their own.",
        "rai:dataAnnotationPlatform": "Touchstone"
        + (f", people recruited through {platform}" if platform and platform != DIRECT else ""),
        "rai:dataAnnotationAnalysis": " ".join(filter(None, [agreement, people_paragraph(report)])),
        "rai:annotationsPerItem": f"{counts.judgments_per_item:.2f} on average after cleaning",
        "rai:annotatorDemographics": _demographics(collection) or "not asked, or too few people alike to be told",
        "rai:personalSensitiveInformation": card.sensitive_information or TO_BE_FILLED_IN,
        "rai:dataBiases": card.biases or TO_BE_FILLED_IN,
        "rai:dataLimitations": card.limitations or TO_BE_FILLED_IN,
        "rai:dataSocialImpact": card.social_impact or TO_BE_FILLED_IN,
        "rai:dataUseCases": card.use_cases or TO_BE_FILLED_IN,
        "rai:hasSyntheticData": TO_BE_FILLED_IN if card.synthetic is None else card.synthetic,
    }
    if card.maintenance:
        fields["rai:dataReleaseMaintenancePlan"] = card.maintenance
    if card.derived_from:
        fields["prov:wasDerivedFrom"] = card.derived_from
    times = {"prov:startedAtTime": days[0], "prov:endedAtTime": days[-1]} if days else {}
    activities = [
        ("Data Annotation", fields["rai:dataAnnotationProtocol"], times),
        ("Data Preprocessing", cleaning, {}),
    ]
    fields["prov:wasGeneratedBy"] = [
        {"@type": "prov:Activity", "prov:label": label, "sc:description": description, **when}
        for label, description, when in activities
    ]
    return fields


def _demographics(collection: CollectionReport) -> str:
    """Answers to questions about the person, each only where at least five people share it."""
    parts = []
    for question in collection.recruitment.questions if collection.recruitment else ():
        shared = {one: n for one, n in (question.options or {}).items() if n >= LEAST_ALIKE}
        if shared:
            parts.append(f"{question.text.strip()} {', '.join(f'{one} {n:,}' for one, n in shared.items())}")
    return "; ".join(parts)


def _file(folder: Path, name: str) -> JsonObject:
    path, (kind, description) = folder / name, FILES[name]
    with path.open("rb") as stream:
        sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "description": description,
        "contentUrl": name,
        "contentSize": f"{path.stat().st_size} B",
        "encodingFormat": kind,
        "sha256": sha256,
    }


def _records(folder: Path, name: str) -> JsonObject:
    table = name.removesuffix(".csv")
    with (folder / name).open(encoding="utf-8", newline="") as stream:
        rows = csv.reader(stream)
        header = next(rows)
        numeric = _numeric(header, rows)
    return {
        "@type": "cr:RecordSet",
        "@id": table,
        "name": table,
        "description": FILES[name][1],
        "field": list(_fields(table, name, header, numeric)),
    }


def _fields(table: str, name: str, header: Sequence[str], numeric: set[str]) -> Iterator[JsonObject]:
    ids: set[str] = set()
    for column in header:
        column_id = _id(column, ids)
        ids.add(column_id)
        kind = ("sc:Integer" if column in WHOLE else "sc:Float") if column in numeric else "sc:Text"
        is_gold = table == "gold" and column in {"label", "mean"}
        yield {
            "@type": "cr:Field",
            "@id": f"{table}/{column_id}",
            "name": f"{table}/{column}",
            "dataType": [kind, "cr:Label"] if is_gold else kind,
            "source": {"fileObject": {"@id": name}, "extract": {"column": column}},
        }


def _id(column: str, taken: Container[str]) -> str:
    """The column's name without what an id must not have, and unlike the others.

    >>> _id("p:sky blue", {"p-sky-blue"})
    'p-sky-blue-2'
    """
    plain = re.sub(r"[^\w.]+", "-", column).strip("-") or "column"
    return next(one for one in chain([plain], (f"{plain}-{k}" for k in count(2))) if one not in taken)


def _numeric(header: Sequence[str], rows: Iterable[Sequence[str]]) -> set[str]:
    """The columns that hold numbers or nothing, and a number somewhere."""
    may_be, has_one = [True] * len(header), [False] * len(header)
    for row in rows:
        for index, cell in enumerate(row):
            if cell and may_be[index]:
                may_be[index] = has_one[index] = _is_number(cell)
    return {name for name, fits, is_numeric in zip(header, may_be, has_one, strict=True) if fits and is_numeric}


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return cell.lower().lstrip("+-") not in {"nan", "inf", "infinity"}


def unfilled(described: Mapping[str, Json]) -> list[str]:
    """The fields that are still to be filled in."""
    return [name for name, value in described.items() if value in (TO_BE_FILLED_IN, NOBODY)]
