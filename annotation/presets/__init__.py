"""Presets: study templates as TOML files, copied into a study with their name, version and hash."""

import hashlib
import tomllib
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from annotation.errors import Refused

FOLDER = Path(__file__).parent


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

    @property
    def title(self) -> str:
        return str(self.study["title"])


def names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def load(name: str) -> Preset:
    if name not in names():
        raise Refused(f"There is no preset '{name}': there are {', '.join(names())}.")
    content = (FOLDER / f"{name}.toml").read_bytes()
    data = tomllib.loads(content.decode())
    return Preset(
        name=name,
        version=data["version"],
        sha256=hashlib.sha256(content).hexdigest(),
        study=data["study"],
        labels=data.get("label", []),
        check_quotas={name: check["per_assignment"] for name, check in data.get("check", {}).items()},
        items=_pairs(data["pairs"], data.get("check", {})) if "pairs" in data else [],
        rules=data.get("rules", ""),
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
