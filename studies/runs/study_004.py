"""Study 004: the one colour of a thing, and what people know of it: Memory Colors and Visual Property Norms."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from agreement.figures.of_models import draw_scores_by_template
from agreement.report.people_and_models import stored_scores
from agreement.report.score_tables import scores_by_template
from studies.runs import property_norms
from studies.runs.site import Site
from studies.runs.study import Page, Study

COLOURS = ("black", "blue", "brown", "green", "grey", "orange", "pink", "purple", "red", "white", "yellow")
# What the documents print: mean and sd over thirteen templates, and entries by least number of people and relation.
PUBLISHED_COLOURS = [
    ("CLIP-BERT-explicit", 0.882, 0.066),
    ("BERT-LXMERT-train", 0.762, 0.028),
    ("CLIP-BERT-implicit", 0.741, 0.068),
    ("BERT-CLIP-BERT-train", 0.724, 0.112),
    ("BERT-LXMERT-train-scratch", 0.690, 0.039),
    ("LXMERT", 0.495, 0.094),
    ("VisualBERT", 0.275, 0.075),
    ("BERT", 0.252, 0.102),
]
INTRODUCTION = """
Two studies ask what language models know of how things look. In *Memory Colors* (Norlund, Hagström and Johansson 2021)
people say the one colour that comes to mind with a thing, and a model fills a gap in thirteen queries. In *Visual
Property Norms* (Hagström and Johansson 2022) people have described things by features, and a model's words for "a fern
is …" are ranked against what so many people said.

The norms themselves are given out on request alone. Norms, coding and models on this page are made up to show the
procedures; the documents' own figures stand beside them as theirs. `touchstone studies 004` makes this page; its seed
decides who is asked what, and what people and models say.
"""


def run(site: Site, page: Page) -> None:
    page.text(INTRODUCTION)
    _colours(site, page)
    property_norms.relations(site, page)
    property_norms.own_words(site, page)
    property_norms.from_elsewhere(site, page)


def _overall(found: dict[str, Any], metric: str) -> float:
    found_by = (one["estimate"] for one in found["scores"] if one["metric"] == metric and not one["breakdown"])
    return float(next(found_by))


# Memory Colors.


def _colours(site: Site, page: Page) -> None:
    lines: list[str] = []
    made = site.open_study(lines, "colours", "--preset", "memory-colours")
    site.command(lines, "simulate", "colours", "--workers", 11, "--careless", 0, "--seed", site.seed)
    report = site.command(lines, "analyse", "colours", "--seed", site.seed)
    asked = site.command(lines, "write_prompts", "colours", "--templates", "memory-colours", "--out", "q.csv")
    page.heading("The one colour of a thing")
    page.commands(*lines)
    page.text(
        f"The preset brings {made['targets']} things with their colours and {made['items'] - made['targets']} checks,"
        f" such as the colour of fresh snow. Eleven simulated people agree by a Fleiss' kappa of"
        f" {_estimate(report['agreement']['cleaned']['fleiss_kappa'])}, and one of them is right against the others on"
        f" {_estimate(report['ceiling']['leave_one_out']['mean'])} of the things. `write_prompts` fills the thirteen"
        f" published queries with each thing: {asked['prompts']} prompts. A thing without an article loses the blank"
        " too."
    )
    words = "A question for the colour of a thing, and eleven colours with swatches to choose from."
    page.photograph(
        site.form_on_phone("memory-colours"),
        words,
        "The form on a phone.",
    )
    shares = (0.9, 0.88, 0.9, 0.84, 0.8, 0.62, 0.7, 0.66, 0.68, 0.6, 0.58, 0.62, 0.52)
    for name, level in (("sees", 1.0), ("reads", 0.35)):
        _write_colours(site, name, [level * share for share in shares])
    found = {name: site.command(lines, "score", "colours", f"{name}.csv", "--name", name) for name in ("sees", "reads")}
    scores = stored_scores([{**score, "probe": name} for name, one in found.items() for score in one["scores"]])
    page.commands(*lines[-2:])
    page.table(
        pd.DataFrame(
            [(name, _overall(one, "accuracy"), _overall(one, "accuracy_sd")) for name, one in found.items()],
            columns=["made model", "accuracy", "sd over 13 templates"],
        ),
        "Accuracy over the eleven colours alone: what else a model says is left aside.",
    )
    page.figure(draw_scores_by_template(scores_by_template(scores, "accuracy"), "accuracy", 1 / len(COLOURS)))
    page.table(
        pd.DataFrame(PUBLISHED_COLOURS, columns=["model", "accuracy", "sd"]),
        "Published: mean and sd (n - 1) over the thirteen templates, 109 things.",
    )
    if site.data is None or not (site.data / "memory-colors" / "items.csv").exists():
        page.left_out(
            "Memory Colors' own 109 things, and the accuracy of eight models with each template: they need"
            " `items.csv` and `published-accuracy.csv` of the folder memory-colors."
        )
    else:
        _published_colours(site, page, site.data / "memory-colors")


def _published_colours(site: Site, page: Page, folder: Path) -> None:
    lines: list[str] = []
    made = site.command(
        lines, "create_study", "memory-colors", "--preset", "memory-colours", "--items", folder / "items.csv"
    )
    found = site.command(lines, "score_file", "--reference", folder / "items.csv", "--kind", "choice")
    constants = [
        row for row in found["against_reference"]["scores"]
        if row["name"] == "always white" and row["metric"] == "accuracy" and not row["breakdown"]
    ]  # fmt: skip
    page.text(
        f"With the data: their list of {made['targets']} things comes in as it is, and always saying *white* is right"
        f" on {constants[0]['estimate']:.3f} of them (published: .229)."
    )
    table = pd.read_csv(folder / "published-accuracy.csv")
    of_model = table.groupby("model")["accuracy"].agg(["mean", "std", "size"]).sort_values("mean", ascending=False)
    page.table(
        of_model.reset_index().set_axis(["model", "accuracy", "sd", "templates"], axis=1),
        "Computed from the published accuracy of each template.",
    )
    rows = table.rename(columns={"model": "probe", "question_template": "template", "accuracy": "score"})
    page.figure(draw_scores_by_template(rows, "published accuracy", 1 / len(COLOURS), name="published-by-template"))


def _write_colours(site: Site, name: str, shares: Sequence[float]) -> None:
    """A model that is right on so many things with each template, and says other words too."""
    from annotation.models import Study

    rng = np.random.default_rng(site.seed)
    items = list(
        Study.objects.get(slug="colours").items.targets().order_by("position").values_list("item_id", "reference")
    )
    with (site.folder / f"{name}.csv").open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(("item_id", "template", "candidate", "score"))
        for template, share in enumerate(shares, start=1):
            for item_id, colour in items:
                said = colour if rng.random() < share else str(rng.choice(COLOURS))
                for word, score in ((said, 3.0), ("wooden", 4.0), (str(rng.choice(COLOURS)), 1.0)):
                    if score != 1.0 or word != said:
                        writer.writerow((item_id, template, word, score))


def _estimate(figure: dict[str, object]) -> str:
    return f"{figure['estimate']:.3f}".replace("0.", ".", 1)


STUDY = Study(
    number="004", name="colours-and-properties", title="Study 004: colours and properties of things", seed=2022, run=run
)
