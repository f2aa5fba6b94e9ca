"""What our admins share: only the studies that the user may see, columns, the frame of a study's pages."""

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from operator import attrgetter
from typing import ClassVar, TypeVar, cast
from uuid import UUID

from django.contrib import admin
from django.contrib.admin.options import BaseModelAdmin
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.html import format_html
from unfold.admin import ModelAdmin

from agreement.errors import PAGE, Refused
from annotation.accounts.permissions import Right, right_in, studies_where, study_or_404
from annotation.models import Study, User

# `@column("status", ordering="status", colours={...})`: what a list or a page shows of a row, under which heading.

Method = TypeVar("Method", bound=Callable[..., object])


def column(
    heading: str, *, ordering: str = "", colours: Mapping[str, str] | None = None, if_none: str = ""
) -> Callable[[Method], Method]:
    """With colours the method returns (value, words), and the words are shown on the value's colour."""
    attributes = {"short_description": heading, "admin_order_field": ordering, "empty_value_display": if_none}

    def decorate(method: Method) -> Method:
        shown = method if colours is None else cast("Method", _badge(method, colours))
        for name, value in attributes.items():
            if value:
                setattr(shown, name, value)
        return shown

    return decorate


def _badge(method: Callable[..., object], colours: Mapping[str, str]) -> Callable[..., str]:
    @wraps(method)
    def shown(*arguments: object) -> str:
        value, words = cast("tuple[str, str]", method(*arguments))
        return format_html('<span class="t-status t-status-{}">{}</span>', colours.get(value, "default"), words)

    return shown


# What the pages of a study share: the frame of the admin around them, and the study's own bar of sections.

REASONS_SHOWN = 2000


def study_asked(request: HttpRequest, right: Right, uuid: UUID) -> Study:
    """The study, if the person has the right, as the question that they look at asks it: the one that an address named
    last, at first the study's first.
    """
    study = study_or_404(request.user, right, uuid=uuid)
    questions = study.questions()
    if len(questions) == 1:
        return study
    names = {each.question_name: each for each in questions}
    key, named = f"question of study {study.pk}", request.GET.get("question", "")
    if named and named not in names:
        raise Http404(f"This study has no question of that name. Its questions are: {', '.join(names)}.")
    if named:
        request.session[key] = named
    asked = names.get(named or request.session.get(key, ""), study)
    asked.shown_questions = [each.question_name for each in questions]
    return asked


def study_page(
    request: HttpRequest,
    study: Study,
    template: str,
    context: Mapping[str, object],
    *,
    section: str,
    title: str,
    status: int = 200,
) -> HttpResponse:
    shown = {
        **admin.site.each_context(request),
        "opts": Study._meta,
        "original": study,
        "study": study,
        "right": right_in(request, study),
        "section": section,
        "title": title,
        **context,
    }
    return render(request, template, shown, status=status)


def user_of(request: HttpRequest) -> User:
    """The researcher who is signed in: the admin lets nobody else come so far."""
    if not isinstance(request.user, User):
        raise PermissionDenied("Sign in first.")
    return request.user


def posted(request: HttpRequest) -> QueryDict | None:
    """What a form is bound to: nothing before it is sent, and an empty one is sent too."""
    return request.POST if request.method == "POST" else None


def reasons_of(refusal: Refused) -> dict[str, object]:
    """All reasons, as far as a page can show them, and how many more there are."""
    shown = [reason for reason, _ in zip(refusal.words(PAGE), range(REASONS_SHOWN), strict=False)]
    return {"reasons": shown, "more_reasons": len(refusal.words(PAGE)) - len(shown)}


# What every admin of ours shares: only the studies that the user may see, and only what the role allows.

MOST_DIGITS = 18  # of a number that both databases can look for


def key_of(text: str) -> int | None:
    """The number of a row that an address names, or nothing where no row can have it."""
    return int(text) if text.isdecimal() and len(text) <= MOST_DIGITS else None


