"""The published figures of study 002 (Singh et al. 2023), and what the public files give."""

from __future__ import annotations

import json
import math
import shlex
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pandas as pd

from agreement.estimation.estimate import Undefined
from agreement.figures.of_models import draw_against_reference
from agreement.files.cell_texts import split_bars
from agreement.report.people_and_models import stored_reference
from agreement.report.score_tables import as_frame, reference_table
from studies.runs.site import Site
from studies.runs.study import Page, write_csv

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


def compare(site: Site, page: Page) -> None:
    """The printed figures; and with the public files what they give here."""
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
        found = site.command(lines, "score_file", "--reference", data / f"{name}-test.csv", "--kind", kind)
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
    write_csv(site.folder / "coda-reference.csv", ("item_id", "reference", "object"), references)
    lines: list[str] = []
    given = ("analyse_file", "coda.csv", "--scale", "0:5", "--rules", "coda-2021", "--reference", "coda-reference.csv")
    report = site.command(lines, *given, "--no-report", "--out", "coda")
    compared = stored_reference(report["against_reference"])
    table = reference_table(compared)
    if table is None or isinstance(compared, Undefined):
        raise ValueError("CoDa's objects have no references")
    page.commands(*lines)
    page.table(
        as_frame(table).fillna(math.nan),
        f"CoDa's answers against the colours of ViPhy on the {table.items} objects whose names agree but for capitals"
        " and the plural. The paper's figures for people are of 432 objects, some of them in the training part, which"
        " is not public.",
    )
    figure = draw_against_reference(compared, "r_acc", "cardinality")
    if figure is not None:
        page.figure(replace(figure, name="coda-by-cardinality"))


def _form_of(name: str, known: Mapping[str, str]) -> str | None:
    """The spelling that the other file has: lower case, and the singular or plural."""
    low = name.lower()
    forms = [low, low.removesuffix("s"), low.removesuffix("es"), f"{low}s"]
    forms += [f"{low.removesuffix('ies')}y"] if low.endswith("ies") else []
    forms += [f"{low.removesuffix('ves')}f"] if low.endswith("ves") else []
    return next((form for form in forms if form in known), None)
