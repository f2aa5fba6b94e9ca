"""The busiest address of the site, answered before the middleware that it has no use for."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import translation

from annotation.views.save_answer import save

BEFORE, AFTER = "/a/", "/save/"
NOTHING = "default-src 'none'; frame-ancestors 'none'"


class QuickDoor:
    """Saving an answer needs no session, no user, no message and no form's token: the token in the address authorises.

    What is left to do of what the others do is done here: the host is checked, and who is refused is told so in a
    language that the browser knows. Any other method than POST, and any other address, goes on its way.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        token = request.path_info.removeprefix(BEFORE).removesuffix(AFTER)
        is_save = request.path_info == f"{BEFORE}{token}{AFTER}" and "/" not in token and request.method == "POST"
        if not is_save:
            return self.get_response(request)
        request.get_host()
        translation.activate(translation.get_language_from_request(request))
        response = save(request, token)
        response.headers["Content-Length"] = str(len(response.content))
        response.headers["Content-Security-Policy"] = NOTHING
        return response
