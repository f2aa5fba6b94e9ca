"""Study 001: precision and recall: captions against people's, parses against a treebank, and how well captions fit."""

from __future__ import annotations

import csv
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from agreement.scoring.caption_metrics import (
    BLEU_4,
    MEAN_FORMULA,
    MEAN_METEOR,
    MEAN_ROUGE_L,
    caption_figures,
    rows_against_all,
)
from agreement.scoring.metrics import title_of
from agreement.scoring.metrics.of_texts import IN_WORDS, OF_PEOPLE
from agreement.scoring.text_pairs import CIDER_D, METEOR, TextCorpus
from studies.captions.scenes import FOLDER, SCENES
from studies.figures import labels as captions_figure
from studies.runs.site import Site
from studies.runs.study import Page, Study, write_csv

PEOPLE, RATERS = 14, 25
WAYS = 8  # of describing a picture, which the simulated people choose from


def run(site: Site, page: Page) -> None:
    page.text(
        "People describe pictures in one sentence, models do the same, and models' sentences are held against people's:"
        " BLEU, ROUGE-L, METEOR, CIDEr-D and their mean. Parses are held against a treebank by precision and recall"
        " of their"
        " constituents. The people here are simulated: each picks words for what a picture shows, so the figures"
        " show how"
        " the procedure goes and nothing about people."
    )
    captions = _captions(site, page)
    _references(page, captions)
    _relevance(site, page, captions)
    translation(site, page)
    spans(site, page)
    page.left_out("METEOR 1.5, with its synonyms and paraphrases: a program in Java of its own, with other constants.")
    page.left_out(
        "Captions of public data sets: none may be passed on with the project; `--items` and `--probe` take them."
    )


# Captions.


def _captions(site: Site, page: Page) -> dict[str, list[str]]:
    page.heading("Captions from people")
    lines: list[str] = []
    site.open_study(lines, "captions", "--preset", "captions")
    page.commands(*lines)
    page.text(
        f"The preset brings {len(SCENES)} pictures, drawn for the project, and checks, two for each person: a"
        " question that"
        " asks for one word and no description. Its items also say how each picture may be described; simulated people"
        " choose from these sentences."
    )
    page.photograph(
        site.form_on_phone("captions"),
        "A picture and a box for one sentence",
        "The form on a phone.",
        width=260,
    )
    report, scored = _answered_and_scored(site, page, "captions", PEOPLE, list(_models(site)))
    counts, left_out = report["counts"], report["ceiling"]["leave_one_out"]
    page.text(
        f"{counts['workers_kept']} of {counts['workers']} people pass the checks and are kept; gold is"
        f" {counts['judgments_kept']} captions of {counts['items']} pictures. Three models are held against them:"
        " *describer*"
        " draws its sentences as people do and differs from them by chance alone, *brief* says the first three words,"
        " *mixed-up* describes another picture."
    )
    page.table(
        _beside_people(left_out, scored),
        "People and models on the same number of references, with 95 % intervals where they are computed.",
    )
    page.text(
        "A person's text can only be held against the other texts of its picture,"
        f" {left_out['others_behind_a_gold']:.1f} here on average. So these figures hold the models against one text"
        " fewer than there"
        " are as well, each left out in turn. Against all of them, as figures are published, models have:"
    )
    page.table(_against_all(scored), "Models against all references, with 95 % intervals.")
    page.text(f"The mean of four is {MEAN_FORMULA}.")
    site.manage("export", "captions", "gold", "--out", site.folder / "captions-gold.csv")
    return _texts_of(site.folder / "captions-gold.csv")


