"""What each kind of broker needs beside its address."""

from pathlib import Path
from typing import Any


def transport_options(broker_url: str, folder: Path) -> dict[str, Any]:
    """Folders for the embedded broker; nothing for the others, whose defaults are right for jobs that are rows."""
    if not broker_url.startswith("filesystem://"):
        return {}
    queue, control = folder / "queue", folder / "control"
    return {
        "data_folder_in": str(queue),
        "data_folder_out": str(queue),
        "control_folder": str(control),
        "store_processed": False,
    }


def make_folders(options: dict[str, Any]) -> None:
    for name in ("data_folder_in", "control_folder"):
        if name in options:
            Path(options[name]).mkdir(parents=True, exist_ok=True, mode=0o700)
