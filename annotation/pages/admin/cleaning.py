"""Cleaning runs, verdicts, exclusions, gold releases and rule sets in the admin, all read-only."""

from collections.abc import Callable
from typing import TypeAlias, cast

from django.contrib import admin, messages
from django.db.models import Exists, Model, OuterRef, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.views.decorators.http import require_POST
from unfold.admin import ModelAdmin

from agreement.report.figure_rows import evidence_text
from annotation.accounts.permissions import Person, Right, studies_where, study_or_404
from annotation.models import Study
from annotation.pages.admin.base import ReadOnlyAdmin, column, study_filter, user_of
from annotation.releases.actions.rule_sets import share_rule_set, stop_sharing_rule_set
from annotation.releases.models import CleaningRun, Exclusion, GoldRelease, SharedRuleSet, StoredRuleSet, Verdict

# Cleaning runs in the admin: which rules were applied to a study, when and by whom.


@admin.register(CleaningRun)
class CleaningRunAdmin(ReadOnlyAdmin):
    list_display = ("created_at", "study", "rule_set", "created_by", "completed_at")
    list_filter = (study_filter("study"),)
    list_select_related = ("study", "rule_set", "created_by")
    fields = ("study", "rule_set", "created_by", "created_at", "completed_at", "counts", "job", "uuid")
    readonly_fields = ("uuid",)


# Verdicts in the admin: what each rule said of each worker, with its evidence.

COLOURS = {"passed": "success", "failed": "danger", "not applicable": "default"}


@admin.register(Verdict)
class VerdictAdmin(ReadOnlyAdmin):
    study_path = "run__study"
    list_display = ("participation", "rule", "shown_outcome", "shown_evidence", "run")
    list_filter = (study_filter("run__study"), "outcome")
    search_fields = ("=participation__pseudonym", "rule")
    search_help_text = "The whole pseudonym, or a part of a rule"
    list_select_related = ("participation", "run__study", "run__rule_set")
    ordering = ("-pk",)
    fields = ("participation", "rule", "outcome", "shown_evidence", "run")

    @column("verdict", ordering="outcome", colours=COLOURS)
    def shown_outcome(self, verdict: Verdict) -> tuple[str, str]:
        return verdict.outcome, verdict.get_outcome_display()

    @column("evidence")
    def shown_evidence(self, verdict: Verdict) -> str:
        return "; ".join(evidence_text(each) for each in verdict.evidence)


# Exclusions in the admin: who is excluded, why, and whether that was lifted. They are made on the results page.


class InForceFilter(admin.SimpleListFilter):
    title = "state"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:  # noqa: ARG002
        return [("in-force", "in force"), ("lifted", "lifted")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Exclusion]) -> QuerySet[Exclusion]:  # noqa: ARG002
        if self.value() is None:
            return queryset
        return queryset.filter(lifted_at__isnull=self.value() == "in-force")


@admin.register(Exclusion)
class ExclusionAdmin(ReadOnlyAdmin):
    study_path = "participation__study"
    list_display = ("participation", "study", "reason", "how", "created_at", "lifted_at", "lift_reason", "results")
    list_filter = (study_filter("participation__study"), InForceFilter)
    search_fields = ("=participation__pseudonym", "reason")
    search_help_text = "The whole pseudonym, or a part of the reason"
    list_select_related = ("participation__study", "run", "created_by")
    fields = (
        "participation", "study", "reason", "how", "run", "created_by", "created_at",
        "lifted_at", "lifted_by", "lift_reason",
    )  # fmt: skip

    @column("study")
    def study(self, exclusion: Exclusion) -> str:
        return str(exclusion.participation.study)

    @column("made")
    def how(self, exclusion: Exclusion) -> str:
        return "by hand" if exclusion.run_id is None else "by a cleaning run"

    @column("leads to")
    def results(self, exclusion: Exclusion) -> str:
        address = reverse("agreement:results", args=[exclusion.participation.study.uuid])
        return format_html('<a class="t-link" href="{}">Results</a>', address)


# Gold releases in the admin: numbered, hashed, never changed.


