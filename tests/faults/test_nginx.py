"""The shipped nginx file before a site: a real nginx takes it, and nothing that a stranger sends is stored."""

import os
import socket
import ssl
import stat
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.faults.crowd.machines import Machine, descendants, make_web
from tests.services.nginx import find_or_unpack, refusal_of, write_configuration
from tools import place

pytestmark = pytest.mark.faults
LARGE = 200_000_000
SENT = 4_000_000  # of each stranger's body, before the connection is held
STRANGERS = 10
LITTLE = 1_000_000
START_SECONDS = 120


@dataclass(frozen=True)
class Site:
    """The proxy's port and both processes."""

    port: int
    nginx: Machine
    web: Machine

    def connect(self, head: str) -> ssl.SSLSocket:
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        plain = socket.create_connection((place.HOST, self.port), timeout=30)
        connection = context.wrap_socket(plain, server_hostname="touchstone.example.org")
        connection.sendall(f"{head}Host: touchstone.example.org\r\n\r\n".encode())
        return connection

    def spooled(self) -> int:
        """Bytes in files that have no name any more, as both processes keep bodies."""
        return sum(map(nameless_bytes, [*processes(self.nginx), *processes(self.web)]))


def processes(machine: Machine) -> list[int]:
    assert machine.running is not None
    return [machine.running.process.pid, *descendants(machine.running.process.pid)]


def nameless_bytes(pid: int) -> int:
    size = 0
    for descriptor in Path(f"/proc/{pid}/fd").glob("*"):
        with suppress(OSError):
            about = descriptor.stat()
            if stat.S_ISREG(about.st_mode) and about.st_nlink == 0:
                size += about.st_size
    return size


@pytest.fixture(scope="module")
def binary(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return find_or_unpack(tmp_path_factory.mktemp("nginx-package"))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, binary: Path) -> Iterator[Site]:
    folder, port, behind = tmp_path_factory.mktemp("nginx"), place.free_port(), place.free_port()
    main = write_configuration(folder, port, behind)
    command = [str(binary), "-e", "stderr", "-c", str(main)]
    nginx = Machine("nginx", command, dict(os.environ), folder)
    web = make_web(folder, dict(os.environ), behind, app="tests.faults.counting_site")
    try:
        for machine, number in ((web, behind), (nginx, port)):
            machine.start()
            give_up_at = time.monotonic() + START_SECONDS
            while not is_taken(number):
                assert time.monotonic() < give_up_at, machine.log.read_text()
                time.sleep(0.1)
        yield Site(port, nginx, web)
    finally:
        nginx.stop()
        web.stop()


def is_taken(port: int) -> bool:
    with suppress(OSError), socket.create_connection((place.HOST, port), timeout=1):
        return True
    return False


def send(connection: ssl.SSLSocket, size: int) -> None:
    """As much as the other side takes: who refuses closes."""
    with suppress(OSError):
        for _ in range(size >> 16):
            connection.sendall(bytes(1 << 16))


def answer(connection: ssl.SSLSocket) -> bytes:
    content = b""
    with suppress(OSError):
        while piece := connection.recv(1 << 16):
            content += piece
    return content


def post(path: str, length: int = LARGE, *headers: str) -> str:
    lines = [f"POST {path} HTTP/1.1", f"Content-Length: {length}", "Connection: close", *headers]
    return "".join(f"{line}\r\n" for line in lines)


def test_nginx_takes_the_shipped_file_without_a_warning(tmp_path: Path, binary: Path) -> None:
    assert refusal_of(binary, write_configuration(tmp_path, place.free_port(), place.free_port())) == ""


@pytest.mark.parametrize(
    "head",
    [
        post("/admin/x/"), post("/admin/x/", LARGE, "Cookie: sessionid=made-up"), post("/api/v1/x/"),
        post("/api/v1/x/", LARGE, "Authorization: Bearer tst_made-up"),
    ],
    ids=["admin", "admin, made-up cookie", "api", "api, made-up token"],
)  # fmt: skip
def test_nothing_of_a_strangers_large_body_is_stored(site: Site, head: str) -> None:
    with ExitStack() as stack:
        strangers = [stack.enter_context(site.connect(head)) for _ in range(STRANGERS)]
        for connection in strangers:
            send(connection, SENT)
        time.sleep(0.5)
        assert site.spooled() < LITTLE
        first = [connection.recv(12) for connection in strangers]
    assert set(first) <= {b"HTTP/1.1 200", b"HTTP/1.1 429"}  # the site was asked, without the body; or one too many
    assert first.count(b"HTTP/1.1 200") >= 1


def test_large_body_of_a_known_sender_comes_through(site: Site) -> None:
    with site.connect(post("/admin/count", 20_000_000, "Cookie: sessionid=known")) as connection:
        for _ in range(20):
            connection.sendall(bytes(1_000_000))
        assert answer(connection).endswith(b"20000000")


def test_body_beyond_all_limits_is_refused_by_the_proxy(site: Site) -> None:
    for path, length in (("/admin/x/", 300_000_000), ("/api/v1/x/", 300_000_000), ("/a/x/save/", 2_000_000)):
        with site.connect(post(path, length, "Cookie: sessionid=known")) as connection:
            assert answer(connection).startswith(b"HTTP/1.1 413")


def test_strangers_elsewhere_store_little(site: Site) -> None:
    """An answer has 1 MB at most, and few large ones come from one address at once."""
    with ExitStack() as stack:
        for _ in range(60):
            connection = stack.enter_context(site.connect(post("/a/x/save/", 1_000_000)))
            send(connection, 900_000)
        time.sleep(0.5)
        assert site.spooled() <= 20 * 1_000_000
