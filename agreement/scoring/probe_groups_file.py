"""Which models are averaged together: a table `probe,group`."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from agreement.scoring.probe import Probe
from tables.problems import Problems, refuse_if_any, shown
from tables.reading import required_table

COLUMNS = ("probe", "group")


def read_groups(path: Path, probes: Sequence[str]) -> dict[str, str]:
    """Each probe's group, by the name of the probe's file without its ending."""
    problems = Problems(path.name)
    table = required_table(path, problems, COLUMNS, "a row is a probe and the group that it belongs to")
    found: dict[str, str] = {}
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
