"""The brokers: what each kind needs beside its address, and one that needs no server."""

import glob
import os
import time
from pathlib import Path
from queue import Empty
from typing import Any
from uuid import uuid4

from kombu.exceptions import ChannelError
from kombu.transport import filesystem
from kombu.utils.json import dumps, loads

# What each kind of broker needs beside its address.


def transport(broker_url: str) -> str | None:
    """The embedded broker is ours (annotation/web/broker.py); the address tells Celery the others."""
    return "annotation.web.broker:Transport" if broker_url.startswith("filesystem://") else None


def transport_options(broker_url: str, folder: Path) -> dict[str, object]:
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


def make_folders(options: dict[str, object]) -> None:
    for name in ("data_folder_in", "control_folder"):
        if name in options:
            Path(str(options[name])).mkdir(parents=True, exist_ok=True, mode=0o700)


def impatient_options(seconds: float) -> dict[str, object]:
    """Options for a publisher that must not wait for a broker that does not answer, whichever kind it is.

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


# The broker that needs no server: kombu's folder of messages, with messages that appear and are taken whole.


class Channel(filesystem.Channel):
    """kombu's own writes a message under its final name, so that a worker that looks in between reads half of it and
    stops; and it takes one by way of the machine's temporary folder, which may be on another disk: a copy, taken twice.
    """

    def __init__(self, connection: object, **options: object) -> None:
        super().__init__(connection, **options)
        try:
            make_folders(self.transport_options)
        except OSError as error:
            raise ChannelError(f"the folders of the embedded broker can't be made: {error}") from error

    def _put(self, queue: str, message: object, **_: object) -> None:  # type: ignore[override]
        folder = Path(self.data_folder_out)
        name = f"{time.time_ns():020d}_{uuid4().hex}.{queue}.msg"
        part = folder / f"{name}.part"
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            part.write_text(dumps(message), encoding="utf-8")
            part.rename(folder / name)
        except OSError as error:  # a full disk, for instance: an error of the broker, as a lost connection is elsewhere
            raise ChannelError(f"the message can't be put into {folder}: {error}") from error

    def _get(self, queue: str, timeout: float | None = None) -> Any:  # noqa: ARG002 - it never waits
        folder = Path(self.data_folder_in)
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        for message in sorted(folder.glob(f"*.{glob.escape(queue)}.msg")):
            taken = message.with_suffix(f".{os.getpid()}.taken")
            try:
                message.rename(taken)  # two workers at once: the second finds no such file
            except FileNotFoundError:
                continue
            payload = taken.read_text(encoding="utf-8")
            taken.unlink()
            return loads(payload)
        raise Empty


class Transport(filesystem.Transport):
    Channel = Channel
