"""A researcher looks at what people will see, before anybody sees it. Nothing is claimed and nothing can be stored."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.cache import add_never_cache_headers
from django.views.decorators.http import require_GET

from annotation.models import AssignedItem, Item, Study
from annotation.permissions import Right, study_or_404
from annotation.randomisation import generator, mixed
from annotation.views.entering import facts_of
from annotation.views.page_model import ShownItem, scale_of, shown_item

MOST_ITEMS = 50


@require_GET
@login_required
def preview(request: HttpRequest, slug: str) -> HttpResponse:
    """The study's texts and one assignment's worth of questions, in the study's language."""
    study = study_or_404(request.user, Right.LOOK, slug=slug)
    context: dict[str, object] = {
        "study": study,
        "comprehension": list(study.comprehension_questions.all()),
        "items": _shown(study),
        "at_the_end": list(study.end_questions.all()),
        "scale": scale_of(study),
        "most": MOST_ITEMS,
    }
    with translation.override(study.language):
        context["facts"] = facts_of(study)
        response = render(request, "annotation/preview.html", context)
    add_never_cache_headers(response)
    return response


def _shown(study: Study) -> list[ShownItem]:
    """The items of an assignment that is never saved: practice, and the first targets with the checks among them."""
    practice: list[Item] = []
    named: dict[str, list[Item]] = {}
    for item in study.items.beside_targets().order_by("position"):
        if item.kind == Item.Kind.PRACTICE:
            practice.append(item)
        else:
            named.setdefault(item.check_name or "", []).append(item)
    quotas = study.check_quotas.order_by("check_name").values_list("check_name", "per_assignment")
    checks = [item for name, count in quotas for item in named.get(name, [])[:count]]
    targets = list(study.items.targets().order_by("position")[: min(study.items_per_assignment, MOST_ITEMS)])
    items = [*practice, *mixed(targets, checks, generator(study.seed, "preview"))]
    labels = list(study.labels.order_by("position"))
    return [
        shown_item(study, labels, AssignedItem(item=item, position=position), None)
        for position, item in enumerate(items, start=1)
    ]
