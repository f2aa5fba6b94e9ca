"""Studies in the admin: the list, the form in sections, and the way to a study's other pages."""

from typing import Any

from django.contrib import admin
from django.db.models import Count, IntegerField, OuterRef, QuerySet, Subquery, TextField, URLField
from django.db.models.functions import Coalesce
from django.forms import ModelForm
from django.http import HttpRequest
from django.urls import URLPattern, reverse
from django.utils.html import format_html

from annotation.admin.base import StudyScopedAdmin, column, user_of
from annotation.admin.forms import NO_SHORT_NAME, Paragraphs, StudyForm
from annotation.admin.inlines import (
    CheckQuotaInline,
    ComprehensionQuestionInline,
    EndQuestionInline,
    LabelInline,
    RoleInline,
)
from annotation.admin.study_fields import (
    FIXED_ONCE_OPEN,
    HELP,
    LABELS,
    MANAGERS_ALONE,
    PAY_AND_PLATFORM,
    ROWS,
    SECTIONS,
    is_fixed,
)
from annotation.admin.study_pages import urls_of
from annotation.models import AuditEntry, Item, OpenPlace, Participation, Role, Study
from annotation.open_places import open_places
from annotation.permissions import Right, studies_where

STATUS_COLOURS = {"draft": "info", "piloting": "warning", "live": "success", "paused": "warning", "closed": "default"}


def counted(rows: QuerySet[Any]) -> Coalesce:
    """How many of `rows` belong to each study, as one subquery and no join that multiplies."""
    mine = rows.filter(study=OuterRef("pk")).order_by().values("study").annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(mine, output_field=IntegerField()), 0)


@admin.register(Study)
class StudyAdmin(StudyScopedAdmin):
    study_path = ""
    form = StudyForm
    list_display = ("shown_title", "shown_status", "kind", "items_to_judge", "people", "places_open", "owner", "links")
    list_display_links = ("shown_title",)
    list_filter = ("status", "kind", "platform")
    search_fields = ("title", "slug")
    list_select_related = ("owner",)
    actions = None
    inlines = (LabelInline, CheckQuotaInline, ComprehensionQuestionInline, EndQuestionInline, RoleInline)
    change_form_outer_before_template = "admin/touchstone/study_head.html"
    list_before_template = "admin/touchstone/studies_head.html"
    readonly_fields = ("preset_line", "created_at", "closed_at")
    filter_horizontal = ()
    fieldsets = SECTIONS

    def get_queryset(self, request: HttpRequest) -> QuerySet[Study]:
        studies: QuerySet[Study] = super().get_queryset(request)
        return studies.annotate(
            n_targets=counted(Item.objects.targets()),
            n_people=counted(Participation.objects.all()),
            n_open=counted(OpenPlace.objects.all()),
        )

    @column("study", ordering="title")
    def shown_title(self, study: Study) -> str:
        return format_html('<strong>{}</strong><br><span class="t-quiet">{}</span>', study.title, study.slug)

    @column("status", ordering="status", colours=STATUS_COLOURS)
    def shown_status(self, study: Study) -> tuple[str, str]:
        return study.status, study.get_status_display()

    @column("items", ordering="n_targets")
    def items_to_judge(self, study: Any) -> int:
        return int(study.n_targets)

    @column("people", ordering="n_people")
    def people(self, study: Any) -> int:
        return int(study.n_people)

    @column("judgments still needed", ordering="n_open")
    def places_open(self, study: Any) -> int:
        return int(study.n_open)

    @column("")
    def links(self, study: Study) -> str:
        progress = reverse("admin:annotation_study_progress", args=[study.pk])
        results = reverse("agreement:results", args=[study.uuid])
        template = (
            '<a class="t-link" href="{}" aria-label="Progress of {}">Progress</a> '
            '<a class="t-link" href="{}" aria-label="Results of {}">Results</a>'
        )
        return format_html(template, progress, study.title, results, study.title)

    @column("preset")
    def preset_line(self, study: Study) -> str:
        if not study.preset:
            return "no preset"
        return f"preset {study.preset}, version {study.preset_version}, SHA-256 {study.preset_sha256}"

    def get_inlines(self, request: HttpRequest, obj: Study | None) -> tuple[Any, ...]:  # noqa: ARG002
        """A kind of question without labels has no table of them."""
        has_labels = obj is None or obj.question_kind.has_labels
        return self.inlines if has_labels else tuple(part for part in self.inlines if part is not LabelInline)

    def get_readonly_fields(self, request: HttpRequest, obj: Study | None = None) -> tuple[str, ...]:
        fixed = FIXED_ONCE_OPEN if obj is not None and is_fixed(obj) else ()
        owner = () if request.user.is_superuser else ("owner",)
        managers = () if self.is_managers(request, obj) else MANAGERS_ALONE
        return (*super().get_readonly_fields(request, obj), *fixed, *owner, *managers)

    def is_managers(self, request: HttpRequest, obj: Study | None) -> bool:
        """A new study is its maker's own."""
        return obj is None or self.is_allowed(request, Right.MANAGE, obj)

    def get_fieldsets(self, request: HttpRequest, obj: Study | None = None) -> Any:
        if self.is_managers(request, obj):
            return self.fieldsets
        said = {"description": "Only the study's managers can change these fields."}
        return [(name, {**parts, **said} if name == PAY_AND_PLATFORM else parts) for name, parts in self.fieldsets]

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if isinstance(db_field, URLField):
            kwargs["assume_scheme"] = "https"
        if isinstance(db_field, TextField):
            kwargs["form_class"] = Paragraphs
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if field is not None:
            field.label = LABELS.get(db_field.name, field.label)
            field.help_text = HELP.get(db_field.name, field.help_text)
            if db_field.name == "slug":
                field.error_messages["invalid"] = NO_SHORT_NAME
            if rows := ROWS.get(db_field.name):
                field.widget.attrs["rows"] = rows
        return field

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "translation_of":
            kwargs["queryset"] = studies_where(request.user, Right.LOOK)
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        kwargs["queryset"] = studies_where(request.user, Right.LOOK)
        return super().formfield_for_manytomany(db_field, request, **kwargs)

    def save_model(self, request: HttpRequest, obj: Study, form: ModelForm, change: bool) -> None:  # noqa: FBT001
        if not change and obj.owner is None:
            obj.owner = user_of(request)
        super().save_model(request, obj, form, change)
        if obj.status != Study.Status.DRAFT and "judgments_per_item" in form.changed_data:
            open_places(study=obj)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:  # noqa: FBT001
        super().save_related(request, form, formsets, change)
        parts = [formset.model for formset in formsets if formset.has_changed()]
        fields = [*form.changed_data, *(part._meta.verbose_name_plural for part in parts)]
        kind = AuditEntry.Action.CHANGED if change else AuditEntry.Action.CREATED
        if fields or not change:
            detail: dict[str, Any] = {"fields": [str(field) for field in fields]}
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

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        return False  # a study is closed, never deleted: its record of who did what must stay

    def get_urls(self) -> list[URLPattern]:
        return [*urls_of(self.admin_site.admin_view), *super().get_urls()]
