"""What kind of device a person came with, told by what the browser sends; of the user agent nothing else is kept."""

import re

from annotation.models import Participation

Device = Participation.Device

# In this order: a Windows computer with a touch screen says "Tablet PC", an iPad says "Mobile", and every Android says
# "Linux". An iPad in desktop mode sends what a Mac sends, and an Android in desktop mode what a Linux computer sends.
_KINDS = (
    (Device.COMPUTER, re.compile("Windows NT|Macintosh|X11|CrOS")),
    (Device.TABLET, re.compile("iPad|Tablet")),
    (Device.PHONE, re.compile("iPhone|iPod|Mobi|Phone")),
    (Device.TABLET, re.compile("Android")),  # on a phone it says "Mobile" as well
    (Device.COMPUTER, re.compile("Linux")),
)
PHONE_HINT = "?1"


def device_of(user_agent: str, mobile_hint: str = "") -> Participation.Device | None:
    """The kind of device, or None where it can't be told; `mobile_hint` is the header Sec-CH-UA-Mobile.

    >>> device_of("Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0").value
    'computer'
    """
    if mobile_hint.strip() == PHONE_HINT:
        return Device.PHONE
    return next((device for device, says in _KINDS if says.search(user_agent)), None)
