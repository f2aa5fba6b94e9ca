"""Study 001: precision and recall: captions against people's, parses against a treebank, and how well captions fit."""

from __future__ import annotations

import csv
import json
import math
import random
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from agreement.figures import scores_by_references
from agreement.scoring.caption_metrics import (
    BLEU_4,
    MEAN_METEOR,
    MEAN_ROUGE_L,
    caption_figures,
    rows_against_all,
)
from agreement.scoring.metrics import title_of
from agreement.scoring.metrics.of_texts import IN_WORDS, OF_PEOPLE
from agreement.scoring.text_pairs import CIDER_D, METEOR, ROUGE_L, TextCorpus
from agreement.scoring.words import words_of
from tools.caption_pictures import FOLDER, SCENES
from tools.studies.site import Site
from tools.studies.study import Page, Study

PEOPLE, CAPTIONS_PER_PICTURE, SEED = 12, 5, 1
CHECKS = {"check-lantern": "lantern", "check-pepper": "pepper", "check-violin": "violin", "check-button": "button"}
FITS, NOT_QUITE, SPREAD = 4.6, 2.9, 0.55  # ratings from 1 to 5 of captions that fit and that have one thing wrong


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
    _translation(page)
    _spans(site, page)
    page.left_out("METEOR 1.5, with its synonyms and paraphrases: a program in Java of its own, with other constants.")
    page.left_out(
        "Captions of public data sets: none may be passed on with the project; `--items` and `--probe` take them."
    )


# Captions.


def _captions(site: Site, page: Page) -> dict[str, list[str]]:
    page.heading("Captions from people")
    page.commands("manage.py create_study captions --preset captions", "manage.py open_study captions")
    site.manage("create_study", "captions", "--preset", "captions")
    site.manage("open_study", "captions")
    page.text(
        f"The preset brings {len(SCENES)} pictures, drawn for the project, and {len(CHECKS)} checks, two for each"
        " person: a question"
        " that asks for one word and no description."
    )
    page.picture(
        site.screenshot("captions", "captions-phone.png"),
        "A picture and a box for one sentence",
        "The form on a phone.",
        width=260,
    )
    shutil.copyfile(FOLDER.parent / "captions.csv", site.folder / "captions.csv")
    said = _written(site.folder / "caption-judgments.csv")
    names = list(_models(site.folder, said))
    page.text(
        f"{PEOPLE} people describe {CAPTIONS_PER_PICTURE * len(SCENES) // PEOPLE} pictures each, so that every picture"
        f" has {CAPTIONS_PER_PICTURE} captions; one more writes *nice picture* everywhere. Three models are held"
        " against"
        " them: *describer* draws its words as people do and differs from them by chance alone, *brief* says the first"
        " three words, *mixed-up* describes another picture. *language-model* gives log probabilities of the words of"
        " people's captions."
    )
    command = ["analyse_file", "caption-judgments.csv", "--items", "captions.csv", "--kind", "text", "--log-base", "2"]
    command += ["--probe", *(f"{name}.csv" for name in names), "--out", "captions-out", "--no-report"]
    page.commands(f"manage.py {' '.join(command)}")
    site.manage(*command)
    report = json.loads((site.folder / "captions-out" / "report.json").read_text(encoding="utf-8"))
    counts = report["counts"]
    page.text(
        f"{counts['workers_kept']} of {counts['workers']} workers are kept: who did not read the questions failed"
        " both checks."
    )
    page.table(
        _beside_people(report, names),
        "People and models on the same number of references, with 95 % intervals where they are computed.",
    )
    page.text(
        "A person's text can only be held against the other texts of its picture, four here. So these figures hold"
        " the models against four as"
        " well, each of the five left out in turn. Against all five, as they are published, models have:"
    )
    page.table(_against_all(report, names), "Models against all references.")
    page.text(
        "The mean of four is (BLEU-4 + METEOR + ROUGE-L + CIDEr-D / 10) / 4. Perplexity of the language model, in"
        " its token form"
        f" PP = 2^(-1/T sum log2 q): {_perplexity(report):.2f}. exp(-sum log P / sum N) of the same words is the"
        " same figure."
    )
    return said


