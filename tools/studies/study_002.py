"""Study 002: what people and models know of colours, sizes and places of things."""

from __future__ import annotations

import csv
import json
import math
import shlex
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from agreement.analysis.reference_table import as_frame, reference_table
from agreement.figures import against_reference, label_distribution, labels_by_entropy
from tables.cell_texts import split_bars
from tools.studies.site import Site
from tools.studies.study import Page, Study

SEED = 2023
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
reference. **The models are made up**: each names a label of the reference with a chance of its own. The figures are
those of one run of `make studies`; who is shown which item is drawn, so that another run differs a little.
"""

PUBLISHED = [  # R-Acc, Conf, F1 of colours; the same of places; accuracy of sizes: standard, subtype, transitive
    ("CapBERT", ".7045", ".5855", ".4091", ".6993", ".6209", ".6078", ".8369", ".7914", ".9182"),
    ("BERT base", ".6687", ".5559", ".3094", ".6725", ".5991", ".6134", ".7835", ".7228", ".7729"),
    ("RoBERTa large", ".5595", ".4928", ".2093", ".5488", ".5840", ".5888", ".6523", ".5712", ".6931"),
    ("UnifiedQA large", ".6234", "", "", ".6204", "", "", ".6220", ".6066", ".9078"),
    ("DeBERTa xxl", ".7274", ".5959", ".3633", ".6230", ".6127", ".6054", ".7473", ".6688", ".6979"),
    ("VisualBERT", ".6622", ".5099", ".2446", ".6308", ".5840", ".5888", ".7699", ".6400", ".7769"),
    ("ViLT", ".6483", ".5392", ".3027", ".6578", ".6028", ".5980", ".7854", ".5732", ".8618"),
    ("FLAVA", ".7633", ".6284", ".3874", ".6371", ".6106", ".6056", ".8267", ".6954", ".8178"),
    ("CLIP", ".7996", ".6550", ".4954", ".6510", ".6356", ".6226", ".7543", ".6656", ".7248"),
    ("people", ".9745", ".7865", ".6882", ".8824", "", ".8122", ".9012", "", ""),
]
CONSTANTS = {"color": ("white", 0.5595), "spatial": ("below", 0.5099), "size": ("larger", 0.4981)}
SUMMARY = {"color": (10_600, 10_600), "spatial": (309, 5_256), "size": (1_671, 34_476)}  # objects, instances


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
        page.picture(_photograph(site, TASKS[slug][0]), words, f"The form of {TASKS[slug][0]} on a phone.", width=300)
    _models(site, page, reports)
    _distributions(site, page, reports["colours"])
    _size_sets(site, page)
    _prompts(site, page)
    _parts(site, page)
    _published(site, page)


def _manage(site: Site, lines: list[str], *arguments: object) -> Any:
    """The command's answer as JSON; the command itself is kept for the page."""
    lines.append(f"python manage.py {shlex.join(map(str, arguments))}")
    return json.loads(site.manage(*arguments, "--json"))


# People.


def _collected(site: Site, lines: list[str], slug: str, preset: str, people: int) -> dict[str, Any]:
    made = _manage(site, lines, "create_study", slug, "--preset", preset)
    _manage(site, lines, "open_study", slug)
    _manage(site, lines, "simulate", slug, "--workers", people, "--careless", 0, "--seed", SEED)
    report: dict[str, Any] = _manage(site, lines, "analyse", slug, "--seed", SEED)
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


def _photograph(site: Site, preset: str) -> Path:
    """Of a study of its own: who is shown a question holds its place."""
    from annotation import presets
    from annotation.actions.studies import change_status, create_study

    study = create_study(slug=f"form-{preset}", preset=presets.load(preset))
    change_status(study=study, status="live")
    return site.screenshot(study.slug, f"{preset}-phone.png", phone=True)


# Made models against the references, beside people.


