"""A list of payments that comes back from the platform: whole or not at all, and every bad row named."""

from pathlib import Path
from typing import Any

import pytest
from django.db.models import QuerySet

from agreement.errors import Refused
from agreement.files.writing import csv_chunks
from annotation.entry.entering import enter
from annotation.models import Participation, Payment, Study, User
from annotation.people.paying import PaymentListResult, apply_list, mark_paid
from annotation.people.payment_lists import TO_PLATFORM, payments_table, read_payment_list
from tests.factories import a_small_study

pytestmark = [pytest.mark.django_db, pytest.mark.both]
NAMES = ("ann", "ben", "eve")


@pytest.fixture
def study() -> Study:
    """Ann, Ben and Eve came, and 2 GBP are due to each."""
    study = a_small_study(items=2, pay=2, currency="GBP")
    for name in NAMES:
        come(study, name)
    return study


def come(study: Study, name: str, platform: str = "direct") -> Participation:
    person = enter(study=study, platform=platform, platform_id=f"PID-{name}", session_id=f"SES-{name}")
    Participation.objects.filter(pk=person.pk).update(pseudonym=name)
    return person


def payments(study: Study) -> QuerySet[Payment]:
    return Payment.objects.filter(participation__study=study)


def bring(
    study: Study, tmp_path: Path, *lines: str, name: str = "list.csv", by: User | None = None
) -> PaymentListResult:
    file = tmp_path / name
    file.write_text("\n".join(lines) + "\n")
    return apply_list(study=study, payment_list=read_payment_list(file), by=by)


def stand(study: Study) -> dict[str, tuple[str, str]]:
    rows = payments(study).values_list("participation__pseudonym", "status", "amount")
    return {name: (status, str(amount)) for name, status, amount in rows}


UNTOUCHED = dict.fromkeys(NAMES, ("due", "2.00"))


def test_list_settles_and_prices_and_leaves_blanks_as_they_are(study: Study, tmp_path: Path) -> None:
    boss = User.objects.create_user("boss")
    rows = "ann,paid,,", "ben,,2.50,", "eve,rejected,0,no"
    done = bring(study, tmp_path, "pseudonym,status,amount,reason", *rows, by=boss)
    assert done == PaymentListResult({"paid": 1, "rejected": 1}, {}, 2)
    assert done.sentence == "1 was marked as paid, 1 was rejected, 2 amounts were set."
    assert stand(study) == {"ann": ("paid", "2.00"), "ben": ("due", "2.50"), "eve": ("rejected", "0.00")}
    assert study.participations.get(pseudonym="eve").status == "rejected"
    entries = study.audit_entries.filter(by=boss).order_by("pk")
    assert [(entry.action, entry.why, entry.detail) for entry in entries] == [
        (
            "changed",
            "",
            {
                "amounts": 2,
                "total": "2.50 GBP",
                "from": "list.csv",
                "participations": {"ben": "2.00 to 2.50", "eve": "2.00 to 0.00"},
            },
        ),
        ("paid", "", {"payments": 1, "to": "paid", "total": "2.00 GBP", "participations": ["ann"], "from": "list.csv"}),
        (
            "changed",
            "no",
            {
                "payments": 1,
                "to": "rejected",
                "total": "0.00 GBP",
                "places": 0,
                "participations": ["eve"],
                "from": "list.csv",
            },
        ),
    ]


@pytest.mark.parametrize(
    ("column", "value"), [("pseudonym", "ann"), ("session_id", "SES-ann"), ("platform_id", "PID-ann")]
)
def test_people_are_named_by_any_of_three_columns_before_and_after_they_are_paid(
    column: str, value: str, study: Study, tmp_path: Path
) -> None:
    lines = f"{column},status", f"{value},paid"
    assert bring(study, tmp_path, *lines) == PaymentListResult({"paid": 1})
    assert stand(study) == {**UNTOUCHED, "ann": ("paid", "2.00")}
    again = bring(study, tmp_path, *lines)
    assert again == PaymentListResult({}, {"paid": 1})
    assert again.sentence == "1 was paid already."
    assert study.audit_entries.filter(action="paid").count() == 1


