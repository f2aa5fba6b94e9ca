"""Memory Colors: probes that are right as often as published give the published mean over the 13 templates."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from agreement.estimation.estimate import Estimate
from agreement.people.leave_one_out import at_common_n
from agreement.people.reference_gold import gold_from_reference
from agreement.scoring.probe import Probe, Run, StudyItems
from agreement.scoring.probe_file import read_probe
from agreement.scoring.score import parts_of, score_probe
from agreement.scoring.score_gold import Gold

COLOURS = Path("../shared/data/memory-colors")


@pytest.mark.needs_shared_data
@pytest.mark.skipif(not COLOURS.is_dir(), reason="the public crowds in ../shared/data are not here")
@pytest.mark.parametrize(("model", "expected"), [("bert-base-uncased", 0.252), ("clip-bert-explicit", 0.882)])
def test_memory_colors_mean_over_templates(tmp_path: Path, model: str, expected: float) -> None:
    items = pd.read_csv(COLOURS / "items.csv")
    published = pd.read_csv(COLOURS / "published-accuracy.csv").query("model == @model")
    labels = tuple(sorted(items["reference"].unique()))
    ids = items["item_id"].to_numpy(dtype=object)
    rows = []
    for at, accuracy in enumerate(published["accuracy"]):
        right = round(accuracy * len(items))
        for place, (item_id, colour) in enumerate(zip(ids, items["reference"], strict=True)):
            answer = colour if place < right else labels[labels.index(colour) - 1]
            rows += [(item_id, f"template {at}", answer, 2.5), (item_id, f"template {at}", "wooden", 9.0)]
    path = tmp_path / "probe.csv"
    pd.DataFrame(rows, columns=["item_id", "template", "candidate", "score"]).to_csv(path, index=False)
    study = StudyItems("choice", ids, labels)
    gold = gold_from_reference("choice", ids.tolist(), items["reference"].tolist(), labels)

    scores = score_probe(read_probe(path, study), gold, study, breakdowns=())
    done = scores.overall()

    mean, sd = done["accuracy"].figure, done["accuracy_sd"].figure
    assert isinstance(mean, Estimate)
    assert isinstance(sd, Estimate)
    assert len(published) == sd.n == 13
    assert round(mean.estimate, 3) == expected
    assert sd.estimate == pytest.approx(published["accuracy"].std())
    by_template = [each.figure for each in scores.scores if (each.metric, each.breakdown) == ("accuracy", "template")]
    estimates = [figure.estimate for figure in by_template if isinstance(figure, Estimate)]
    assert estimates == pytest.approx(published["accuracy"].tolist())


@pytest.mark.needs_shared_data
@pytest.mark.skipif(not COLOURS.is_dir(), reason="the public crowds in ../shared/data are not here")
def test_memory_colors_constant_white() -> None:
    items = pd.read_csv(COLOURS / "items.csv")
    labels = tuple(sorted(items["reference"].unique()))
    ids = items["item_id"].to_numpy(dtype=object)
    study = StudyItems("choice", ids, labels)
    gold = gold_from_reference("choice", ids.tolist(), items["reference"].tolist(), labels)
    white = np.tile(np.array(labels) == "white", (len(items), 1)).astype(np.float64)

    done = score_probe(Probe("white", "labels", (Run({}, white),)), gold, study, breakdowns=()).overall()

    assert isinstance(done["accuracy"].figure, Estimate)
    assert round(done["accuracy"].figure.estimate, 3) == 0.229
    assert items["reference"].value_counts()["grey"] == 8


def test_a_column_of_many_numbers_is_cut_into_five() -> None:
    distance = np.linspace(-1, 1, 50).astype(str).astype(object)
    gold = Gold("slider", np.arange(50).astype(object), numbers=np.arange(50.0), fields={"distance": distance})

    [part] = parts_of(gold)

    assert [len(items) for items in part.members] == [10] * 5
    assert part.names[0] == "-1 to -0.6"
    assert sorted(np.concatenate(part.members).tolist()) == list(range(50))


def test_a_common_n_keeps_so_many_of_each_item() -> None:
    item = np.repeat([0, 1, 2], [5, 2, 3])

    kept = at_common_n(item, 3, np.random.default_rng(1))

    assert np.bincount(item[kept], minlength=3).tolist() == [3, 0, 3]
