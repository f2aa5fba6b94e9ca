"""What each kind of broker needs beside its address."""

from pathlib import Path
from typing import Any


def transport(broker_url: str) -> str | None:
    """The embedded broker is ours (config/embedded_broker.py); the address tells Celery the others."""
    return "config.embedded_broker:Transport" if broker_url.startswith("filesystem://") else None


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
        "polling_interval": 0.25,  # seconds until a worker looks again into an empty folder
    }


def make_folders(options: dict[str, Any]) -> None:
    for name in ("data_folder_in", "control_folder"):
        if name in options:
            Path(options[name]).mkdir(parents=True, exist_ok=True, mode=0o700)


def impatient(seconds: float) -> dict[str, Any]:
    """Options for a publisher that must not wait on a dead broker, whichever kind it is.

    Without them `retry=False` still tries to connect for six seconds (kombu's own retries, in `Connection`).
    """
    return {
        "max_retries": 0,
        "interval_start": 0,
        "interval_step": 0,
        "interval_max": 0,
        "connect_retries_timeout": seconds,
        # Redis
        "socket_connect_timeout": seconds,
        "socket_timeout": seconds,
        "retry_on_timeout": False,
        # AMQP
        "read_timeout": seconds,
        "write_timeout": seconds,
    }
