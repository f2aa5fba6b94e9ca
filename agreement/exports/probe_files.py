"""The models' outputs that a release was published with, as files of its bundle and options of the command."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import asdict

from agreement.models import GoldRelease, Probe
from agreement.probes import SUFFIXES
from agreement.scoring.probe_file import ProbeOptions

# `analyse_file` tells probes apart by the names of their files.
_FILE_NAME = re.compile(r"\w[\w .+()@-]*")
_FLAGS = {
    "normalise": "--normalise",
    "transform": "--transform",
    "similarity": "--similarity",
    "log_base": "--log-base",
}


def probes_of(release: GoldRelease) -> list[Probe]:
    """Those in the published report, in its order; probes that were scored later belong to no bundle."""
    names = [about["probe"] for about in release.report.get("probes", [])]
    found = {probe.name: probe for probe in release.study.probes.filter(name__in=names).select_related("file")}
    return [found[name] for name in names if name in found]


def path_of(probe: Probe, number: int) -> str:
    stem = probe.name if _FILE_NAME.fullmatch(probe.name) else f"probe-{number}"
    return f"probes/{stem}{SUFFIXES[probe.file.content_type]}"


def options_for(probes: Sequence[Probe]) -> list[str]:
    """What the command that makes the figures again is told of them."""
    if not probes:
        return []
    said = [f"--probe {' '.join(shlex.quote(path_of(probe, at)) for at, probe in enumerate(probes, start=1))}"]
    default = ProbeOptions()
    for name, flag in _FLAGS.items():
        values = {probe.options.get(name, getattr(default, name)) for probe in probes} - {getattr(default, name)}
        said += [flag if value is True else f"{flag} {value}" for value in sorted(values, key=str)]
    return said


def what_differs(probes: Sequence[Probe]) -> str:
    """Where the command can't make exactly the same scores, because files have no such names or options differ."""
    renamed = [
        f"{path_of(probe, at)} is {probe.name}"
        for at, probe in enumerate(probes, start=1)
        if not _FILE_NAME.fullmatch(probe.name)
    ]
    options = {tuple(asdict(ProbeOptions(**probe.options)).values()) for probe in probes}
    apart = (
        ["the probes were read with different options, so give each a command of its own"] if len(options) > 1 else []
    )
    return "; ".join([*renamed, *apart])
