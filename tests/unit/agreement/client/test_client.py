"""The client against a site that is a function: what it sends, when it sends again, and what it makes of answers."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pandas as pd
import pytest

from agreement import places
from agreement.client import (
    Client,
    Conflict,
    Invalid,
    Job,
    JobFailed,
    NotFound,
    NotSignedIn,
    SiteError,
    TooManyRequests,
)
from agreement.client.connection import ATTEMPTS
from agreement.errors import ExtraMissing

SITE = "https://touchstone.example.org"
Answer = Callable[[httpx.Request], httpx.Response] | httpx.Response | Exception
JOB = {
    "id": "j1", "study": "colours", "kind": "analyse", "status": "queued", "progress": 0.0,
    "created_at": "2026-01-01T00:00:00Z", "finished_at": None, "result": None, "problem": None,
}  # fmt: skip


class Site:
    """Gives its answers in order, and keeps what it was asked."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = iter(answers)
        self.asked: list[httpx.Request] = []
        self.bodies: list[bytes] = []
        self.paused: list[float] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        self.bodies.append(request.read())
        answer = next(self.answers)
        if isinstance(answer, Exception):
            raise answer
        return answer(request) if callable(answer) else answer

    def client(self) -> Client:
        return Client(SITE, "tst_x", transport=httpx.MockTransport(self), sleep=self.paused.append)


def ok(body: Any, status: int = 200) -> httpx.Response:
    return httpx.Response(status, json=body)


def refused(status: int, **problem: Any) -> httpx.Response:
    headers = {"Content-Type": "application/problem+json", **problem.pop("headers", {})}
    return httpx.Response(status, content=json.dumps({"status": status, **problem}), headers=headers)


def test_lists_go_on_from_page_to_page() -> None:
    site = Site(
        ok({"results": [{"slug": "a"}], "next_cursor": "x"}), ok({"results": [{"slug": "b"}], "next_cursor": None})
    )

    assert [study["slug"] for study in site.client().studies(status="live")] == ["a", "b"]
    assert [request.url.query.decode() for request in site.asked] == ["status=live", "status=live&cursor=x"]
    assert site.asked[0].headers["Authorization"] == "Bearer tst_x"


def test_a_creation_is_repeated_under_one_key() -> None:
    site = Site(httpx.ReadTimeout("slow"), refused(409, detail="has not ended"), refused(503), ok({"slug": "a"}, 201))

    assert site.client().create_study("a", preset="typicality")["slug"] == "a"

    keys = {request.headers["Idempotency-Key"] for request in site.asked}
    assert len(site.asked) == 4
    assert len(keys) == 1
    assert len(site.paused) == 3


def test_what_has_no_key_is_not_sent_twice() -> None:
    site = Site(httpx.ReadTimeout("slow"))

    with pytest.raises(SiteError, match="gave no answer"):
        Job.of(JOB, site.client().connection).cancel()

    assert len(site.asked) == 1


def test_a_change_of_status_is_repeated_under_one_key() -> None:
    site = Site(httpx.ReadTimeout("slow"), ok({"slug": "colours", "status": "live"}))

    assert site.client().open("colours")["status"] == "live"
    assert len({request.headers["Idempotency-Key"] for request in site.asked}) == 1


def test_what_never_arrived_may_come_again() -> None:
    site = Site(httpx.ConnectError("refused"), ok({"slug": "colours", "status": "live"}))

    assert site.client().open("colours")["status"] == "live"


def test_a_first_conflict_is_told_at_once() -> None:
    site = Site(refused(409, detail="There is a study of that name."))

    with pytest.raises(Conflict, match="There is a study of that name"):
        site.client().create_study("a", title="A")


def test_it_waits_as_long_as_the_site_asks() -> None:
    site = Site(refused(429, headers={"Retry-After": "7"}), ok({"username": "ada", "token": {}}))

    assert site.client().me()["username"] == "ada"
    assert site.paused == [7.0]


def test_it_gives_up_in_the_end() -> None:
    site = Site(*[refused(429, detail="Too many requests.", headers={"Retry-After": "1"})] * ATTEMPTS)

    with pytest.raises(TooManyRequests):
        site.client().me()


def test_a_problem_names_every_fault() -> None:
    errors = [
        {"field": "min", "row": 14, "detail": "items.csv, row 14, column min: 'ninety' is not a number"},
        {"field": "labels.2.value", "row": None, "detail": "This is empty."},
    ]
    site = Site(refused(422, detail="Refused for 3 reasons; nothing was stored.", errors=errors, more_errors=1))

    with pytest.raises(Invalid) as caught:
        site.client().create_study("a", title="A")

    assert str(caught.value) == (
        "Refused for 3 reasons; nothing was stored.\n"
        "  items.csv, row 14, column min: 'ninety' is not a number\n"
        "  labels.2.value: This is empty.\n"
        "  and 1 more: see .faults\n"
        "(422, POST /api/v1/studies/)"
    )
    assert caught.value.faults[0].row == 14


