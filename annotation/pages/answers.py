"""The page on which a researcher decides what models' answers stand for, and checks a sample of what the rules did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.views.decorators.http import require_GET

from agreement.errors import Refused
from agreement.report.figure_rows import figure_cell
from agreement.scoring.answer_mapping.mapping_table import BY_HAND, NONE, TableRow
from agreement.scoring.answer_mapping.rules import VERSION
from annotation.accounts.permissions import Right, may
from annotation.models import Study
from annotation.pages.admin.base import reasons_of, study_asked, study_page, user_of
from annotation.pages.leaderboard import ask_for_scores
from annotation.releases.actions.mapping_answers import (
    MappedStudy,
    checked_sample,
    decide_answers,
    decide_by_files,
    forget_answers,
    mapped_answers,
)
from annotation.releases.models import AnswerDecision
from annotation.studies.item_files import name_on_disk
from annotation.web.responses import Download

SHOWN = 100  # answers on the page; the table that can be downloaded has all
FILE = "mapping.csv"


@dataclass(frozen=True, slots=True)
class Line:
    """One answer on the page; `checked` is what somebody said of it as one of the sample."""

    number: int
    row: TableRow
    checked: str = ""

    @property
    def value(self) -> str:
        return "" if self.row.rule == NONE else self.row.value


def answers(request: HttpRequest, study: UUID) -> HttpResponse:
    right = Right.CHANGE if request.method == "POST" else Right.LOOK
    this_study = study_asked(request, right, study)
    refused = {}
    if request.method == "POST":
        try:
            changed = _take(request, this_study)
        except Refused as refusal:
            refused = reasons_of(refusal)
        else:
            _say_what_changed(request, this_study, changed)
            return redirect("agreement:answers", this_study.uuid)
    mapped = mapped_answers(this_study)
    sample = mapped.sample()
    checked = checked_sample(this_study, sample)
    marks = dict(this_study.answer_decisions.exclude(checked="").values_list("answer", "checked"))
    unmapped = [row for row in mapped.table.rows if row.rule == NONE]
    decided = [row for row in mapped.table.rows if row.rule == BY_HAND]
    context = {
        "mapped": mapped,
        "counts": _counts(mapped),
        "version": VERSION,
        "unmapped": _lines(unmapped[:SHOWN], 0),
        "n_unmapped": len(unmapped),
        "decided": _lines(decided[:SHOWN], SHOWN),
        "sample": [Line(number, row, marks.get(row.answer, "")) for number, row in enumerate(sample)],
        "checked": checked,
        "accuracy": figure_cell(checked.accuracy()) if checked.of else None,
        "may_change": may(request.user, Right.CHANGE, this_study),
        **refused,
    }
    return study_page(
        request,
        this_study,
        "results/answers.html",
        context,
        section="models",
        title="Answers of models",
        status=422 if refused else 200,
    )


def _lines(rows: Sequence[TableRow], first: int) -> list[Line]:
    return [Line(first + number, row) for number, row in enumerate(rows)]


def _counts(mapped: MappedStudy) -> list[tuple[str, int]]:
    by_rule: dict[str, int] = {}
    for row in mapped.table.rows:
        by_rule[row.rule] = by_rule.get(row.rule, 0) + row.count
    return sorted(by_rule.items(), key=lambda pair: -pair[1])


def _take(request: HttpRequest, study: Study) -> int:
    """What was sent: a table, marks of the sample, or values of answers. Returns how many answers changed."""
    by = user_of(request)
    upload = request.FILES.get("file")
    if isinstance(upload, UploadedFile):
        with TemporaryDirectory() as folder:
            path = Path(folder) / name_on_disk(upload.name, FILE)
            with path.open("wb") as out:
                out.writelines(upload.chunks())
            return decide_by_files(study=study, files=[path], by=by)
    if "check" in request.POST:
        values, marks = _marked(request.POST)
        return decide_answers(study=study, values=values, checked=marks, by=by)
    values, taken_back = _values(request.POST)
    return decide_answers(study=study, values=values, by=by) + forget_answers(study=study, answers=taken_back, by=by)


def _values(sent: QueryDict) -> tuple[dict[str, str], list[str]]:
    """The values that were changed, and the answers whose value was taken away."""
    values, taken_back = {}, []
    for number in range(2 * SHOWN):
        answer, value = sent.get(f"answer-{number}"), sent.get(f"value-{number}", "").strip()
        if answer is None or value == sent.get(f"was-{number}", ""):
            continue
        if value:
            values[_as_it_came(answer)] = value
        else:
            taken_back.append(_as_it_came(answer))
    return values, taken_back


def _marked(sent: QueryDict) -> tuple[dict[str, str], dict[str, str]]:
    """Of the sample, the values of the answers that were marked, and the marks. A wrong one has the value typed."""
    values, marks = {}, {}
    for number in range(SHOWN):
        answer, mark = sent.get(f"sampled-{number}"), sent.get(f"mark-{number}", "")
        if answer is None or mark not in AnswerDecision.Checked.values or not mark:
            continue
        is_right = mark == AnswerDecision.Checked.RIGHT
        values[_as_it_came(answer)] = sent.get(f"made-{number}" if is_right else f"instead-{number}", "").strip()
        marks[_as_it_came(answer)] = mark
    return values, marks


def _as_it_came(text: str) -> str:
    """Browsers send each end of a line as two characters."""
    return text.replace("\r\n", "\n")


def _say_what_changed(request: HttpRequest, study: Study, changed: int) -> None:
    if not changed:
        messages.info(request, "Nothing was changed.")
        return
    messages.success(request, f"{changed:,} answer{' was' if changed == 1 else 's were'} decided, in all models alike.")
    if study.probes.exists():
        ask_for_scores(request, study)


@require_GET
def mapping(request: HttpRequest, study: UUID) -> Download:
    """What all models' answers are mapped to, as a file for --answer-mapping."""
    this_study = study_asked(request, Right.LOOK, study)
    return Download([mapped_answers(this_study).table.csv()], name=FILE)
