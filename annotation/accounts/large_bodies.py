"""Who may send a large body, told by the headers alone: a token, a researcher's session, a participant's link."""

from __future__ import annotations

import re
import time
from http.cookies import CookieError, SimpleCookie
from importlib import import_module
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.auth import get_user
from django.http import HttpRequest
from django.urls import Resolver404, ResolverMatch, resolve

from annotation.accounts.api_tokens import token_in_header
from annotation.accounts.permissions import Right, may
from annotation.accounts.request_bodies import is_for_researchers, is_for_scripts
from annotation.accounts.researcher_accounts import token_of
from annotation.models import Study, User
from annotation.platforms.tokens import BadToken, Purpose, read_token
from annotation.web.middleware import IDLE_SECONDS, LOGGED_IN_AT, SEEN_AT, WORKDAY_SECONDS

if TYPE_CHECKING:
    from wsgiref.types import WSGIEnvironment

OF_A_STUDY = "annotation_study_"  # what the names of a study's pages in the admin begin with
NUMBER = re.compile(r"[0-9]{1,18}")


def sender_of(environ: WSGIEnvironment) -> str:
    """Who it is, as a text that is the same for all requests of one sender; nothing for who may send nothing large."""
    path = environ["PATH_INFO"].encode("latin-1").decode(errors="replace")
    if is_for_scripts(path):
        token = token_of(token_in_header(environ.get("HTTP_AUTHORIZATION", "")))
        return "" if token is None else f"account {token.user_id}"
    try:
        page = resolve(path)
    except Resolver404:
        return ""
    if not is_for_researchers(path):
        return _participant(page)
    user = _signed_in(environ)
    return f"account {user.pk}" if user is not None and _may_change(user, page) else ""


def _participant(page: ResolverMatch) -> str:
    """By the signed link that the address itself is; whether it still holds, the page says."""
    link = str(page.kwargs.get("token", ""))
    for purpose in Purpose:
        try:
            return f"link {read_token(purpose, link).uuid}"
        except BadToken:
            continue
    return ""


def _signed_in(environ: WSGIEnvironment) -> User | None:
    """The researcher whose session the request's cookie names, while that session lasts."""
    try:
        cookie = SimpleCookie(environ.get("HTTP_COOKIE", "")).get(settings.SESSION_COOKIE_NAME)
    except CookieError:
        return None
    if cookie is None:
        return None
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(cookie.value)
    user, now = get_user(request), time.time()
    if not (isinstance(user, User) and user.is_active and user.is_staff):
        return None
    logged_in_at, seen_at = request.session.get(LOGGED_IN_AT, now), request.session.get(SEEN_AT, now)
    lasts = now - logged_in_at < WORKDAY_SECONDS and now - seen_at < IDLE_SECONDS
    return user if lasts else None


def _may_change(user: User, page: ResolverMatch) -> bool:
    """Of a study's page: whether it is theirs to change. Every researcher may begin a study of their own."""
    if page.app_name == "agreement" and "study" in page.kwargs:
        studies = Study.objects.filter(uuid=page.kwargs["study"])
    elif (page.url_name or "").startswith(OF_A_STUDY) and page.kwargs:
        key = str(page.kwargs.get("pk", page.kwargs.get("object_id", "")))
        studies = Study.objects.filter(pk=key) if NUMBER.fullmatch(key) else Study.objects.none()
    else:
        return bool(page.url_name)  # an address that leads nowhere has none
    study = studies.first()
    return study is not None and may(user, Right.CHANGE, study)
