"""Pictures that come in: what is kept of them, and what is refused."""

import struct
import zipfile
import zlib
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image, ImageCms
from PIL.ImageFile import ImageFile
from PIL.PngImagePlugin import PngInfo

from agreement.errors import Refused
from annotation.media import files, pictures, taking
from annotation.media.containers import BadMedium
from annotation.media.files import in_folder, uploaded
from annotation.media.pictures import encoded
from annotation.media.taking import TooMuchAtOnce, media_from


def drawn(kind: str = "PNG", *, mode: str = "RGB", size: tuple[int, int] = (8, 6), **options: Any) -> bytes:
    picture = Image.new(mode, size, "red" if mode != "RGBA" else (255, 0, 0, 128))
    out = BytesIO()
    picture.save(out, kind, **options)
    return out.getvalue()


def pixels(content: bytes) -> np.ndarray[Any, np.dtype[np.int64]]:
    return np.asarray(Image.open(BytesIO(content)).convert("RGBA")).astype(np.int64)


@pytest.mark.parametrize(
    ("kind", "mode", "kept_as"),
    [
        ("PNG", "RGB", "image/png"),
        ("PNG", "RGBA", "image/png"),
        ("PNG", "P", "image/png"),
        ("PNG", "L", "image/png"),
        ("GIF", "P", "image/png"),
        ("JPEG", "RGB", "image/jpeg"),
        ("JPEG", "L", "image/jpeg"),
        ("JPEG", "CMYK", "image/jpeg"),
        ("WEBP", "RGBA", "image/webp"),
    ],
)
def test_pictures_are_encoded_again_and_look_the_same(kind: str, mode: str, kept_as: str) -> None:
    given = drawn(kind, mode=mode)
    again, content_type = encoded(given)
    assert content_type == kept_as
    before, after = pixels(given), pixels(again)
    assert after.shape == (6, 8, 4)
    assert np.abs(before - after).max() <= (0 if kept_as == "image/png" else 3)


def test_what_stands_beside_the_picture_goes_and_its_colours_and_its_way_up_stay() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # turned by a quarter
    exif[0x010F] = "a camera"
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    given = drawn("JPEG", exif=exif, comment=b"a secret", icc_profile=profile) + b"PK\x03\x04 another file"

    again, _ = encoded(given)

    kept = Image.open(BytesIO(again))
    assert kept.size == (6, 8)
    assert not kept.getexif()
    assert kept.info.get("icc_profile") == profile
    assert not any(word in again for word in (b"secret", b"camera", b"another file"))


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_what_stands_beside_other_kinds_goes_too(kind: str) -> None:
    exif = Image.Exif()
    exif[0x010F] = "a camera"
    beside: dict[str, Any] = {"exif": exif, "xmp": b"<x>a secret</x>"}
    if kind == "PNG":
        beside = {"exif": exif, "pnginfo": PngInfo()}
        beside["pnginfo"].add_text("Comment", "a secret")
    given = drawn(kind, **beside)
    assert b"secret" in given

    again, _ = encoded(given)

    assert not Image.open(BytesIO(again)).getexif()
    assert not any(word in again for word in (b"secret", b"camera"))


def test_transparency_of_one_colour_stays() -> None:
    palette = Image.new("P", (2, 1))
    palette.putpalette([255, 0, 0, 0, 255, 0])
    palette.putpixel((1, 0), 1)
    out = BytesIO()
    palette.save(out, "PNG", transparency=0)
    again, _ = encoded(out.getvalue())
    assert pixels(again)[0, :, 3].tolist() == [0, 255]


@pytest.mark.parametrize(
    "content", [b"", b"GIF89a", b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"%PDF-1.4", drawn()[:40], drawn("BMP")]
)
def test_what_is_no_picture_is_refused(content: bytes) -> None:
    with pytest.raises(BadMedium, match="can't be read as a PNG, JPEG, WebP or GIF picture"):
        encoded(content)


def test_what_moves_is_refused() -> None:
    frames = [Image.new("RGB", (4, 4), colour) for colour in ("red", "blue")]
    out = BytesIO()
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:])
    with pytest.raises(BadMedium, match="is animated"):
        encoded(out.getvalue())


def test_too_many_pixels_are_refused_before_they_are_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "MOST_PIXELS", 40)
    with pytest.raises(BadMedium, match="million pixels"):
        encoded(drawn())


def test_a_folder_gives_its_pictures_and_nothing_outside_it(tmp_path: Path) -> None:
    (tmp_path / "in" / "deep").mkdir(parents=True)
    (tmp_path / "outside.png").write_bytes(drawn())
    (tmp_path / "in" / "deep" / "cat.png").write_bytes(drawn())
    find = in_folder(tmp_path / "in")
    assert find("deep/cat.png") == drawn()
    for name in ("cat.png", "../outside.png", str(tmp_path / "outside.png"), "deep", ""):
        assert find(name) is None, name


def test_uploads_are_found_by_name_in_zips_by_the_end_of_it_too_where_it_is_one_files() -> None:
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name in ("set/a.png", "set/one/b.png", "set/two/b.png"):
            archive.writestr(name, drawn(size=(len(name), 1)))
    files = [SimpleUploadedFile("all.zip", out.getvalue()), SimpleUploadedFile("c.png", drawn())]
    find = uploaded(files)
    assert find("a.png") == find("set/a.png") == drawn(size=(9, 1))
    assert find("set/two/b.png") == drawn(size=(13, 1))
    assert find("b.png") is None
    assert find("c.png") == find("somewhere/c.png") == drawn()


