"""Study 002: what people and models know of colours, sizes and places of things."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from agreement.estimation.estimate import Undefined
from agreement.figures.of_models import draw_against_reference
from agreement.files.cell_texts import split_bars
from agreement.report.people_and_models import AgainstReference
from agreement.report.score_tables import as_frame, reference_table
from studies.figures import labels as labels_figures
from studies.runs import viphy_published
from studies.runs.site import Site
from studies.runs.study import Page, Study, write_csv

# Made models: how often each names a label of the reference, and how sure it is; the better group has pictures.
MODELS = {"text-1": ("LM", 0.55), "text-2": ("LM", 0.62), "picture-1": ("VLM", 0.74), "picture-2": ("VLM", 0.80)}
SPELT = {"gray": "grey", "purple": "violet"}  # as some models write them: synonyms of the preset
TASKS = {
    "colours": ("object-colours", 18, "sliders"),
    "sizes": ("object-sizes", 3, "choice"),
    "places": ("scene-relations", 6, "choices"),
}

INTRODUCTION = """
People and models are asked for the typical colours of things, which of two things is larger, and where one thing is in
relation to another in a room. The procedure is that of Singh et al. (2023), "ViPhy: Probing Visible Physical
Commonsense Knowledge": colours with several right answers out of eleven, sizes with one of two, places with one or more
of three, three annotators for sizes and places, and everybody scored against reference labels.