def _written(file: Path) -> dict[str, list[str]]:
    """judgments.csv, and by picture the captions of those who describe it."""
    rng = random.Random(SEED)  # noqa: S311 - a simulated crowd
    said: dict[str, list[str]] = {scene.name: [] for scene in SCENES}
    rows: list[tuple[str, str, str]] = []
    for at, scene in enumerate(SCENES):
        for place in range(CAPTIONS_PER_PICTURE):
            said[scene.name].append(scene.described(rng))
            rows.append((f"w{(CAPTIONS_PER_PICTURE * at + place) % PEOPLE:02}", scene.name, said[scene.name][-1]))
    checks = list(CHECKS.items())
    for who in range(PEOPLE):
        rows += [(f"w{who:02}", *checks[(who + turn) % len(checks)]) for turn in range(2)]
    careless = [scene.name for scene in SCENES[:8]] + list(CHECKS)[:2]
    rows += [("careless", item, "nice picture") for item in careless]
    _write(file, ("worker_id", "item_id", "value"), rows)
    return said


def _models(folder: Path, said: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Writes each model's outputs, and gives its name."""
    rng = random.Random(SEED + 2)  # noqa: S311
    texts = {
        "describer": [scene.described(rng) for scene in SCENES],
        "brief": [" ".join(scene.caption.split()[:3]) + "." for scene in SCENES],
        "mixed-up": [SCENES[at - 1].caption for at in range(len(SCENES))],
    }
    for name, given in texts.items():
        _write(folder / f"{name}.csv", ("item_id", "text"), zip((scene.name for scene in SCENES), given, strict=True))
        yield name
    _write(folder / "language-model.csv", ("sentence_id", "token", "logprob"), _logprobs(said))
    yield "language-model"


def _logprobs(said: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, str, str]]:
    """Words by how often they are in the first captions of the pictures (and one more), of the last captions."""
    learnt = Counter(word for texts in said.values() for text in texts[:-1] for word in words_of(text))
    total = learnt.total() + len(learnt) + 1
    for name, texts in said.items():
        for word in words_of(texts[-1]):
            yield name, word, f"{math.log2((learnt[word] + 1) / total):.6f}"


def _beside_people(report: Mapping[str, Any], names: Sequence[str]) -> pd.DataFrame:
    left_out = report["ceiling"]["leave_one_out"]
    people = {left_out["metric"]: left_out["pooled"], **left_out["other_metrics"]}
    by_probe = {(score["probe"], score["metric"]): score for score in report["scores"] if not score["breakdown"]}
    rows = []
    for metric in OF_PEOPLE:
        figures = [people[metric.person], *(by_probe.get((name, metric.name)) for name in names[:-1])]
        rows.append([metric.title.removesuffix(IN_WORDS), *map(_said, figures)])
    shares = {probe["probe"]: probe["matched_share"] for probe in report["probes"]}
    rows.append(["share of a typical person", "", *(_said(shares[name]) for name in names[:-1])])
    return pd.DataFrame(rows, columns=["", "people", *names[:-1]])


def _against_all(report: Mapping[str, Any], names: Sequence[str]) -> pd.DataFrame:
    hidden = {metric.name for metric in OF_PEOPLE}
    of_texts = [score for score in report["scores"] if not score["breakdown"] and score["probe"] in names[:-1]]
    metrics = [metric for metric in dict.fromkeys(score["metric"] for score in of_texts) if metric not in hidden]
    by_probe = {(score["probe"], score["metric"]): score for score in of_texts}
    rows = [[title_of(metric), *(_said(by_probe.get((name, metric))) for name in names[:-1])] for metric in metrics]
    return pd.DataFrame(rows, columns=["", *names[:-1]])


def _said(figure: Mapping[str, Any] | None) -> str:
    if figure is None or "estimate" not in figure:
        return "undefined"
    interval = "" if figure["low"] is None else f" ({figure['low']:.3f} to {figure['high']:.3f})"
    return f"{figure['estimate']:.3f}{interval}"


def _perplexity(report: Mapping[str, Any]) -> float:
    found = (score for score in report["scores"] if score["metric"] == "perplexity_corpus")
    return float(next(found)["estimate"])


# More references, higher scores.


def _references(page: Page, said: Mapping[str, Sequence[str]]) -> None:
    page.heading("More references, higher scores")
    rows = []
    pairs = [(text, [*texts[:at], *texts[at + 1 :]]) for texts in said.values() for at, text in enumerate(texts)]
    for k in range(1, CAPTIONS_PER_PICTURE):
        texts, others = [text for text, _ in pairs], [others[:k] for _, others in pairs]
        totals = rows_against_all(TextCorpus.of(texts, others), texts, others).sum(axis=0)
        figures = caption_figures(totals[None], len(SCENES))[0]
        for name, column in (("BLEU-4", BLEU_4), ("METEOR", MEAN_METEOR), ("ROUGE-L (COCO)", MEAN_ROUGE_L)):
            rows.append((name, k, float(figures[column])))
    table = pd.DataFrame(rows, columns=["metric", "references", "score"])
    page.figure(scores_by_references.draw(table, len(pairs)))