def _answered_and_scored(
    site: Site, page: Page, slug: str, people: int, models: Sequence[str]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The report of a study's simulated people, and the scores of each model."""
    lines: list[str] = []
    site.command(lines, "simulate", slug, "--workers", people, "--careless", 0.1, "--seed", site.seed)
    report = site.command(lines, "analyse", slug)
    scored = {name: site.command(lines, "score", slug, f"{name}.csv", "--name", name) for name in models}
    page.commands(*lines)
    return report, scored


def _texts_of(gold: Path) -> dict[str, list[str]]:
    said: dict[str, list[str]] = {}
    with gold.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            said.setdefault(row["item_id"], []).append(row["text"])
    return said


def _models(site: Site) -> Iterator[str]:
    """Writes each model's outputs, and gives its name."""
    rng = random.Random(site.seed)  # noqa: S311 - a simulated model
    texts = {
        "describer": [rng.choice(scene.sentences(WAYS)) for scene in SCENES],
        "brief": [" ".join(scene.caption.split()[:3]) + "." for scene in SCENES],
        "mixed-up": [SCENES[at - 1].caption for at in range(len(SCENES))],
    }
    for name, given in texts.items():
        write_csv(
            site.folder / f"{name}.csv", ("item_id", "text"), zip((scene.name for scene in SCENES), given, strict=True)
        )
        yield name


Scored = Mapping[str, Mapping[str, Any]]


def _overall(scored: Scored) -> dict[tuple[str, str], Mapping[str, object]]:
    return {
        (name, score["metric"]): score
        for name, found in scored.items()
        for score in found["scores"]
        if not score["breakdown"]
    }


def _beside_people(left_out: Mapping[str, Any], scored: Scored) -> pd.DataFrame:
    people = {left_out["metric"]: left_out["pooled"], **left_out["other_metrics"]}
    models = _overall(scored)
    rows = []
    for metric in OF_PEOPLE:
        figures = [people[metric.person], *(models[name, metric.name] for name in scored)]
        rows.append([metric.title.removesuffix(IN_WORDS), *map(_said, figures)])
    rows.append(["share of a typical person", "", *(_said(found["matched_share"]) for found in scored.values())])
    return pd.DataFrame(rows, columns=["", "people", *scored])


def _against_all(scored: Scored) -> pd.DataFrame:
    hidden, models = {metric.name for metric in OF_PEOPLE}, _overall(scored)
    metrics = [metric for metric in dict.fromkeys(metric for _, metric in models) if metric not in hidden]
    rows = [[title_of(metric), *(_said(models[name, metric]) for name in scored)] for metric in metrics]
    return pd.DataFrame(rows, columns=["", *scored])


def _said(figure: Mapping[str, object] | None) -> str:
    if figure is None or "estimate" not in figure:
        return "undefined"
    interval = "" if figure["low"] is None else f" ({figure['low']:.3f} to {figure['high']:.3f})"
    return f"{figure['estimate']:.3f}{interval}"


# More references, higher scores.


def _references(page: Page, said: Mapping[str, Sequence[str]]) -> None:
    page.heading("More references, higher scores")
    rows = []
    pairs = [(text, [*texts[:at], *texts[at + 1 :]]) for texts in said.values() for at, text in enumerate(texts)]
    for k in range(1, min(map(len, said.values()))):
        texts, others = [text for text, _ in pairs], [others[:k] for _, others in pairs]
        totals = rows_against_all(TextCorpus.of(texts, others), texts, others).sum(axis=0)
        figures = caption_figures(totals[None], len(SCENES))[0]
        for name, column in (("BLEU-4", BLEU_4), ("METEOR", MEAN_METEOR), ("ROUGE-L (COCO)", MEAN_ROUGE_L)):
            rows.append((name, k, float(figures[column])))
    table = pd.DataFrame(rows, columns=["metric", "references", "score"])
    page.figure(captions_figure.draw(table, len(pairs)))


# How well captions fit.


def _relevance(site: Site, page: Page, said: Mapping[str, Sequence[str]]) -> None:
    page.heading("How well captions fit")
    lines: list[str] = []
    site.open_study(lines, "relevance", "--preset", "caption-relevance")
    page.commands(*lines)
    page.photograph(
        site.form_on_phone("caption-relevance"),
        "A picture, a sentence and a slider",
        "The form on a phone.",
        width=260,
    )
    items = _items_of("caption-relevance")
    names = _metrics_as_models(site.folder, items, said)
    report, scored = _answered_and_scored(site, page, "relevance", RATERS, names)
    models, counts = _overall(scored), report["counts"]
    rows = [[name, _said(models[name, "spearman"]), _said(found["matched_share"])] for name, found in scored.items()]
    rows.append(["a typical person", _said(report["ceiling"]["leave_one_out"]["mean"]), ""])
    page.text(
        f"{counts['workers_kept']} of {counts['workers']} people pass the checks, who rate {counts['items']}"
        " captions from"
        " 1 to 5: half of"
        " them fit, half have one thing wrong. Each metric, of a caption against people's captions of its picture, is a"
        " model of these ratings."
    )
    page.table(
        pd.DataFrame(rows, columns=["", "Spearman with the mean rating", "share of a typical person"]),
        "Metrics of one caption against its rated relevance.",
    )


def _items_of(name: str) -> list[dict[str, str]]:
    with (FOLDER.parent / f"{name}.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def _metrics_as_models(
    folder: Path, items: Sequence[Mapping[str, str]], said: Mapping[str, Sequence[str]]
) -> list[str]:
    targets = [item for item in items if item["kind"] == "target"]
    texts = [item["caption"] for item in targets]
    references = [said[Path(item["image"]).stem] for item in targets]
    rows = rows_against_all(TextCorpus.of(texts, references), texts, references)
    columns = {"METEOR": METEOR, "CIDEr-D": CIDER_D}
    for name, column in columns.items():
        scores = ((item["item_id"], f"{score:.6f}") for item, score in zip(targets, rows[:, column], strict=True))
        write_csv(folder / f"{name}.csv", ("item_id", "score"), scores)
    return list(columns)


# Translations and parses.


def translation(_site: Site, page: Page) -> None:
    page.heading("Precision of a translation, clipped and not")
    from agreement.scoring.text_pairs import CLIPPED_PRECISION, PRECISION

    texts = ["the the the the", "the cat is on the mat"]
    references = [["the cat"], ["there is a cat on the mat", "the cat sits on the mat"]]
    rows = rows_against_all(TextCorpus.of(texts, references), texts, references)
    table = [
        [text, " / ".join(others), float(row[PRECISION]), float(row[CLIPPED_PRECISION])]
        for text, others, row in zip(texts, references, rows, strict=True)
    ]
    page.table(
        pd.DataFrame(table, columns=["text", "references", "unclipped", "clipped"]),
        "Words that occur in any reference, over all words: `translation_precision`; clipped, each counts as often"
        " as in one reference at most.",
    )


GOLD = {
    "s1": "(S (NP (DT the) (NN dog)) (VP (VBZ sees) (NP (NP (DT a) (NN cat)) (PP (IN on) (NP (DT the) (NN mat))))))",
    "s2": "(S (NP (PRP she)) (VP (VBZ eats) (NP (NN soup)) (PP (IN with) (NP (DT a) (NN spoon)))))",
    "s3": "(S (NP (NP (JJ old) (NNS houses)) (PP (IN by) (NP (DT the) (NN sea)))) (VP (VBP stand)))",
    "s4": "(S (NP (NNS birds)) (VP (VBP sing)))",
}
PARSER = {
    "s1": "(S (NP (DT the) (NN dog)) (VP (VBZ sees) (NP (DT a) (NN cat)) (PP (IN on) (NP (DT the) (NN mat)))))",
    "s2": "(S (NP (PRP she)) (VP (VBZ eats) (NP (NP (NN soup)) (PP (IN with) (NP (DT a) (NN spoon))))))",
    "s3": "(S (NP (NP (JJ old) (NNS houses)) (PP (IN by) (NP (DT the) (NN sea)))) (VP (VBP stand)))",
    "s4": "(S (NP (NNS birds)) (VP (VBP sing)))",
}
RIGHT_BRANCHING = {
    "s1": "(S (DT the) (X (NN dog) (X (VBZ sees) (X (DT a) (X (NN cat) (X (IN on) (X (DT the) (NN mat))))))))",
    "s2": "(S (PRP she) (X (VBZ eats) (X (NN soup) (X (IN with) (X (DT a) (NN spoon))))))",
    "s3": "(S (JJ old) (X (NNS houses) (X (IN by) (X (DT the) (X (NN sea) (VBP stand))))))",
    "s4": "(S (NNS birds) (VBP sing))",
}


def spans(site: Site, page: Page) -> None:
    page.heading("Parses: precision and recall of constituents")
    for name, trees in (("treebank", GOLD), ("parser", PARSER), ("right-branching", RIGHT_BRANCHING)):
        write_csv(site.folder / f"{name}.csv", ("item_id", "brackets"), trees.items())
    lines: list[str] = []
    found = site.command(lines, "score_spans", "treebank.csv", "parser.csv", "right-branching.csv")
    page.commands(*lines)
    by_probe = {(score["probe"], score["metric"]): score for score in found["scores"]}
    metrics = dict.fromkeys(score["metric"] for score in found["scores"])
    rows = [
        [title_of(metric), *(_said(by_probe[name, metric]) for name in ("parser", "right-branching"))]
        for metric in metrics
    ]
    page.text(
        f"Gold has {found['spans']} constituents of {found['items']} sentences. Recall is the correct ones over"
        " these, precision the correct ones over the"
        " system's own. Files with a row for each span (`item_id,span`) are read in the same way."
    )
    page.table(
        pd.DataFrame(rows, columns=["", "parser", "right-branching"]),
        "Two systems against a treebank of four sentences, with 95 % intervals.",
    )


STUDY = Study(
    number="001",
    name="precision-and-recall",
    title="Study 001: precision and recall of captions and parses",
    seed=1,
    run=run,
)