@pytest.mark.parametrize(("status", "kind"), [(401, NotSignedIn), (404, NotFound), (500, SiteError)])
def test_each_refusal_has_its_exception(status: int, kind: type[Exception]) -> None:
    with pytest.raises(kind):
        Site(refused(status, detail="No.")).client().study("colours")


def test_a_page_that_is_no_api() -> None:
    with pytest.raises(SiteError, match="not one of Touchstone"):
        Site(httpx.Response(500, text="<h1>nginx</h1>")).client().me()
    with pytest.raises(Exception, match="sends on to"):
        Site(httpx.Response(301, headers={"Location": "https://www.example.org/"})).client().me()


@pytest.mark.parametrize("site", ["touchstone.example.org", "http://touchstone.example.org", "ftp://a"])
def test_addresses_that_would_not_do(site: str) -> None:
    with pytest.raises(ValueError, match=r"address of a site|unencrypted"):
        Client(site, "tst_x")


def test_site_and_token_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOUCHSTONE_SITE", "http://127.0.0.1:8000/")
    monkeypatch.setenv("TOUCHSTONE_TOKEN", "tst_y")

    with Client() as client:
        assert repr(client) == "Client('http://127.0.0.1:8000')"
    monkeypatch.delenv("TOUCHSTONE_TOKEN")
    with pytest.raises(ValueError, match="A token is needed"):
        Client()


def test_waiting_for_a_job_tells_each_step() -> None:
    steps = [{**JOB, "status": "running", "progress": 0.5}, {**JOB, "status": "running", "progress": 0.5},
             {**JOB, "status": "done", "progress": 1.0, "result": {"new": 1}}]  # fmt: skip
    site, heard = Site(ok(JOB, 202), *map(ok, steps)), list[str]()
    client = site.client()

    done = client.job("j1").wait(lambda job: heard.append(str(job)), sleep=site.paused.append)

    assert done.result == {"new": 1}
    assert heard == [
        "analyse of colours: queued, 0%",
        "analyse of colours: running, 50%",
        "analyse of colours: done, 100%",
    ]


def test_a_failed_job_says_why() -> None:
    problem = {"detail": "Refused for 2 reasons", "errors": [{"detail": "no check"}, {"detail": "no item"}]}
    site = Site(ok({**JOB, "status": "failed", "problem": problem}))

    with pytest.raises(JobFailed, match="did not end well: no check\nno item"):
        site.client().job("j1").wait()


def test_waiting_no_longer_than_asked() -> None:
    with pytest.raises(TimeoutError, match="it goes on"):
        Site(ok(JOB)).client().job("j1").wait(timeout=0.1)


def test_judgments_go_on_from_where_they_ended() -> None:
    pages = [
        {"results": [{"id": "1"}], "next_cursor": "c", "since": "c"},
        {"results": [], "next_cursor": None, "since": "e"},
    ]
    site = Site(*map(ok, pages))

    found = site.client().judgments("colours", since="a")

    assert [row["id"] for row in found] == ["1"]
    assert found.since == "e"
    assert [dict(request.url.params) for request in site.asked] == [
        {"limit": "1000", "since": "a"},
        {"limit": "1000", "cursor": "c"},
    ]


def test_items_of_a_frame_are_sent_as_lines() -> None:
    site = Site(ok({"items": 2, "notice": ""}, 201))
    items = pd.DataFrame({"item_id": ["a", "b"], "min": [None, 10.0], "term": ["ä", "b"]})

    assert site.client().add_items("colours", items) == 2

    assert [json.loads(line) for line in site.bodies[0].splitlines()] == [
        {"item_id": "a", "term": "ä"},
        {"item_id": "b", "min": 10.0, "term": "b"},
    ]
    assert site.asked[0].headers["Content-Type"] == "application/x-ndjson"


def test_a_file_is_read_from_its_beginning_again(tmp_path: Path) -> None:
    path = tmp_path / "items.csv"
    path.write_text("item_id\na\n")
    site = Site(refused(503), ok({**JOB, "kind": "import"}, 202), ok({**JOB, "status": "done", "result": {"items": 1}}))

    client = site.client()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("agreement.client.jobs.FIRST_LOOK", 0.0)
        assert client.add_items("colours", path) == 1

    assert site.bodies[:2] == [b"item_id\na\n"] * 2
    assert site.asked[0].url.params["name"] == "items.csv"