class StudyFilter(admin.SimpleListFilter):
    """The studies that the user may see, and no others."""

    title = "study"
    parameter_name = "study"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:  # noqa: ARG002
        shown = studies_where(request.user, Right.LOOK).order_by("title", "pk")
        return [(str(pk), title) for pk, title in shown.values_list("pk", "title")[:200]]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Model]) -> QuerySet[Model]:  # noqa: ARG002
        chosen = self.value()
        if not chosen or not chosen.isdecimal():
            return queryset
        key = key_of(chosen)
        return queryset.none() if key is None else queryset.filter(**{self.path: key})

    path: ClassVar[str] = "study"


def study_filter(path: str) -> type[StudyFilter]:
    """The filter for a model that reaches its study by `path`."""
    return type("StudyFilterBy" + path.title().replace("_", ""), (StudyFilter,), {"path": path})


class ByRole(BaseModelAdmin):
    """Permissions by role in the study that an object belongs to; `study_path` is the way from the object to it."""

    study_path: ClassVar[str] = "study"
    looking: ClassVar[Right] = Right.LOOK
    changing: ClassVar[Right] = Right.CHANGE

    def study_of(self, obj: Model) -> Study:
        study = attrgetter(self.study_path.replace("__", "."))(obj) if self.study_path else obj
        assert isinstance(study, Study)  # noqa: S101 - for the type checker: study_path leads there
        return study

    def is_allowed(self, request: HttpRequest, right: Right, obj: Model | None) -> bool:
        """Without an object the question is whether the section is there at all: its rows are limited anyway."""
        if obj is None:
            return request.user.is_active and request.user.is_staff
        had = right_in(request, self.study_of(obj))
        return had is not None and had >= right

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.is_allowed(request, self.looking, None)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return self.is_allowed(request, self.looking, obj)

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return self.is_allowed(request, self.changing, obj)

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return self.is_allowed(request, self.changing, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return self.is_allowed(request, self.changing, obj)


class QuietChangeList(ChangeList):
    """Says "12 results of …" only where something is filtered, and counts the whole table for nobody."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        if not self.query and not self.has_active_filters:
            self.full_result_count = self.result_count


class StudyScopedAdmin(ByRole, ModelAdmin):  # type: ignore[misc]
    """A list of what belongs to studies, limited to those that the user may see."""

    show_full_result_count = False  # one COUNT of a large table less on every page
    list_per_page = 50
    compressed_fields = True
    warn_unsaved_form = True
    show_add_link = False  # the list has a button, and what stands in a study is added there
    list_before_template: ClassVar[str] = "admin/touchstone/list_head.html"
    section: ClassVar[str] = "records"  # the page of a study's bar that a list of one study stands under

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, object] | None = None) -> HttpResponse:
        """Limited to one study, the list carries the study's own bar."""
        pk = key_of(request.GET.get("study", ""))
        study = None if pk is None else studies_where(request.user, self.looking).filter(pk=pk).first()
        page: HttpResponse = super().changelist_view(
            request, {"study": study, "section": self.section, **(extra_context or {})}
        )
        return page

    def get_list_display(self, request: HttpRequest) -> list[str]:
        """A list of one study doesn't name it in every row."""
        columns = super().get_list_display(request)
        return [name for name in columns if name != "study" or not request.GET.get("study")]

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        rows = super().get_queryset(request)
        if request.user.is_superuser:
            return rows
        seen = studies_where(request.user, self.looking)
        path = f"{self.study_path}__in" if self.study_path else "pk__in"
        return rows.filter(**{path: seen.values("pk")})

    def get_changelist(self, request: HttpRequest, **kwargs: object) -> type[ChangeList]:  # noqa: ARG002
        return QuietChangeList

    def _get_obj_does_not_exist_redirect(self, *_: object) -> HttpResponse:
        raise Http404("This does not exist, or its study has not been shared with you.")


class ReadOnlyAdmin(StudyScopedAdmin):
    """Rows that nobody adds, changes or deletes by hand: they are made by actions, and many are append-only."""

    actions: ClassVar[Sequence[str] | None] = None
    warn_unsaved_form = False

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:  # noqa: ARG002
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:  # noqa: ARG002
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:  # noqa: ARG002
        return False
