"""Tiny sounds and videos, made by code: valid containers whose samples nobody needs to decode, and tones that play."""

from __future__ import annotations

import math
import struct

from annotation.media.containers.ogg import Page

SECRET = b"51.5074N 0.1278W Ada"  # what must never come out again


def chunk(name: bytes, content: bytes) -> bytes:
    return name + struct.pack("<I", len(content)) + content + b"\0" * (len(content) % 2)


def tone(seconds: float = 0.25, hertz: int = 440, rate: int = 8_000) -> bytes:
    """One note, of 8 bits a sample."""
    count = round(seconds * rate)
    return bytes(round(128 + 60 * math.sin(2 * math.pi * hertz * step / rate)) for step in range(count))


def wav(seconds: float = 0.25, *, hertz: int = 440, rate: int = 8_000, more: bytes = b"") -> bytes:
    """With the chunks `more` between the format and the samples."""
    form = chunk(b"fmt ", struct.pack("<HHIIHH", 1, 1, rate, rate, 1, 8))
    content = b"WAVE" + form + more + chunk(b"data", tone(seconds, hertz, rate))
    return b"RIFF" + struct.pack("<I", len(content)) + content


def wav_with_secrets() -> bytes:
    return wav(more=chunk(b"LIST", b"INFO" + chunk(b"IART", SECRET)) + chunk(b"bext", SECRET) + chunk(b"id3 ", SECRET))


MP3_HEAD = bytes.fromhex("fffb9064")  # 128 kbit/s at 44.1 kHz: 417 bytes, 26 ms


def mp3(frames: int = 40, *, before: bytes = b"", behind: bytes = b"") -> bytes:
    return before + (MP3_HEAD + bytes(413)) * frames + behind


def mp3_with_secrets() -> bytes:
    length = len(SECRET)
    tag = b"ID3\x04\0\0" + bytes([0, 0, length >> 7, length & 127]) + SECRET
    return mp3(before=tag, behind=b"TAG" + SECRET.ljust(125, b"\0"))


