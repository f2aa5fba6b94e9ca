"""Presets: study templates as TOML files, copied into a study with their name, version and hash.

Items of a preset's own, its check items among them, stand in `items/NAME.csv` beside it.
"""

import hashlib
import tomllib
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from annotation.errors import Refused
from annotation.item_files import read_own_items

FOLDER = Path(__file__).parent
ITEMS = FOLDER / "items"  # and the pictures that the column image names


@dataclass(frozen=True, slots=True)
class Preset:
    name: str
    version: str
    sha256: str
    study: dict[str, Any]
    labels: list[dict[str, Any]]
    check_quotas: dict[str, int]
    items: list[dict[str, Any]]
    rules: str  # the rule set that a first analysis starts from; none: every check's own bounds
    metrics: tuple[str, ...]  # what the study's models are ranked by first

    @property
    def title(self) -> str:
        return str(self.study["title"])

    @property
    def targets(self) -> list[dict[str, Any]]:
        return [item for item in self.items if item.get("kind", "target") == "target"]


def names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def load(name: str) -> Preset:
    if name not in names():
        raise Refused(f"There is no preset '{name}': there are {', '.join(names())}.")
    content = (FOLDER / f"{name}.toml").read_bytes()
    data = tomllib.loads(content.decode())
    labels, checks = data.get("label", []), data.get("check", {})
    items = _pairs(data["pairs"], checks) if "pairs" in data else []
    own = ITEMS / f"{name}.csv"
    if own.exists():
        content += own.read_bytes()
        values = [label["value"] for label in labels]
        items += read_own_items(own, data["study"]["question"], data["study"]["kind"], values)
    return Preset(
        name=name,
        version=data["version"],
        sha256=hashlib.sha256(content).hexdigest(),
        study=data["study"],
        labels=labels,
        check_quotas={name: check["per_assignment"] for name, check in checks.items()},
        items=items,
        rules=data.get("rules", ""),
        metrics=tuple(data.get("metrics", ())),
    )


def _pairs(pairs: dict[str, Any], checks: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """Every pair of two terms as a target, and each check's pairs: a term with itself, or with a fixed other word."""
    terms: list[str] = pairs["terms"]
    items: list[dict[str, Any]] = [
        {"item_id": _pair_id(left, right), "fields": {"left": left, "right": right}}
        for left, right in combinations(terms, 2)
    ]
    for name, check in checks.items():
        for term in terms:
            other = check.get("with", term)
            items.append(
                {
                    "item_id": f"{name}-{_word_id(term)}",
                    "kind": "check",
                    "check_name": name,
                    "fields": {"left": term, "right": other},
                    "min": check.get("min"),
                    "max": check.get("max"),
                }
            )
    return items


def _pair_id(left: str, right: str) -> str:
    return f"{_word_id(left)}--{_word_id(right)}"


def _word_id(word: str) -> str:
    return word.replace(" ", "-")
