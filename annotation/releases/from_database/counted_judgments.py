"""Which judgments count: the current answer of each person, in time unless the researcher says otherwise."""

from django.db.models import Count, Max, Q

from annotation.models import AssignedItem, Item, Judgment, Participation, Study
from annotation.models.judgment import JudgmentQuerySet
from annotation.releases.models import CleaningRun

# They left with their work undone and their places were given to others: what they had answered counts as late.
LEFT_EARLY = (Participation.Status.RETURNED, Participation.Status.TIMED_OUT)


def counted(study: Study) -> JudgmentQuerySet:
    """The judgments of a study that a cleaning run may look at.

    Never: practice, pictures that could not be seen, earlier revisions, people who gave no consent, failed
    comprehension, were rejected or withdrew; the pilot's answers once the study is live.
    """
    return _that_count(_answered(study), study)


def most_judgments(study: Study) -> int:
    """No more of a study's judgments can count: to count the places of its people takes no time."""
    return AssignedItem.objects.filter(participation__study=study).count()


def not_seen(study: Study) -> JudgmentQuerySet:
    """The answers "I can't see the picture" of the same people, under the same conditions: no judgments."""
    # By their keys, of which an index knows: else SQLite looks at every item, which took 1.3 s for a million judgments.
    unseen: JudgmentQuerySet = Judgment.objects.filter(
        pk__in=Judgment.objects.filter(could_not_see=True).order_by().values("pk")
    )
    return _that_count(unseen, study)


def _that_count(judgments: JudgmentQuerySet, study: Study) -> JudgmentQuerySet:
    # A check answered late still says how careful the person was, and enters nothing itself.
    on_time = Q(is_late=False) | Q(assigned_item__item__kind=Item.Kind.CHECK)
    in_time = on_time & ~Q(assigned_item__participation__status__in=LEFT_EARLY)
    never = set(Participation.GAVE_BACK) - set(LEFT_EARLY)
    return (
        judgments.current()
        .of_study(study.pk)
        .filter(
            Q() if study.counts_late_answers else in_time,
            ~Q(assigned_item__participation__status__in=never),
            Q() if study.status == Study.Status.PILOTING else Q(assigned_item__participation__is_pilot=False),
            ~Q(assigned_item__item__kind=Item.Kind.PRACTICE),
        )
    )


def unseen_by_person(study: Study) -> dict[str, int]:
    """At how many items each person could not see the picture, by pseudonym; nobody who saw them all."""
    by_person = not_seen(study).order_by().values_list("assigned_item__participation__pseudonym")
    return dict(by_person.annotate(items=Count("pk")).order_by("assigned_item__participation__pseudonym"))


def unseen_in(source: Study | CleaningRun) -> dict[str, int]:
    """The same as it was when a run froze its judgments."""
    return unseen_by_person(source) if isinstance(source, Study) else dict(source.counts.get("could_not_see", {}))


def among_frozen(run: CleaningRun) -> JudgmentQuerySet:
    """The answered judgments of a run's study up to the last that the run froze: its own ones, but for those that
    their givers have withdrawn since, and others, which `frozen_keys` tells apart.

    A query with all of the keys is slow: PostgreSQL expected 200 of them, and looked a million judgments up one by one.
    """
    last = run.frozen.aggregate(last=Max("last_key"))["last"] or 0
    return _answered(run.study).of_study(run.study_id).filter(pk__lte=last)


def _answered(study: Study) -> JudgmentQuerySet:
    judgments: JudgmentQuerySet = Judgment.objects.filter(**{f"{study.question_kind.column}__isnull": False})
    return judgments
