"""What the tests of pages share: studies of each kind, and people who come in by the platform's link."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any, cast
from uuid import uuid4

from django.http import HttpResponse
from django.test import Client

from agreement.kinds.registry import KINDS
from annotation.models import Assignment, Blob, Label, Participation, Study
from annotation.platforms.tokens import Frame, Purpose, Token, sign_token
from annotation.studies.item_files import NewItem
from annotation.studies.study_life import add_items, change_status

_numbers = count(1)
# One red pixel.
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8cfc000000301010018dd8db0"
    "0000000049454e44ae426082"
)
SCALE = {"scale_low": 0, "scale_high": 100, "low_label": "dissimilar", "high_label": "similar"}
COLOURS = ("blue", "green", "red")


def a_picture() -> Blob:
    sha256 = hashlib.sha256(PNG).hexdigest()
    return Blob.objects.get_or_create(sha256=sha256, defaults={"content_type": "image/png", "content": PNG})[0]


def a_study_of(
    kind: str,
    *,
    items: Sequence[Mapping[str, Any]] | None = None,
    labels: Sequence[str | Mapping[str, Any]] | None = None,
    **changes: Any,
) -> Study:
    """A live study of one kind, of three items unless others are given, on Prolific unless told otherwise."""
    fields: dict[str, Any] = {
        "slug": f"pages-{next(_numbers)}",
        "kind": kind,
        "title": "Things",
        "question": "What of a {thing}?",
        "summary": "You are asked about things.",
        "instructions": "Answer each question.",
        "contact": "lab@example.org",
        "platform": "prolific",
        "pay": "1.50",
        "currency": "GBP",
        "code_completed": "DONE123",
        "code_no_consent": "NOCON45",
        "code_failed_comprehension": "FAILED6",
        "seed": 7,
        "items_per_assignment": 10,
        **(SCALE if KINDS[kind].has_scale else {}),
    }
    study = Study.objects.create(**{**fields, **changes})
    usual = () if not KINDS[kind].has_labels else ("true", "false") if kind == "verify" else COLOURS
    rows = [{"value": each} if isinstance(each, str) else each for each in (usual if labels is None else labels)]
    Label.objects.bulk_create(
        Label(**{"study": study, "display_text": row["value"], "position": position, **row})
        for position, row in enumerate(rows, 1)
    )
    things: list[NewItem] = [{"item_id": thing, "fields": {"thing": thing}} for thing in ("fern", "brick", "raven")]
    new = things if items is None else cast("list[NewItem]", list(items))
    add_items(study=study, items=new, source="a test")
    return change_status(study=study, status=Study.Status.LIVE)


def arrival(person: str = "5f1d", session: str = "s1") -> dict[str, str]:
    return {"PROLIFIC_PID": person, "STUDY_ID": "st1", "SESSION_ID": session}


def come_in(client: Client, study: Study, person: str | None = None, session: str = "s1") -> HttpResponse:
    """The first page's button, pressed; followed to where the person stands."""
    query = "&".join(f"{k}={v}" for k, v in arrival(person or f"person{next(_numbers)}", session).items())
    return client.post(f"/take/{study.slug}/?{query}", follow=True)  # type: ignore[return-value]


def here(response: Any) -> str:
    """The address that redirects ended at."""
    return str(response.redirect_chain[-1][0]) if response.redirect_chain else str(response.request["PATH_INFO"])


def begin(client: Client, study: Study, person: str | None = None) -> str:
    """Through consent and instructions to the first question; returns its address."""
    response = come_in(client, study, person)
    response = client.post(here(response), {"consent": "yes"}, follow=True)  # type: ignore[assignment]
    return here(client.post(here(response), follow=True))


def base_of(address: str) -> str:
    """/a/<token>/ of any address of an assignment."""
    return re.match(r"/a/[^/]+/", address)[0]  # type: ignore[index]


def save(client: Client, address: str, position: object = 1, **fields: Any) -> Any:
    data = {"position": position, "key": str(uuid4()), "input_kind": "mouse", **fields}
    return client.post(f"{base_of(address)}save/", data)


def links_of(participation: Participation) -> dict[str, str]:
    """An address of each purpose, signed as the pages do."""
    assignment: Assignment | None = participation.assignments.order_by("-number").first()
    links = {
        "participation": f"/p/{sign_token(Purpose.PARTICIPATION, Token(participation.uuid))}/",
        "withdrawal": f"/withdraw/{sign_token(Purpose.WITHDRAWAL, Token(participation.uuid))}/",
    }
    if assignment:
        token = Token(assignment.uuid, assignment.token_version, Frame.NONE)
        links["assignment"] = f"/a/{sign_token(Purpose.ASSIGNMENT, token)}/"
    return links
