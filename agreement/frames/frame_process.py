"""The process that analyses a data frame for the package, so that no module of this code gets on its caller's path.

One question on standard input, its answer on standard output, both pickled, and of plain values and data frames alone.
"""

from __future__ import annotations

import os
import pickle
import sys
from pathlib import Path
from typing import IO, Any

from ..analysis.analysis import Analysis, NothingKept
from ..analysis.frame_job import FrameJob, run
from ..analysis.output_folder import write
from ..errors import Refused, TouchstoneError
from ..processes import end_with
from ..report.report_frames import agreement_frame, ceiling_frame, judgments_frame, workers_frame


def main() -> None:
    from django.conf import settings

    end_with(os.getppid())
    settings.configure(USE_I18N=False)  # the report page is a template, and nothing else here is Django's
    wanted, question = pickle.load(sys.stdin.buffer)  # noqa: S301 - from the process that started this one
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what somebody prints must not stand between the answers
    try:
        answer = _analysed(question, out) if wanted == "analyse" else _saved(**question)
    except NothingKept as nothing:
        _tell(out, "nothing kept", list(nothing.reasons), workers_frame(nothing.cleaning))
    except Refused as refused:
        _tell(out, "refused", list(refused.reasons))
    except TouchstoneError as error:
        _tell(out, "refused", [str(error)])
    else:
        _tell(out, "done", answer)


def _analysed(question: dict[str, Any], out: IO[bytes]) -> dict[str, Any]:
    analysis = run(FrameJob(**question), lambda stage: _tell(out, "stage", stage))
    cleaning, report = analysis.cleaning, analysis.report
    return {
        "name": analysis.study,
        "gold": analysis.gold,
        "agreement": agreement_frame(report),
        "ceilings": ceiling_frame(report),
        "workers": workers_frame(cleaning),
        "judgments": judgments_frame(cleaning),
        "methods": analysis.methods,
        "report": report,
        "packed": pickle.dumps(analysis, protocol=pickle.HIGHEST_PROTOCOL),
    }


def _saved(*, packed: bytes, folder: str, report: bool, card: str | None) -> list[str]:
    """Written as `analyse_file` writes; what its reader should know is returned."""
    from ..figures.rendering import NOT_INSTALLED, can_draw
    from ..report.data_card import EMPTY, read_card
    from ..report.report_files import with_card

    analysis: Analysis = pickle.loads(packed)  # noqa: S301 - our own, from a process like this one
    if not report:
        write(analysis, Path(folder))
        return []
    failures: list[str] = []
    write(analysis, Path(folder), beside=with_card(EMPTY if card is None else read_card(Path(card)), failures))
    return [*failures, *([] if can_draw() else [NOT_INSTALLED])]


def _tell(out: IO[bytes], *what: Any) -> None:
    pickle.dump(what, out, protocol=pickle.HIGHEST_PROTOCOL)
    out.flush()


if __name__ == "__main__":
    main()
