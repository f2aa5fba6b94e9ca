"""By which columns a leaderboard breaks scores down: no curve that nobody asked for, and n in every head."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Role, Study, User
from annotation.releases.actions.analysing import clean_and_release
from annotation.releases.actions.scoring_probes import add_probe, publish_leaderboard, score_here
from annotation.releases.models import LeaderboardColumns
from tests.integration.agreement.crowds import a_study_of, answers, came
from tests.integration.researchers import a_researcher, signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(tmp_path: Path) -> Study:
    fields = [{"freq": k % 4 + 1, "topic": ["birds", "tools"][k % 2]} for k in range(16)]
    items = [{"item_id": f"i{k:02}", "fields": given} for k, given in enumerate(fields)]
    study = a_study_of("slider", items, owner=a_researcher())
    for at, name in enumerate(("ann", "ben", "eve")):
        answers(came(study, name), "number", {f"i{k:02}": (k * 37 + at * 7) % 100 for k in range(16)})
    release = clean_and_release(study=study, replicates=100)
    outputs = tmp_path / "m.csv"
    outputs.write_text("item_id,score\n" + "".join(f"i{k:02},{(k * 37) % 90}\n" for k in range(16)))
    add_probe(study=study, name="m", file=outputs)
    score_here(release=release, seed=1)
    return study


def owner_of(study: Study) -> User:
    assert study.owner is not None
    return study.owner


def page(client: Client, study: Study) -> str:
    text: str = client.get(reverse("agreement:leaderboard", args=[study.uuid])).text
    return text


def test_numbers_of_the_items_are_no_curve_until_somebody_asks(study: Study) -> None:
    client = signed_in(owner_of(study))
    before = page(client, study)
    assert '<h3 id="by-1">By topic</h3>' in before
    assert "By freq" not in before
    assert '<svg class="t-curve"' not in before
    assert '<span class="t-size">n = 8</span>' in before

    chosen = {"column": ["freq", "topic"], "how": ["curve", "none"]}
    client.post(reverse("agreement:leaderboard_columns", args=[study.uuid]), chosen)

    after = page(client, study)
    assert "By freq" in after
    assert "By topic" not in after
    assert '<svg class="t-curve"' in after
    assert LeaderboardColumns.objects.get(study=study).curves == ["freq"]
    assert study.audit_entries.filter(detail__curves=["freq"]).exists()
    link = publish_leaderboard(study=study, by=owner_of(study))
    assert "By freq" in Client().get(reverse("public_leaderboard", args=[link.token])).text


def test_who_may_only_look_chooses_nothing(study: Study) -> None:
    viewer = signed_in(a_researcher(study, Role.Level.VIEWER))
    assert "Scores by column" not in page(viewer, study)
    assert viewer.post(reverse("agreement:leaderboard_columns", args=[study.uuid]), {}).status_code == 403


def test_the_share_of_a_person_says_of_which_two_figures(study: Study) -> None:
    text = page(signed_in(owner_of(study)), study)
    assert "The share of a typical person is not the score divided by a person" in text
    assert 'data-label="share of a typical person"' in text
