import pytest

from annotation.platforms import PLATFORMS, BadArrival, Handback, Outcome
from annotation.platforms.tokens import Frame


def handback(**changes: object) -> Handback:
    fields = {
        "outcome": Outcome.COMPLETED, "code": "DONE 1", "finish_url": "", "platform_id": "w1", "session_id": "s1",
        "frame": Frame.NONE,
    }  # fmt: skip
    return Handback(**{**fields, **changes})  # type: ignore[arg-type]


def test_prolific_goes_back_by_a_link_with_the_code() -> None:
    ending = PLATFORMS["prolific"].end(handback())
    assert ending.link == "https://app.prolific.com/submissions/complete?cc=DONE+1"
    assert ending.code == "DONE 1"


@pytest.mark.parametrize(
    "submit_to",
    ["https://www.mturk.com", "https://www.mturk.com/", "https://www.mturk.com/mturk/externalSubmit"],
)
def test_mturk_takes_its_address_in_every_form(submit_to: str) -> None:
    arrival = PLATFORMS["mturk"].arrive({"workerId": "W", "assignmentId": "A", "turkSubmitTo": submit_to})
    assert (arrival.platform_id, arrival.session_id, arrival.frame) == ("W", "A", Frame.MTURK)
    ending = PLATFORMS["mturk"].end(handback(frame=arrival.frame))
    assert ending.post_to == "https://www.mturk.com/mturk/externalSubmit"
    assert ending.fields["assignmentId"] == "s1"
    assert len(ending.fields) > 1


def test_mturk_sandbox_is_handed_in_to_the_sandbox() -> None:
    arrival = PLATFORMS["mturk"].arrive(
        {"workerId": "W", "assignmentId": "A", "turkSubmitTo": "https://workersandbox.mturk.com"}
    )
    assert PLATFORMS["mturk"].end(handback(frame=arrival.frame)).host == "https://workersandbox.mturk.com"


@pytest.mark.parametrize(
    "submit_to",
    ["", "http://www.mturk.com", "https://www.mturk.com.evil.example", "https://evil.example/www.mturk.com",
     "https://www.mturk.com:8443", "https://www.mturk.com@evil.example", "javascript:alert(1)", "https://[",
     "//www.mturk.com"],
)  # fmt: skip
def test_mturk_hands_in_nowhere_else(submit_to: str) -> None:
    with pytest.raises(BadArrival):
        PLATFORMS["mturk"].arrive({"workerId": "W", "assignmentId": "A", "turkSubmitTo": submit_to})


def test_mturk_preview_is_nobody() -> None:
    arrival = PLATFORMS["mturk"].arrive({"assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE"})
    assert arrival.is_preview
    assert arrival.platform_id == ""


@pytest.mark.parametrize("mark", ["XXXX", "{survey_code}"])
def test_sona_gets_its_survey_code_back(mark: str) -> None:
    url = f"https://school.sona-systems.com/webstudy_credit.aspx?experiment_id=1&credit_token=2&survey_code={mark}"
    assert PLATFORMS["sona"].end(handback(finish_url=url, platform_id="123")).link.endswith("survey_code=123")


@pytest.mark.parametrize("name", ["sona", "connect"])
def test_credit_is_not_given_to_those_who_said_no(name: str) -> None:
    url = "https://school.sona-systems.com/webstudy_credit.aspx?survey_code=XXXX"
    assert PLATFORMS[name].end(handback(outcome=Outcome.NO_CONSENT, finish_url=url)).link == ""


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("prolific", {"PROLIFIC_PID": "p", "STUDY_ID": "s", "SESSION_ID": "x"}),
        ("connect", {"participantId": "p", "assignmentId": "x", "projectId": "s"}),
        ("mturk", {"workerId": "p", "assignmentId": "x", "turkSubmitTo": "https://www.mturk.com"}),
    ],
)
def test_person_and_session_are_read(name: str, parameters: dict[str, str]) -> None:
    arrival = PLATFORMS[name].arrive(parameters)
    assert (arrival.platform_id, arrival.session_id) == ("p", "x")
