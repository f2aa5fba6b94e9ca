"""The annotators' scripts one by one, in the browser that runs them: queue, store and gesture."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, Route

pytestmark = pytest.mark.django_db(transaction=True)
SCRIPTS = Path(__file__).parent / "scripts"


@pytest.mark.parametrize(("name", "tests"), [("gesture", 6), ("queue", 13), ("store", 8)])
def test_script(page: Page, name: str, tests: int) -> None:
    def fulfil(route: Route) -> None:
        file = route.request.url.rsplit("/", 1)[1]
        route.fulfill(path=SCRIPTS / file, content_type="text/javascript")

    page.route("**/under-test/*.js", fulfil)
    page.goto("/")
    results = page.evaluate("async (name) => (await import(`/under-test/${name}.js`)).run()", name)
    assert len(results) == tests
    assert {test: text for test, text in results.items() if text != "passed"} == {}
