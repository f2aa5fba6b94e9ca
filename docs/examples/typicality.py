r"""A study in one script: from a CSV of items to gold, and to a leaderboard of two models beside people.

    TOUCHSTONE_SITE=http://127.0.0.1:8000 TOUCHSTONE_TOKEN=tst_… \
        python docs/examples/typicality.py typicality --simulate 40

The token is made in the site's admin, under API tokens, with the scopes read, write and links:read. Without
`--simulate` the script prints the link for people and waits until they have answered; with it, simulated people answer,
which needs the site on this machine.
"""

import argparse
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd

from touchstone_annotation import Client

HERE = Path(__file__).parent
LOOKS_EVERY_SECONDS = 60


def main() -> None:
    parser = argparse.ArgumentParser(description="A study from a CSV of items to a leaderboard.")
    parser.add_argument("slug", help="the new study's short name")
    parser.add_argument("--simulate", type=int, metavar="N", help="let N simulated people answer")
    parser.add_argument("--out", type=Path, default=Path(), help="where the bundle is written (default: here)")
    options = parser.parse_args()
    with Client() as client:
        collect(client, options.slug, options.simulate)
        measure(client, options.slug, options.out)


def collect(client: Client, study: str, simulated: int | None) -> None:
    """Make the study, let people in, and wait for their answers."""
    client.create_study(
        study,
        title="How typical is it?",
        kind="slider",
        scale_low=0,
        scale_high=100,
        question="How good an example of a {category} is this: {object}?",
        low_label="not at all",
        high_label="as good as can be",
        consent="Taking part is voluntary. We keep your answers and publish them under a random pseudonym.",
        contact="ada@example.org",
        judgments_per_item=8,
        items_per_assignment=12,
        check_quotas=[{"check_name": "unrelated", "per_assignment": 1}, {"check_name": "self", "per_assignment": 1}],
    )
    added = client.add_items(study, HERE / "items.csv")
    print(f"{added} items are in.")
    client.open(study)
    print(f"People take part at {client.open_link(study, capacity=100)['address']}")
    if simulated:
        command = [sys.executable, "-m", "touchstone_annotation", "simulate", study, "--workers", str(simulated)]
        subprocess.run(command, check=True)
    while needed := client.progress(study)["judgments_needed"]:
        print(f"{needed} judgments are still needed.")
        time.sleep(LOOKS_EVERY_SECONDS)
    client.close_study(study)


def measure(client: Client, study: str, out: Path) -> None:
    """Clean, release gold, and set two models beside people."""
    release = client.analyse(study, progress=print)
    counts = release["counts"]
    print(f"Release {release['number']}: {counts['workers_kept']} of {counts['workers']} workers are kept.")
    gold = client.gold(study)
    print(gold.sort_values("mean", ascending=False)[["item_id", "mean", "ci_low", "ci_high", "n"]].head().to_string())

    items = pd.read_csv(HERE / "items.csv")
    targets = items[items["check"].isna()]
    lengths = targets[["item_id"]].assign(score=-targets["object"].str.len())
    client.upload_probe(study, "word length", lengths)
    client.upload_probe(study, "a language model", HERE / "outputs.csv")
    client.score(study)
    board = client.leaderboard(study)
    print(f"By {board.attrs['metric']}:")
    print(board.to_string(index=False))
    print(f"Everything is in {client.export(study, 'bundle', out)}.")


if __name__ == "__main__":
    main()