def laced(packets: list[bytes]) -> tuple[bytes, bytes]:
    lengths = b"".join(b"\xff" * (len(packet) // 255) + bytes([len(packet) % 255]) for packet in packets)
    return lengths, b"".join(packets)


def ogg(pages: list[tuple[int, int, list[bytes]]], serial: int = 7) -> bytes:
    """Of flags, granule and whole packets each."""
    made = (Page(flags, granule, serial, *laced(packets)) for flags, granule, packets in pages)
    return b"".join(page.written(number) for number, page in enumerate(made))


OPUS_HEAD = b"OpusHead" + struct.pack("<BBHIhB", 1, 1, 312, 48_000, 0, 0)


def comments(secret: bytes = SECRET) -> bytes:
    return struct.pack("<I", 4) + b"made" + struct.pack("<II", 1, len(secret)) + secret


def opus(seconds: float = 1, secret: bytes = SECRET) -> bytes:
    """The comments may be so long that they need pages of their own."""
    tags = b"OpusTags" + comments(secret)
    pages, rest = [(2, 0, [OPUS_HEAD])], tags
    made = ogg(pages)
    number = 1
    flags = 0
    while rest:
        piece, rest = rest[: 255 * 255], rest[255 * 255 :]
        count = -(-len(piece) // 255)
        segments = bytes([255] * (count - 1) + [len(piece) - 255 * (count - 1)])
        if not rest and segments[-1] == 255:
            segments += b"\0"
        made += Page(flags, 0 if not rest else -1, 7, segments, piece).written(number)
        number, flags = number + 1, 1
    sound = [(0, 312 + round(48_000 * seconds / 2), [b"\xfc" * 60]), (4, 312 + round(48_000 * seconds), [b"\xfc" * 60])]
    for flags, granule, packets in sound:
        made += Page(flags, granule, 7, *laced(packets)).written(number)
        number += 1
    return made


def vorbis() -> bytes:
    first = b"\x01vorbis" + struct.pack("<IBIiiiBB", 0, 1, 44_100, 0, 80_000, 0, 0xB8, 1)
    second, third = b"\x03vorbis" + comments() + b"\x01", b"\x05vorbis" + bytes(300)
    return ogg([(2, 0, [first]), (0, 0, [second, third]), (4, 88_200, [bytes(50)])])


def box(name: bytes, *contents: bytes) -> bytes:
    content = b"".join(contents)
    return struct.pack(">I4s", 8 + len(content), name) + content


def full(*numbers: int) -> bytes:
    return bytes(4) + struct.pack(f">{len(numbers)}I", *numbers)


TURNED = struct.pack(">9i", 0, 65_536, 0, -65_536, 0, 0, 0, 0, 1 << 30)
UPRIGHT = struct.pack(">9i", 65_536, 0, 0, 0, 65_536, 0, 0, 0, 1 << 30)
WHEN = 3_500_000_000  # a second at which somebody recorded it


def track(kind: bytes, codec: bytes, offsets: list[int], sizes: list[int], matrix: bytes = UPRIGHT) -> bytes:
    """Each chunk of one sample."""
    is_video = kind == b"vide"
    shown = struct.pack(">II", 320 << 16, 180 << 16) if is_video else bytes(8)
    tkhd = full(WHEN, WHEN, 1, 0, 2_000) + bytes(16) + matrix + shown
    entry = box(codec, bytes(6) + b"\0\1" + bytes(70 if is_video else 20))
    table = box(
        b"stbl",
        box(b"stsd", full(1), entry),
        box(b"stts", full(1, len(sizes), 1_000)),
        box(b"stsc", full(1, 1, 1, 1)),
        box(b"stsz", full(0, len(sizes), *sizes)),
        box(b"stco", full(len(offsets), *offsets)),
    )
    media_head = box(b"smhd", bytes(8)) if kind == b"soun" else box(b"vmhd", bytes(12))
    return box(
        b"trak",
        box(b"tkhd", tkhd),
        box(
            b"mdia",
            box(b"mdhd", full(WHEN, WHEN, 1_000, 2_000), bytes(4)),
            box(b"hdlr", full(0) + kind + bytes(12) + SECRET + b"\0"),
            box(b"minf", media_head, box(b"dinf", box(b"dref", full(0))), table),
        ),
        box(b"udta", SECRET),
    )


def mp4(*, sound: bool = True, video: bool = True, matrix: bytes = UPRIGHT, codec: bytes = b"avc1") -> bytes:
    """With where it was recorded in three places: beside the list, in a track of its own and between the samples."""
    head = box(b"ftyp", b"mp42", bytes(4), b"mp42isom")
    parts = [b"V" * 50, SECRET, b"S" * 30, SECRET, b"V" * 40, b"S" * 20]
    starts = [len(head) + 8 + sum(map(len, parts[:number])) for number in range(len(parts))]
    tracks = [track(b"meta", b"mebx", [starts[1]], [len(SECRET)])]
    tracks += [track(b"vide", codec, [starts[0], starts[4]], [50, 40], matrix)] if video else []
    tracks += [track(b"soun", b"mp4a", [starts[2], starts[5]], [30, 20])] if sound else []
    mvhd = box(b"mvhd", full(WHEN, WHEN, 1_000, 2_000), bytes(80))
    moov = box(b"moov", mvhd, *tracks, box(b"udta", box(b"\xa9xyz", SECRET)), box(b"meta", SECRET))
    return head + box(b"mdat", *parts) + moov + box(b"free", SECRET) + box(b"uuid", SECRET)


def element(name: str, content: bytes, *, is_open: bool = False) -> bytes:
    length = b"\x01" + b"\xff" * 7 if is_open else (len(content) | 1 << 56).to_bytes(8, "big")
    return bytes.fromhex(name) + length + content


def number(name: str, value: int) -> bytes:
    return element(name, value.to_bytes(8, "big"))


def webm_track(at: int, sort: int, codec: bytes, more: bytes = b"") -> bytes:
    return element("ae", number("d7", at) + number("83", sort) + element("86", codec) + element("536e", SECRET) + more)


def webm(*, is_open: bool = False, video: bool = True, document: bytes = b"webm", vorbis_sound: bool = False) -> bytes:
    head = element("1a45dfa3", element("4282", document))
    info = number("2ad7b1", 1_000_000) + element("4461", bytes(8)) + element("7ba9", SECRET) + element("4d80", SECRET)
    info += b"" if is_open else element("4489", struct.pack(">d", 2_040.0))
    size = element("e0", number("b0", 320) + number("ba", 180))
    private = b""
    if vorbis_sound:
        packets = [b"\x01vorbis" + bytes(23), b"\x03vorbis" + comments() + b"\x01", b"\x05vorbis" + bytes(40)]
        private = element("63a2", bytes([2, len(packets[0]), len(packets[1])]) + b"".join(packets))
    tracks = (webm_track(1, 1, b"V_VP9", size) if video else b"") + webm_track(
        2, 2, b"A_VORBIS" if vorbis_sound else b"A_OPUS", private
    )
    clusters = b"".join(
        element(
            "1f43b675",
            number("e7", when)
            + element("a3", b"\x81\0\0\x80frame")
            + element("a0", element("a1", b"\x82\0\x28\0sound") + element("75a1", SECRET)),
            is_open=is_open,
        )
        for when in (0, 1_000, 2_000)
    )
    tags = element("1254c367", SECRET) + element("1941a469", SECRET * 20)
    body = element("1549a966", info) + element("1654ae6b", tracks) + clusters + tags
    return head + element("18538067", body, is_open=is_open)