def test_first_of_the_columns_says_who_is_meant(study: Study, tmp_path: Path) -> None:
    bring(study, tmp_path, "platform_id,session_id,pseudonym,status", "PID-ben,SES-eve,ann,paid")
    assert stand(study) == {**UNTOUCHED, "ann": ("paid", "2.00")}


def test_downloaded_list_can_be_brought_back_as_it_is(study: Study, tmp_path: Path) -> None:
    Participation.objects.filter(pseudonym="ann").update(pseudonym="=ann")
    written = b"".join(csv_chunks(payments_table(payments(study), TO_PLATFORM))).decode()
    assert written.splitlines() == [
        "pseudonym,platform_id,session_id,status,amount,currency,reason",
        "'=ann,PID-ann,SES-ann,due,2.00,GBP,",
        "ben,PID-ben,SES-ben,due,2.00,GBP,",
        "eve,PID-eve,SES-eve,due,2.00,GBP,",
    ]
    assert bring(study, tmp_path, *written.splitlines()).sentence == "There was nothing to change."
    assert bring(study, tmp_path, *written.replace(",due,", ",approved,").splitlines()) == PaymentListResult(
        {"approved": 3}
    )


def test_json_lines_are_taken_too(study: Study, tmp_path: Path) -> None:
    assert bring(study, tmp_path, '{"pseudonym": "ann", "status": "paid"}', name="list.jsonl") == PaymentListResult(
        {"paid": 1}
    )


def test_columns_that_nothing_is_read_from_are_told(study: Study, tmp_path: Path) -> None:
    """A misspelt column of amounts would else settle at another sum without a word."""
    done = bring(study, tmp_path, "pseudonym,status,amonut,note,settled_at", "ann,paid,9.50,kind,")
    assert done.sentence == "1 was marked as paid. Nothing was read from the columns amonut, note."