def test_pictures_are_sent_beside_their_items(tmp_path: Path) -> None:
    (tmp_path / "items.csv").write_text("item_id,image\na,a.png\n")
    (tmp_path / "a.png").write_bytes(b"picture")
    site = Site(refused(503), ok({"items": 1, "notice": ""}, 201))

    site.client().add_items("colours", tmp_path / "items.csv", pictures=[tmp_path / "a.png"])

    for body in site.bodies:
        assert b'name="pictures"; filename="a.png"' in body
        assert b"picture" in body
        assert b"a,a.png" in body


def test_tables_become_frames() -> None:
    lines = ['{"item_id": "007", "mean": "4.5", "label": "1"}', '{"item_id": "12", "mean": "", "label": "2"}']
    site = Site(httpx.Response(200, text="\n".join(lines) + "\n"))

    gold = site.client().gold("colours", release=3)

    assert gold["item_id"].tolist() == ["007", "12"]
    assert gold["mean"].iloc[0] == 4.5
    assert gold["label"].tolist() == ["1", "2"]
    assert dict(site.asked[0].url.params) == {"release": "3", "form": "jsonl"}


def test_an_export_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    def breaks() -> Iterator[bytes]:
        yield b"half"
        raise httpx.ReadError("cut off")

    named = {"Content-Disposition": 'attachment; filename="colours-release-1-bundle.zip"'}
    site = Site(httpx.Response(200, content=b"whole", headers=named), httpx.Response(200, content=breaks()))
    client = site.client()

    heard: list[int] = []
    assert client.export("colours", "bundle", tmp_path, progress=heard.append).name == "colours-release-1-bundle.zip"
    with pytest.raises(SiteError, match="broke off"):
        client.export("colours", "gold", tmp_path / "gold.csv")

    assert heard == [5]
    assert [path.name for path in tmp_path.iterdir()] == ["colours-release-1-bundle.zip"]


def test_an_export_as_parquet_keeps_its_types(tmp_path: Path) -> None:
    site = Site(httpx.Response(200, text='{"item_id": "007", "mean": "4.5"}\n'))

    path = site.client().export("colours", "gold", tmp_path / "gold.parquet", only_kept=True)

    found = pd.read_parquet(path)
    assert found.to_dict("records") == [{"item_id": "007", "mean": 4.5}]
    assert dict(site.asked[0].url.params) == {"form": "jsonl", "only_kept": "true"}


def test_parquet_without_its_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "missing_of", lambda _: ["pyarrow"])

    with pytest.raises(ExtraMissing, match=r"pip install 'touchstone-annotation\[parquet\]'"):
        Site().client().export("colours", "gold", tmp_path / "gold.parquet")


def test_an_analysis_gives_back_its_release() -> None:
    releases = {"results": [{"id": "r2", "number": 2}, {"id": "r1", "number": 1}], "next_cursor": None}
    done = {**JOB, "status": "done", "result": {"release": "r2"}}
    site = Site(ok(done, 202), ok(releases), ok({"id": "r2", "number": 2, "methods": "Ten people came."}))

    assert site.client().analyse("colours", rules="own-bounds")["methods"] == "Ten people came."
    assert json.loads(site.bodies[0]) == {"rules": "own-bounds"}


def test_a_leaderboard_is_a_frame() -> None:
    rows = [
        {"rank": 1, "name": "m", "kind": "probe", "estimate": 0.9, "low": 0.8, "high": 1.0, "coverage": None},
        {"rank": None, "name": "a typical person", "kind": "person", "estimate": 0.95, "low": None, "high": None},
    ]  # fmt: skip
    board = {
        "release": 1,
        "metric": "spearman",
        "metrics": {},
        "smaller_is_better": False,
        "rows": rows,
        "comparisons": [],
    }

    found = Site(ok(board)).client().leaderboard("colours")

    assert found["name"].tolist() == ["m", "a typical person"]
    assert found.attrs["metric"] == "spearman"


def test_a_study_is_changed_as_it_was_seen() -> None:
    questions = [{"name": "why", "kind": "text", "question": "Why?"}]
    site = Site(httpx.Response(200, json={}, headers={"ETag": '"7"'}), ok({"slug": "a"}))

    assert site.client().change_study("a", questions=questions)["slug"] == "a"

    assert [request.method for request in site.asked] == ["GET", "PATCH"]
    assert site.asked[1].headers["If-Match"] == '"7"'
    assert json.loads(site.bodies[1]) == {"questions": questions}
