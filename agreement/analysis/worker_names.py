"""Workers by their ids where statistics, which know codes alone, have named them."""

from typing import Any

INFLUENTIAL = "most_influential_worker"


def with_worker_ids(given: Any, workers: Any) -> Any:
    """The same part of a report, with ids in the place of the codes of the most influential workers.

    >>> with_worker_ids({"mean": {"most_influential_worker": {"worker": 1, "estimate": 0.5}}}, ["anna", "ben"])
    {'mean': {'most_influential_worker': {'worker': 'ben', 'estimate': 0.5}}}
    """
    if isinstance(given, list):
        return [with_worker_ids(one, workers) for one in given]
    if not isinstance(given, dict):
        return given
    named = {key: with_worker_ids(one, workers) for key, one in given.items()}
    if INFLUENTIAL in named:
        code = named[INFLUENTIAL]["worker"]
        named[INFLUENTIAL] = named[INFLUENTIAL] | {"worker": str(workers[code]) if isinstance(code, int) else code}
    return named
