"""A test that fails among the others and passes alone is said loudly, and the second one fails the run."""

import re

import pytest

from tests import flaky

pytest_plugins = ["pytester"]

INI = "[pytest]\nmarkers =\n    faults\n    concurrent\n"
WITHOUT = ["-p", "no:django", "-p", "no:xdist", "-p", "no:cacheprovider"]


@pytest.fixture
def run(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """All tests in these runs fail; those that are called accidents pass when they are run again."""
    monkeypatch.setattr(flaky, "passes_alone", lambda failure, _config: "accident" in failure.nodeid)
    monkeypatch.delenv(flaky.SHARE, raising=False)
    pytester.makeini(INI)
    return pytester


def result_of(run: pytest.Pytester, body: str) -> pytest.RunResult:
    run.makepyfile(test_here=f"import pytest\n{body}")
    return run.runpytest_inprocess(*WITHOUT, plugins=[flaky])


def closing_line(result: pytest.RunResult) -> str:
    return re.sub(r" in [\d.]+s.*| *=+ *", "", result.outlines[-1])


def test_the_first_is_said_and_let_pass(run: pytest.Pytester) -> None:
    result = result_of(run, "def test_accident(): assert 'the sun' == 'the moon'\ndef test_b(): pass\n")

    assert result.ret == pytest.ExitCode.OK
    assert closing_line(result) == "1 passed, 1 flaky"
    result.stdout.fnmatch_lines(["*FLAKY: failed among the others, passed alone*", "FLAKY test_here.py::test_accident"])
    result.stdout.fnmatch_lines(["*assert 'the sun' == 'the moon'"])
    result.stdout.no_fnmatch_line("FAILED*")


def test_the_second_fails_the_run(run: pytest.Pytester) -> None:
    result = result_of(run, "def test_accident(): assert False\ndef test_accident_two(): assert False\n")

    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert closing_line(result) == "2 failed"
    result.stdout.fnmatch_lines(["FLAKY test_here.py::test_accident", "FLAKY test_here.py::test_accident_two"])
    result.stdout.fnmatch_lines(["2 flaky tests: the run fails."])


def test_what_fails_again_has_failed_whatever_else_is_flaky(run: pytest.Pytester) -> None:
    result = result_of(run, "def test_accident(): assert False\ndef test_b(): assert False\n")

    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert closing_line(result) == "1 failed, 1 flaky"
    result.stdout.fnmatch_lines(["FLAKY test_here.py::test_accident", "FAILED test_here.py::test_b*"])
    result.stdout.no_fnmatch_line("FLAKY test_here.py::test_b")


NEVER = {
    "faults": "@pytest.mark.faults\n",
    "concurrent": "@pytest.mark.concurrent\n",
    "hypothesis": "from hypothesis import given, strategies\n@given(_one=strategies.just(1))\n",
}


@pytest.mark.parametrize("mark", NEVER)
def test_a_race_that_is_lost_once_is_lost(run: pytest.Pytester, mark: str) -> None:
    result = result_of(run, f"{NEVER[mark]}def test_accident(_one=1): assert False\n")

    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert closing_line(result) == "1 failed"
    result.stdout.no_fnmatch_line("*FLAKY*")


def test_the_parts_and_the_end_of_a_test_are_forgiven_with_it(run: pytest.Pytester) -> None:
    result = result_of(
        run,
        "@pytest.fixture\ndef late():\n    yield\n    assert False\n\n"
        "def test_accident(subtests, late):\n"
        "    for n in 'xy':\n        with subtests.test(n=n):\n            assert False\n",
    )

    assert result.ret == pytest.ExitCode.OK
    assert closing_line(result) == "1 flaky"


def test_a_file_that_cannot_be_read_is_no_accident(run: pytest.Pytester) -> None:
    result = result_of(run, "assert False, 'an accident'\n")

    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.no_fnmatch_line("*FLAKY*")


def test_of_many_failures_none_is_tried_again(run: pytest.Pytester) -> None:
    result = result_of(run, "".join(f"def test_accident_{n}(): assert False\n" for n in range(11)))

    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert closing_line(result) == "11 failed"
    result.stdout.fnmatch_lines(["11 tests failed: none of them is tried again."])


def test_alone_means_in_a_process_of_its_own(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    pytester.makepyfile(test_here="import os\ndef test_share(): assert os.environ['TOUCHSTONE_TEST_SHARE'] == 'moon'\n")
    pytester.makeini(f"{INI}addopts = {' '.join(WITHOUT)}\n")
    config = pytester.parseconfig()

    assert flaky.passes_alone(flaky.Failure("test_here.py::test_share", "moon", []), config)
    assert not flaky.passes_alone(flaky.Failure("test_here.py::test_share", "sun", []), config)
