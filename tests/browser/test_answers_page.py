"""What models' answers stand for, decided in a browser: a page with answers as models write them, on a phone too."""

from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect

from annotation.models import Study
from annotation.releases.actions.analysing import clean_and_release
from annotation.releases.actions.scoring_probes import add_probe
from annotation.releases.models import AnswerDecision
from tests.browser.test_admin import DESK, PHONE, found_on, sign_in
from tests.integration.agreement.crowds import a_study_of, answers, came
from tests.integration.researchers import a_researcher

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LONG = "It depends on the light, on the season and on who looks at it, and nobody can say for certain. " * 4
TEXTS = ["Red.", "it is **blue**", "crimson", "crimson", f"<b>azure</b> {'x' * 90}", LONG, "I can't answer.", "red"]


@pytest.fixture
def study(tmp_path: Path) -> Study:
    """Eight items with references that five people call red, and a chat model."""
    items = [{"item_id": f"i{n}", "reference": "red"} for n in range(8)]
    study = a_study_of("choice", items, ["red", "blue"], judgments_per_item=5, owner=a_researcher())
    for worker in range(5):
        answers(came(study, f"w{worker}"), "label", {f"i{n}": "blue" if n == worker else "red" for n in range(8)})
    path = tmp_path / "chat.csv"
    path.write_text("item_id,answer\n" + "".join(f'i{n},"{text}"\n' for n, text in enumerate(TEXTS)))
    add_probe(study=study, name="chat", file=path)
    clean_and_release(study=study, replicates=20)
    return study


@pytest.mark.parametrize(("viewport", "scheme"), [(PHONE, "dark"), (DESK, "light")])
def test_axe_finds_nothing_and_nothing_hangs_out(
    viewport: Any, scheme: Any, study: Study, browser: Browser, live_server: Any
) -> None:
    context = browser.new_context(
        base_url=live_server.url, viewport=viewport, color_scheme=scheme, reduced_motion="reduce"
    )
    page = context.new_page()
    sign_in(page, study)
    problems: list[str] = []
    for name in ("answers", "leaderboard"):
        page.goto(reverse(f"agreement:{name}", args=[study.uuid]))
        problems += found_on(page)
    context.close()
    assert problems == []


def test_an_answer_is_decided_with_the_keyboard_alone(page: Page, study: Study) -> None:
    sign_in(page, study)
    page.goto(reverse("agreement:answers", args=[study.uuid]))
    page.get_by_role("group", name="crimson").get_by_label("Stands for").focus()
    page.keyboard.type("red")
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 answer was decided, in all models alike.")).to_be_visible()
    assert list(AnswerDecision.objects.values_list("answer", "value")) == [("crimson", "red")]