BAD = {
    "unknown": ("pseudonym,status", "zoe,paid", "column pseudonym: 'zoe' is nobody in this study."),
    "of another study": (
        "platform_id,status",
        "PID-far,paid",
        "column platform_id: 'PID-far' is nobody in this study.",
    ),
    "repeated": ("pseudonym,status", "ann,paid", "column pseudonym: 'ann' is in row 2 already; name each person once."),
    "blank": ("pseudonym,status", ",paid", "column pseudonym: it is blank; enter whose payment this is."),
    "status": (
        "pseudonym,status",
        "ben,payed",
        "column status: 'payed' is not one of approved, paid, rejected, waived; blank leaves it as it is.",
    ),
    "below zero": ("pseudonym,status,amount", "ben,paid,-0.01", "column amount: '-0.01' is below 0."),
    "too much": (
        "pseudonym,status,amount",
        "ben,paid,1000000",
        "column amount: '1000000' is above 999999.99, the largest amount that can be stored.",
    ),
    "decimals": ("pseudonym,status,amount", "ben,paid,1.005", "column amount: '1.005' has more than two decimals."),
    "no number": ("pseudonym,status,amount", "ben,paid,two", "column amount: 'two' is not a number."),
    "comma": (
        "pseudonym,status,amount",
        'ben,paid,"1,50"',
        "column amount: '1,50' is not a number; write decimals with a point and thousands without a comma.",
    ),
    "nan": ("pseudonym,status,amount", "ben,paid,nan", "column amount: 'nan' is not a number."),
    "currency": ("pseudonym,status,amount,currency", "ben,paid,3,USD", "column currency: 'USD' is not GBP."),
    "no reason": (
        "pseudonym,status,reason",
        "ben,rejected,",
        "column reason: A rejection needs a reason: the person is told this reason.",
    ),
    "reason for nothing": (
        "pseudonym,status,reason",
        "ben,paid,slow",
        "column reason: only the status rejected takes a reason.",
    ),
    "settled otherwise": (
        "pseudonym,status",
        "eve,waived",
        "column status: eve is paid already and can't be waived; a settled payment can't change.",
    ),
    "back to approved": (
        "pseudonym,status",
        "eve,approved",
        "column status: eve is paid already and can't be approved; a settled payment can't change.",
    ),
    "back to due": (
        "pseudonym,status",
        "eve,due",
        "column status: eve is paid already and can't be due; a settled payment can't change.",
    ),
    "amount of the paid": (
        "pseudonym,status,amount",
        "eve,paid,3",
        "column amount: eve is paid already: the amount stays 2.00.",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_row_is_named_and_nothing_is_done(case: str, study: Study, tmp_path: Path) -> None:
    come(a_small_study(items=2), "far")
    mark_paid(payments=payments(study).filter(participation__pseudonym="eve"), by=None)
    before, entries = stand(study), study.audit_entries.count()
    header, line, said = BAD[case]
    good = "PID-ann" if "platform_id" in header else "ann"
    first = f"{good},approved" + "," * (header.count(",") - 1)
    with pytest.raises(Refused) as refused:
        bring(study, tmp_path, header, first, line)
    (reason,) = refused.value.reasons
    assert reason.startswith(f"list.csv, row 3, {said}")
    assert (stand(study), study.audit_entries.count()) == (before, entries)


def test_every_bad_row_is_named(study: Study, tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        bring(study, tmp_path, "pseudonym,status,amount", "zoe,paid,", "ben,payed,-1", "ann,paid,", "ann,paid,")
    rows = [reason.split(", ")[1] for reason in refused.value.reasons]
    assert rows == ["row 2", "row 3", "row 3", "row 5"]
    assert stand(study) == UNTOUCHED


@pytest.mark.parametrize(
    ("header", "said"),
    [
        (
            "worker,status",
            "no column identifies the person: the file needs pseudonym, session_id or platform_id",
        ),
        (
            "pseudonym,note",
            "there is nothing to change: the file needs the column status or amount",
        ),
    ],
)
def test_file_without_the_columns_is_refused(header: str, said: str, study: Study, tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        bring(study, tmp_path, header, "ann,paid")
    assert list(refused.value.reasons) == [f"list.csv: {said}; it has {header.replace(',', ', ')}"]


def test_file_without_rows_is_refused(study: Study, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="there are no rows"):
        bring(study, tmp_path, "pseudonym,status")


def test_amount_needs_a_currency(tmp_path: Path) -> None:
    study = a_small_study(items=2)
    come(study, "ann")
    with pytest.raises(Refused, match="the study has no currency"):
        bring(study, tmp_path, "pseudonym,amount", "ann,2")


def test_prolifics_limit_of_a_reason_is_named_with_its_row(tmp_path: Path) -> None:
    study = a_small_study(items=2, platform="prolific")
    come(study, "ann", platform="prolific")
    with pytest.raises(Refused) as refused:
        bring(study, tmp_path, "pseudonym,status,reason", "ann,rejected,too fast")
    (reason,) = refused.value.reasons
    assert reason.startswith("list.csv, row 2, column reason: Prolific needs a message of 100 ")
    assert reason.endswith("this reason has 8.")


def test_id_that_two_people_have_on_different_platforms_is_refused(study: Study, tmp_path: Path) -> None:
    enter(study=study, platform="sona", platform_id="PID-ann")
    with pytest.raises(Refused, match=r"'PID-ann' is 2 people in this study: use pseudonyms"):
        bring(study, tmp_path, "platform_id,status", "PID-ann,paid")


def test_list_costs_the_same_queries_for_more_rows(
    study: Study, tmp_path: Path, django_assert_num_queries: Any
) -> None:
    for number in range(5):
        come(study, f"more-{number}")
    with django_assert_num_queries(6):
        bring(study, tmp_path, "pseudonym,status", "ann,paid")
    with django_assert_num_queries(6):
        bring(study, tmp_path, "pseudonym,status", *(f"more-{number},paid" for number in range(5)))
