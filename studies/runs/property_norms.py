"""The property norms of study 004: asked relation by relation, in people's own words, and from elsewhere as gold."""

from __future__ import annotations

import csv
from typing import Any

import numpy as np
import pandas as pd

from agreement.figures import average_precision_by_frequency
from agreement.report.people_and_models import PersonAgainstOthers, stored_scores
from agreement.report.score_tables import people_by_frequency, precision_by_frequency
from agreement.scoring.norms import query_id
from agreement.typed_json import from_json
from studies.runs.site import Site
from studies.runs.study import Page

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


# Property norms, asked relation by relation.


def relations(site: Site, page: Page) -> None:
    lines: list[str] = []
    made = site.open_study(lines, "norms", "--preset", "property-norms")
    site.command(lines, "simulate", "norms", "--workers", 66, "--careless", 0.1, "--seed", site.seed)
    report = site.command(lines, "analyse", "norms", "--seed", site.seed)
    prompts = ("write_prompts", "norms", "--templates", "property-norms", "--lower", "--out", "n.csv")
    asked = site.command(lines, *prompts)
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
    page.photograph(
        site.form_on_phone("property-norms"),
        words,
        "The form on a phone.",
    )
    page.table(pd.DataFrame(report["property_entries"]), "Entries by the least number of people, and by relation.")
    _write_ranking(site, "ranks.csv", _named(report, "norms"))
    scored = site.command(lines, "score", "norms", "ranks.csv", "--name", "ranks", "--allowed", "words.txt")
    page.commands(lines[-1])
    scores = stored_scores([{**score, "probe": "ranks"} for score in scored["scores"]])
    page.text(
        f"A made model ranks the allowed words of `words.txt` with nine templates ({'; '.join(scored['notes'])})."
    )
    table = precision_by_frequency(scores)
    page.table(
        table.drop(columns=["low", "high"]), "Average precision at every production frequency, against this crowd."
    )
    person = from_json(PersonAgainstOthers, report["ceiling"]["leave_one_out"])
    page.figure(average_precision_by_frequency.draw(table, people_by_frequency(person)))


def _named(report: dict[str, Any], slug: str) -> dict[str, dict[str, int]]:
    """How many people named each word of each item, of the release."""
    from annotation.releases.from_database.study_history import released_gold
    from annotation.releases.models import GoldRelease

    gold = released_gold(GoldRelease.objects.get(study__slug=slug, sha256=report["release"]["sha256"]))
    return dict(zip(gold.ids.tolist(), gold.properties or (), strict=True))


def _write_ranking(site: Site, name: str, named: dict[str, dict[str, int]]) -> None:
    """A model that gives a word the higher a score the more people named it, with noise; the words lie beside it."""
    rng = np.random.default_rng(site.seed)
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


def own_words(site: Site, page: Page) -> None:
    from annotation.models import Study
    from annotation.releases.actions.adjudicating import import_coding

    lines: list[str] = []
    site.open_study(lines, "free", "--preset", "property-norms-free")
    site.command(lines, "simulate", "free", "--workers", 66, "--careless", 0.1, "--seed", site.seed)
    with (site.folder / "coding.csv").open("w", newline="") as stream:
        csv.writer(stream).writerows([("property", "relation", "feature", "type"), *CODING])
    import_coding(study=Study.objects.get(slug="free"), file=site.folder / "coding.csv", by=None)
    report = site.command(lines, "analyse", "free", "--seed", site.seed)
    site.command(lines, "export", "free", "norms", "--out", "norms.csv")
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
    page.photograph(site.coding_page("free"), alt, "The coding page, with what is coded already.", width=900)
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


# Norms from elsewhere.


def from_elsewhere(site: Site, page: Page) -> None:
    lines: list[str] = []
    named = _write_norms(site)
    _write_ranking(site, "outputs.csv", named)
    done = site.command(lines, "score_norms", "made-norms.csv", "--probe", "outputs.csv", "--allowed", "words.txt",
        "--types", "visual perceptual", "--out", "against-norms",
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
    from annotation.studies import presets

    named: dict[str, dict[str, int]] = {}
    with (site.folder / "made-norms.csv").open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(("concept", "relation", "feature", "type", "pf"))
        for number, item in enumerate(presets.load("property-norms").targets):
            fields, reference = item["fields"], item["reference"]
            concept, relation = str(fields["concept"]), str(fields["relation"]).removeprefix("is ") or "is"
            frequencies = [pf + number % 4 for pf in FREQUENCIES]
            for feature, pf in zip(reference.split("|"), frequencies, strict=False):
                kind = "encyclopaedic" if feature in {"expensive", "proud"} else "visual perceptual"
                writer.writerow((concept, relation, feature, kind, pf))
                if kind == "visual perceptual":
                    named.setdefault(query_id(concept, relation), {})[feature] = pf
    return named