The items are short lists that come with the three presets. People are simulated: careful ones mostly give an item's
reference. **The models are made up**: each names a label of the reference with a chance of its own. `touchstone studies
002` makes this page; its seed decides who is shown which item and what people and models say.
"""


def run(site: Site, page: Page) -> None:
    page.text(INTRODUCTION)
    reports = {}
    page.heading("From the presets to gold")
    lines: list[str] = []
    for slug, (preset, people, _) in TASKS.items():
        reports[slug] = _collected(site, lines, slug, preset, people)
    page.commands(*lines)
    page.table(_counted(reports), "What the presets bring, who answered, and how far they agree after cleaning.")
    for slug, words in {
        "colours": "A line for each of eleven colours, and the name of a thing above them.",
        "places": "A place, two things in it, and three labels of which several can be chosen.",
    }.items():
        page.photograph(
            site.form_on_phone(TASKS[slug][0]),
            words,
            f"The form of {TASKS[slug][0]} on a phone.",
        )
    _models(site, page, reports)
    _distributions(site, page, reports["colours"])
    size_sets(site, page)
    _prompts(site, page)
    parts(site, page)
    viphy_published.compare(site, page)


# People.


def _collected(site: Site, lines: list[str], slug: str, preset: str, people: int) -> dict[str, object]:
    made = site.open_study(lines, slug, "--preset", preset)
    site.command(lines, "simulate", slug, "--workers", people, "--careless", 0, "--seed", site.seed)
    report: dict[str, object] = site.command(lines, "analyse", slug, "--seed", site.seed)
    return {**report, "checks": made["items"] - made["targets"]}


def _counted(reports: Mapping[str, dict[str, Any]]) -> pd.DataFrame:
    rows = []
    for slug, report in reports.items():
        counts, cleaned = report["counts"], report["agreement"]["cleaned"]
        figure: Any = cleaned
        for name in cleaned["first"].split("."):
            figure = figure[name]
        rows.append(
            (
                TASKS[slug][0],
                str(counts["items"]),
                str(report["checks"]),
                str(counts["workers_kept"]),
                f"{counts['judgments_per_item']:.1f}",
                cleaned["first"].replace("_", " ").replace(".", ", "),
                float(figure.get("estimate", math.nan)),
            )
        )
    columns = ["preset", "items", "check items", "people", "judgments per item", "statistic", "agreement"]
    return pd.DataFrame(rows, columns=columns)


# Made models against the references, beside people.


def _models(site: Site, page: Page, reports: dict[str, dict[str, Any]]) -> None:
    from annotation.models import Study as Stored
    from annotation.releases.actions.scoring_probes import add_probe
    from annotation.releases.models import GoldRelease
    from annotation.releases.reference_boards import reference_scores_of

    page.heading("Models and people against the reference labels")
    lines: list[str] = []
    for slug in TASKS:
        last = len(MODELS) - 1
        for number, (name, (group, right)) in enumerate(MODELS.items()):
            file = site.folder / f"{slug}-{name}.csv"
            _write_model(file, slug, right, np.random.default_rng([site.seed, number, len(slug)]))
            if number < last:  # kept as `score` keeps them; the last one's command then scores all
                add_probe(study=Stored.objects.get(slug=slug), name=name, file=file, group=group)
            else:
                site.command(lines, "score", slug, file.name, "--name", name, "--group", group)
    page.commands(lines[0], "…")
    page.text(
        "Everybody is held against the same references, in one table: models, the mean of each group of models, people"
        " one by one and averaged, the distribution of the crowd's answers as one model, the best answers that never"
        " vary, and chance. The same table is on the leaderboard, on the results page and in methods.md. Two of the"
        " made models write *grey* and *violet*, which the preset reads as *gray* and *purple*."
    )
    for slug in TASKS:
        part = reference_scores_of(GoldRelease.objects.get(sha256=reports[slug]["release"]["sha256"], study__slug=slug))
        table = reference_table(part)
        if table is None or isinstance(part, Undefined):
            raise ValueError(f"{slug} has no references")
        page.table(as_frame(table).fillna(math.nan), f"{TASKS[slug][0]}: {table.items} items with references.")
        for metric, column in {"colours": [("r_acc", "cardinality")], "places": [("r_acc", "scene")]}.get(slug, []):
            figure = draw_against_reference(_few(part), metric, column)
            if figure is not None:
                page.figure(replace(figure, name=f"{slug}-by-{column}"))


def _few(part: AgainstReference) -> AgainstReference:
    """The groups of models, people and the crowd: four lines that can be told apart."""
    return replace(part, scores=tuple(row for row in part.scores if row.kind != "model"))


def _write_model(file: Path, slug: str, right: float, rng: np.random.Generator) -> None:
    """Probabilities where answers may be several labels, else one label."""
    from annotation.studies import presets

    preset = presets.load(TASKS[slug][0])
    labels = [str(label["value"]) for label in preset.labels]
    spelt = SPELT if file.stem.endswith("-2") else {}
    rows = []
    for item in preset.targets:
        gold = split_bars(str(item["reference"]))
        named = gold if rng.random() < right else [label for label in labels if label not in gold] or gold
        chosen = str(rng.choice(named))
        weights = rng.dirichlet(np.full(len(labels), 0.4)) * (1 - right)
        weights[labels.index(chosen)] += right
        rows += [
            (item["item_id"], spelt.get(label, label), f"{p:.6f}")
            for label, p in zip(labels, _to_one(weights), strict=True)
        ]
    write_csv(file, ("item_id", "label", "probability"), rows)


def _to_one(weights: Any) -> list[float]:
    """In six digits that sum to 1."""
    rounded = [round(float(one), 6) for one in weights / weights.sum()]
    rounded[int(np.argmax(rounded))] += round(1 - sum(rounded), 6)
    return rounded


# How labels are distributed.


def _distributions(site: Site, page: Page, report: dict[str, Any]) -> None:
    from annotation.studies import presets

    preset = presets.load("object-colours")
    labels = [str(label["value"]) for label in preset.labels]
    references = [str(item["reference"]) for item in preset.targets]
    categories = [str(item["fields"]["category"]) for item in preset.targets]
    page.heading("How colours are distributed")
    page.figure(labels_figures.draw_distribution(references, labels))
    page.figure(labels_figures.draw_distribution(references, labels, categories, column="category"))
    gold = site.folder / "colours-gold.csv"
    site.manage("export", "colours", "gold", "--out", gold, "--release", report["release"]["number"])
    table = pd.read_csv(gold).set_index("item_id")
    shares = table[[f"p:{label}" for label in labels]].rename(columns=lambda name: name.removeprefix("p:"))
    page.figure(labels_figures.draw_by_entropy(shares))


# Sizes that follow from others.

TABLE = [
    "house,dog,larger", "dog,cat,larger", "cat,mouse,larger", "house,car,larger", "car,dog,larger",
    "coin,mouse,smaller",
]  # fmt: skip
SUBTYPES = ["dog,guide dog", "dog,lap dog", "car,sports car", "car,police car", "house,farm house", "house,tree house"]


def size_sets(site: Site, page: Page) -> None:
    (site.folder / "table.csv").write_text("\n".join(["object,other,reference", *TABLE]) + "\n")
    (site.folder / "subtypes.csv").write_text("\n".join(["object,subtype", *SUBTYPES]) + "\n")
    page.heading("Transitive and subtype sets of sizes")
    given = ("make_size_sets", "table.csv", "--subtypes", "subtypes.csv", "--seed", 1, "--out", "sets")
    said = site.manage(*given).strip().splitlines()
    page.commands(f"python manage.py {shlex.join(map(str, given))}", *said)
    rows = pd.concat([pd.read_csv(site.folder / "sets" / f"{name}.csv").head(4) for name in ("transitive", "subtype")])
    caption = "The first rows of two sets. Every pair stands with its complement: a constant answer is right on half."
    page.table(rows, caption)


def _prompts(site: Site, page: Page) -> None:
    file = site.folder / "prompts.csv"
    lines: list[str] = []
    templates = ("--templates", "viphy-scenes-zero-shot", "--blanks")
    site.command(lines, "write_prompts", "places", *templates, "--out", file.name)
    page.heading("What models are asked")
    page.commands(*lines)
    first = pd.read_csv(file, dtype=str).head(3)
    page.table(first, "The first prompts. Models that know above and below get the items without *similar level*.")


def parts(site: Site, page: Page) -> None:
    from annotation.studies import presets

    items = presets.load("scene-relations").targets
    rows = [(item["item_id"], *item["fields"].values(), item["reference"]) for item in items]
    write_csv(site.folder / "places.csv", ("item_id", "scene", "object", "other", "reference"), rows)
    page.heading("Parts and summary")
    lines: list[str] = []
    split = site.command(lines, "split_items", "places.csv", "--out", "parts.csv", "--seed", 1)
    found = site.command(lines, "summarise_items", "places.csv", "--by", "scene")
    page.commands(*lines)
    parts = ", ".join(f"{count} {name}" for name, count in split["parts"].items())
    page.text(f"{parts}; a pair and its complement would stand in the same part.")
    page.table(_summary(found["groups"]), "The items of scene-relations.")


def _summary(groups: Iterable[Mapping[str, object]]) -> pd.DataFrame:
    rows = [
        (one["group"], str(one["things"]), str(one["instances"]), str(one["classes"]), one["mean"], one["sd"])
        for one in groups
    ]
    return pd.DataFrame(rows, columns=["", "objects", "instances", "labels", "labels per item", "SD"])


STUDY = Study(
    number="002",
    name="viphy",
    title="Study 002: colours, sizes and places",
    seed=2023,
    run=run,
)
