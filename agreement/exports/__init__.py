"""What goes out, as streams of bytes that a command writes to a file and a view sends: docs/formats.md."""

from agreement.exports.bundle import bundle
from agreement.exports.export_choice import EXPORTS, OF_A_RELEASE, file_name, release_numbered, stream
from agreement.exports.export_files import write_to
from agreement.exports.participants import participants
from agreement.exports.release_tables import Form, gold, judgments, workers

__all__ = [
    "EXPORTS",
    "OF_A_RELEASE",
    "Form",
    "bundle",
    "file_name",
    "gold",
    "judgments",
    "participants",
    "release_numbered",
    "stream",
    "workers",
    "write_to",
]
