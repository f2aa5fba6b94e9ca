"""What each further analysis takes on a large crowd, as multiples of reading the crowd's file.

    python -m tools.benchmarks.further_speed [--judgments 1000000] [numbers|labels]

1,000 workers, 20 judgments per item, five models, four groups of workers. Seconds are of processors, with those of the
processes that an analysis starts; memory is the peak of one process.
"""

import argparse
import resource
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from agreement.analysis.score_probes import score_probes, study_items
from agreement.gold.rating_scale_model import rating_scale_model
from agreement.judgments.crowd import Crowd, sample_of
from agreement.judgments.file_crowd import crowd_of
from agreement.judgments.judgments_file import read_judgments
from agreement.kinds.statistics import statistics_of
from agreement.on_request import further_analyses, requested_analyses
from agreement.on_request.further_analysis import AnalysisInput, NoFurtherReport
from agreement.people.agreement_without_each_worker import influence_of
from agreement.people.similar_workers import similar_pairs
from agreement.processes import keep_freed_memory
from agreement.scoring.crowd_gold import gold_of_sample
from agreement.scoring.probe_file import read_fitting_probes
from agreement.scoring.probe_format import DEFAULT

WORKERS, PER_ITEM, MODELS, GROUPS = 1_000, 20, 5, 4
LABELS = np.array(["a", "b", "c", "d"])
ALSO = (
    "alt-test",
    "disagreement",
    "coefficients",
    "many-models",
    "subgroups:group",
    "variance-components",
    "worker-models",
    "hierarchical-dawid-skene",
    "intra-annotator",
    "drift:rows",
)


def processor_seconds(step: Callable[[], Any]) -> tuple[float, Any]:
    before = _used()
    answer = step()
    return _used() - before, answer


def _used() -> float:
    both = (resource.getrusage(of) for of in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in both)


def write(folder: Path, judgments: int, takes: str) -> None:
    """judgments.csv with the group of each worker in a column, and a file for each model."""
    rng = np.random.default_rng(17)
    items = judgments // PER_ITEM
    item = np.repeat(np.arange(items), PER_ITEM)
    start = rng.integers(0, WORKERS, items)[:, None]
    worker = ((start + np.arange(PER_ITEM) * (WORKERS // PER_ITEM)) % WORKERS).ravel()
    truth, bias = rng.uniform(0, 100, items), rng.normal(0, 5, WORKERS)
    noise = rng.normal(0, 1, len(item)) * rng.uniform(8, 25, WORKERS)[worker]
    value = np.clip(np.rint(truth[item] + bias[worker] + noise), 0, 100)
    group = np.array([f"group {code}" for code in range(GROUPS)])[worker % GROUPS]
    crowd = {"worker_id": worker, "item_id": item, "value": _answers(value, takes), "group": group}
    pd.DataFrame(crowd).sample(frac=1, random_state=1).to_csv(folder / "judgments.csv", index=False)
    for k in range(MODELS):
        given = np.clip(truth + rng.normal(0, 5 + 3 * k, items), 0, 100).round(2)
        name = "label" if takes == "labels" else "score"
        model = pd.DataFrame({"item_id": np.arange(items), name: _answers(given, takes)})
        model.to_csv(folder / f"model-{k}.csv", index=False)


def _answers(numbers: np.ndarray, takes: str) -> np.ndarray:
    return LABELS[np.minimum(numbers // 25, 3).astype(int)] if takes == "labels" else numbers


def given_of(crowd: Crowd, folder: Path) -> AnalysisInput:
    kind, study = statistics_of(crowd.kind), study_items(crowd)
    kept = sample_of(crowd, crowd.on_target)
    gold = gold_of_sample(crowd, kept, "typical")
    paths = sorted(folder.glob("model-*.csv"))
    read = (read_fitting_probes(path, study=study, takes=kind.shapes, options=DEFAULT) for path in paths)
    probes = [probe for of_file in read for probe in of_file]
    return AnalysisInput(crowd, kept, gold, probes, study, seed=1)


def _beside_analyses(given: AnalysisInput) -> dict[str, Callable[[], Any]]:
    """What no `--also` asks for by itself: influence, similar accounts of numbers, the rating scale model of labels."""
    kept, kind = given.kept, statistics_of(given.crowd.kind)
    answers: Any = kept.answers
    asked = (kept.item, kept.worker, answers)
    found: dict[str, Callable[[], Any]] = {
        "influence": lambda: influence_of(*asked, kind.influence, n_workers=given.crowd.n_workers)
    }
    if given.crowd.labels:
        codes, labels = answers.astype(np.int64), len(given.crowd.labels)
        return found | {"rating scale model": lambda: rating_scale_model(kept.item, kept.worker, codes, labels)}
    return found | {"similar accounts": lambda: similar_pairs(kept.item, kept.worker, answers[:, None])}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("takes", nargs="?", choices=("numbers", "labels"), default="numbers")
    parser.add_argument("--judgments", type=int, default=1_000_000)
    asked = parser.parse_args()
    keep_freed_memory()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, asked.judgments, asked.takes)
        path = folder / "judgments.csv"
        by_pandas = min(processor_seconds(lambda: pd.read_csv(path))[0] for _ in range(3))
        read = [processor_seconds(lambda: crowd_of(read_judgments(path))) for _ in range(3)]
        parse, crowd = min(seconds for seconds, _ in read), read[0][1]
        given = given_of(crowd, folder)

        def show(what: str, seconds: float, why: str = "") -> None:
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            of_parse = f"{seconds / parse:.1f} reads, {seconds / by_pandas:.0f} of pandas'"
            sys.stdout.write(f"{what}: {seconds:.2f} s, {of_parse}, {peak:.0f} MB{why and f' ({why})'}\n")
            sys.stdout.flush()

        show("reading", parse)
        scores = processor_seconds(lambda: score_probes(crowd, given.kept, given.gold, given.probes, seed=1))[0]
        for what, step in _beside_analyses(given).items():
            show(what, processor_seconds(step)[0])
        show("scores of the models, over other workers too", scores)
        for each in requested_analyses(ALSO):
            one = replace(given, argument=each.argument)
            seconds, found = processor_seconds(partial(further_analyses, [each], one))
            [part] = found.further
            show(each.key, seconds, part.why if isinstance(part, NoFurtherReport) else "")


if __name__ == "__main__":
    main()
