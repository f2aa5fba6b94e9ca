"""A proven arrival, signed anew for the first page's form: a platform's signature is good for two minutes alone, and
people may read that page for as long as they like.
"""

from django.core import signing

from annotation.models import Study
from annotation.platforms import Arrival

SALT = "touchstone.arrival"
GOOD_FOR_SECONDS = 2 * 3600


def sign_arrival(study: Study, arrival: Arrival) -> str:
    return signing.dumps([str(study.uuid), arrival.platform_id, arrival.session_id], salt=SALT)


def read_arrival(study: Study, text: str) -> Arrival | None:
    """The arrival that was signed for this study; nothing where the text is none of ours, or too old."""
    try:
        uuid, platform_id, session_id = signing.loads(text, salt=SALT, max_age=GOOD_FOR_SECONDS)
    except (signing.BadSignature, ValueError):
        return None
    if uuid != str(study.uuid):
        return None
    return Arrival(platform_id=platform_id, session_id=session_id, is_verified=True)
