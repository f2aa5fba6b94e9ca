"""Sets a scene in a site's database and counts what came of it: a process of its own, so that no fault can touch it.

`python -m tests.faults.crowd.scene prepare|settle|tally …` prints one JSON object.
"""

import datetime as dt
import json
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import django

PATIENCE_SECONDS = 60


def prepare(slug: str, items: int, target: int, items_per_assignment: int) -> dict[str, Any]:
    """A live study of pairs with two checks for everybody, whose people come from a platform."""
    from annotation.models import CheckQuota, Study
    from annotation.studies import presets
    from annotation.studies.item_files import NewItem
    from annotation.studies.study_life import add_items, change_status

    preset = presets.load("spatial-similarity")
    changes = {"slug": slug, "seed": 5, "judgments_per_item": target, "items_per_assignment": items_per_assignment}
    fields = {**preset.study, **changes, "platform": "prolific", "word_order": "counterbalanced"}
    fields["unverified_per_hour"] = 30_000  # all of them come from this machine
    study = Study.objects.create(**fields)
    new: list[NewItem] = [{"item_id": f"i{k}", "fields": {"left": f"a{k}", "right": f"b{k}"}} for k in range(items)]
    for name in ("self", "unrelated"):
        CheckQuota.objects.create(study=study, check_name=name, per_assignment=1)
        new += [
            {
                "item_id": f"{name}{k}",
                "kind": "check",
                "check_name": name,
                "fields": {"left": f"{name}{k}", "right": "c"},
            }
            for k in range(3)
        ]
    add_items(study=study, items=new, source="a scene")
    change_status(study=study, status=Study.Status.LIVE)
    return {"places": study.open_places.count()}


def settle(slug: str) -> dict[str, Any]:
    """As if the time of all who have not handed in were over: waits until the site's own clock has ended it."""
    from django.utils import timezone

    from annotation.models import Assignment, OpenPlace

    still_open = Assignment.objects.filter(participation__study__slug=slug, status=Assignment.Status.OPEN)
    still_open.update(expires_at=timezone.now() - dt.timedelta(seconds=1))
    give_up_at = time.monotonic() + PATIENCE_SECONDS
    while still_open.exists() and time.monotonic() < give_up_at:
        time.sleep(0.1)
    return {"open": OpenPlace.objects.filter(study__slug=slug).count(), "at work": still_open.count()}


def tally(slug: str, acknowledged: str) -> dict[str, Any]:
    """What must be nothing: items off their target, answers lost, answers double, older answers over newer ones."""
    from django.db.models import Count, Q

    from annotation.models import AssignedItem, Item, Judgment, Study
    from annotation.platforms.tokens import Purpose, read_token

    study = Study.objects.get(slug=slug)
    judgments = Judgment.objects.of_study(study.pk)
    stored = {
        (str(uuid), position, str(key)): (number, revision)
        for uuid, position, key, number, revision in judgments.values_list(
            "assigned_item__assignment__uuid", "assigned_item__position", "client_key", "number", "revision"
        )
    }
    answered = Judgment.objects.filter(is_late=False).values("assigned_item")
    done = Q(assigned_items__released_at__isnull=True, assigned_items__in=answered)
    counts = Counter(
        Item.objects.filter(study=study)
        .targets()
        .annotate(n=Count("assigned_items", filter=done))
        .values_list("n", flat=True)
    )
    told = json.loads(Path(acknowledged).read_text())
    missing, last = 0, {}
    for one in told:
        uuid = str(read_token(Purpose.ASSIGNMENT, one["address"].split("/")[2]).uuid)
        found = stored.get((uuid, one["position"], one["key"]))
        missing += found is None or found[0] != float(dict(one["fields"])["number"])
        if found:
            last[uuid, one["position"]] = found[1]
    newest = Counter[tuple[str, int]]()
    for (uuid, position, _key), (_number, revision) in stored.items():
        newest[uuid, position] = max(newest[uuid, position], revision)
    keys = Counter(judgments.values_list("client_key", flat=True))
    twice = AssignedItem.objects.filter(item__study=study).values("participation", "item").annotate(n=Count("pk"))
    return {
        "items off their target": sum(n for count, n in counts.items() if count != study.judgments_per_item),
        "saved and missing": missing,
        "double": sum(n - 1 for n in keys.values() if n > 1) + twice.filter(n__gt=1).count(),
        "older over newer": sum(revision != newest[place] for place, revision in last.items()),
        "told": {
            "items": sum(counts.values()),
            "saved": len(told),
            "stored": len(stored),
            "late": judgments.filter(is_late=True).count(),
            "people": study.participations.count(),
        },
    }


def main() -> None:
    django.setup()
    what, *arguments = sys.argv[1:]
    if what == "migrate":
        from django.core.management import call_command

        call_command("migrate", verbosity=0, interactive=False)
        answer: dict[str, Any] = {}
    elif what == "prepare":
        slug, *numbers = arguments
        answer = prepare(slug, *map(int, numbers))
    else:
        answer = settle(*arguments) if what == "settle" else tally(*arguments)
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
