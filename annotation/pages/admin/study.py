"""Studies in the admin: the list, the form in sections, and the way to a study's other pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from django.contrib import admin
from django.contrib.admin.options import InlineModelAdmin
from django.contrib.admin.views.main import ChangeList
from django.db import transaction
from django.db.models import (
    Count,
    F,
    Field,
    ForeignKey,
    IntegerField,
    ManyToManyField,
    Model,
    OuterRef,
    QuerySet,
    Subquery,
    TextField,
    URLField,
)
from django.db.models.functions import Coalesce
from django.forms import BaseInlineFormSet, ModelChoiceField, ModelForm, ModelMultipleChoiceField
from django.forms import Field as FormField
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import mark_safe

from agreement.kinds.answers import html_number
from agreement.kinds.registry import KINDS
from agreement.stimuli.blocks import in_words
from annotation.accounts.permissions import CODES, Right, studies_where, study_or_404
from annotation.models import AuditEntry, Item, OpenPlace, Participation, Role, Study
from annotation.pages.admin.base import StudyScopedAdmin, column, key_of, posted, user_of
from annotation.pages.admin.forms import NO_SHORT_NAME, OneStudy, Studies
from annotation.pages.admin.inlines import (
    CheckQuotaInline,
    ComprehensionQuestionInline,
    EndQuestionInline,
    LabelInline,
    RoleInline,
    StudyPart,
)
from annotation.pages.admin.live_preview import live_context, unsaved_study_page
from annotation.pages.admin.question_inline import QuestionInline
from annotation.pages.admin.study_pages import urls_of
from annotation.places.allocation import open_places
from annotation.studies.study_form import Paragraphs, StudyForm
from annotation.studies.study_form_fields import (
    FIXED_ONCE_OPEN,
    MANAGERS_ALONE,
    OTHER_CODES,
    PAY_AND_PLATFORM,
    ROWS,
    SECTIONS,
    fields_unused_by,
    first_kind,
    is_fixed,
    sections_in_words,
    sections_without,
)
from annotation.web.security import ADMIN_PAGES

if TYPE_CHECKING:
    from django.contrib.admin.options import _FieldsetSpec

STATUS_COLOURS = {"draft": "info", "piloting": "warning", "live": "success", "paused": "warning", "closed": "default"}


def count_of_rows(rows: QuerySet[Model]) -> Coalesce:
    """How many of `rows` belong to each study, as one subquery and no join that multiplies."""
    mine = rows.filter(study=OuterRef("pk")).order_by().values("study").annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(mine, output_field=IntegerField()), 0)


class ArchivedFilter(admin.SimpleListFilter):
    """Archived studies are out of the list until they are asked for."""

    title = "archived"
    parameter_name = "archived"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:  # noqa: ARG002
        return [("yes", "Archived"), ("all", "In use and archived")]

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        in_use, *others = super().choices(changelist)
        yield {**in_use, "display": "In use"}
        yield from others

    def queryset(self, request: HttpRequest, queryset: QuerySet[Study]) -> QuerySet[Study]:  # noqa: ARG002
        if self.value() == "all":
            return queryset
        return queryset.filter(archived_at__isnull=self.value() != "yes")


def number_cell(number: int | None) -> str:
    """A number at the right of its column; a dash where there is none."""
    return format_html('<span class="t-number-cell">{}</span>', "–" if number is None else f"{number:,}")


@admin.register(Study)
class StudyAdmin(StudyScopedAdmin):
    study_path = ""
    form = StudyForm
    list_display = ("shown_title", "shown_status", "kind", "items_to_judge", "people", "places_open", "owner", "links")
    list_display_links = ("shown_title",)
    list_filter = (ArchivedFilter, "status", "kind", "platform")
    search_fields = ("title", "slug")
    list_select_related = ("owner",)
    actions = None
    inlines = (
        LabelInline,
        QuestionInline,
        CheckQuotaInline,
        ComprehensionQuestionInline,
        EndQuestionInline,
        RoleInline,
    )
    change_form_template = "admin/touchstone/study_form.html"
    change_form_outer_before_template = "admin/touchstone/study_head.html"
    list_before_template = "admin/touchstone/studies_head.html"
    readonly_fields = ("preset_line", "blocks_in_words", "scale_in_words", "created_at", "closed_at")
    compressed_fields = False  # beside the preview a label stands above its field
    fieldsets = SECTIONS

    def get_queryset(self, request: HttpRequest) -> QuerySet[Study]:
        studies: QuerySet[Study] = super().get_queryset(request)
        return studies.filter(deleted_at=None).annotate(
            n_targets=count_of_rows(Item.objects.targets()),
            n_people=count_of_rows(Participation.objects.all()),
            n_open=count_of_rows(OpenPlace.objects.all()),
        )

    @column("study", ordering="title")
    def shown_title(self, study: Study) -> str:
        return format_html('<strong>{}</strong><br><span class="t-quiet">{}</span>', study.title, study.slug)

    @column("status", ordering="status", colours=STATUS_COLOURS)
    def shown_status(self, study: Study) -> tuple[str, str]:
        if study.archived_at is not None:
            return Study.Status.CLOSED, "Archived"
        return study.status, study.get_status_display()

    @column("items", ordering="n_targets")
    def items_to_judge(self, study: Study) -> str:
        return number_cell(vars(study)["n_targets"])

    @column("people", ordering="n_people")
    def people(self, study: Study) -> str:
        return number_cell(vars(study)["n_people"])

    @column("judgments still needed", ordering="n_open")
    def places_open(self, study: Study) -> str:
        """Nothing of a draft: what it needs is counted once it opens."""
        return number_cell(None if study.status == Study.Status.DRAFT else vars(study)["n_open"])

    @column("pages")
    def links(self, study: Study) -> str:
        watch = reverse("agreement:watch", args=[study.uuid])
        results = reverse("agreement:results", args=[study.uuid])
        template = (
            '<span class="t-whole"><a class="t-link" href="{}" aria-label="Watch {}">Watch</a> '
            '<a class="t-link" href="{}" aria-label="Results of {}">Results</a></span>'
        )
        return format_html(template, watch, study.title, results, study.title)

    @column("preset")
    def preset_line(self, study: Study) -> str:
        if not study.preset:
            return "no preset"
        return f"preset {study.preset}, version {study.preset_version}, SHA-256 {study.preset_sha256}"

    @column("scale")
    def scale_in_words(self, study: Study) -> str:
        low, high = study.scale_low, study.scale_high
        return "" if low is None or high is None else f"{html_number(float(low))} to {html_number(float(high))}"

    @column("blocks")
    def blocks_in_words(self, study: Study) -> str:
        return format_html_join(mark_safe("<br>"), "{}", ((line,) for line in in_words(study.blocks))) or "–"

    def get_inlines(self, request: HttpRequest, obj: Study | None) -> tuple[type[StudyPart], ...]:  # noqa: ARG002
        """Where the kind can't change any more, one without labels has no table of them."""
        has_labels = obj is None or not is_fixed(obj) or obj.question_kind.has_labels
        return self.inlines if has_labels else tuple(part for part in self.inlines if part is not LabelInline)

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """What kind of question it is comes first."""
        if request.method == "GET" and "kind" not in request.GET:
            return redirect("admin:annotation_study_from_preset")
        page: HttpResponse = super().add_view(request, form_url, extra_context)
        return page

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, object]:
        """A new study can be saved as it stands: every required field has a value that makes sense."""
        kind = first_kind(request)
        scale = {"scale_low": 0, "scale_high": 100, "low_label": "not at all", "high_label": "very much"}
        return {
            "title": f"New study of {timezone.localdate():%-d %B %Y}",
            "owner": request.user.pk,
            "kind": kind.name,
            "question": kind.first_question,
            **(scale if kind.has_scale else {}),
            **super().get_changeform_initial_data(request),
        }

    def get_formset_kwargs(
        self, request: HttpRequest, obj: Study, inline: InlineModelAdmin, prefix: str
    ) -> dict[str, object]:
        """A new study begins with labels that can be typed over."""
        kwargs: dict[str, object] = super().get_formset_kwargs(request, obj, inline, prefix)
        if isinstance(inline, LabelInline) and obj._state.adding and request.method != "POST":
            kwargs["initial"] = [{"value": label} for label in first_kind(request).first_labels]
        return kwargs

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Study | None:
        """The race: two researchers save at once. The second waits here, and is told by the form."""
        if posted(request) is not None and key_of(object_id) is not None:
            with transaction.atomic():  # inside of the form's own, which holds the lock to its end
                Study.objects.select_for_update(of=("self",), no_key=True).filter(pk=object_id).first()
        study: Study | None = super().get_object(request, object_id, from_field)
        return study

    def render_change_form(self, request: HttpRequest, context: dict[str, object], **kwargs: object) -> HttpResponse:
        """What the page's script needs to leave out fields that the chosen kind doesn't use; and one way to save."""
        context |= {"show_save_and_add_another": False, "show_save_and_continue": False}
        context["kinds"] = {
            kind.name: {
                "unused": sorted(fields_unused_by(kind)),
                "question": kind.first_question,
                "labels": kind.first_labels,
            }
            for kind in KINDS.values()
        }
        context |= live_context(self, request, context.get("original"))
        page: HttpResponse = super().render_change_form(request, context, **kwargs)
        page.headers["Content-Security-Policy"] = f"{ADMIN_PAGES}; frame-src 'self'"
        return page

    def live_preview(self, request: HttpRequest, pk: int | None = None) -> HttpResponse:
        """Of the form as it is sent; nothing of it is stored."""
        stored = None if pk is None else study_or_404(request.user, Right.CHANGE, pk=pk)
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        return unsaved_study_page(self, request, stored)

    def get_readonly_fields(self, request: HttpRequest, obj: Study | None = None) -> tuple[str, ...]:
        fixed = FIXED_ONCE_OPEN if obj is not None and is_fixed(obj) else ()
        owner = () if request.user.is_superuser else ("owner",)
        managers = () if self.is_managers(request, obj) else MANAGERS_ALONE
        return (*super().get_readonly_fields(request, obj), *fixed, *owner, *managers)

    def is_managers(self, request: HttpRequest, obj: Study | None) -> bool:
        """A new study is its maker's own."""
        return obj is None or self.is_allowed(request, Right.MANAGE, obj)

    def get_fieldsets(self, request: HttpRequest, obj: Study | None = None) -> _FieldsetSpec:
        sections = (
            self.fieldsets
            if obj is None or not is_fixed(obj)
            else sections_without(fields_unused_by(obj.question_kind))
        )
        if obj is not None and (is_fixed(obj) or not self.is_allowed(request, Right.CHANGE, obj)):
            sections = sections_in_words(sections)
        if self.is_managers(request, obj):
            return sections
        if not self.is_allowed(request, Right.CHANGE, obj):
            sections = sections_without(frozenset(CODES), sections)
        note = "Only the study's managers can change these fields."
        return tuple(
            (name, {**parts, "description": note} if name in (PAY_AND_PLATFORM, OTHER_CODES) else parts)
            for name, parts in sections
        )

    def formfield_for_dbfield(self, db_field: Field, request: HttpRequest, **kwargs: object) -> FormField | None:
        if isinstance(db_field, URLField):
            kwargs["assume_scheme"] = "https"
        if isinstance(db_field, TextField):
            kwargs["form_class"] = Paragraphs
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if field is not None:
            if db_field.name == "slug":
                field.error_messages["invalid"] = NO_SHORT_NAME
            if rows := ROWS.get(db_field.name):
                field.widget.attrs["rows"] = rows
        return field

    def formfield_for_foreignkey(
        self, db_field: ForeignKey, request: HttpRequest, **kwargs: object
    ) -> ModelChoiceField | None:
        if db_field.name == "translation_of":
            kwargs |= {"queryset": studies_where(request.user, Right.LOOK), "form_class": OneStudy}
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def formfield_for_manytomany(
        self, db_field: ManyToManyField, request: HttpRequest, **kwargs: object
    ) -> ModelMultipleChoiceField | None:
        kwargs |= {"queryset": studies_where(request.user, Right.LOOK), "form_class": Studies}
        return super().formfield_for_manytomany(db_field, request, **kwargs)

    def save_model(self, request: HttpRequest, obj: Study, form: ModelForm, change: bool) -> None:  # noqa: FBT001
        if obj.owner is None:
            obj.owner = user_of(request)
        super().save_model(request, obj, form, change)
        if obj.status != Study.Status.DRAFT and "judgments_per_item" in form.changed_data:
            open_places(study=obj)

    def save_related(
        self,
        request: HttpRequest,
        form: ModelForm,
        formsets: Sequence[BaseInlineFormSet],
        change: bool,  # noqa: FBT001
    ) -> None:
        super().save_related(request, form, formsets, change)
        parts = [formset.model for formset in formsets if formset.model is not None and formset.has_changed()]
        changed = [name for name in form.changed_data if name != "edits"]
        fields = [*changed, *(part._meta.verbose_name_plural for part in parts)]
        kind = AuditEntry.Action.CHANGED if change else AuditEntry.Action.CREATED
        if fields or not change:
            Study.objects.filter(pk=form.instance.pk).update(edits=F("edits") + 1)
            detail: dict[str, object] = {"fields": [str(field) for field in fields]}
            if change and (money := [name for name in form.changed_data if name in MANAGERS_ALONE]):
                detail["from"] = {name: str(form.initial[name] or "") for name in money}
                detail["to"] = {name: str(form.cleaned_data[name] or "") for name in money}
            AuditEntry.objects.create(study=form.instance, by=user_of(request), action=kind, detail=detail)
        if Role in parts:
            shared = {"roles": {role.user.get_username(): role.level for role in form.instance.roles.all()}}
            AuditEntry.objects.create(
                study=form.instance,
                by=user_of(request),
                action=AuditEntry.Action.SHARED,
                detail=shared,
            )

    def response_add(self, request: HttpRequest, obj: Study, post_url_continue: str | None = None) -> HttpResponse:
        """To the next step, which is what people are asked about."""
        response = super().response_add(request, obj, post_url_continue)
        return response if "_continue" in request.POST else redirect("admin:annotation_study_import_items", obj.pk)

    def response_post_save_change(self, request: HttpRequest, obj: Study) -> HttpResponse:
        """Stays with the study, on the section that was open."""
        section = request.POST.get("_section", "")
        address = reverse("admin:annotation_study_change", args=[obj.pk])
        return redirect(f"{address}#{quote(section)}" if section else address)

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:  # noqa: ARG002
        return False  # `delete_draft` deletes a draft and keeps the record of who did what

    def get_urls(self) -> list[URLPattern]:
        live = self.admin_site.admin_view(self.live_preview)
        return [
            path("live-preview/", live, name="annotation_study_live_preview_of_new"),
            path("<int:pk>/live-preview/", live, name="annotation_study_live_preview"),
            *urls_of(self.admin_site.admin_view),
            *super().get_urls(),
        ]
