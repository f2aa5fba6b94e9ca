"""A load of requests over kept-alive connections, each sent when the one before it is answered."""

import asyncio
import time
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Load:
    requests: int
    failed: int
    seconds: float
    p50_ms: float
    p99_ms: float

    @property
    def per_second(self) -> float:
        return self.requests / self.seconds


async def _answer(reader: asyncio.StreamReader) -> int:
    """The status; the body is read and dropped."""
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    if not head.startswith(b"http/"):
        raise ConnectionError(f"Not an HTTP server: {head[:40]!r}")
    length = int(head.partition(b"content-length:")[2].partition(b"\r\n")[0] or 0)
    await reader.readexactly(length)
    return int(head.split(b" ", 2)[1])


async def _connection(host: str, port: int, request: bytes, until: float, times: list[float]) -> int:
    reader, writer = await asyncio.open_connection(host, port)
    failed = 0
    while time.perf_counter() < until:
        began = time.perf_counter()
        writer.write(request)
        status = await _answer(reader)
        times.append(time.perf_counter() - began)
        failed += status != 200
    writer.close()
    return failed


async def _all(host: str, port: int, request: bytes, connections: int, seconds: float) -> tuple[list[float], int]:
    times: list[float] = []
    until = time.perf_counter() + seconds
    tasks = [_connection(host, port, request, until, times) for _ in range(connections)]
    return times, sum(await asyncio.gather(*tasks))


def load(host: str, port: int, path: str, *, connections: int, seconds: float) -> Load:
    request = f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()
    began = time.perf_counter()
    times, failed = asyncio.run(_all(host, port, request, connections, seconds))
    took = time.perf_counter() - began
    p50, p99 = np.percentile(times, [50, 99]) * 1000
    return Load(len(times), failed, took, float(p50), float(p99))
