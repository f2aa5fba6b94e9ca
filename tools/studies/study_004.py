"""Study 004: the one colour of a thing, and what people know of it: Memory Colors and Visual Property Norms."""

from __future__ import annotations

import csv
import json
import secrets
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from playwright.sync_api import sync_playwright

from agreement.analysis.score_tables import people_by_frequency, precision_by_frequency, scores_by_template
from agreement.figures import average_precision_by_frequency
from agreement.figures import scores_by_template as templates_figure
from tests.services import chromium
from tools.studies.site import DESKTOP, Site
from tools.studies.study import Page, Study

SEED = 2022
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
PUBLISHED_ENTRIES = [
    (2, 6541, 1675, 1190, 1176, 2500),
    (5, 3641, 1016, 642, 760, 1223),
    (10, 2001, 583, 347, 509, 562),
    (20, 613, 169, 88, 209, 147),
    (30, 27, 5, 2, 10, 10),
]
TEMPLATES, NOISE = 9, 1.1
FREQUENCIES = (27, 15, 8, 4)  # of the first, second … feature of each made line of norms
CODING = [
    ("is made of china", "made of", "ceramic", "visual perceptual"),
    ("has a spout", "has a", "spout", "visual perceptual"),
    ("has stripes", "has", "stripes", "visual perceptual"),
    ("is slow", "is", "slow", "other perceptual"),
    ("is expensive", "is", "expensive", "encyclopaedic"),
]

INTRODUCTION = """
Two studies ask what language models know of how things look. In *Memory Colors* (Norlund, Hagström and Johansson 2021)
people say the one colour that comes to mind with a thing, and a model fills a gap in thirteen queries. In *Visual
Property Norms* (Hagström and Johansson 2022) people have described things by features, and a model's words for "a fern
is …" are ranked against what so many people said.

The norms themselves are given out on request alone. Norms, coding and models on this page are made up to show the
procedures; the documents' own figures stand beside them as theirs. The figures are those of one run of `make studies`:
who is asked what is drawn, so that another run differs a little.
"""


def run(site: Site, page: Page) -> None:
    page.text(INTRODUCTION)
    _colours(site, page)
    _relations(site, page)
    _free(site, page)
    _norms(site, page)


def _manage(site: Site, lines: list[str], *arguments: object) -> Any:
    """The command's answer as JSON; the command itself is kept for the page."""
    lines.append(f"python manage.py {shlex.join(map(str, arguments))}")
    return json.loads(site.manage(*arguments, "--json"))


def _photograph(site: Site, preset: str) -> Path:
    """Of a study of its own: who is shown a question holds its place."""
    from annotation import presets
    from annotation.actions.studies import change_status, create_study

    study = create_study(slug=f"{preset}-form", preset=presets.load(preset))
    change_status(study=study, status="live")
    return site.screenshot(study.slug, f"{preset}-phone.png", phone=True)


def _overall(found: dict[str, Any], metric: str) -> float:
    found_by = (one["estimate"] for one in found["scores"] if one["metric"] == metric and not one["breakdown"])
    return float(next(found_by))


# Memory Colors.


def _colours(site: Site, page: Page) -> None:
    lines: list[str] = []
    made = _manage(site, lines, "create_study", "colours", "--preset", "memory-colours")
    _manage(site, lines, "open_study", "colours")
    _manage(site, lines, "simulate", "colours", "--workers", 11, "--careless", 0, "--seed", SEED)
    report = _manage(site, lines, "analyse", "colours", "--seed", SEED)
    asked = _manage(
        site, lines, "write_prompts", "colours", "--templates", "memory-colours", "--out", _new(site, "q.csv")
    )
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
    page.picture(_photograph(site, "memory-colours"), words, "The form on a phone.", width=300)
    shares = (0.9, 0.88, 0.9, 0.84, 0.8, 0.62, 0.7, 0.66, 0.68, 0.6, 0.58, 0.62, 0.52)
    for name, level in (("sees", 1.0), ("reads", 0.35)):
        _write_colours(site, name, [level * share for share in shares])
    found = {
        name: _manage(site, lines, "score", "colours", f"{name}.csv", "--name", name) for name in ("sees", "reads")
    }
    scores = [{**score, "probe": name} for name, one in found.items() for score in one["scores"]]
    page.commands(*lines[-2:])
    page.table(
        pd.DataFrame(
            [(name, _overall(one, "accuracy"), _overall(one, "accuracy_sd")) for name, one in found.items()],
            columns=["made model", "accuracy", "sd over 13 templates"],
        ),
        "Accuracy over the eleven colours alone: what else a model says is left aside.",
    )
    page.figure(templates_figure.draw(scores_by_template(scores, "accuracy"), "accuracy", 1 / len(COLOURS)))
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
    made = _manage(
        site, lines, "create_study", "memory-colors", "--preset", "memory-colours", "--items", folder / "items.csv"
    )
    found = _manage(site, lines, "score_file", "--reference", folder / "items.csv", "--kind", "choice")
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
    page.figure(templates_figure.draw(rows, "published accuracy", 1 / len(COLOURS), name="published-by-template"))


