"""Study 003: big and small in pictures of shapes, for people and for models."""

from __future__ import annotations

import csv
import random
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from agreement.kinds.verify.data import K_MEAN
from studies.figures import sizes as sizes_figures
from studies.runs.site import Site
from studies.runs.study import Page, Study

N = 2_000
SETS = [("POS1", False), ("POS", False), ("SET+POS", False), ("POS", True), ("SET+POS", True)]
# What the paper says of the same rules.
EXPECTED = {
    ("POS1", False): "97 %",
    ("POS", False): "97 %",
    ("SET+POS", False): "97 %, 92 %, 65 %",
    ("POS", True): "92 %, chance",
    ("SET+POS", True): "chance for the largest",
}
PUBLISHED = [
    ("SUP1", ".8066 ± .033", ".9983 ± .001", ".999 ± .001"),
    ("POS1", ".5455 ± .013", ".9306 ± .002", ".8546 ± .086"),
    ("POS", ".5493 ± .008", ".9400 ± .002", ".9333 ± .002"),
    ("SET+POS", ".5510 ± .010", ".7751 ± .010", ".8788 ± .021"),
    ("POS, hard", ".5325", ".8653", ".8693"),
    ("SET+POS, hard", ".4623", ".4780", ".6513"),
    ("SET+POS, seen", ".6080", ".7813", ".8489"),
    ("SET+POS, unseen", ".4036", ".2350", ".1530"),
]
RUNS, BLUR = 3, 0.04  # of made models: their runs, and the standard deviation of how they see a relative size
BINS = 20

INTRODUCTION = """
A person sees a picture of coloured shapes and one sentence, such as *The red circle is a big circle*, and says whether
it is true. The procedure is that of Pezzelle and Fernández (2019), "Is the *Red Square* Big? MALeViC: Modeling
Adjectives Leveraging Visual Contexts". All pictures and sentences are made here. The people are simulated: each calls
big what is above a threshold of their own.
"""


def run(site: Site, page: Page) -> None:
    page.text(INTRODUCTION)
    _people(site, page)
    _threshold(site, page)
    rules(site, page)
    models(site, page)
    page.heading("The published figures")
    page.table(
        pd.DataFrame(PUBLISHED, columns=["", "CNN+LSTM", "SA", "FiLM"]),
        "Accuracy on the test set as Pezzelle and Fernández (2019) print it, mean and sd of three runs; chance is .5."
        " The models' outputs are not public, so that nothing here recomputes them.",
    )
    released = None if site.data is None else site.data / "malevic"
    if released is None or not (released / "set-pos-hard-scenes.csv").exists():
        page.left_out(
            "The simple rules on the released hard test set of SET+POS: they need `malevic/set-pos-hard-test.csv` and"
            " `malevic/set-pos-hard-scenes.csv` in the data folder."
        )
    else:
        _released(site, page, released)


def _people(site: Site, page: Page) -> None:
    lines: list[str] = []
    made = site.open_study(lines, "sizes", "--preset", "size-set-pos")
    crowd = site.command(lines, "simulate", "sizes", "--workers", 27, "--careless", 0.1, "--seed", site.seed)
    report = site.command(lines, "analyse", "sizes")
    page.heading("From the template to tables")
    page.commands(*lines)
    page.text(
        f"The template draws {made['targets']} scenes of SET+POS, one of each class, and"
        f" {made['items'] - made['targets']} checks with one shape far larger or smaller than all others."
        f" {crowd['workers']} people gave"
        f" {crowd['answers']:,} verdicts; {len(crowd['careless'])} of them were careless, and the checks excluded"
        f" {report['counts']['workers'] - report['counts']['workers_kept']}."
    )
    page.photograph(
        site.form_on_phone("size-set-pos"),
        "A picture of shapes, a sentence, and two answers.",
        "The form on a phone.",
    )
    page.table(_against_the_rule(report), "Verdicts against the rule that made the sentences true or false.")


def _against_the_rule(report: dict[str, Any]) -> pd.DataFrame:
    scores = report["against_reference"]["scores"]
    rows = [
        (row["name"], row["estimate"], _interval(row))
        for row in scores
        if row["metric"] == "accuracy" and not row["breakdown"] and "estimate" in row
    ]
    return pd.DataFrame(rows, columns=["", "accuracy", "95 % interval"])


def _interval(row: dict[str, object]) -> str:
    return "" if row.get("low") is None else f"{row['low']:.3f} to {row['high']:.3f}"


