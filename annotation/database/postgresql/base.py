"""PostgreSQL as Django has it, but that a kept connection is looked at before a request, and not asked."""

import select

from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    def close_if_health_check_failed(self) -> None:
        """A server that ends a connection says so, and what it said can be seen without a round trip.

        Django's `SELECT 1` before every request took 15 % of a saved answer. It is still sent where there is something
        to be read. What ends without a word, as a machine without power does, is in use for `KEPT_SECONDS` at most.
        """
        if self.connection is not None and not self.connection.closed and _is_silent(self.connection.fileno()):
            self.health_check_done = True
        super().close_if_health_check_failed()


def _is_silent(socket: int) -> bool:
    looks = select.poll()
    looks.register(socket, select.POLLIN)
    return not looks.poll(0)
