"""A process that dies is started again soon, however often it has died."""

from types import SimpleNamespace

import pytest

from tools.child import Child


def test_wait_after_many_deaths_leaves_time_to_start_within_four_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [1000.0]
    dead = SimpleNamespace(is_running=lambda: False, stop=lambda: -9)
    monkeypatch.setattr("tools.child.time.monotonic", lambda: clock[0])
    monkeypatch.setattr("tools.child.guarded.start", lambda *_args, **_options: dead)
    process = Child("web process", ["serve"], {})
    waits = []
    for _death in range(8):
        process.start()
        assert "it is started again in" in (process.tend() or "")
        waits.append(process.start_again_at - clock[0])
        assert process.tend() is None
        assert process.running is None
        clock[0] = process.start_again_at
        assert process.tend() is None
        assert process.running is not None
    assert waits == [0.5, *[1.0] * 7]
