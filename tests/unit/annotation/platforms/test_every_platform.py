"""What every platform keeps to, whichever there are; a new module of annotation/platforms/ is tested too."""

import pytest

from annotation.platforms import PLATFORMS, BadArrival, Handback, Outcome, Platform
from annotation.platforms.tokens import Frame
from annotation.web.security import masked_text

EVERY = pytest.mark.parametrize("platform", PLATFORMS.values(), ids=PLATFORMS)


def simulated(platform: Platform) -> dict[str, str]:
    return {name: value.format("person-7") for name, value in platform.simulated_parameters.items()}


@EVERY
def test_simulated_person_arrives_unverified_unless_links_are_our_own(platform: Platform) -> None:
    if platform.own_links:
        with pytest.raises(BadArrival):
            platform.arrive(simulated(platform))
        return

    arrival = platform.arrive(simulated(platform))

    assert arrival.platform_id == "person-7"
    assert not arrival.is_verified


@EVERY
def test_ids_in_an_address_never_reach_a_log(platform: Platform) -> None:
    query = "&".join(f"{name}={value}" for name, value in simulated(platform).items())

    assert "person-7" not in masked_text(f"GET /take/colours/?{query}")


@EVERY
@pytest.mark.parametrize("outcome", [outcome for outcome in Outcome if outcome.must_be_given_back])
def test_nobody_is_left_without_a_way_back(platform: Platform, outcome: Outcome) -> None:
    ending = platform.way_back(Handback(outcome, "", "", "person-7", "session-7", Frame.NONE))

    assert ending.words or ending.link or ending.code or ending.post_to


@EVERY
def test_researchers_are_told_what_to_paste_and_how_sure_it_is_who_comes(platform: Platform) -> None:
    assert platform.title
    assert platform.own_links or (platform.link_instructions and platform.entry_notice)
    assert platform.arrive_signed is None or platform.signed_link_instructions


@EVERY
def test_pay_floors_name_currencies(platform: Platform) -> None:
    assert all(
        len(currency) == 3 and currency.isupper() and least > 0 for currency, least in platform.pay_floors.items()
    )
