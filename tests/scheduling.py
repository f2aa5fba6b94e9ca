"""Hands tests to the workers of `make test`: each database has its own, and whoever is idle takes half of another's.

Workers on different databases collect different tests, which xdist's own ways of distributing don't allow: each group
of workers on one database is given one of those to itself.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import execnet
import pytest
from xdist.scheduler import WorkStealingScheduling
from xdist.workermanage import parse_tx_spec_config

SHARE = "TOUCHSTONE_TEST_SHARE"


class ByDatabase:
    """As many of xdist's schedulers as databases, seen as one."""

    def __init__(self, config: pytest.Config, log: Any) -> None:
        workers = Counter(execnet.XSpec(spec).env[SHARE] for spec in parse_tx_spec_config(config))
        self.groups = {database: WorkStealingScheduling(config, log) for database in workers}
        for database, count in workers.items():
            self.groups[database].numnodes = count

    def _of(self, node: Any) -> WorkStealingScheduling:
        return self.groups[node.gateway.spec.env[SHARE]]

    @property
    def nodes(self) -> list[Any]:
        return [node for group in self.groups.values() for node in group.nodes]

    @property
    def collection_is_completed(self) -> bool:
        return all(group.collection_is_completed for group in self.groups.values())

    @property
    def tests_finished(self) -> bool:
        return all(group.tests_finished for group in self.groups.values())

    @property
    def has_pending(self) -> bool:
        return any(group.has_pending for group in self.groups.values())

    def add_node(self, node: Any) -> None:
        self._of(node).add_node(node)

    def add_node_collection(self, node: Any, collection: Sequence[str]) -> None:
        self._of(node).add_node_collection(node, collection)

    def mark_test_complete(self, node: Any, item_index: int, duration: float = 0) -> None:
        self._of(node).mark_test_complete(node, item_index, duration)

    def mark_test_pending(self, item: str) -> None:
        for group in self.groups.values():
            if item in (group.collection or []):
                group.mark_test_pending(item)

    def remove_pending_tests_from_node(self, node: Any, indices: Sequence[int]) -> None:
        self._of(node).remove_pending_tests_from_node(node, indices)

    def remove_node(self, node: Any) -> str | None:
        crashed_in: str | None = self._of(node).remove_node(node)
        return crashed_in

    def schedule(self) -> None:
        for group in self.groups.values():
            group.schedule()


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByDatabase:
    return ByDatabase(config, log)
