"""Studies whose items show media, for the tests of pages and of what people do with them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from agreement.stimuli.blocks import as_stored, read_blocks
from annotation.media.files import in_folder
from annotation.media.taking import media_from
from annotation.models import Study
from annotation.studies.item_files import read_items
from annotation.studies.study_life import add_items, change_status
from tests.integration.annotation.answering.views.people import a_study_of


def a_media_study(
    blocks: Sequence[Mapping[str, Any]], files: Mapping[str, bytes], items: str, *, kind: str = "choice", **changes: Any
) -> Study:
    """A live study with these blocks, and the items of a file that names these files."""
    study = a_study_of(kind, **{"question": "Which is it?", **changes})
    study.items.all().delete()
    stimulus = as_stored(read_blocks(blocks))
    Study.objects.filter(pk=study.pk).update(status=Study.Status.DRAFT, stimulus=stimulus)
    study.refresh_from_db()
    with TemporaryDirectory() as folder:
        for name, content in {**files, "items.csv": items.encode()}.items():
            (Path(folder) / name).write_bytes(content)
        with media_from(in_folder(Path(folder))) as media:
            rows = read_items(Path(folder) / "items.csv", study, media)
            add_items(study=study, items=rows, source="a test", pictures=media.seen.values())
    return change_status(study=study, status=Study.Status.LIVE)