def _models(site: Site, page: Page, reports: dict[str, dict[str, Any]]) -> None:
    from agreement.actions.scoring_probes import add_probe
    from agreement.models import GoldRelease
    from agreement.reference_boards import reference_scores_of
    from annotation.models import Study as Stored

    page.heading("Models and people against the reference labels")
    lines: list[str] = []
    for slug in TASKS:
        last = len(MODELS) - 1
        for number, (name, (group, right)) in enumerate(MODELS.items()):
            file = site.folder / f"{slug}-{name}.csv"
            _write_model(file, slug, right, np.random.default_rng([SEED, number, len(slug)]))
            if number < last:  # kept as `score` keeps them; the last one's command then scores all
                add_probe(study=Stored.objects.get(slug=slug), name=name, file=file, group=group)
            else:
                _manage(site, lines, "score", slug, file.name, "--name", name, "--group", group)
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
        if table is None:
            raise ValueError(f"{slug} has no references")
        page.table(as_frame(table).fillna(math.nan), f"{TASKS[slug][0]}: {table.items} items with references.")
        for metric, column in {"colours": [("r_acc", "cardinality")], "places": [("r_acc", "scene")]}.get(slug, []):
            figure = against_reference.draw(_few(part), metric, column)
            if figure is not None:
                page.figure(replace(figure, name=f"{slug}-by-{column}"))


def _few(part: Mapping[str, Any]) -> dict[str, Any]:
    """The groups of models, people and the crowd: four lines that can be told apart."""
    return {**part, "scores": [row for row in part["scores"] if row["kind"] != "model"]}


def _write_model(file: Path, slug: str, right: float, rng: np.random.Generator) -> None:
    """Probabilities where answers may be several labels, else one label."""
    from annotation import presets

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
    _write(file, ("item_id", "label", "probability"), rows)


def _to_one(weights: Any) -> list[float]:
    """In six digits that sum to 1."""
    rounded = [round(float(one), 6) for one in weights / weights.sum()]
    rounded[int(np.argmax(rounded))] += round(1 - sum(rounded), 6)
    return rounded


