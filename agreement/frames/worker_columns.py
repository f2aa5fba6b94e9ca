"""What workers said of themselves at the end of a study, as columns by which an analysis groups them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from agreement.crowd import Crowd
from agreement.frames.reading_judgments import Frame
from annotation.bulk import chunks
from annotation.models import Participation

PEOPLE_PER_QUERY = 10_000


def with_worker_columns(frame: Frame, names: Sequence[str]) -> Crowd:
    """The crowd with these answers alone, "" where somebody gave none; without names it is as it was."""
    if not names:
        return frame.crowd
    answers: dict[int, dict[str, Any]] = {}
    for portion in chunks(frame.participations.tolist(), PEOPLE_PER_QUERY):
        answers.update(Participation.objects.filter(pk__in=portion).values_list("pk", "demographics"))
    columns = {
        name: [str(answers.get(key, {}).get(name, "")) for key in frame.participations.tolist()]
        for name in names
        if any(name in given for given in answers.values())
    }
    return replace(frame.crowd, worker_fields=pd.DataFrame(columns, index=pd.RangeIndex(len(frame.participations))))
