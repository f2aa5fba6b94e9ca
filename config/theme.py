"""How the researchers' pages look and what their sidebar offers: settings of django-unfold."""

from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import reverse, reverse_lazy


def is_superuser(request: HttpRequest) -> bool:
    return request.user.is_superuser


def _styles(_request: HttpRequest) -> str:
    return static("admin-touchstone/admin.css")


def _building(_request: HttpRequest) -> str:
    return static("admin-touchstone/building.css")


def _figures(_request: HttpRequest) -> str:
    return static("desk/figures.css")


def _labels(_request: HttpRequest) -> str:
    return static("admin-touchstone/labels.js")


def _keys(_request: HttpRequest) -> str:
    return static("admin-touchstone/keys.js")


def _icon(_request: HttpRequest) -> str:
    return static("admin-touchstone/favicon.svg")


def _is_results(request: HttpRequest) -> bool:
    """The list of all studies' results; the results of one study are a page of that study."""
    return request.path == reverse("agreement:index")


def _is_studies(request: HttpRequest) -> bool:
    """The list of studies and every page of one study, wherever its address lies."""
    below = (reverse("admin:annotation_study_changelist"), reverse("agreement:index"))
    return request.path.startswith(below) and not _is_results(request)


def _item(title: str, icon: str, address: str, **more: object) -> dict[str, object]:
    return {"title": title, "icon": icon, "link": reverse_lazy(address), **more}


UNFOLD: dict[str, object] = {
    "SITE_TITLE": "Touchstone",
    "SITE_HEADER": "Touchstone",
    "SITE_SYMBOL": "diamond",
    "SITE_URL": None,
    "SHOW_HISTORY": False,  # every study has its own record, with the reasons
    "SHOW_VIEW_ON_SITE": False,
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": _icon}],
    "STYLES": [_styles, _building, _figures],
    "SCRIPTS": [_labels, _keys],
    "ACCOUNT": {
        "navigation": [
            {"title": "Change password", "link": reverse_lazy("admin:password_change")},
            {"title": "Second factor", "link": reverse_lazy("second_factor")},
            {"title": "API tokens", "link": reverse_lazy("api_tokens")},
        ]
    },
    "DASHBOARD_CALLBACK": "annotation.pages.admin.base.dashboard",
    "COLORS": {
        # The gold that a touchstone shows; 600 and darker carry white text at 4.5 : 1 and more.
        "primary": {
            "50": "oklch(98% .015 85)",
            "100": "oklch(95.5% .035 85)",
            "200": "oklch(91% .07 85)",
            "300": "oklch(85% .11 85)",
            "400": "oklch(78% .13 82)",
            "500": "oklch(70% .13 78)",
            "600": "oklch(51% .1 75)",
            "700": "oklch(45% .09 72)",
            "800": "oklch(39% .08 70)",
            "900": "oklch(33% .065 68)",
            "950": "oklch(25% .05 66)",
        },
        # A step darker than the theme's own, whose grey on grey falls short of 4.5 : 1.
        "font": {
            "subtle-light": "var(--color-base-600)",
            "subtle-dark": "var(--color-base-300)",
            "default-light": "var(--color-base-700)",
            "default-dark": "var(--color-base-200)",
            "important-light": "var(--color-base-900)",
            "important-dark": "var(--color-base-100)",
        },
    },
    "SIDEBAR": {
        "show_search": False,
        "show_all_applications": False,
        "navigation": [
            {
                "title": "Work",
                "items": [
                    _item("Studies", "quiz", "admin:annotation_study_changelist", active=_is_studies),
                    _item("Items", "category", "admin:annotation_item_changelist"),
                    _item("Results", "monitoring", "agreement:index", active=_is_results),
                    _item("Jobs", "pending_actions", "admin:annotation_job_changelist"),
                ],
            },
            {
                "title": "People",
                "separator": True,
                "items": [
                    _item("Participations", "groups", "admin:annotation_participation_changelist"),
                    _item("Exclusions", "person_off", "admin:agreement_exclusion_changelist"),
                    _item("Payments", "payments", "admin:annotation_payment_changelist"),
                ],
            },
            {
                "title": "Records",
                "separator": True,
                "items": [
                    _item("Judgments", "sliders", "admin:annotation_judgment_changelist"),
                    _item("Cleaning runs", "filter_alt", "admin:agreement_cleaningrun_changelist"),
                    _item("Verdicts", "gavel", "admin:agreement_verdict_changelist"),
                    _item("Gold releases", "workspace_premium", "admin:agreement_goldrelease_changelist"),
                    _item("Rule sets", "rule", "admin:agreement_storedruleset_changelist"),
                    _item("Audit log", "history", "admin:annotation_auditentry_changelist"),
                ],
            },
            {
                "title": "Site",
                "separator": True,
                "items": [
                    _item("Researchers", "badge", "admin:annotation_user_changelist", permission=is_superuser),
                    _item("Log-ins", "login", "admin:annotation_loginattempt_changelist", permission=is_superuser),
                    _item("Accounts", "key", "admin:annotation_accountentry_changelist", permission=is_superuser),
                ],
            },
        ],
    },
}
