"""How the researchers' pages look and what their sidebar offers: settings of django-unfold."""

from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import reverse, reverse_lazy


def is_superuser(request: HttpRequest) -> bool:
    return request.user.is_superuser


def _tokens(_request: HttpRequest) -> str:
    return static("design/tokens.css")


def _styles(_request: HttpRequest) -> str:
    return static("admin-touchstone/admin.css")


def _building(_request: HttpRequest) -> str:
    return static("admin-touchstone/building.css")


def _figures(_request: HttpRequest) -> str:
    return static("desk/figures.css")


def _results(_request: HttpRequest) -> str:
    return static("desk/results.css")


def _labels(_request: HttpRequest) -> str:
    return static("admin-touchstone/labels.js")


def _icon(_request: HttpRequest) -> str:
    return static("admin-touchstone/favicon.svg")


def _is_studies(request: HttpRequest) -> bool:
    """The list of studies and every page of one study, wherever its address lies."""
    below = (reverse("admin:annotation_study_changelist"), reverse("agreement:index"))
    return request.path.startswith(below) or "study" in request.GET


def _item(title: str, icon: str, address: str, **more: object) -> dict[str, object]:
    return {"title": title, "icon": icon, "link": reverse_lazy(address), **more}


def _list_of_all(title: str, icon: str, address: str) -> dict[str, object]:
    """The list of every study's rows; limited to one study, it is a page of that study."""

    def is_active(request: HttpRequest) -> bool:
        return request.path.startswith(reverse(address)) and not _is_studies(request)

    return _item(title, icon, address, active=is_active)


UNFOLD: dict[str, object] = {
    "SITE_TITLE": "Touchstone",
    "SITE_HEADER": "Touchstone",
    "SITE_SYMBOL": "diamond",
    "SITE_URL": None,
    "SHOW_HISTORY": False,  # every study has its own record, with the reasons
    "SHOW_VIEW_ON_SITE": False,
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": _icon}],
    "STYLES": [_tokens, _styles, _building, _figures, _results],
    "SCRIPTS": [_labels],
    "ACCOUNT": {
        "navigation": [
            {"title": "Change password", "link": reverse_lazy("admin:password_change")},
            {"title": "Second factor", "link": reverse_lazy("second_factor")},
            {"title": "API tokens", "link": reverse_lazy("api_tokens")},
        ]
    },
    "DASHBOARD_CALLBACK": "annotation.pages.home.home",
    "COLORS": {
        # The accent of design/tokens.css is 600 in light and 500 in dark; both carry text at 4.5 : 1 and more.
        "primary": {
            "50": "#f3f8fb",
            "100": "#e7f0f6",
            "200": "#cbe0ed",
            "300": "#a9cde4",
            "400": "#8fc0e2",
            "500": "#8fc0e2",
            "600": "#1d5c86",
            "700": "#1d5c86",
            "800": "#174c70",
            "900": "#123c59",
            "950": "#0e1a23",
        },
        # Its paper, rules and inks, from the lightest to the darkest.
        "base": {
            "50": "#faf9f6",
            "100": "#f2f0ea",
            "200": "#d8d5cc",
            "300": "#bdbbb4",
            "400": "var(--quiet)",
            "500": "var(--quiet)",
            "600": "#5a616b",
            "700": "#353a42",
            "800": "#262b31",
            "900": "#15181c",
            "950": "#0f1215",
        },
        "font": {
            "subtle-light": "var(--quiet)",
            "subtle-dark": "var(--quiet)",
            "default-light": "var(--ink)",
            "default-dark": "var(--ink)",
            "important-light": "var(--ink)",
            "important-dark": "var(--ink)",
        },
    },
    "SIDEBAR": {
        "show_search": False,
        "show_all_applications": False,
        "navigation": [
            {
                "items": [
                    _item("Home", "home", "admin:index"),
                    _item("Studies", "quiz", "admin:annotation_study_changelist", active=_is_studies),
                ],
            },
            {
                "title": "Administration",
                "items": [
                    _list_of_all("Jobs", "pending_actions", "admin:annotation_job_changelist"),
                    _item("Rule sets", "rule", "admin:agreement_storedruleset_changelist"),
                    _list_of_all("Audit log", "history", "admin:annotation_auditentry_changelist"),
                    _item("Researchers", "badge", "admin:annotation_user_changelist", permission=is_superuser),
                    _item("Log-ins", "login", "admin:annotation_loginattempt_changelist", permission=is_superuser),
                    _item(
                        "Changes to accounts",
                        "key",
                        "admin:annotation_accountentry_changelist",
                        permission=is_superuser,
                    ),
                ],
            },
        ],
    },
}
