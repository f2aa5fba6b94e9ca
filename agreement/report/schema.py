"""docs/report.schema.json: the newest report.json as JSON Schema, made of the dataclasses by `make schema`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import cast

from ..typed_json import Json, JsonObject, object_schema
from .earlier_reports import NEWEST
from .report import KEYS, QuestionReport, Report

FILE = Path(__file__).parents[2] / "docs" / "report.schema.json"
ABOUT = (
    "What analyse_file and analyse write as report.json for a study of one question. Reports of earlier versions lack"
    " some of it and can still be read. A key that is not required is there where there is something to say."
)


def report_schema() -> JsonObject:
    """The study's keys and those of its one question, in the order of the file."""
    definitions: JsonObject = {}
    parts = [object_schema(cls, definitions) for cls in (Report, QuestionReport)]
    properties = {key: value for part in parts for key, value in cast("JsonObject", part["properties"]).items()}
    required = {key for part in parts for key in cast("list[str]", part["required"])}
    either: list[Json] = [each for part in parts for each in cast("list[Json]", part.get("allOf", []))]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"report.json, version {NEWEST}",
        "description": ABOUT,
        "type": "object",
        "properties": {key: properties[key] for key in KEYS},
        "required": [key for key in KEYS if key in required],
        "additionalProperties": False,
        "allOf": either,
        "$defs": dict(sorted(definitions.items())),
    }


def schema_bytes() -> bytes:
    return (json.dumps(report_schema(), indent=1, ensure_ascii=False) + "\n").encode()


if __name__ == "__main__":
    FILE.write_bytes(schema_bytes())
    sys.stdout.write(f"{FILE.relative_to(FILE.parents[1])} is written.\n")