# How well captions fit.


def _relevance(site: Site, page: Page, said: Mapping[str, Sequence[str]]) -> None:
    page.heading("How well captions fit")
    page.commands("manage.py create_study relevance --preset caption-relevance", "manage.py open_study relevance")
    site.manage("create_study", "relevance", "--preset", "caption-relevance")
    site.manage("open_study", "relevance")
    page.picture(
        site.screenshot("relevance", "relevance-phone.png"),
        "A picture, a sentence and a slider",
        "The form on a phone.",
        width=260,
    )
    shutil.copyfile(FOLDER.parent / "caption-relevance.csv", site.folder / "caption-relevance.csv")
    with (site.folder / "caption-relevance.csv").open(encoding="utf-8", newline="") as stream:
        items = list(csv.DictReader(stream))
    _write(site.folder / "ratings.csv", ("worker_id", "item_id", "value"), _ratings(items))
    names = _metrics_as_models(site.folder, items, said)
    command = ["analyse_file", "ratings.csv", "--items", "caption-relevance.csv", "--scale", "1:5"]
    command += ["--probe", *(f"{name}.csv" for name in names), "--out", "relevance-out", "--no-report"]
    page.commands(f"manage.py {' '.join(command)}")
    site.manage(*command)
    report = json.loads((site.folder / "relevance-out" / "report.json").read_text(encoding="utf-8"))
    overall = [score for score in report["scores"] if score["metric"] == "spearman" and not score["breakdown"]]
    rows = [[score["probe"], _said(score)] for score in overall]
    rows.append(["a typical person", _said(report["ceiling"]["leave_one_out"]["mean"])])
    page.text(
        f"{PEOPLE} people rate {sum(item['kind'] == 'target' for item in items)} captions from 1 to 5: half of them"
        " fit, half have one thing"
        " wrong. Each metric, of a caption against people's captions of its picture, is a model of these ratings."
    )
    page.table(
        pd.DataFrame(rows, columns=["", "Spearman with the mean rating"]),
        "Metrics of one caption against its rated relevance.",
    )


def _ratings(items: Sequence[Mapping[str, str]]) -> Iterator[tuple[str, str, str]]:
    rng = np.random.default_rng(SEED)
    for who in range(PEOPLE + 1):
        bias, is_careless = rng.normal(0, 0.2), who == PEOPLE
        for at, item in enumerate(items):
            if item["kind"] == "target" and (at + who) % PEOPLE >= CAPTIONS_PER_PICTURE and not is_careless:
                continue
            fits = item["caption_kind"] == "fits" or bool(item["min"])
            middle = 3.0 if is_careless else 1.2 if item["max"] else FITS if fits else NOT_QUITE
            value = middle if is_careless else float(np.clip(middle + bias + rng.normal(0, SPREAD), 1, 5))
            yield "careless" if is_careless else f"w{who:02}", item["item_id"], f"{value:.1f}"


def _metrics_as_models(
    folder: Path, items: Sequence[Mapping[str, str]], said: Mapping[str, Sequence[str]]
) -> list[str]:
    targets = [item for item in items if item["kind"] == "target"]
    texts = [item["caption"] for item in targets]
    references = [said[Path(item["image"]).stem] for item in targets]
    rows = rows_against_all(TextCorpus.of(texts, references), texts, references)
    columns = {"ROUGE-L": ROUGE_L, "METEOR": METEOR, "CIDEr-D": CIDER_D}
    for name, column in columns.items():
        scores = ((item["item_id"], f"{score:.6f}") for item, score in zip(targets, rows[:, column], strict=True))
        _write(folder / f"{name}.csv", ("item_id", "score"), scores)
    return list(columns)


# Translations and parses.


def _translation(page: Page) -> None:
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


def _spans(site: Site, page: Page) -> None:
    page.heading("Parses: precision and recall of constituents")
    for name, trees in (("treebank", GOLD), ("parser", PARSER), ("right-branching", RIGHT_BRANCHING)):
        _write(site.folder / f"{name}.csv", ("item_id", "brackets"), trees.items())
    command = ["score_spans", "treebank.csv", "parser.csv", "right-branching.csv"]
    page.commands(f"manage.py {' '.join(command)}")
    found = json.loads(site.manage(*command, "--json"))
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


def _write(file: Path, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


STUDY = Study(
    number="001", name="precision-and-recall", title="Study 001: precision and recall of captions and parses", run=run
)