def _threshold(site: Site, page: Page) -> None:
    """K of people on a hard set, where every verdict says something about it."""
    lines: list[str] = []
    made = ("--task", "SET+POS", "--hard", "--n", 80, "--seed", site.seed, "--size", 740, "--gap", 12, "--checks", 8)
    site.command(lines, "make_scenes", *made, "--out", "hard")
    items = ("--items", "hard/items.csv", "--images", "hard")
    site.open_study(lines, "sizes-hard", "--preset", "size-set-pos", *items)
    site.command(lines, "simulate", "sizes-hard", "--workers", 27, "--careless", 0, "--seed", site.seed)
    report = site.command(lines, "analyse", "sizes-hard")
    lines.append("python manage.py export sizes-hard judgments --out judgments.csv")
    site.manage("export", "sizes-hard", "judgments", "--out", "judgments.csv")
    found = report["size_threshold"]
    page.heading("People's own threshold")
    page.commands(*lines)
    page.table(
        pd.DataFrame(
            [
                ("k, mean", found["k"]["estimate"], _interval(found["k"]), str(found["literature"]["k"])),
                (
                    "k, standard deviation",
                    found["sd"]["estimate"],
                    _interval(found["sd"]),
                    str(found["literature"]["sd"]),
                ),
            ],
            columns=["", "fitted here", "95 % interval", "literature"],
        ),
        f"Fitted to {found['informative']:,} verdicts of {report['counts']['workers_kept']} people. The simulated"
        " people's thresholds were drawn from the literature's distribution, so that the interval should hold it.",
    )
    fitted = {name: float(found[name]["estimate"]) for name in ("k", "sd", "lapse") if "estimate" in found[name]}
    if len(fitted) == 3:
        page.figure(sizes_figures.draw_threshold(_shares(site.folder), **fitted))


def _shares(folder: Path) -> pd.DataFrame:
    """How often shapes of each relative size were called big."""
    items = {row["item_id"]: row for row in _read(folder / "hard" / "items.csv") if row["kind"] == "target"}
    seen: dict[int, list[bool]] = {}
    for row in _read(folder / "judgments.csv"):
        if row["kept"] == "1" and row["item_id"] in items:
            item = items[row["item_id"]]
            area, most, least = (float(item[name]) for name in ("area", "set_max", "set_min"))
            at = min(int(BINS * (most - area) / (most - least)), BINS - 1)
            seen.setdefault(at, []).append((row["value"] == "true") == (item["says"] == "big"))
    return pd.DataFrame(
        [((at + 0.5) / BINS, float(np.mean(said)), len(said)) for at, said in sorted(seen.items())],
        columns=["d", "big", "n"],
    )


def rules(site: Site, page: Page) -> None:
    """What simple rules get right in sets of 2,000 scenes."""
    lines: list[str] = []
    rows = []
    for task, hard in SETS:
        name = f"{task.lower().replace('+', '-')}{'-hard' if hard else ''}"
        options = ["--task", task, "--n", N, "--seed", site.seed, "--without-pictures", *(["--hard"] if hard else [])]
        found = site.command(lines, "make_scenes", *options, "--out", f"scenes-{name}")["strategies"]
        rows.append(
            (
                f"{task}, hard" if hard else task,
                *(found.get(rule) for rule in ("sharp", "superlative", "whole_scene")),
                EXPECTED[task, hard],
            )
        )
    page.heading("What simple rules get right")
    page.commands(*lines)
    page.table(
        pd.DataFrame(rows, columns=["", "k = .29", "big if the largest", "k = .29, whole scene", "published"]).astype(
            {"k = .29": float, "big if the largest": float, "k = .29, whole scene": float}
        ),
        f"Accuracy of rules on {N:,} scenes of each set, and what the paper says of the same rules. A constant verdict"
        " is right half of the time.",
    )
    counted: dict[tuple[str, int], int] = {}
    for row in _read(site.folder / "scenes-set-pos" / "items.csv"):
        key = (row["sentence_type"], int(row["radius"]))
        counted[key] = counted.get(key, 0) + 1
    areas = [(sentence, r, count) for (sentence, r), count in sorted(counted.items())]
    page.figure(sizes_figures.draw_areas(pd.DataFrame(areas, columns=["sentence", "r", "sentences"])))


# Made models: each follows one rule and sees sizes with a blur, so that its runs differ.

Rule = Callable[[dict[str, str], float], bool]


def _big_for_its_kind(item: dict[str, str], blur: float) -> bool:
    return _relative(item["area"], item["set_max"], item["set_min"]) + blur < K_MEAN


def _big_for_the_scene(item: dict[str, str], blur: float) -> bool:
    return _relative(item["area"], item["scene_max"], item["scene_min"]) + blur < K_MEAN


def _largest_of_its_kind(item: dict[str, str], blur: float) -> bool:
    return _relative(item["area"], item["set_max"], item["set_min"]) + blur < BLUR


