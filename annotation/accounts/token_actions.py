"""Personal API tokens: made by their researcher, shown once, found by their hash, revoked."""

import datetime as dt
from collections.abc import Collection

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from agreement.errors import Refused
from annotation.accounts.api_tokens import digest_of, is_ours, new_text
from annotation.models import AccountEntry, ApiToken, IdempotencyKey, Scope, User

LONGEST = dt.timedelta(days=366)
MOST_IN_FORCE = 50
# So often a token's last use is written down: each writing is a transaction.
NOTED_EVERY = dt.timedelta(minutes=1)
KEYS_KEPT = dt.timedelta(days=2)


def create_token(*, user: User, name: str, scopes: Collection[str], lives: dt.timedelta) -> tuple[ApiToken, str]:
    """The token's row, and its text, which is nowhere else from now on."""
    name = name.strip()
    if not name:
        raise Refused("A token needs a name, so that you can tell what uses it.")
    if unknown := sorted(set(scopes) - set(Scope.values)):
        raise Refused(f"There is no scope {', '.join(unknown)}. The scopes are: {', '.join(Scope.values)}.")
    if not scopes:
        raise Refused("Choose at least one scope: a token without one could do nothing.")
    if not dt.timedelta() < lives <= LONGEST:
        raise Refused(f"A token lives for 1 to {LONGEST.days} days.")
    text = new_text()
    with transaction.atomic():
        # The race: two pages at once would both find room for one more token.
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        if ApiToken.objects.in_force(timezone.now()).filter(user=user).count() >= MOST_IN_FORCE:
            raise Refused(f"You have {MOST_IN_FORCE} tokens already: revoke some that nothing uses.")
        token = ApiToken.objects.create(
            user=user,
            name=name,
            scopes=[scope for scope in Scope.values if scope in scopes],
            digest=digest_of(text),
            ending=text[-4:],
            expires_at=timezone.now() + lives,
        )
        AccountEntry.objects.create(user=user, by=user, action=AccountEntry.Action.TOKEN_CREATED)
    return token, text


def revoke_token(*, token: ApiToken, by: User) -> bool:
    """It signs in nobody from now on. Says whether it did before; twice changes nothing."""
    with transaction.atomic():
        now = timezone.now()
        is_first = ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=now) == 1
        if is_first:
            AccountEntry.objects.create(user=token.user, by=by, action=AccountEntry.Action.TOKEN_REVOKED)
    return is_first


def token_of(text: str) -> ApiToken | None:
    """The token of that text that is in force, its use noted; None where there is none."""
    if not is_ours(text):
        return None
    now = timezone.now()
    token = ApiToken.objects.in_force(now).select_related("user").filter(digest=digest_of(text)).first()
    if token is not None and (token.last_used_at is None or now - token.last_used_at >= NOTED_EVERY):
        stale = Q(last_used_at=None) | Q(last_used_at__lte=now - NOTED_EVERY)
        ApiToken.objects.filter(stale, pk=token.pk).update(last_used_at=now)
    return token


def forget_old_keys(*, now: dt.datetime) -> None:
    IdempotencyKey.objects.filter(created_at__lt=now - KEYS_KEPT).delete()
