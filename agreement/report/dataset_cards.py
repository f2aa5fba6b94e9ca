"""A study's data card as two archives ask for it: README.md as Hugging Face reads it, and zenodo.json."""

from __future__ import annotations

import json
from dataclasses import asdict

from ..typed_json import JsonObject
from .cleaning_report import kept_in_words
from .data_card import TO_BE_FILLED_IN, Card
from .report import Report

SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
MORE = "1M<n<10M"
FILES = (
    "`gold.csv` has the gold labels, `judgments.csv` every judgment, `workers.csv` every worker; `report.json` and"
    " `report.html` have every figure; `croissant.json` describes all of it for machines."
)


def readme(report: Report, card: Card, methods: str) -> str:
    """Front matter in YAML, whose texts are written as JSON: every JSON text is YAML."""
    size = next((name for limit, name in SIZES if report.counts.judgments < limit), MORE)
    title = card.title or report.study
    head: JsonObject = {
        "pretty_name": title,
        "license": "other" if "://" in card.license or not card.license else card.license.lower(),
        "language": [card.language or "en"],
        "tags": ["human-annotation", *card.keywords],
        "annotations_creators": ["crowdsourced"],
        "size_categories": [size],
        "configs": [
            {"config_name": name, "data_files": f"{name}.csv", **({"default": True} if name == "gold" else {})}
            for name in ("gold", "judgments", "workers")
        ],
    }
    front = "\n".join(f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in head.items())
    parts = [
        f"# {title}",
        card.description or f"Description: {TO_BE_FILLED_IN}.",
        kept_in_words(report),
        _section("Uses", card.use_cases),
        _section("Limitations", card.limitations),
        _section("Biases", card.biases),
        _section("Personal and sensitive information", card.sensitive_information),
        _section("Social impact", card.social_impact),
        _section("Files", FILES),
        "## Methods\n\n" + methods.partition("\n\n")[2].strip(),
        _section("Citation", card.citation),
    ]
    return f"---\n{front}\n---\n\n" + "\n\n".join(parts) + "\n"


def _section(title: str, text: str) -> str:
    return f"## {title}\n\n{text or TO_BE_FILLED_IN[:1].upper() + TO_BE_FILLED_IN[1:] + '.'}"


def zenodo(report: Report, card: Card) -> str:
    """The metadata of an upload to Zenodo."""
    made: JsonObject = {
        "title": card.title or report.study,
        "upload_type": "dataset",
        "description": card.description or TO_BE_FILLED_IN,
        "creators": [
            {key: value for key, value in asdict(one).items() if value} for one in card.creators
        ],
        "license": card.license.lower() or TO_BE_FILLED_IN,
        "version": card.version,
        "keywords": list(card.keywords),
        **({"language": card.language} if card.language else {}),
        **({"publication_date": card.published} if card.published else {}),
    }  # fmt: skip
    return json.dumps(made, indent=2, ensure_ascii=False) + "\n"
