"""The client: a study from its items to its gold and its leaderboard, in Python."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Self

from ..places import refuse_missing
from .connection import Connection, download, write_parquet
from .jobs import Job, Progress
from .problems import NotFound
from .tables import (
    Checklist,
    Judgments,
    Link,
    Me,
    Probe,
    Release,
    Screening,
    Study,
    StudyProgress,
    Verdict,
    csv_file,
    frame_of,
    json_lines,
)

if TYPE_CHECKING:
    import pandas as pd

ADDRESS, TOKEN = "TOUCHSTONE_SITE", "TOUCHSTONE_TOKEN"
FilePath = str | os.PathLike[str]
CONTENT_TYPES = {".csv": "text/csv", ".jsonl": "application/x-ndjson", ".ndjson": "application/x-ndjson"}
OF_HARNESSES = (".json", ".eval", ".parquet")  # of models' outputs alone


class Client:
    """A site's API, as one researcher: `Client("https://touchstone.example.org", "tst_…")`.

    Left out, the site and the token are taken from the environment: TOUCHSTONE_SITE and TOUCHSTONE_TOKEN. Tokens are
    made in the site's admin. A request is sent again where that is safe; every refusal is an `ApiError`.
    """

    def __init__(self, site: str | None = None, token: str | None = None, **options: Any) -> None:
        site, token = site or os.environ.get(ADDRESS, ""), token or os.environ.get(TOKEN, "")
        if not site:
            raise ValueError(f"A site is needed: Client('https://touchstone.example.org', …), or {ADDRESS}=…")
        self.connection = Connection(site, token, **options)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.connection.close()

    def __repr__(self) -> str:
        return f"Client({self.connection.site!r})"

    def me(self) -> Me:
        """Who the token is, and what it may do."""
        answer: Me = self.connection.get("me/")
        return answer

    # Studies.

    def studies(self, *, status: str | None = None) -> Iterator[Study]:
        """The studies that are yours or shared with you, newest first."""
        rows: Iterator[Any] = self.connection.rows("studies/", status=status)
        return rows

    def study(self, study: str) -> Study:
        """One study, by its short name."""
        answer: Study = self.connection.get(f"studies/{study}/")
        return answer

    def create_study(self, slug: str, *, preset: str | None = None, **fields: Any) -> Study:
        """A draft: from a preset, with what differs from it, or from fields of your own: title, kind, question, …
        (or `questions`, each an object of its own).
        """
        body = {"slug": slug, **({} if preset is None else {"preset": preset}), **fields}
        answer: Study = self.connection.post("studies/", body)
        return answer

    def change_study(self, study: str, **fields: Any) -> Study:
        """Change these of its fields, unless somebody else does at the same moment. A draft's `questions` are all of
        them, in their order: `[{"name": "fluency", "kind": "slider", "question": "…", "scale_low": 0, …}, …]`.
        """
        address = f"studies/{study}/"
        seen = {"If-Match": self.connection.request("GET", address).headers["ETag"]}
        answer: Study = self.connection.request("PATCH", address, json=fields, headers=seen).json()
        return answer

    def checklist(self, study: str) -> Checklist:
        """What the study lacks before people can come."""
        answer: Checklist = self.connection.get(f"studies/{study}/checklist/")
        return answer

    def open(self, study: str) -> Study:
        """Let people in."""
        return self._change_status(study, "live", "")

    def pause(self, study: str, *, why: str = "") -> Study:
        """Let nobody new in; whoever has begun may finish."""
        return self._change_status(study, "paused", why)

    def close_study(self, study: str, *, why: str = "") -> Study:
        """End the collection."""
        return self._change_status(study, "closed", why)

    def _change_status(self, study: str, to: str, why: str) -> Study:
        answer: Study = self.connection.post(f"studies/{study}/status/", {"to": to, "why": why})
        return answer

    def progress(self, study: str) -> StudyProgress:
        """How many judgments are done, in progress and still needed."""
        answer: StudyProgress = self.connection.get(f"studies/{study}/progress/")
        return answer

    def plan(self, study: str, goal: str, target: float, **size: Any) -> dict[str, Any]:
        """Judgments per item and people for a goal, with `sentence` in words; `size` is `items`, `items_per_person`,
        and if you like `source`, `people` and `assurance`.
        """
        body = {"goal": goal, "target": target, "source": "judgments", **size}
        answer: dict[str, Any] = self.connection.post(f"studies/{study}/plan/", body, once=False)
        return answer

    def suspects(self, study: str) -> Screening:
        """Whose answers look careless beside those of the others, and why; nobody is excluded by it."""
        answer: Screening = self.connection.get(f"studies/{study}/suspects/")
        return answer

    def preview_cleaning(self, study: str, *, rules: str | None = None, toml: str | None = None) -> dict[str, Any]:
        """What rules would do now, `rules="screening"` for example; nothing is stored."""
        asked = {"rules": rules, "toml": toml}
        body = {name: value for name, value in asked.items() if value is not None}
        answer: dict[str, Any] = self.connection.post(f"studies/{study}/cleaning/preview/", body, once=False)
        return answer

    def open_link(self, study: str, *, capacity: int | None = None, note: str = "") -> Link:
        """A link by which up to `capacity` people come in; its address needs the token's scope links:read."""
        answer: Link = self.connection.post(f"studies/{study}/links/", {"capacity": capacity, "note": note})
        return answer

    # Items.

    def add_items(
        self,
        study: str,
        items: FilePath | pd.DataFrame | Iterable[Mapping[str, Any]],
        *,
        pictures: Iterable[FilePath] = (),
        progress: Progress | None = None,
    ) -> int:
        """Add items: all of them, or none. From a file (CSV or JSON Lines), a frame or dictionaries; `pictures` are
        files that the items' columns name, sounds and videos too. Says how many; waits where there are so many that it
        is a job.
        """
        with ExitStack() as opened:
            file, name = _file_of(items, "items", opened)
            address = f"studies/{study}/items/import/"
            if shown := [Path(path) for path in pictures]:
                parts = [
                    ("file", (name, file)),
                    *(("pictures", (path.name, opened.enter_context(path.open("rb")))) for path in shown),
                ]
                response = self.connection.request("POST", address, once=True, files=parts)
            else:
                headers = {"Content-Type": CONTENT_TYPES[Path(name).suffix]}
                response = self.connection.request(
                    "POST", address, once=True, params={"name": name}, content=file, headers=headers
                )
        answer = response.json()
        if "items" in answer:
            return int(answer["items"])
        done = Job.of(answer, self.connection).wait(progress)
        return int(done.result["items"])

    # Jobs.

    def jobs(self, study: str, *, kind: str | None = None, status: str | None = None) -> Iterator[Job]:
        """A study's jobs, newest first."""
        rows = self.connection.rows(f"studies/{study}/jobs/", kind=kind, status=status)
        return (Job.of(row, self.connection) for row in rows)

    def job(self, job: str) -> Job:
        """A job by its id: `client.job(id).wait()`."""
        return Job.of(self.connection.get(f"jobs/{job}/"), self.connection)

    # Gold.

    def analyse(
        self,
        study: str,
        *,
        rules: str | None = None,
        toml: str | None = None,
        seed: int | None = None,
        replicates: int | None = None,
        progress: Progress | None = None,
    ) -> Release:
        """Clean, compute everything and release gold; waits for it, and gives back the release.

        `rules` is the key of a rule set of the site, `toml` rules of your own; without either, those of the last
        release count.
        """
        asked = {"rules": rules, "toml": toml, "seed": seed, "replicates": replicates}
        body = {name: value for name, value in asked.items() if value is not None}
        started = Job.of(self.connection.post(f"studies/{study}/cleaning/", body), self.connection)
        release_id = started.wait(progress).result["release"]
        for release in self.releases(study):
            if release["id"] == release_id:
                return self.release(study, release["number"])
        raise NotFound(
            f"GET studies/{study}/releases/", {"status": 404, "detail": f"Release {release_id} is not listed."}
        )

    def releases(self, study: str) -> Iterator[Release]:
        """A study's gold releases, newest first."""
        rows: Iterator[Any] = self.connection.rows(f"studies/{study}/releases/")
        return rows

    def release(self, study: str, number: int) -> Release:
        """One release, with the verdict on it, its counts and its methods paragraph."""
        answer: Release = self.connection.get(f"studies/{study}/releases/{number}/")
        return answer

    def verdict(self, study: str, *, question: str | None = None) -> Verdict:
        """Whether the study's gold is good enough, and what to do next; of several questions the weakest decides."""
        answer: Verdict = self.connection.get(f"studies/{study}/verdict/", question=question)
        return answer

    def report(self, study: str, number: int) -> dict[str, Any]:
        """report.json of a release: agreement, ceilings, everything."""
        answer: dict[str, Any] = self.connection.get(f"studies/{study}/releases/{number}/report/")
        return answer

    def gold(self, study: str, *, release: int | None = None) -> pd.DataFrame:
        """The gold, of the newest release unless told, as a frame."""
        return self.table(study, "gold", release=release)

    def table(self, study: str, what: str, *, release: int | None = None, **options: bool) -> pd.DataFrame:
        """An export as a frame: gold, judgments, workers, participants, labels, wide or norms."""
        address, asked = f"studies/{study}/exports/{what}/", _switched(options)
        with self.connection.stream(address, release=release, form="jsonl", **asked) as response:
            return frame_of(response.iter_lines())

    def export(
        self,
        study: str,
        what: str,
        to: FilePath,
        *,
        release: int | None = None,
        progress: Callable[[int], None] | None = None,
        **options: bool,
    ) -> Path:
        """An export written to a file, whole or not at all; `to` may be a folder. `what` may be bundle or report too.

        A file that ends in .jsonl gets JSON Lines, one that ends in .parquet a table with types (the extra `parquet`).
        `progress` is called with how many bytes have come, and `options` are the export's own: `only_kept=True`.
        """
        path = Path(to)
        if path.suffix == ".parquet":
            refuse_missing("parquet")
            return write_parquet(self.table(study, what, release=release, **options), path)
        form = "jsonl" if path.suffix in {".jsonl", ".ndjson"} else None
        address, asked = f"studies/{study}/exports/{what}/", _switched(options)
        with self.connection.stream(address, release=release, form=form, **asked) as response:
            return download(response, path, progress)

    def judgments(self, study: str, *, since: str | None = None) -> Judgments:
        """Every revision of every answer, page by page; `since` of an earlier reading gives what has come after it."""
        return Judgments(self.connection, study, since)

    # Models.

    def upload_probe(
        self, study: str, name: str, outputs: FilePath | pd.DataFrame, *, group: str = "", **options: str
    ) -> Probe:
        """Add a model's outputs, a row per item; `options` say how they are to be read (docs/formats.md)."""
        with ExitStack() as opened:
            file, file_name = _file_of(outputs, "outputs", opened)
            fields = {"name": name, **({"group": group} if group else {}), **options}
            response = self.connection.request(
                "POST", f"studies/{study}/probes/", once=True, data=fields, files=[("file", (file_name, file))]
            )
        answer: Probe = response.json()
        return answer

    def answers(self, study: str) -> pd.DataFrame:
        """What models' answers in their own words are mapped to, unmapped ones first; `.attrs` has the hash."""
        import pandas as pd

        answer = self.connection.get(f"studies/{study}/answers/")
        frame = pd.DataFrame(answer["answers"], columns=["answer", "value", "rule", "count", "decided_by"])
        frame.attrs.update({name: answer[name] for name in ("rules", "sha256", "models")})
        return frame

    def decide_answers(self, study: str, values: Mapping[str, str | None]) -> int:
        """Decide what answers stand for, in all models alike; None gives an answer back to the rules. Says how many
        changed: score the models again then.
        """
        rows = [{"answer": answer, "value": value} for answer, value in values.items()]
        return int(self.connection.post(f"studies/{study}/answers/", {"answers": rows})["changed"])

    def score(self, study: str, *, release: int | None = None, progress: Progress | None = None) -> Job:
        """Score every model against a release, the newest unless told; waits for it."""
        started = self.connection.post(f"studies/{study}/scores/", release=release)
        return Job.of(started, self.connection).wait(progress)

    def leaderboard(self, study: str, *, release: int | None = None, metric: str | None = None) -> pd.DataFrame:
        """Models, people and chance on one scale, best first; `.attrs` has the metric and the release."""
        import pandas as pd

        board = self.connection.get(f"studies/{study}/leaderboard/", release=release, metric=metric)
        columns = ["rank", "name", "kind", "estimate", "low", "high"]
        frame = pd.DataFrame([[row[name] for name in columns] for row in board["rows"]], columns=columns)
        frame["rank"] = frame["rank"].astype("Int64")
        frame.attrs.update({name: board[name] for name in ("metric", "release", "metrics", "smaller_is_better")})
        return frame


def _switched(options: Mapping[str, bool]) -> dict[str, str]:
    return {name: "true" for name, wanted in options.items() if wanted}


def _file_of(source: Any, name: str, opened: ExitStack) -> tuple[IO[bytes], str]:
    """Something to be sent, and the file name under which the site speaks of it."""
    import pandas as pd

    if isinstance(source, (str, os.PathLike)):
        path = Path(source)
        endings = (*CONTENT_TYPES, *(OF_HARNESSES if name == "outputs" else ()))
        if path.suffix not in endings:
            raise ValueError(f"{path.name}: name a file that ends in {', '.join(endings)}")
        return opened.enter_context(path.open("rb")), path.name
    if isinstance(source, pd.DataFrame) and name == "outputs":
        return csv_file(source), f"{name}.csv"
    rows = source if isinstance(source, pd.DataFrame) else [dict(row) for row in source]
    return json_lines(rows), f"{name}.jsonl"
