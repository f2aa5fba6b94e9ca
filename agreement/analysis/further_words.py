"""Further analyses in words and as printed tables, from the report and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def further_paragraphs(report: Mapping[str, Any]) -> Iterator[str]:
    """A paragraph of methods.md for each analysis that was asked for."""
    for part in report.get("further", []):
        title = part["title"] if part["title"].endswith("?") else f"{part['title']}."
        yield f"{title} {' '.join(_said(part))}"


def further_summary(report: Mapping[str, Any]) -> Iterator[str]:
    """A line for the terminal for each."""
    for part in report.get("further", []):
        tables = ", ".join(table["name"] for table in part.get("tables", []))
        yield f"{part['analysis']}: {f'undefined: {why}' if (why := part.get('undefined')) else f'tables {tables}'}"


def _said(part: Mapping[str, Any]) -> list[str]:
    return [f"Undefined: {part['undefined']}."] if "undefined" in part else list(part["says"])
