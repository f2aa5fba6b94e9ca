"""Which models are averaged together: a table `probe,group`."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from agreement.scoring.probe import Probe
from tables.problems import Problems, refuse_if_any, shown
from tables.reading import read_table

COLUMNS = ("probe", "group")


def read_groups(path: Path, probes: Sequence[str]) -> dict[str, str]:
    """Each probe's group, by the name of the probe's file without its ending."""
    problems = Problems(path.name)
    table = read_table(path, problems)
    found: dict[str, str] = {}
    if table is not None:
        for name in COLUMNS:
            if name not in table.columns:
                problems.whole(f"the column {name} is missing; a row is a probe and the group that it belongs to")
        refuse_if_any(problems)
        cells = (table.columns[name].text().tolist() for name in COLUMNS)
        for row, probe, group in zip(table.rows.tolist(), *cells, strict=True):
            if probe.strip() not in probes:
                problems.row(row, f"{shown(probe)} is none of the probes {', '.join(probes) or '(there are none)'}")
            elif probe.strip() in found:
                problems.row(row, f"{shown(probe)} is in the group {shown(found[probe.strip()])} already")
            elif not group.strip():
                problems.row(row, f"{shown(probe)} has no group; leave out the probes that belong to none")
            found.setdefault(probe.strip(), group.strip())
    refuse_if_any(problems)
    return found


def grouped(probe: Probe, groups: Mapping[str, str]) -> Probe:
    return replace(probe, group=groups.get(probe.name, ""))
