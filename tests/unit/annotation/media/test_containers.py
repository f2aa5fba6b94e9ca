"""Sounds and videos: told by their content, cleared of what isn't sound or picture, refused where they are broken."""

import struct
import time
import tracemalloc
from collections.abc import Callable
from io import BytesIO
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.media.containers import BadMedium, Facts, strip
from tests import tiny_media as tiny

ALL: dict[str, Callable[[], bytes]] = {
    "wav": tiny.wav_with_secrets,
    "mp3": tiny.mp3_with_secrets,
    "opus": tiny.opus,
    "opus with a cover": lambda: tiny.opus(secret=tiny.SECRET * 20_000),
    "vorbis": tiny.vorbis,
    "mp4": tiny.mp4,
    "m4a": lambda: tiny.mp4(video=False),
    "webm": tiny.webm,
    "webm of a recorder": lambda: tiny.webm(is_open=True),
    "webm with vorbis": lambda: tiny.webm(vorbis_sound=True),
    "webm of sound": lambda: tiny.webm(video=False),
}
FACTS = {
    "wav": Facts("audio/wav", duration_ms=250),
    "mp3": Facts("audio/mpeg", duration_ms=1045),
    "opus": Facts("audio/ogg", duration_ms=1000),
    "opus with a cover": Facts("audio/ogg", duration_ms=1000),
    "vorbis": Facts("audio/ogg", duration_ms=2000),
    "mp4": Facts("video/mp4", 320, 180, 2000),
    "m4a": Facts("audio/mp4", duration_ms=2000),
    "webm": Facts("video/webm", 320, 180, 2040),
    "webm of a recorder": Facts("video/webm", 320, 180, 2040),
    "webm with vorbis": Facts("video/webm", 320, 180, 2040),
    "webm of sound": Facts("audio/webm", duration_ms=2040),
}


def stripped(content: bytes) -> tuple[Facts, bytes]:
    out = BytesIO()
    return strip(BytesIO(content), out), out.getvalue()


def refusal(content: bytes) -> str:
    with pytest.raises(BadMedium) as refused:
        stripped(content)
    return str(refused.value)


@pytest.mark.parametrize("name", ALL)
def test_a_medium_is_told_by_its_content_with_its_duration_and_dimensions(name: str) -> None:
    assert stripped(ALL[name]())[0] == FACTS[name]


@pytest.mark.parametrize("name", ALL)
def test_what_isnt_sound_or_picture_goes(name: str) -> None:
    content = ALL[name]()
    assert tiny.SECRET in content
    assert tiny.SECRET not in stripped(content)[1]


@pytest.mark.parametrize("name", ALL)
def test_a_stripped_medium_is_one_that_stays_as_it_is(name: str) -> None:
    facts, once = stripped(ALL[name]())
    assert stripped(once) == (facts, once)