def _write_colours(site: Site, name: str, shares: Sequence[float]) -> None:
    """A model that is right on so many things with each template, and says other words too."""
    from annotation.models import Study

    rng = np.random.default_rng(SEED)
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


# Property norms, asked relation by relation.


def _relations(site: Site, page: Page) -> None:
    lines: list[str] = []
    made = _manage(site, lines, "create_study", "norms", "--preset", "property-norms")
    _manage(site, lines, "open_study", "norms")
    _manage(site, lines, "simulate", "norms", "--workers", 66, "--careless", 0.1, "--seed", SEED)
    report = _manage(site, lines, "analyse", "norms", "--seed", SEED)
    prompts = ("write_prompts", "norms", "--templates", "property-norms", "--lower", "--out", _new(site, "n.csv"))
    asked = _manage(site, lines, *prompts)
    page.heading("Properties, asked relation by relation")
    page.commands(*lines)
    counts = report["counts"]
    page.text(
        f"People end sentences such as *a cherry is …* by words, thirty people to each of {made['targets']} beginnings,"
        f" so that their words are what a model gives too. {counts['workers_kept']} of {counts['workers']} simulated"
        " workers passed the checks, which ask for a certain word. The nine published queries make"
        f" {asked['prompts']} prompts."
    )
    words = "The beginning of a sentence about a thing, and a box for words, one on each line."
    page.picture(_photograph(site, "property-norms"), words, "The form on a phone.", width=300)
    page.table(pd.DataFrame(report["property_entries"]), "Entries by the least number of people, and by relation.")
    _write_ranking(site, "ranks.csv", _named(report, "norms"))
    scored = _manage(site, lines, "score", "norms", "ranks.csv", "--name", "ranks", "--allowed", "words.txt")
    page.commands(lines[-1])
    scores = [{**score, "probe": "ranks"} for score in scored["scores"]]
    page.text(
        f"A made model ranks the allowed words of `words.txt` with nine templates ({'; '.join(scored['notes'])})."
    )
    table = precision_by_frequency(scores)
    page.table(
        table.drop(columns=["low", "high"]), "Average precision at every production frequency, against this crowd."
    )
    page.figure(average_precision_by_frequency.draw(table, people_by_frequency(report["ceiling"]["leave_one_out"])))


def _named(report: dict[str, Any], slug: str) -> dict[str, dict[str, int]]:
    """How many people named each word of each item, of the release."""
    from agreement.frames.study_history import released_gold
    from agreement.models import GoldRelease

    gold = released_gold(GoldRelease.objects.get(study__slug=slug, sha256=report["release"]["sha256"]))
    return dict(zip(gold.ids.tolist(), gold.properties or (), strict=True))


def _write_ranking(site: Site, name: str, named: dict[str, dict[str, int]]) -> None:
    """A model that gives a word the higher a score the more people named it, with noise; the words lie beside it."""
    rng = np.random.default_rng(SEED)
    words = sorted({word for of_item in named.values() for word, count in of_item.items() if count >= 2})
    (site.folder / "words.txt").write_text("\n".join(words) + "\n")
    with (site.folder / name).open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(("item_id", "template", "candidate", "score"))
        for template in range(1, TEMPLATES + 1):
            noise = NOISE * (0.8 + 0.1 * template)
            for item_id, of_item in named.items():
                for word in words:
                    score = np.log1p(of_item.get(word, 0)) + rng.normal(0, noise)
                    writer.writerow((item_id, template, word, f"{score:.4f}"))


# Property norms in people's own words, and the coding.


def _free(site: Site, page: Page) -> None:
    from agreement.actions.coding_properties import import_coding
    from annotation.models import Study

    lines: list[str] = []
    _manage(site, lines, "create_study", "free", "--preset", "property-norms-free")
    _manage(site, lines, "open_study", "free")
    _manage(site, lines, "simulate", "free", "--workers", 66, "--careless", 0.1, "--seed", SEED)
    with (site.folder / "coding.csv").open("w", newline="") as stream:
        csv.writer(stream).writerows([("property", "relation", "feature", "type"), *CODING])
    import_coding(study=Study.objects.get(slug="free"), file=site.folder / "coding.csv", by=None)
    report = _manage(site, lines, "analyse", "free", "--seed", SEED)
    _manage(site, lines, "export", "free", "norms", "--out", "norms.csv")
    page.heading("Properties in people's own words")
    page.text(
        "The norms were gathered as whole properties: *is furry*, *has a stalk*. The study's page **Coding** lists them"
        " with how many people named each. A researcher merges spellings, sets relation, feature and type, and"
        " leaves out what is none; whatever isn't coded counts as proposed, all words but the last as relation and the"
        " last as feature."
        " Every save is kept, and what two people change at once is shown to the second. The next analysis applies the"
        " coding and names it; a release that is there never changes."
    )
    alt = "A list of properties, each with fields for relation, feature and type, and boxes to leave out and to merge."
    page.picture(_coding_page(site, "free"), alt, "The coding page, with what is coded already.")
    page.commands(*lines)
    coding = report["coding"]
    page.text(
        f"Here {coding['spellings']} spellings are coded by a file ({coding['name']}). Entries by relation then follow,"
        " and `export … norms` writes a table of norms: such a table can be gold, as the next section shows."
    )
    entries = pd.DataFrame(report["property_entries"])
    known = [name for name in ("pf", "all", "has", "has a", "made of", "is") if name in entries]
    page.table(
        entries[known],
        "Entries of the coded properties, by the least number of people and relation; *all* has others too.",
    )


