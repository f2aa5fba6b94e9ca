"""Study 000: how similar two spatial relations are to people, and what perplexities in contexts say of it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from agreement.figures.figure import Figure
from agreement.figures.similarity_matrix import draw_p_vectors, draw_similarity_matrices
from agreement.scoring.vectors import TermVectors
from agreement.simulation.world import relations
from studies.runs.site import Site
from studies.runs.study import Page, Study

# The founding study's crowd: 66 people, 9 of whom failed a check.
WORKERS, CARELESS = 66, 9
TRANSFORMS = ("column-share", "raw", "log", "inverse", "column-z")
PUBLISHED = [
    ("P-vectors", 0.19, -0.08),
    ("embeddings of the language model", 0.15, 0.08),
    ("spatial templates", -0.08, -0.35),
]
OWN_TERMS = "term,alias\nin front of,front\nbehind,\nbeside,\nacross from,across\nbetween,\n"
ALIASES = {"near to": "near", "away from": "away"}
# The model that is made here: sentences in each context, their words, and the bits of a word in its own context.
SENTENCES, WORDS, BITS = 12, 6, 5.0


INTRODUCTION = """
People say with a slider how similar two spatial relations are in meaning. A language model is asked the same without a
question: one relation is put in the place of another one in real sentences, and relations that make the same sentences
hard are similar. The vectors are those of Ghanimifard and Dobnik (2019), "What a neural language model tells us about
spatial relations"; each row of such a matrix is a relation, each column the sentences of one.

