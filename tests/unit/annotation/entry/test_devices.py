"""Kinds of device, told from what real browsers send."""

import pytest

from annotation.entry.entering import device_of

WEBKIT = "AppleWebKit/605.1.15 (KHTML, like Gecko)"
BLINK = "AppleWebKit/537.36 (KHTML, like Gecko)"


@pytest.mark.parametrize(
    "user_agent",
    [
        f"Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) {WEBKIT} Version/17.5 Mobile/15E148 Safari/604.1",
        f"Mozilla/5.0 (Linux; Android 10; K) {BLINK} Chrome/130.0.0.0 Mobile Safari/537.36",
        "Mozilla/5.0 (Android 14; Mobile; rv:132.0) Gecko/132.0 Firefox/132.0",
        f"Mozilla/5.0 (Linux; Android 13; SM-S911B) {BLINK} SamsungBrowser/26.0 Chrome/122.0.0.0 Mobile Safari/537.36",
        f"Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1; Lumia 950) {BLINK} Chrome/52.0 Mobile Edge/15.15",
    ],
    ids=["iphone-safari", "android-chrome", "android-firefox", "android-samsung", "windows-phone"],
)
def test_device_is_a_phone(user_agent: str) -> None:
    assert device_of(user_agent) == "phone"


@pytest.mark.parametrize(
    "user_agent",
    [
        f"Mozilla/5.0 (Linux; Android 13; SM-X906C) {BLINK} Chrome/130.0.0.0 Safari/537.36",
        "Mozilla/5.0 (Android 14; Tablet; rv:132.0) Gecko/132.0 Firefox/132.0",
        f"Mozilla/5.0 (Linux; Android 9; KFMAWI) {BLINK} Silk/120.4.1 like Chrome/120.0.0.0 Safari/537.36",
        f"Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) {WEBKIT} Version/17.5 Mobile/15E148 Safari/604.1",
    ],
    ids=["android-chrome", "android-firefox", "kindle-fire", "ipad-mobile-mode"],
)
def test_device_is_a_tablet(user_agent: str) -> None:
    assert device_of(user_agent) == "tablet"


@pytest.mark.parametrize(
    "user_agent",
    [
        f"Mozilla/5.0 (Windows NT 10.0; Win64; x64) {BLINK} Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0",
        "Mozilla/5.0 (Windows NT 6.1; Trident/7.0; Tablet PC 2.0; rv:11.0) like Gecko",
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:132.0) Gecko/20100101 Firefox/132.0",
        "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0",
        f"Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) {BLINK} Chrome/130.0.0.0 Safari/537.36",
    ],
    ids=["windows-edge", "windows-with-touch", "mac-firefox", "linux-firefox", "chromebook"],
)
def test_device_is_a_computer(user_agent: str) -> None:
    assert device_of(user_agent) == "computer"


def test_device_of_an_ipad_in_desktop_mode_can_not_be_told_from_a_mac() -> None:
    ipad = f"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) {WEBKIT} Version/17.5 Safari/605.1.15"
    assert device_of(ipad) == "computer"


@pytest.mark.parametrize("user_agent", ["", "curl/8.9.1", "Wget/1.21.4"])
def test_device_is_not_known_where_the_browser_says_nothing_of_it(user_agent: str) -> None:
    assert device_of(user_agent) is None


def test_device_is_a_phone_where_the_browser_hints_at_it() -> None:
    in_desktop_mode = f"Mozilla/5.0 (X11; Linux x86_64) {BLINK} Chrome/130.0.0.0 Safari/537.36"
    assert [device_of(in_desktop_mode, hint) for hint in ("?1", "?0", "")] == ["phone", "computer", "computer"]