@admin.register(GoldRelease)
class GoldReleaseAdmin(ReadOnlyAdmin):
    list_display = ("shown_number", "study", "created_at", "created_by", "short_hash", "results")
    list_filter = (study_filter("study"),)
    search_fields = ("sha256", "study__title")
    list_select_related = ("study", "created_by")
    fields = ("study", "number", "created_at", "created_by", "sha256", "run", "methods", "uuid")
    readonly_fields = ("uuid",)
    ordering = ("-pk",)

    @column("release", ordering="number")
    def shown_number(self, release: GoldRelease) -> str:
        return f"release {release.number}"

    @column("SHA-256")
    def short_hash(self, release: GoldRelease) -> str:
        return format_html('<code title="{}">{}</code>', release.sha256, release.sha256[:12])

    @column("leads to")
    def results(self, release: GoldRelease) -> str:
        address = f"{reverse('agreement:results', args=[release.study.uuid])}?release={release.number}"
        return format_html('<a class="t-link" href="{}">Results</a>', address)


# Rule sets in the admin: each as it was when first used, for those whose study used it, or whom it is shared with.

View: TypeAlias = Callable[..., HttpResponse]


def visible_to(person: Person) -> QuerySet[StoredRuleSet]:
    everything = StoredRuleSet.objects.annotate(is_shared=Exists(SharedRuleSet.objects.filter(rule_set=OuterRef("pk"))))
    if person.is_superuser:
        return everything
    return everything.of_studies_or_shared(studies_where(person, Right.LOOK))


@admin.register(StoredRuleSet)
class StoredRuleSetAdmin(ModelAdmin):  # type: ignore[misc]
    list_display = ("name", "sha256", "created_at", "readers")
    search_fields = ("name", "sha256")
    fields = ("name", "sha256", "created_at", "readers", "toml")
    readonly_fields = fields
    actions = None
    show_full_result_count = False
    change_form_outer_before_template = "admin/touchstone/rule_set_head.html"

    @column("read by")
    def readers(self, rule_set: StoredRuleSet) -> str:
        return "everybody on this site" if vars(rule_set)["is_shared"] else "the studies that used it"

    def get_queryset(self, request: HttpRequest) -> QuerySet[StoredRuleSet]:
        return visible_to(request.user).order_by("-created_at", "-pk")

    def render_change_form(
        self, request: HttpRequest, context: dict[str, object], *args: object, **kwargs: object
    ) -> HttpResponse:
        rule_set = cast("StoredRuleSet", kwargs.get("obj"))
        managed = studies_where(request.user, Right.MANAGE).filter(cleaning_runs__rule_set=rule_set).distinct()
        mine = managed.annotate(shares_it=Exists(SharedRuleSet.objects.filter(rule_set=rule_set, study=OuterRef("pk"))))
        context["managed"] = mine.order_by("title", "pk")
        page: HttpResponse = super().render_change_form(request, context, *args, **kwargs)
        return page

    def _get_obj_does_not_exist_redirect(self, *_: object) -> HttpResponse:
        raise Http404("This rule set does not exist, or none of your studies used it and nobody shares it.")

    def has_module_permission(self, request: HttpRequest) -> bool:
        return request.user.is_active and request.user.is_staff

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:  # noqa: ARG002
        return self.has_module_permission(request)

    def has_add_permission(self, request: HttpRequest, *_: object) -> bool:  # noqa: ARG002
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:  # noqa: ARG002
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:  # noqa: ARG002
        return False

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        own = [
            path("<int:pk>/share/<int:study>/", wrap(share), name="agreement_storedruleset_share"),
            path("<int:pk>/stop-sharing/<int:study>/", wrap(stop_sharing), name="agreement_storedruleset_stop_sharing"),
        ]
        return [*own, *super().get_urls()]


@require_POST
def share(request: HttpRequest, pk: int, study: int) -> HttpResponse:
    rule_set, owner = _rule_set_and_study(request, pk, study)
    share_rule_set(rule_set=rule_set, study=owner, by=user_of(request))
    messages.success(request, f"Everybody on this site may read and use {rule_set} now.")
    return redirect("admin:agreement_storedruleset_change", pk)


@require_POST
def stop_sharing(request: HttpRequest, pk: int, study: int) -> HttpResponse:
    rule_set, owner = _rule_set_and_study(request, pk, study)
    stop_sharing_rule_set(rule_set=rule_set, study=owner, by=user_of(request))
    messages.success(request, f"{owner} no longer shares {rule_set}. Studies that used it keep it.")
    return redirect("admin:agreement_storedruleset_change", pk)


def _rule_set_and_study(request: HttpRequest, pk: int, study: int) -> tuple[StoredRuleSet, Study]:
    owner = study_or_404(request.user, Right.MANAGE, pk=study)
    used = StoredRuleSet.objects.filter(cleaning_runs__study=owner).distinct()
    return get_object_or_404(used, pk=pk), owner
