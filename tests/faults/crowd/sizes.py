"""How large these tests are: short in CI, and as large as the promise with TOUCHSTONE_TEST_FAULTS=full."""

from dataclasses import dataclass

from django.conf import settings

from tests.shares import IS_FULL

VENDOR = "postgresql" if "postgresql" in settings.DATABASES["default"]["ENGINE"] else "sqlite"


@dataclass(frozen=True)
class Size:
    """So many people fill all places, if each does a whole assignment: people x items_each = items x target."""

    people: int
    items: int
    target: int
    faults: int = 0
    items_each: int = 10

    @property
    def answers(self) -> int:
        """With the two checks of each person."""
        return self.people * (self.items_each + 2)


FULL = {
    "postgresql": Size(people=200, items=100, target=20, faults=50),
    "sqlite": Size(people=50, items=50, target=10, faults=50),
}
SHORT = {
    "postgresql": Size(people=16, items=16, target=10, faults=6),
    "sqlite": Size(people=10, items=20, target=5, faults=4),
}
SIZE = (FULL if IS_FULL else SHORT)[VENDOR]
# Without faults there is less to find: in CI a few people show that the counting itself is right.
CALM = SIZE if IS_FULL else Size(people=5, items=10, target=5)
GONE_SECONDS = 60 if IS_FULL else 3
