"""The further analyses, found by walking the folder; how they are asked for, and how they are made."""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from types import MappingProxyType

from ..errors import Refused, option
from .further_analysis import (
    AltTestReport,
    AnalysisInput,
    FurtherAnalysis,
    FurtherReport,
    NoAltTest,
    NoFurtherReport,
    RequestedAnalysis,
    Table,
    report_of_analysis,
)


def _find_analyses() -> Mapping[str, FurtherAnalysis]:
    modules = [import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__)]
    analyses: list[FurtherAnalysis] = sorted(
        (module.FURTHER for module in modules if hasattr(module, "FURTHER")), key=lambda each: each.order
    )
    return MappingProxyType({each.name: each for each in analyses})


FURTHER = _find_analyses()


def requested_analyses(words: Sequence[str]) -> tuple[RequestedAnalysis, ...]:
    """What `--also` names, each once, in the order of a report; every word that names nothing is refused.

    >>> [asked.key for asked in requested_analyses(["alt-test:0.1", "alt-test:0.1"])]
    ['alt-test:0.1']
    """
    requests: dict[str, RequestedAnalysis] = {}
    reasons: list[str] = []
    for word in words:
        name, _, argument = word.partition(":")
        if name not in FURTHER:
            reasons.append(f"{option('also')}: there is no analysis {name!r}; there are {', '.join(FURTHER)}")
            continue
        asked = RequestedAnalysis(FURTHER[name], argument.strip())
        if why := _argument_error(asked):
            reasons.append(f"{option('also', word)}: {why}")
        else:
            requests[asked.key] = asked
    if reasons:
        raise Refused(reasons)
    order = list(FURTHER)
    return tuple(sorted(requests.values(), key=lambda asked: order.index(asked.analysis.name)))


def worker_columns_in(words: Sequence[str]) -> list[str]:
    """The columns of workers that the analyses named so read."""
    return [asked.argument for asked in requested_analyses(words) if asked.analysis.reads_workers]


def _argument_error(asked: RequestedAnalysis) -> str:
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


@dataclass(frozen=True, slots=True)
class FurtherReports:
    """What a report has of the analyses that were asked for; `alt_test` is None where none of them tests models so."""

    further: tuple[FurtherReport | NoFurtherReport, ...] = ()
    alt_test: tuple[AltTestReport | NoAltTest, ...] | None = None


def further_analyses(asked: Sequence[RequestedAnalysis], judged: AnalysisInput) -> FurtherReports:
    """Each analysis as the report has it.

    A table is a file by its name: of an analysis that is asked for twice the later ones are named by its argument too.
    """
    reports: list[FurtherReport | NoFurtherReport] = []
    alt_test: tuple[AltTestReport | NoAltTest, ...] | None = None
    names: set[str] = set()
    for each in asked:
        own = replace(judged, argument=each.argument)
        result = each.analysis.why_not(own) or each.analysis.compute(own)
        part = report_of_analysis(each, result)
        if isinstance(part, FurtherReport):
            part = replace(part, tables=tuple(_rename_table(table, each.argument, names) for table in part.tables))
        names |= {table.name for table in part.tables}
        reports.append(part)
        if not isinstance(result, str) and result.alt_test is not None:
            alt_test = (*(alt_test or ()), *result.alt_test)
    return FurtherReports(tuple(reports), alt_test)


def _rename_table(table: Table, argument: str, names: Collection[str]) -> Table:
    return (
        replace(table, name=f"{table.name}-{re.sub(r'[^0-9A-Za-z]+', '-', argument)}") if table.name in names else table
    )
