"""Presets: study templates as TOML files, copied into a study with their name, version and hash.

They stand in this folder and in those that plug-ins bring (`TOUCHSTONE_PLUGINS`). Items of a preset's own, its check
items among them, stand in `items/NAME.csv` beside it, or a plug-in makes them of a table that the preset has, such as
`[[scenes]]`.
"""

import hashlib
import tomllib
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Protocol, Required, TypedDict, cast

from django.conf import settings

from agreement.errors import Refused
from agreement.plugins import import_function, load_plugins
from agreement.stimuli.blocks import as_stored, read_blocks
from agreement.typed_json import Json, JsonObject
from annotation.media.files import in_folder
from annotation.models.question import FIRST_NAME
from annotation.studies.item_files import NewItem, read_own_items
from annotation.studies.items_of_text import CheckOfTerms, Checks, Term, items_of_pairs
from annotation.studies.questions import (
    COLUMN_OF_NAME,
    NAME,
    SETTINGS,
    LabelFields,
    QuestionSettings,
)
from annotation.studies.wrong_questions import refuse_wrong_questions

FOLDER = Path(__file__).parent


class MadeItems(Protocol):
    """Items that a plug-in makes, as `add_items` takes them, with the pictures that they name."""

    def items(self) -> list[NewItem]: ...

    def picture(self, name: str) -> bytes | None: ...


class OwnTerms(TypedDict, total=False):
    terms: Required[list[str]]
    aliases: dict[str, str]


class PresetFile(TypedDict, total=False):
    """The tables of a preset's file; a plug-in may read further ones."""

    version: Required[str]
    study: Required[dict[str, Any]]
    label: list[LabelFields]
    question: list[dict[str, Any]]
    stimulus: list[JsonObject]
    check: dict[str, CheckOfTerms]
    pairs: OwnTerms
    rules: str
    metrics: list[str]
    probe: dict[str, Json]


@dataclass(frozen=True, slots=True)
class Preset:
    name: str
    version: str
    sha256: str
    study: dict[str, Any]
    labels: list[LabelFields]
    check_quotas: dict[str, int]
    items: list[NewItem]
    rules: str  # the rule set that a first analysis starts from; none: every check's own bounds
    metrics: tuple[str, ...]  # what the study's models are ranked by first
    probe_options: dict[str, Json]  # how models' outputs are read unless somebody says otherwise
    checks_of_terms: Checks | None  # the checks of each term where the items are pairs of terms; None: they are not
    made_items: tuple[MadeItems, ...] = ()
    folder: Path = FOLDER
    further: tuple[QuestionSettings, ...] = ()  # the questions after the first, which `study` and `labels` have

    @property
    def title(self) -> str:
        return str(self.study["title"])

    @property
    def questions(self) -> list[QuestionSettings]:
        return [_first_question(self.study, self.labels), *self.further]

    @property
    def targets(self) -> list[NewItem]:
        return [item for item in self.items if item.get("kind", "target") == "target"]

    @property
    def checks_of_own_terms(self) -> Checks:
        """The checks that each of a researcher's own terms gets; refused where items are no pairs of terms."""
        if self.checks_of_terms is None:
            with_pairs = ", ".join(name for name in names() if load(name).checks_of_terms is not None)
            raise Refused(f"The preset {self.name} is not about pairs of terms. A list of terms is for {with_pairs}.")
        return self.checks_of_terms

    def picture(self, name: str) -> bytes | None:
        """A picture that one of its items names."""
        drawn = (picture for each in self.made_items if (picture := each.picture(name)) is not None)
        return next(drawn, None) or in_folder(self.folder / "items")(name)

    @property
    def items_file(self) -> Path:
        """Where its items stand, if it has a file of them."""
        return self.folder / "items" / f"{self.name}.csv"


def names() -> list[str]:
    return sorted(_files())


@cache
def _files() -> dict[str, Path]:
    """The file of each preset, by its name."""
    folders = [folder for plugin in load_plugins(settings.TOUCHSTONE_PLUGINS) for folder in plugin.preset_folders]
    return {path.stem: path for folder in (FOLDER, *folders) for path in folder.glob("*.toml")}


def load(name: str) -> Preset:
    if name not in _files():
        raise Refused(f"There is no preset '{name}': there are {', '.join(names())}.")
    preset = _read(name)
    return replace(  # whoever changes what it got changes nobody else's
        preset,
        study=deepcopy(preset.study),
        labels=deepcopy(preset.labels),
        check_quotas=dict(preset.check_quotas),
        items=deepcopy(preset.items),
        further=deepcopy(preset.further),
        probe_options=deepcopy(preset.probe_options),
    )


def samples_for(kind: str) -> list[str]:
    """The presets whose files of items have this kind of question, and no other."""
    loaded = (load(name) for name in names())
    return [one.name for one in loaded if one.items_file.exists() and one.study["kind"] == kind and not one.further]


@cache  # a page that lists the presets took 35 ms to read their files
def _read(name: str) -> Preset:
    path = _files()[name]
    content = path.read_bytes()
    data: PresetFile = cast("PresetFile", tomllib.loads(content.decode()))
    study, labels, further = _questions(name, data)
    blocks = read_blocks(data.get("stimulus", []), f"preset {name}, stimulus")
    study["stimulus"] = as_stored(blocks)
    checks = data.get("check", {})
    items = items_of_pairs(_terms(data["pairs"]), checks) if "pairs" in data else []
    own = path.parent / "items" / f"{name}.csv"
    if own.exists():
        content += own.read_bytes()
        items += read_own_items(own, [_first_question(study, labels), *further], blocks)
    made_items = _made_items(data)
    items += [item for each in made_items for item in each.items()]
    return Preset(
        name=name,
        version=data["version"],
        sha256=hashlib.sha256(content).hexdigest(),
        study=study,
        labels=labels,
        check_quotas={name: check["per_assignment"] for name, check in checks.items()},
        items=items,
        rules=data.get("rules", ""),
        metrics=tuple(data.get("metrics", ())),
        probe_options=data.get("probe", {}),
        checks_of_terms=checks if "pairs" in data else None,
        made_items=tuple(made_items),
        folder=path.parent,
        further=tuple(further),
    )


def _questions(name: str, data: PresetFile) -> tuple[dict[str, Any], list[LabelFields], list[QuestionSettings]]:
    """The study's own columns, the labels of its first question, and the questions after it.

    A preset of one question has it in `[study]` with `[[label]]`; of several, each in a `[[question]]` of its own.
    """
    if "question" not in data:
        return data["study"], data.get("label", []), []
    first, *further = map(QuestionSettings.of, data["question"])
    try:
        refuse_wrong_questions([first, *further])
    except Refused as refusal:
        raise Refused([f"preset {name}: {reason}" for reason in refusal.reasons]) from refusal
    return {**data["study"], **first.columns}, list(first.labels), further


def _first_question(study: Mapping[str, Any], labels: Sequence[LabelFields]) -> QuestionSettings:
    settings = {column: study[column] for column in SETTINGS if column in study}
    return QuestionSettings.of({NAME: study.get(COLUMN_OF_NAME, FIRST_NAME), **settings, "labels": labels})


def _terms(pairs: OwnTerms) -> list[Term]:
    aliases = pairs.get("aliases", {})
    return [Term(term, aliases.get(term, "")) for term in pairs["terms"]]


def _made_items(data: Mapping[str, object]) -> list[MadeItems]:
    makers = [item for plugin in load_plugins(settings.TOUCHSTONE_PLUGINS) for item in plugin.item_makers.items()]
    return [items for table, maker in makers if table in data for items in import_function(maker)(data[table])]
