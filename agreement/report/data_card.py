"""What only the researcher knows of a data set: licence, creators, limits. A TOML file; what it lacks is said."""

from __future__ import annotations

import html
import json
import tomllib
from dataclasses import asdict, dataclass, field, fields
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from ..errors import Refused
from ..files.cell_texts import why_no_line
from ..typed_json import JsonObject
from .cleaning_report import kept_in_words
from .markdown import markdown_lines, markdown_text
from .report import Report

TO_BE_FILLED_IN = "to be filled in"
SPDX = "https://spdx.org/licenses/"


@dataclass(frozen=True, slots=True)
class Creator:
    name: str
    orcid: str = ""
    affiliation: str = ""


@dataclass(frozen=True, slots=True)
class Card:
    """All texts; `license` is an SPDX identifier such as CC-BY-4.0, or the address of a licence."""

    title: str = ""
    description: str = ""
    license: str = ""
    url: str = ""
    creators: tuple[Creator, ...] = ()
    published: str = ""  # an ISO date
    version: str = "1.0.0"
    keywords: tuple[str, ...] = ()
    language: str = ""
    collection: str = ""
    limitations: str = ""
    biases: str = ""
    sensitive_information: str = ""
    social_impact: str = ""
    use_cases: str = ""
    maintenance: str = ""
    derived_from: str = ""
    synthetic: bool | None = None  # whether any of the answers are not people's
    citation: str = ""

    @property
    def license_address(self) -> str:
        return self.license if "://" in self.license else f"{SPDX}{self.license}.html"


# Without these a data set is not described: the required fields of Croissant 1.1 and those that reviewers ask for.
REQUIRED = (
    "description", "license", "creators", "url", "limitations", "biases", "sensitive_information", "social_impact",
    "use_cases", "synthetic",
)  # fmt: skip
OF_ONE_LINE = frozenset({"title", "license", "url", "version", "language", "derived_from"})
EMPTY = Card()


def missing_keys(card: Card) -> list[str]:
    """The required keys that the card leaves out."""
    return [name for name in REQUIRED if getattr(card, name) in ("", (), None)]


def read_card(path: Path) -> Card:
    """The card of a TOML file; every wrong key is named."""
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise Refused(f"{path.name}: can't be read ({error.strerror})") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Refused(f"{path.name}: this is not TOML: {error}") from error
    card = _CardReader(path.name)
    card_read = card.read(document)
    if card.reasons:
        raise Refused(card.reasons)
    return card_read


@dataclass
class _CardReader:
    file: str
    reasons: list[str] = field(default_factory=list)

    def wrong(self, key: str, why: str) -> None:
        self.reasons.append(f"{self.file}, key {key}: {why}")

    def read(self, document: dict[str, object]) -> Card:
        known = [one.name for one in fields(Card)]
        for key in document.keys() - set(known):
            self.wrong(key, f"there is no such key; the keys are {', '.join(known)}")
        values: dict[str, Any] = {}
        for key in known:
            if key not in document:
                continue
            value = document[key]
            if key == "creators":
                values[key] = self._creators(value)
            elif key == "keywords":
                values[key] = self._texts(key, value)
            elif key == "synthetic":
                values[key] = self._yes_or_no(key, value)
            elif key == "published":
                values[key] = self._day(key, value)
            else:
                values[key] = self._text(key, value)
        if (url := values.get("url")) and urlsplit(url).scheme not in {"http", "https"}:
            self.wrong("url", f"'{url}' is not a web address")
        return Card(**values)

    def _text(self, key: str, value: object) -> str:
        if not isinstance(value, str):
            self.wrong(key, "write a text in quotes")
            return ""
        if key in OF_ONE_LINE:
            self._refuse_no_line(key, value.strip())
        return value.strip()

    def _refuse_no_line(self, key: str, text: str) -> None:
        if why := why_no_line(text):
            self.wrong(key, why)

    def _texts(self, key: str, value: object) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            self.wrong(key, "write a list of texts")
            return ()
        for text in value:
            self._refuse_no_line(key, text)
        return tuple(value)

    def _yes_or_no(self, key: str, value: object) -> bool | None:
        if not isinstance(value, bool):
            self.wrong(key, "write true or false")
            return None
        return value

    def _day(self, key: str, value: object) -> str:
        """TOML has dates of its own."""
        try:
            return date.fromisoformat(str(value)).isoformat()
        except ValueError:
            self.wrong(key, f"'{value}' is not a day such as 2026-11-19")
            return ""

    def _creators(self, value: object) -> tuple[Creator, ...]:
        known = {one.name for one in fields(Creator)}
        if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
            self.wrong("creators", 'write a list such as [{name = "…", orcid = "…", affiliation = "…"}]')
            return ()
        creators = []
        for number, one in enumerate(value, start=1):
            if not str(one.get("name", "")).strip() or one.keys() - known:
                self.wrong(f"creators, number {number}", f"each has a name, and nothing but {', '.join(sorted(known))}")
            else:
                texts = {key: str(text).strip() for key, text in one.items()}
                for text in texts.values():
                    self._refuse_no_line(f"creators, number {number}", text)
                creators.append(Creator(**texts))
        return tuple(creators)


# A study's data card as two archives ask for it: README.md as Hugging Face reads it, and zenodo.json.

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
        f"# {markdown_text(title)}",
        markdown_lines(card.description or f"Description: {TO_BE_FILLED_IN}."),
        markdown_lines(kept_in_words(report)),
        _section("Uses", card.use_cases),
        _section("Limitations", card.limitations),
        _section("Biases", card.biases),
        _section("Personal and sensitive information", card.sensitive_information),
        _section("Social impact", card.social_impact),
        f"## Files\n\n{FILES}",
        _section("Methods", methods.partition("\n\n")[2].strip()),
        _section("Citation", card.citation),
    ]
    return f"---\n{front}\n---\n\n" + "\n\n".join(parts) + "\n"


def _section(title: str, text: str) -> str:
    return f"## {title}\n\n{markdown_lines(text or TO_BE_FILLED_IN[:1].upper() + TO_BE_FILLED_IN[1:] + '.')}"


def zenodo(report: Report, card: Card) -> str:
    """The metadata of an upload to Zenodo."""
    metadata: JsonObject = {
        "title": card.title or report.study,
        "upload_type": "dataset",
        "description": html.escape(card.description or TO_BE_FILLED_IN, quote=False),  # Zenodo reads it as HTML
        "creators": [
            {key: value for key, value in asdict(one).items() if value} for one in card.creators
        ],
        "license": card.license.lower() or TO_BE_FILLED_IN,
        "version": card.version,
        "keywords": list(card.keywords),
        **({"language": card.language} if card.language else {}),
        **({"publication_date": card.published} if card.published else {}),
    }  # fmt: skip
    return json.dumps(metadata, indent=2, ensure_ascii=False) + "\n"