def _coding_page(site: Site, slug: str) -> Path:
    """As a researcher sees it who has signed in."""
    from django.urls import reverse

    from annotation.models import Study, User

    password = secrets.token_urlsafe()
    User.objects.create_superuser("researcher", password=password)
    address = reverse("agreement:coding", args=[Study.objects.get(slug=slug).uuid])
    file = site.folder / "coding.png"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium.find(), args=["--no-proxy-server", "--disable-dev-shm-usage", "--no-sandbox"]
        )
        tab = browser.new_page(viewport=DESKTOP, reduced_motion="reduce")
        tab.goto(f"{site.address}{reverse('admin:index')}")
        tab.get_by_label("Username").fill("researcher")
        tab.get_by_label("Password").fill(password)
        tab.get_by_role("button", name="Log in").click()
        tab.get_by_role("heading", name="Latest studies").wait_for()
        tab.goto(f"{site.address}{address}?show=coded")
        tab.wait_for_load_state("networkidle")
        tab.screenshot(path=file)
        browser.close()
    return file


# Norms from elsewhere.


def _norms(site: Site, page: Page) -> None:
    lines: list[str] = []
    named = _write_norms(site)
    _write_ranking(site, "outputs.csv", named)
    done = _manage(
        site, lines, "score_norms", "made-norms.csv", "--probe", "outputs.csv", "--allowed", "words.txt",
        "--types", "visual perceptual", "--out", _new(site, "against-norms"),
    )  # fmt: skip
    page.heading("Norms from elsewhere as gold")
    page.commands("head -3 made-norms.csv", *(site.folder / "made-norms.csv").read_text().splitlines()[:3], "", *lines)
    page.text(
        "A table of production frequencies is gold by itself: each concept and relation is a query, features that too"
        " few people named count as wrong, and the candidates are the allowed words. The mean is over queries within a"
        " template, then over the nine templates, beside what a random order of the same words gives. A relation that"
        " isn't known is refused with its row."
    )
    page.table(pd.DataFrame(done["entries"]), "Entries of the made norms.")
    page.table(
        pd.DataFrame(PUBLISHED_ENTRIES, columns=["pf", "all", "has", "has a", "made of", "is"]),
        "Published: entries of the Visual Property Norms.",
    )
    precision = pd.DataFrame(done["precision"]).astype({"average_precision": float, "sd": float, "chance": float})
    page.table(precision.drop(columns=["low", "high"]), "Average precision of the made model against the made norms.")
    page.figure(average_precision_by_frequency.draw(precision, name="against-norms"))
    by_relation = pd.read_csv(site.folder / "against-norms" / "average_precision_by_relation.csv")
    wide = by_relation.pivot_table(index="relation", columns="pf", values="average_precision").reset_index()
    page.table(wide.rename(columns=str), "The same by relation; published without numbers, *made of* is the best.")


def _write_norms(site: Site) -> dict[str, dict[str, int]]:
    """The columns of the norms with made contents: what the preset's things are like, by made frequencies."""
    from agreement.scoring.norms import query_id
    from annotation.models import Study

    named: dict[str, dict[str, int]] = {}
    with (site.folder / "made-norms.csv").open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(("concept", "relation", "feature", "type", "pf"))
        items = Study.objects.get(slug="norms").items.targets().order_by("position")
        for number, (fields, reference) in enumerate(items.values_list("fields", "reference")):
            concept, relation = fields["concept"], fields["relation"].removeprefix("is ") or "is"
            frequencies = [pf + number % 4 for pf in FREQUENCIES]
            for feature, pf in zip(reference.split("|"), frequencies, strict=False):
                kind = "encyclopaedic" if feature in {"expensive", "proud"} else "visual perceptual"
                writer.writerow((concept, relation, feature, kind, pf))
                if kind == "visual perceptual":
                    named.setdefault(query_id(concept, relation), {})[feature] = pf
    return named


def _new(site: Site, name: str) -> str:
    """A name at which nothing of an earlier run lies."""
    import shutil

    there = site.folder / name
    if there.is_dir():
        shutil.rmtree(there)
    there.unlink(missing_ok=True)
    return name


def _estimate(figure: dict[str, Any]) -> str:
    return f"{figure['estimate']:.3f}".replace("0.", ".", 1)


STUDY = Study(number="004", name="colours-and-properties", title="Study 004: colours and properties of things", run=run)
