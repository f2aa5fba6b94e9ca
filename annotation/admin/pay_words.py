"""What each decision on pay is called on a button, and what pressing it means."""

from collections.abc import Callable
from dataclasses import dataclass

from annotation.actions.paying import Moved, approve, mark_paid, reject, waive
from annotation.models import Payment

Status = Payment.Status


@dataclass(frozen=True, slots=True)
class Decision:
    to: Status
    verb: str
    done: str
    meaning: str
    action: Callable[..., Moved]


DECISIONS: dict[str, Decision] = {
    decision.to: decision
    for decision in (
        Decision(
            Status.APPROVED,
            "Approve",
            "approved",
            "They are to be paid and stand on the list to take to the platform. Nothing is paid by this.",
            approve,
        ),
        Decision(
            Status.PAID,
            "Mark as paid",
            "marked as paid",
            "Do this after you have paid them on the platform: Touchstone moves no money. It can't be undone, and the "
            "platform's ids are removed from these payments.",
            mark_paid,
        ),
        Decision(
            Status.REJECTED,
            "Reject",
            "rejected",
            "They are recorded as rejected on the platform: their answers don't count, and their places open "
            "again for others. It can't be undone. Touchstone tells the platform nothing: reject them there too.",
            reject,
        ),
        Decision(
            Status.WAIVED,
            "Waive",
            "waived",
            "Nothing is owed to them. It can't be undone, and the platform's ids are removed from these payments.",
            waive,
        ),
    )
}