def test_what_is_no_zip_is_refused_and_what_unpacks_to_too_much_is_not_unpacked() -> None:
    with pytest.raises(Refused, match=r"all\.zip can't be read as a zip"):
        uploaded([SimpleUploadedFile("all.zip", b"PK nonsense")])
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb.png", bytes(pictures.MOST_BYTES + 1))
    with pytest.raises(BadMedium, match="larger than 10 MB"):
        uploaded([SimpleUploadedFile("all.zip", out.getvalue())])("bomb.png")


def empty_files(count: int, prefix: str = "") -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for number in range(count):
            archive.writestr(f"{prefix}{number}.png", b"")
    return out.getvalue()


def test_the_zips_of_one_upload_hold_no_more_files_than_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MOST_ZIPPED", 30)
    zips = [SimpleUploadedFile(f"{name}.zip", empty_files(20, name)) for name in "ab"]
    assert uploaded(zips[:1])("a7.png") == b""
    with pytest.raises(Refused, match=r"b\.zip: there are more than 30 files"):
        uploaded(zips)


def test_a_zip_with_a_longer_list_of_files_than_the_limit_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    class Watched(SimpleUploadedFile):
        def read(self, size: int = -1, /) -> bytes:
            asked.append(size)
            return bytes(super().read(size))

    monkeypatch.setattr(files, "MOST_LIST_BYTES", 1_000)
    with pytest.raises(Refused, match=r"all\.zip: there are more than 50,000 files"):
        uploaded([Watched("all.zip", empty_files(40))])
    assert max(asked) <= 1_000


def test_what_a_broken_zip_holds_is_refused() -> None:
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a.png", drawn())
    broken = out.getvalue().replace(drawn()[-8:], b"rubbish!", 1)
    with pytest.raises(BadMedium, match="can't be unpacked"):
        uploaded([SimpleUploadedFile("all.zip", broken)])("a.png")


def test_a_name_that_no_file_can_have_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(BadMedium, match="can't be opened"):
        in_folder(tmp_path)("a" * 5000)


def test_a_picture_is_encoded_once_however_many_items_show_it() -> None:
    asked: list[str] = []

    def find(name: str) -> bytes:
        asked.append(name)
        return drawn()

    with media_from(find) as found:
        first, again = found.taken("a.png"), found.taken("a.png")
        assert first is again
        assert first.file.read_bytes()[:4] == b"\x89PNG"
    assert asked == ["a.png", "a.png"]  # for its size, and to be encoded
    assert not first.file.exists()


def test_packings_that_unpack_all_at_once_are_refused_with_what_to_do() -> None:
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("a.png", drawn())
    with pytest.raises(BadMedium, match="create the zip again with the usual method"):
        uploaded([SimpleUploadedFile("all.zip", out.getvalue())])("a.png")


@pytest.mark.parametrize("side", [10_000, 20_000])
def test_a_huge_picture_is_said_to_have_too_many_pixels_whatever_the_library_says(side: int) -> None:
    header = b"IHDR" + struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    huge = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + header + struct.pack(">I", zlib.crc32(header))
    with pytest.raises(BadMedium, match="has more than 30 million pixels"):
        encoded(huge + drawn()[33:])


def test_size_is_read_without_decoding(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError("decoded")

    large = drawn(mode="1", size=(5000, 5000))
    monkeypatch.setattr(Image.Image, "load", never)
    monkeypatch.setattr(ImageFile, "load", never)
    with media_from({"large.png": large}.get) as few:
        few.look_at("large.png")
        assert (few.pixels, few.seen) == (25_000_000, {})


def test_too_many_pixels_for_a_request_are_known_before_any_is_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    large = drawn(mode="1", size=(5000, 5000))
    monkeypatch.setattr(pictures, "_again", lambda _picture: pytest.fail("decoded"))
    with media_from({"a.png": large, "b.png": large}.get, at_once=True) as many:
        many.look_at("a.png")
        many.look_at("a.png")
        with pytest.raises(TooMuchAtOnce, match="more than 40 million pixels"):
            many.look_at("b.png")


def test_bytes_that_are_no_pictures_count_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(taking, "MOST_BYTES_AT_ONCE", 1_000_000)
    with media_from(dict.fromkeys("ab", b"\x00" * 600000).get, at_once=True) as rubbish:
        with pytest.raises(BadMedium):
            rubbish.look_at("a")
        with pytest.raises(TooMuchAtOnce, match="1 MB"):
            rubbish.look_at("b")


def test_place_where_a_picture_was_taken_is_kept_of_no_format() -> None:
    exif = Image.Exif()
    exif[0x8825] = {1: "N", 2: (52.0, 31.0, 12.0), 3: "E", 4: (13.0, 24.0, 18.0)}
    for kind in ("JPEG", "PNG", "WEBP"):
        given = drawn(kind, exif=exif)
        assert Image.open(BytesIO(given)).getexif().get_ifd(0x8825)
        again, _ = encoded(given)
        assert not Image.open(BytesIO(again)).getexif()
        assert b"Exif" not in again


@pytest.mark.parametrize(
    "content",
    [
        b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
        b'<?xml version="1.0"?><svg/>',
        b"<html><script>alert(1)</script>",
        b"%PDF-1.7",
        b"GIF89a/*" + b"\0" * 9 + b"*/=1;alert(1)",
    ],
)
def test_what_a_browser_could_run_is_no_picture(content: bytes) -> None:
    with pytest.raises(BadMedium, match="can't be read"):
        encoded(content)


def test_picture_that_is_something_else_as_well_is_a_picture_alone_afterwards() -> None:
    for kind in ("PNG", "GIF", "JPEG", "WEBP"):
        again, _ = encoded(drawn(kind) + b"<script>alert(1)</script>PK\x03\x04")
        assert b"<script>" not in again
        assert b"PK\x03\x04" not in again
