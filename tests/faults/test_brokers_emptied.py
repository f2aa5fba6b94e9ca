"""The broker loses everything: every job is done all the same, once in effect."""

from collections.abc import Callable

import pytest

from annotation.models import Job, Study
from tests.faults.conftest import Broker, ask, figures, marks, wait_until_all_done
from tests.shares import IS_FULL

pytestmark = [pytest.mark.faults, pytest.mark.slow, pytest.mark.both]
JOBS = 100 if IS_FULL else 12


def test_broker_emptied_before_a_worker_comes_and_while_it_works(
    broker_at_hand: Broker, worker: Callable[..., int], study: Study
) -> None:
    asked = ask(study, JOBS, seconds=0.05)
    assert broker_at_hand.waiting() == JOBS
    broker_at_hand.empty()
    assert broker_at_hand.waiting() == 0
    worker(clock=True)
    wait_until_all_done(asked)

    more = ask(study, JOBS, seconds=0.2, kind="silent-mark")
    broker_at_hand.empty()
    wait_until_all_done(more)
    assert marks() == dict.fromkeys((job.pk for job in [*asked, *more]), 1)
    print(figures(kills=0))
    assert set(Job.objects.values_list("error", flat=True)) == {""}