def _relative(area: str, most: str, least: str) -> float:
    return (float(most) - float(area)) / (float(most) - float(least))


RULES: dict[str, Rule] = {
    "threshold of its kind": _big_for_its_kind,
    "threshold of the scene": _big_for_the_scene,
    "largest of its kind": _largest_of_its_kind,
}


def models(site: Site, page: Page) -> None:
    made = site.folder / "scenes-set-pos"
    items = _with_scene_extremes(made)
    probes = [_probe(site, name, rule, items) for name, rule in RULES.items()]
    lines: list[str] = []
    command = ["score_file", *probes, "--reference", "scenes-set-pos/items.csv", "--kind", "verify", "--out", "models"]
    site.command(lines, *command)
    scores = _read(site.folder / "models" / "scores.csv")
    page.heading("Models against the rule")
    page.commands(*lines)
    rows = [
        (name, *(_figure(scores, name, f"accuracy{ending}") for ending in ("", "_sd", "_max")))
        for name in sorted(RULES, key=lambda name: -_figure(scores, name, "accuracy"))
    ]
    page.table(
        pd.DataFrame(rows, columns=["", "accuracy, mean", "sd", "maximum"]),
        f"Three made models on {len(items):,} scenes of SET+POS, {RUNS} runs each. Each follows one rule and sees"
        f" relative sizes with an error of standard deviation {BLUR}: this is how such models are told apart.",
    )
    crossed = [
        (row["name"], *row["group"].split(", "), float(row["estimate"]))
        for row in scores
        if row["metric"] == "accuracy" and row["breakdown"] == "type_by_shape" and row["name"] in RULES
    ]
    page.figure(
        sizes_figures.draw_accuracy_by_sentence(pd.DataFrame(crossed, columns=["who", "sentence", "shape", "accuracy"]))
    )
    near = [
        (
            row["name"],
            float(row["group"].split()[0]),
            float(row["estimate"]),
            _or_none(row["low"]),
            _or_none(row["high"]),
        )
        for row in scores
        if row["metric"] == "accuracy" and row["breakdown"] == "distance_tenth" and row["name"] in RULES
    ]
    columns = ["who", "distance", "right", "low", "high"]
    page.figure(sizes_figures.draw_accuracy_by_distance(pd.DataFrame(sorted(near), columns=columns)))


def _or_none(text: str) -> float | None:
    return float(text) if text else None


def _with_scene_extremes(made: Path) -> list[dict[str, str]]:
    areas: dict[str, list[float]] = {}
    for row in _read(made / "scenes.csv"):
        areas.setdefault(row["scene_id"], []).append(float(row["area_px"]))
    return [
        {**item, "scene_max": str(max(areas[item["item_id"]])), "scene_min": str(min(areas[item["item_id"]]))}
        for item in _read(made / "items.csv")
    ]


def _probe(site: Site, name: str, rule: Rule, items: Iterable[dict[str, str]]) -> str:
    """A made model's verdicts, as a researcher would bring those of a real one."""
    rng = random.Random(f"{site.seed} {name}")  # noqa: S311 - made answers
    rows = [
        (item["item_id"], run_, "true" if rule(item, rng.gauss(0, BLUR)) == (item["says"] == "big") else "false")
        for run_ in range(1, RUNS + 1)
        for item in items
    ]
    path = site.folder / f"{name}.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(("item_id", "run", "label"))
        writer.writerows(rows)
    return path.name


def _figure(scores: Iterable[dict[str, str]], name: str, metric: str) -> float:
    [row] = [row for row in scores if (row["name"], row["metric"], row["breakdown"]) == (name, metric, "")]
    return float(row["estimate"])


def _released(site: Site, page: Page, released: Path) -> None:
    lines: list[str] = []
    scenes, sentences = released / "set-pos-hard-scenes.csv", released / "set-pos-hard-test.csv"
    found = site.command(lines, "label_scenes", scenes, "--task", "SET+POS", "--sentences", sentences)
    page.heading("The released hard test set")
    page.text(
        f"{found['references_that_follow']:,} of {found['sentences']:,} references and"
        f" {found['sizes_that_follow']:,} of {found['shapes']:,} sizes in the released files follow from the rule."
    )
    names = {"sharp": "k = .29", "superlative": "big if the largest", "whole_scene": "k = .29, whole scene"}
    rows = [(title, found["strategies"][name]) for name, title in names.items()]
    page.table(
        pd.DataFrame(rows, columns=["", "accuracy"]), "The simple rules on the released hard test set of SET+POS."
    )


def _read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as stream:
        return list(csv.DictReader(stream))


STUDY = Study(number="003", name="size-adjectives", title="Study 003: big and small", seed=1, run=run)