def _write(file: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


# How labels are distributed.


def _distributions(site: Site, page: Page, report: dict[str, Any]) -> None:
    from annotation import presets

    preset = presets.load("object-colours")
    labels = [str(label["value"]) for label in preset.labels]
    references = [str(item["reference"]) for item in preset.targets]
    categories = [str(item["fields"]["category"]) for item in preset.targets]
    page.heading("How colours are distributed")
    page.figure(label_distribution.draw(references, labels))
    page.figure(label_distribution.draw(references, labels, categories, column="category"))
    gold = site.folder / "colours-gold.csv"
    gold.unlink(missing_ok=True)
    site.manage("export", "colours", "gold", "--out", gold, "--release", report["release"]["number"])
    table = pd.read_csv(gold).set_index("item_id")
    shares = table[[f"p:{label}" for label in labels]].rename(columns=lambda name: name.removeprefix("p:"))
    page.figure(labels_by_entropy.draw(shares))


# Sizes that follow from others.

TABLE = [
    "house,dog,larger", "dog,cat,larger", "cat,mouse,larger", "house,car,larger", "car,dog,larger",
    "coin,mouse,smaller",
]  # fmt: skip
SUBTYPES = ["dog,guide dog", "dog,lap dog", "car,sports car", "car,police car", "house,farm house", "house,tree house"]


def _size_sets(site: Site, page: Page) -> None:
    (site.folder / "table.csv").write_text("\n".join(["object,other,reference", *TABLE]) + "\n")
    (site.folder / "subtypes.csv").write_text("\n".join(["object,subtype", *SUBTYPES]) + "\n")
    shutil.rmtree(site.folder / "sets", ignore_errors=True)
    page.heading("Transitive and subtype sets of sizes")
    given = ("make_size_sets", "table.csv", "--subtypes", "subtypes.csv", "--seed", 1, "--out", "sets")
    said = site.manage(*given).strip().splitlines()
    page.commands(f"python manage.py {shlex.join(map(str, given))}", *said)
    rows = pd.concat([pd.read_csv(site.folder / "sets" / f"{name}.csv").head(4) for name in ("transitive", "subtype")])
    caption = "The first rows of two sets. Every pair stands with its complement: a constant answer is right on half."
    page.table(rows, caption)


def _prompts(site: Site, page: Page) -> None:
    file = site.folder / "prompts.csv"
    file.unlink(missing_ok=True)
    lines: list[str] = []
    templates = ("--templates", "viphy-scenes-zero-shot", "--blanks")
    _manage(site, lines, "write_prompts", "places", *templates, "--out", file.name)
    page.heading("What models are asked")
    page.commands(*lines)
    first = pd.read_csv(file, dtype=str).head(3)
    page.table(first, "The first prompts. Models that know above and below get the items without *similar level*.")


def _parts(site: Site, page: Page) -> None:
    from annotation import presets

    items = presets.load("scene-relations").targets
    rows = [(item["item_id"], *item["fields"].values(), item["reference"]) for item in items]
    _write(site.folder / "places.csv", ("item_id", "scene", "object", "other", "reference"), rows)
    (site.folder / "parts.csv").unlink(missing_ok=True)
    page.heading("Parts and summary")
    lines: list[str] = []
    split = _manage(site, lines, "split_items", "places.csv", "--out", "parts.csv", "--seed", 1)
    found = _manage(site, lines, "summarise_items", "places.csv", "--by", "scene")
    page.commands(*lines)
    parts = ", ".join(f"{count} {name}" for name, count in split["parts"].items())
    page.text(f"{parts}; a pair and its complement would stand in the same part.")
    page.table(_summary(found["groups"]), "The items of scene-relations.")


def _summary(groups: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    rows = [
        (one["group"], str(one["things"]), str(one["instances"]), str(one["classes"]), one["mean"], one["sd"])
        for one in groups
    ]
    return pd.DataFrame(rows, columns=["", "objects", "instances", "labels", "labels per item", "SD"])


# The published figures, and what the public files give.


def _published(site: Site, page: Page) -> None:
    page.heading("The published figures")
    columns = [
        "", "colour R-Acc", "Conf", "F1", "place R-Acc", "Conf ", "F1 ", "size, standard", "subtype", "transitive",
    ]  # fmt: skip
    page.table(
        pd.DataFrame(PUBLISHED, columns=columns),
        "As printed by Singh et al. (2023): models after training, and people: the crowd of CoDa for colours, and three"
        " annotators of 100 relations each, averaged, for places and sizes (Fleiss' kappa .78 and .85).",
    )
    data = None if site.data is None else site.data / "viphy"
    if data is None or not data.is_dir():
        page.left_out(
            "Constant answers on the public test parts (white, below, larger), the sizes of the public files and the"
            " pairs that follow from them: they need the folder viphy with color-val.csv, color-test.csv, and the"
            " same of spatial and of size."
        )
    else:
        _public(site, page, data)
    coda = None if site.data is None else site.data / "coda" / "annotations.csv"
    if data is None or coda is None or not coda.exists():
        page.left_out("CoDa's crowd against the colours of ViPhy: it needs coda/annotations.csv and the folder viphy.")
    else:
        _coda(site, page, data, coda)


def _public(site: Site, page: Page, data: Path) -> None:
    rows, summary = [], []
    lines: list[str] = []
    for name, (label, published) in CONSTANTS.items():
        kind = "choice" if name == "size" else "choices"
        found = _manage(site, lines, "score_file", "--reference", data / f"{name}-test.csv", "--kind", kind)
        scores = found["against_reference"]["scores"]
        wanted = (f"always {label}", "r_acc", "")
        [score] = [row for row in scores if (row["name"], row["metric"], row["breakdown"]) == wanted]
        rows.append((f"always {label}", score["n"], published, score["estimate"]))
        joined = site.folder / f"{name}.csv"
        _join(data, name, joined)
        [whole] = json.loads(site.manage("summarise_items", joined.name, "--json"))["groups"]
        counted = (*SUMMARY[name], whole["things"], whole["instances"])
        summary.append((name, *map(str, counted), whole["mean"], whole["sd"]))
    page.commands(lines[0].replace(str(data), "DATA/viphy"), "…")
    page.table(
        pd.DataFrame(rows, columns=["", "items", "known", "here"]),
        "R-Acc of answers that never vary on the public test parts, with nobody's judgments.",
    )
    columns = ["", "objects known", "instances known", "objects", "instances", "labels per item", "SD"]
    page.table(pd.DataFrame(summary, columns=columns), "The public validation and test parts together.")
    shutil.rmtree(site.folder / "public-sets", ignore_errors=True)
    given = ("make_size_sets", "size.csv", "--transitive", 10_000, "--seed", 1, "--out", "public-sets")
    page.commands(f"python manage.py {shlex.join(map(str, given))}", *site.manage(*given).strip().splitlines())


def _join(data: Path, name: str, file: Path) -> None:
    """The validation and test parts in one file."""
    parts = [pd.read_csv(data / f"{name}-{part}.csv", dtype=str, keep_default_na=False) for part in ("val", "test")]
    for part, rows in zip(("val", "test"), parts, strict=True):
        rows["item_id"] = part + "-" + rows["item_id"]
    pd.concat(parts).to_csv(file, index=False)


def _coda(site: Site, page: Page, data: Path, coda: Path) -> None:
    """CoDa's people as the crowd, on the objects that both name."""
    known: dict[str, str] = {}
    for part in ("val", "test"):
        rows = pd.read_csv(data / f"color-{part}.csv", dtype=str, keep_default_na=False)
        known |= dict(zip(rows["object"], rows["reference"], strict=True))
    people = pd.read_csv(coda, dtype=str, keep_default_na=False)
    people = people[people["included"] == "True"]
    matched = {name: form for name in people["object"].unique() if (form := _form_of(name, known))}
    people = people[people["object"].isin(matched)]
    labels = sorted(set(people.columns) & {label for cell in known.values() for label in split_bars(cell)})
    named = {"object_id": "item_id", **{name: f"v:{name}" for name in labels}}
    judged = people[["worker_id", "object_id", *labels]].rename(columns=named)
    judged.to_csv(site.folder / "coda.csv", index=False)
    ids = people.drop_duplicates("object_id")
    references = [(one.object_id, known[matched[str(one.object)]], one.object) for one in ids.itertuples()]
    _write(site.folder / "coda-reference.csv", ("item_id", "reference", "object"), references)
    shutil.rmtree(site.folder / "coda", ignore_errors=True)
    lines: list[str] = []
    given = ("analyse_file", "coda.csv", "--scale", "0:5", "--rules", "coda-2021", "--reference", "coda-reference.csv")
    report = _manage(site, lines, *given, "--no-report", "--out", "coda")
    part = report["against_reference"]
    table = reference_table(part)
    if table is None:
        raise ValueError("CoDa's objects have no references")
    page.commands(*lines)
    page.table(
        as_frame(table).fillna(math.nan),
        f"CoDa's answers against the colours of ViPhy on the {table.items} objects whose names agree but for capitals"
        " and the plural. The paper's figures for people are of 432 objects, some of them in the training part, which"
        " is not public.",
    )
    figure = against_reference.draw(part, "r_acc", "cardinality")
    if figure is not None:
        page.figure(replace(figure, name="coda-by-cardinality"))


def _form_of(name: str, known: Mapping[str, str]) -> str | None:
    """The spelling that the other file has: lower case, and the singular or plural."""
    low = name.lower()
    forms = [low, low.removesuffix("s"), low.removesuffix("es"), f"{low}s"]
    forms += [f"{low.removesuffix('ies')}y"] if low.endswith("ies") else []
    forms += [f"{low.removesuffix('ves')}f"] if low.endswith("ves") else []
    return next((form for form in forms if form in known), None)


STUDY = Study(
    number="002",
    name="viphy",
    title="Study 002: colours, sizes and places",
    run=run,
)
