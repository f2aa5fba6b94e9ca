"""What goes out, as streams of bytes that a command writes to a file and a view sends: docs/formats.md."""

from typing import TYPE_CHECKING

from agreement.lazy_imports import late_imports

if TYPE_CHECKING:
    from annotation.releases.exports.bundle_zip import bundle
    from annotation.releases.exports.export_choice import EXPORTS, OF_A_RELEASE, file_name, release_numbered, stream
    from annotation.releases.exports.export_files import write_to
    from annotation.releases.exports.judgments_export import Form, judgments
    from annotation.releases.exports.people_table import participants
    from annotation.releases.exports.release_tables import gold, workers

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

__getattr__ = late_imports(
    __name__,
    {
        "bundle_zip": ("bundle",),
        "export_choice": ("EXPORTS", "OF_A_RELEASE", "file_name", "release_numbered", "stream"),
        "export_files": ("write_to",),
        "judgments_export": ("Form", "judgments"),
        "people_table": ("participants",),
        "release_tables": ("gold", "workers"),
    },
)
