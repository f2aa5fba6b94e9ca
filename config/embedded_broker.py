"""The broker that needs no server: kombu's folder of messages, with messages that appear and are taken whole."""

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

from config.broker import make_folders


class Channel(filesystem.Channel):
    """kombu's own writes a message under its final name, so that a worker that looks in between reads half of it and
    stops; and it takes one by way of the machine's temporary folder, which may be on another disk: a copy, taken twice.
    """

    def __init__(self, connection: Any, **options: Any) -> None:
        super().__init__(connection, **options)
        try:
            make_folders(self.transport_options)
        except OSError as error:
            raise ChannelError(f"the folders of the embedded broker can't be made: {error}") from error

    def _put(self, queue: str, message: Any, **_: Any) -> None:  # type: ignore[override]
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