`touchstone studies 000` makes this page. Its seed decides who is shown which pair and what people say.
"""


def run(site: Site, page: Page) -> None:
    page.text(INTRODUCTION)
    people(site, page)
    own_terms(site, page)
    made_model(site, page)
    _perplexity(site, page)
    page.heading("The published figures")
    page.table(
        pd.DataFrame(PUBLISHED, columns=["", "55 pairs", "28 pairs"]),
        "Spearman with people's similarities as printed by Ghanimifard and Dobnik (2019); P-vectors by column shares.",
    )
    if site.data is None or not (site.data / "spatial" / "p-vectors.csv").exists():
        page.left_out(
            "The published P-vectors of 97 terms against the published similarities: they need `spatial/p-vectors.csv`"
            " and `spatial/human-similarity.csv` in the data folder."
        )
    else:
        _published(site, page, site.data / "spatial")


def people(site: Site, page: Page) -> None:
    lines: list[str] = []
    made = site.open_study(lines, "spatial", "--preset", "spatial-similarity")
    share = f"{CARELESS / WORKERS:.4f}"
    site.command(lines, "simulate", "spatial", "--workers", WORKERS, "--careless", share, "--seed", site.seed)
    report = site.command(lines, "analyse", "spatial", "--seed", site.seed)
    page.heading("From the preset to gold")
    page.commands(*lines)
    checks = made["items"] - made["targets"]
    page.text(
        f"The preset brings {made['targets']} pairs of twelve relations and {checks} check items: each relation with"
        " *green* (above 60 fails) and with itself (below 90 fails). One failure takes out all that a worker said."
        " Simulated people see the pairs as the published matrix has them, each with a bias and a noise of their own."
    )
    words = "Two relations one above the other and a slider from dissimilar to similar."
    page.photograph(
        site.form_on_phone("spatial-similarity"),
        words,
        "The form on a phone.",
    )
    page.table(_counted(report), "The founding study's crowd as it was published, and the simulated one.")
    page.table(_agreement(report), "Agreement of all judgments and of those that are kept, and how well people do.")
    page.heading("How similar people find them")
    for figure in _peoples_figure(report):
        page.figure(figure)


def _counted(report: dict[str, Any]) -> pd.DataFrame:
    counts = report["counts"]
    workers, kept = counts["workers"], counts["workers_kept"]
    return pd.DataFrame(
        [
            ("workers", "66", str(workers)),
            ("excluded by a check", "9", str(workers - kept)),
            ("pairs", "66", str(counts["items"])),
            ("judgments per pair asked for", "10", "10"),
            ("judgments per pair kept", "about 7", f"{counts['judgments_per_item']:.1f}"),
        ],
        columns=["", "published", "here"],
    )


def _agreement(report: dict[str, Any]) -> pd.DataFrame:
    rows = []
    for name, path in {
        "Krippendorff's alpha, interval": ("krippendorff_alpha", "interval"),
        "ICC(1)": ("icc1",),
        "split half, stepped up": ("split_half",),
    }.items():
        found = [_at(report["agreement"][part], path) for part in ("raw", "cleaned")]
        rows.append((name, *found))
    one, bound = report["ceiling"]["leave_one_out"], report["ceiling"]["upper_bound"]
    rows.append(("a person against the others, Spearman", math.nan, _estimate(one.get("mean", one))))
    rows.append(("the most that a model can correlate", math.nan, _estimate(bound)))
    return pd.DataFrame(rows, columns=["", "collected", "kept"])


def _at(tree: dict[str, Any], path: Sequence[str]) -> float:
    for name in path:
        tree = tree[name]
    return _estimate(tree)


def _estimate(figure: dict[str, Any]) -> float:
    return float(figure.get("estimate", math.nan))


def _peoples_figure(report: dict[str, Any]) -> Iterator[Figure]:
    from annotation.releases.exports.release_tables import peoples_matrix
    from annotation.releases.models import GoldRelease

    found = peoples_matrix(GoldRelease.objects.get(sha256=report["release"]["sha256"]))
    if found is not None:
        yield from draw_similarity_matrices([found])


def own_terms(site: Site, page: Page) -> None:
    lines: list[str] = []
    (site.folder / "terms.csv").write_text(OWN_TERMS)
    made = site.create_study(lines, "own", "--preset", "spatial-similarity", "--terms", "terms.csv")
    page.heading("Terms of your own")
    page.commands("cat terms.csv", *OWN_TERMS.splitlines(), "", *lines)
    page.text(
        f"Five terms make {made['targets']} pairs and {made['items'] - made['targets']} check items, and none of the"
        " preset's own. The alias is what a model's file calls the term. The page *New study* takes the"
        " same list in a box, one term on each line."
    )


# A made model: its words are the harder the less a relation fits where another one stood.


def made_model(site: Site, page: Page) -> None:
    lines: list[str] = []
    _write_log_probabilities(site.folder / "lp.csv", site.seed)
    rows = []
    for form, transform in (*(("token", name) for name in TRANSFORMS), ("sentence", "column-share")):
        name = f"made, {transform}" if form == "token" else f"made, {transform}, by sentence"
        options = ["--log-base", "2", "--transform", transform, "--perplexity-form", form]
        found = site.command(lines, "score", "spatial", "lp.csv", "--name", f'"{name}"', *options)
        score = next(one for one in found["scores"] if one["metric"] == "spearman" and not one["breakdown"])
        rows.append((form, transform, _estimate(score), score.get("low"), score.get("high"), score.get("n")))
    page.heading("Perplexities in contexts as vectors")
    page.commands("head -3 lp.csv", *(site.folder / "lp.csv").read_text().splitlines()[:3], "", lines[0], "…")
    terms = [term for term in _relations() if term != "far from"]
    page.text(
        "A *context* is the set of sentences that contain one relation; every other relation is put in its place, and"
        " a model's log probabilities of all of them give a perplexity per relation and context. **This model is made"
        " up**: its words are the harder, the less similar the relation is to the one that stood there, with noise. It"
        " calls *near to* near and *away from* away, and has no *far from*, so that"
        f" {len(terms) * (len(terms) - 1) // 2} pairs are scored. `column-share`, the study's own way, is the preset's"
        " default."
    )
    columns = ["perplexity per", "transform", "Spearman", "low", "high", "pairs"]
    caption = "The made model against people, by cosine; intervals over pairs that share terms."
    page.table(pd.DataFrame(rows, columns=columns), caption)
    described = site.command([], "term_vectors", "lp.csv", "--log-base", "2", "--out", "vectors")
    page.commands("python manage.py term_vectors lp.csv --log-base 2 --out vectors")
    page.text("\n".join(f"- {note}" for note in described["notes"]))
    made = pd.read_csv(site.folder / "vectors" / "p-vectors.csv")
    figure = draw_p_vectors(_vectors(made), order="clustered", transform="column-share", whose="made here")
    if figure is not None:
        page.figure(figure)


def _relations() -> list[str]:
    from annotation.studies import presets

    pairs = [item["fields"] for item in presets.load("spatial-similarity").targets]
    return list(dict.fromkeys(str(term) for pair in pairs for term in (pair["left"], pair["right"])))


def _write_log_probabilities(path: Path, seed: int) -> None:
    rng = np.random.default_rng(seed)
    similar = relations()
    terms = [term for term in _relations() if term != "far from"]
    lines = ["sentence_id,token,logprob,term,context"]
    for context in terms:
        hard = rng.normal(0, 0.8)  # some contexts are harder than others
        for term in terms:
            alike = 1.0 if term == context else similar[frozenset((term, context))]
            bits = BITS + hard + 3.0 * (1 - alike) + rng.normal(0, 0.4)
            for sentence in range(SENTENCES):
                for word in range(WORDS):
                    logprob = -max(rng.normal(bits, 1.0), 0.01)
                    names = ALIASES.get(term, term), ALIASES.get(context, context)
                    lines.append(f"{names[1]}-{sentence},w{word},{logprob:.4f},{names[0]},{names[1]}")
    path.write_text("\n".join(lines) + "\n")


def _vectors(rows: pd.DataFrame) -> TermVectors:
    contexts = [str(name) for name in rows.columns if name != "term"]
    values = rows[contexts].to_numpy(dtype=np.float64)
    return TermVectors(tuple(map(str, rows["term"])), tuple(contexts), values)


def _perplexity(site: Site, page: Page) -> None:
    """Two sentences of which every number can be followed by hand."""
    text = "sentence_id,token,logprob\ns1,the,-1\ns1,cup,-2\ns2,the,-1\ns2,red,-3\ns2,cup,-2\n"
    (site.folder / "sentences.csv").write_text(text)
    lines: list[str] = []
    arguments = ("score", "spatial", "sentences.csv", "--name", "sentences", "--log-base", "2")
    found = site.command(lines, *arguments)
    rows = [(score["metric"].replace("_", " "), _estimate(score)) for score in found["scores"]]
    page.heading("Perplexity and cross entropy")
    page.commands("cat sentences.csv", *text.splitlines(), "", *lines)
    page.table(
        pd.DataFrame(rows, columns=["", "here"]),
        "Nine bits over five tokens and over two sentences: 2^(9/5) and 2^(9/2), and their logarithms to base 2.",
    )


# What the public files give.


def _published(site: Site, page: Page, data: Path) -> None:
    human = pd.read_csv(data / "human-similarity.csv")
    _write_people(site.folder, human)
    lines: list[str] = []
    rows = []
    for transform in TRANSFORMS:
        out = f"published-{transform}"
        options = ["--kind", "slider", "--scale", "0:100", "--items", "published-items.csv", "--no-report", "--seed", 1]
        arguments = ["analyse_file", "published-people.csv", *options, "--probe", data / "p-vectors.csv"]
        report = site.command(lines, *arguments, "--transform", transform, "--out", out)
        score = next(one for one in report["scores"] if one["metric"] == "spearman" and not one["breakdown"])
        rows.append((f"P-vectors, {transform}", score["n"], _estimate(score)))
    page.commands(lines[0].replace(str(data), "DATA/spatial"), "…")
    page.table(
        pd.DataFrame(rows, columns=["", "pairs", "Spearman"]),
        "Here: cosine of the published vectors of 97 terms against the published similarities; far from has no vector.",
    )
    vectors = _vectors(pd.read_csv(data / "p-vectors.csv"))
    for order in ("alphabetical", "clustered"):
        figure = draw_p_vectors(
            vectors, order=order, transform="column-share", whose="97 published ones", name=f"published-{order}"
        )
        if figure is not None:
            page.figure(figure)


def _write_people(folder: Path, human: pd.DataFrame) -> None:
    """One worker who says what people said on average."""
    items = [
        f"{at},{row.left},{row.right},{ALIASES.get(str(row.left), '')},{ALIASES.get(str(row.right), '')}"
        for at, row in enumerate(human.itertuples())
    ]
    judgments = [f"people,{at},{100 * float(mean):.4f}" for at, mean in enumerate(human["relative_mean"])]
    header = "item_id,left,right,left_alias,right_alias"
    (folder / "published-items.csv").write_text("\n".join([header, *items]) + "\n")
    (folder / "published-people.csv").write_text("\n".join(["worker_id,item_id,value", *judgments]) + "\n")
    if len(human) != len(list(combinations(set(human["left"]) | set(human["right"]), 2))):
        raise ValueError("human-similarity.csv has not all pairs of its terms")


STUDY = Study(
    number="000",
    name="spatial-similarity",
    title="Study 000: how similar spatial relations are",
    seed=2019,
    run=run,
)
