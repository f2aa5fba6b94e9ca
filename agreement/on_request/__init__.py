"""The further analyses, found by walking the folder; how they are asked for, and how they are made."""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from types import MappingProxyType
from typing import Any

from ..errors import Refused
from .further_analysis import AnalysisInput, FurtherAnalysis, RequestedAnalysis, of_report


def _found() -> Mapping[str, FurtherAnalysis]:
    modules = [import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__)]
    found: list[FurtherAnalysis] = sorted(
        (module.FURTHER for module in modules if hasattr(module, "FURTHER")), key=lambda each: each.order
    )
    return MappingProxyType({each.name: each for each in found})


FURTHER = _found()


def asked_for(words: Sequence[str]) -> tuple[RequestedAnalysis, ...]:
    """What `--also` names, each once, in the order of a report; every word that names nothing is refused.

    >>> [asked.key for asked in asked_for(["alt-test:0.1", "alt-test:0.1"])]
    ['alt-test:0.1']
    """
    found: dict[str, RequestedAnalysis] = {}
    reasons: list[str] = []
    for word in words:
        name, _, argument = word.partition(":")
        if name not in FURTHER:
            reasons.append(f"--also: there is no analysis {name!r}; there are {', '.join(FURTHER)}")
            continue
        asked = RequestedAnalysis(FURTHER[name], argument.strip())
        if why := _misread(asked):
            reasons.append(f"--also {word}: {why}")
        else:
            found[asked.key] = asked
    if reasons:
        raise Refused(reasons)
    order = list(FURTHER)
    return tuple(sorted(found.values(), key=lambda asked: order.index(asked.analysis.name)))


def worker_columns_in(words: Sequence[str]) -> list[str]:
    """The columns of workers that the analyses named so read."""
    return [asked.argument for asked in asked_for(words) if asked.analysis.reads_workers]


def _misread(asked: RequestedAnalysis) -> str:
    takes = asked.analysis.argument
    if takes is None:
        return "nothing stands behind a colon of it" if asked.argument else ""
    if not asked.argument:
        return f"{takes.label} is missing: write {asked.analysis.name}:VALUE" if takes.is_needed else ""
    try:
        takes.read(asked.argument)
    except Refused as refused:
        return str(refused)
    return ""


def further_analyses(asked: Sequence[RequestedAnalysis], given: AnalysisInput) -> dict[str, list[Any]]:
    """`further` of report.json, and the keys that some of the analyses have beside it.

    A table is a file by its name: of an analysis that is asked for twice the later ones are named by its argument too.
    """
    report: dict[str, list[Any]] = {"further": []}
    names: set[str] = set()
    for each in asked:
        part, own = of_report(each, replace(given, argument=each.argument))
        for table in part.get("tables", []):
            if table["name"] in names:
                table["name"] = f"{table['name']}-{re.sub(r'[^0-9A-Za-z]+', '-', each.argument)}"
            names.add(table["name"])
        report["further"].append(part)
        for key, rows in own.items():
            report.setdefault(key, []).extend(rows)
    return report
