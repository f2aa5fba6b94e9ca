"""The researcher's frame around the preview: the list of pages, a phone or a window, next, back, and the way out."""

from itertools import groupby

from django.http import HttpRequest, HttpResponse

from annotation.admin.base import study_page
from annotation.permissions import Right, study_or_404
from annotation.preview_pages import page_address, pages_to_preview
from config.security import ADMIN_PAGES

WIDTHS = {"phone": "Phone", "desktop": "Computer"}


def preview(request: HttpRequest, pk: int) -> HttpResponse:
    study = study_or_404(request.user, Right.LOOK, pk=pk)
    pages = pages_to_preview(study)
    keys = [page.key for page in pages]
    key, width = request.GET.get("page", ""), request.GET.get("width", "")
    at = keys.index(key) if key in keys else 0
    context = {
        "groups": [(name, list(group)) for name, group in groupby(pages, key=lambda page: page.group)],
        "page": pages[at],
        "address": page_address(study, pages[at].key),
        "addresses": {page_address(study, page.key): page.key for page in pages},
        "before": keys[at - 1] if at else "",
        "after": keys[at + 1] if at + 1 < len(keys) else "",
        "width": width if width in WIDTHS else "phone",
        "widths": WIDTHS,
        "has_questions": any(page.key == "q1" for page in pages),
    }
    page = "admin/touchstone/preview.html"
    response = study_page(request, study, page, context, section="preview", title="Preview")
    response.headers["Content-Security-Policy"] = f"{ADMIN_PAGES}; frame-src 'self'"
    return response
