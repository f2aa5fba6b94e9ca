from uuid import UUID

import pytest

from annotation.platforms.tokens import BadToken, Frame, Purpose, Token, read_token, sign_token
from annotation.web.security import masked_text

UUID_1 = UUID("7b4fe3f1-6f2b-4c39-9f3a-0f4f8a1f2d11")


@pytest.mark.parametrize("frame", Frame)
@pytest.mark.parametrize("version", [1, 2, 32767])
def test_token_reads_back_what_was_signed(frame: Frame, version: int) -> None:
    token = Token(UUID_1, version, frame)
    assert read_token(Purpose.ASSIGNMENT, sign_token(Purpose.ASSIGNMENT, token)) == token


def test_token_of_another_purpose_is_bad() -> None:
    text = sign_token(Purpose.PARTICIPATION, Token(UUID_1))
    with pytest.raises(BadToken):
        read_token(Purpose.ASSIGNMENT, text)


def test_token_with_any_letter_changed_is_bad() -> None:
    text = sign_token(Purpose.ASSIGNMENT, Token(UUID_1))
    for index, letter in enumerate(text[:-1]):  # the last one holds two bits that base64 doesn't use
        changed = text[:index] + ("A" if letter != "A" else "B") + text[index + 1 :]
        with pytest.raises(BadToken):
            read_token(Purpose.ASSIGNMENT, changed)


@pytest.mark.parametrize("first", ["7b", "fb", "ff"])  # base64 begins with a letter, with - and with _
def test_token_is_masked_wherever_it_stands_in_a_log(first: str) -> None:
    uuid = UUID(first + UUID_1.hex[2:])
    text = sign_token(Purpose.ASSIGNMENT, Token(uuid, 12, Frame.MTURK))
    line = masked_text(f'WARNING Not Found: /a/{text}/3/ "GET /withdraw/{text}/ HTTP/1.1" 404')
    assert text not in line
    assert text[22:] not in line
    assert line.endswith('HTTP/1.1" 404')


@pytest.mark.parametrize(
    "name", ["prolific_token", "PROLIFIC_PID", "SESSION_ID", "workerId", "assignmentId", "participantId", "survey_code"]
)
def test_ids_of_platforms_are_masked(name: str) -> None:
    assert masked_text(f"GET /take/x/?a=1&{name}=5f1dSECRET&b=2 200") == f"GET /take/x/?a=1&{name}=…&b=2 200"