@pytest.mark.parametrize("name", ALL)
def test_a_medium_that_breaks_off_is_refused_wherever_it_does(name: str) -> None:
    whole = stripped(ALL[name]())[1]
    for length in range(0, len(whole) - 1, max(1, len(whole) // 400)):
        try:
            facts, _ = stripped(whole[:length])
        except BadMedium:
            continue
        # Only where a page or a cluster without a length of its own ends, which a recorder may do at any time.
        assert name in {"opus", "opus with a cover", "vorbis", "webm of a recorder", "mp3"}, length
        assert (facts.duration_ms or 0) < (FACTS[name].duration_ms or 0)


def test_the_samples_of_a_wav_are_kept_as_they_are() -> None:
    assert stripped(tiny.wav_with_secrets())[1] == tiny.wav()


def test_the_frames_of_an_mp3_are_kept_as_they_are() -> None:
    assert stripped(tiny.mp3_with_secrets())[1] == tiny.mp3()


def test_the_chunks_of_an_mp4_are_where_its_list_says_and_nothing_lies_between_them() -> None:
    content = stripped(tiny.mp4())[1]
    start = content.index(b"mdat") + 4
    assert content[start:] == b"V" * 50 + b"S" * 30 + b"V" * 40 + b"S" * 20
    offsets = [content.index(b"stco", place) for place in (0, content.rindex(b"trak"))]
    chunks = [struct.unpack_from(">II", content, place + 12) for place in offsets]
    assert [content[at : at + 1] for pair in chunks for at in pair] == [b"V", b"V", b"S", b"S"]


def test_when_an_mp4_was_recorded_goes() -> None:
    assert struct.pack(">I", tiny.WHEN) in tiny.mp4()
    assert struct.pack(">I", tiny.WHEN) not in stripped(tiny.mp4())[1]


def test_a_video_that_a_phone_recorded_upright_is_higher_than_wide() -> None:
    facts, _ = stripped(tiny.mp4(matrix=tiny.TURNED))
    assert (facts.width, facts.height) == (180, 320)


def test_every_page_of_an_ogg_has_its_checksum_and_its_number() -> None:
    content = stripped(tiny.opus(secret=tiny.SECRET * 20_000))[1]
    assert [int.from_bytes(content[at + 18 : at + 22], "little") for at in _pages(content)] == [0, 1, 2, 3]


def _pages(content: bytes) -> list[int]:
    return [at for at in range(len(content)) if content[at : at + 4] == b"OggS"]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "can't be read as sound or video"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "can't be read as sound or video"),
        (b"fLaC" + bytes(50), "can't be read as sound or video"),
        (b"\x89PNG\r\n\x1a\n" + bytes(50), "can't be read as sound or video"),
        (tiny.webm(document=b"matroska"), "is a Matroska file"),
        (tiny.mp4(codec=b"hvc1"), "many browsers can't play"),
        (tiny.mp4(sound=False, video=False), "holds no sound and no picture"),
        (tiny.mp4()[:24] + tiny.box(b"moof", b""), "is a recording in fragments"),
        (tiny.wav(0), "holds no sound"),
        (tiny.wav().replace(struct.pack("<HH", 1, 1), struct.pack("<HH", 2, 1), 1), "browsers don't play"),
        (tiny.ogg([(2, 0, [b"\x80theora" + bytes(30)])]), "something else than Opus or Vorbis"),
        (tiny.opus() + tiny.opus(), "holds several streams"),
        (tiny.opus().replace(b"\xfc", b"\xfd", 1), "is damaged"),
        (tiny.webm().replace(b"V_VP9", b"S_TXT"), "no picture or sound of WebM"),
    ],
)
def test_what_browsers_dont_play_or_is_broken_is_refused_with_its_reason(content: bytes, sentence: str) -> None:
    assert sentence in refusal(content)


def test_chunks_that_share_bytes_are_refused_so_that_nothing_grows() -> None:
    content = tiny.mp4(sound=False)
    first, second = (struct.pack(">I", 32 + place) for place in (0, 120))
    assert second in content
    assert "is damaged" in refusal(content.replace(first + second, first + first))


@pytest.mark.parametrize("name", ALL)
@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_no_broken_medium_gets_further_than_a_sentence(name: str, data: st.DataObject) -> None:
    """Bytes are changed, taken out and put in: what comes out is a medium or a refusal, and never much."""
    content = bytearray(ALL[name]()[:60_000])
    for _change in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(content)))
        length = data.draw(st.sampled_from([0, 1, 2, 4, 8, 100]))
        content[at : at + length] = data.draw(st.binary(max_size=12) | st.sampled_from([b"\xff" * 8, bytes(8)]))
    out = BytesIO()
    try:
        facts = strip(BytesIO(bytes(content)), out)
    except BadMedium:
        return
    assert facts.duration_ms is not None
    assert len(out.getvalue()) <= len(content) + 100_000


@settings(deadline=None, max_examples=300)
@given(
    st.sampled_from([b"RIFF....WAVE", b"OggS", b"\0\0\0\x18ftyp", b"\x1a\x45\xdf\xa3", b"ID3", b"\xff\xfb"]),
    st.binary(),
)
def test_no_rubbish_behind_a_right_beginning_gets_further_than_a_sentence(head: bytes, rest: bytes) -> None:
    assert refusal(head + rest)


def test_lists_that_claim_billions_cost_no_memory_and_no_time() -> None:
    claims = (b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff", b"\x00\xff\xff\xff")
    tracemalloc.start()
    begun = time.monotonic()
    for name, claim in product(("mp4", "webm", "opus", "wav"), claims):
        content = ALL[name]()
        for at in range(0, min(len(content), 2_000), 7):
            try:
                strip(BytesIO(content[:at] + claim + content[at + 4 :]), BytesIO())
            except BadMedium:
                continue
    assert tracemalloc.get_traced_memory()[1] < 80_000_000
    tracemalloc.stop()
    assert time.monotonic() - begun < 60
