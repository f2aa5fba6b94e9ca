"""Files that pages and the API send. A file is made whole before its first byte is sent: what fails is an error page,
and no file that ends too early.
"""

from collections.abc import Iterable
from io import BytesIO
from tempfile import TemporaryFile
from typing import IO

from django.http import FileResponse

IN_MEMORY = 1 << 20  # bytes; a larger file is written to the disk


class Download(FileResponse):
    """The pieces as a file of that name. It says its size, so that a download that breaks off can't look complete."""

    block_size = 1 << 18

    def __init__(self, pieces: Iterable[bytes], *, name: str, content_type: str = "text/csv; charset=utf-8") -> None:
        super().__init__(_in_a_file(pieces), as_attachment=True, filename=name, content_type=content_type)


def _in_a_file(pieces: Iterable[bytes]) -> IO[bytes]:
    rest, begun = iter(pieces), bytearray()
    for piece in rest:
        begun += piece
        if len(begun) > IN_MEMORY:
            break
    else:
        return BytesIO(begun)
    file = TemporaryFile()  # noqa: SIM115 - the response closes it
    try:
        file.write(begun)
        file.writelines(rest)
    except BaseException:
        file.close()
        raise
    file.seek(0)
    return file
