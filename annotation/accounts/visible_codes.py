"""What lets people in or pays them: shown to those who may change the study, and hidden from its viewers."""

from collections.abc import Mapping

from annotation.models import Study

CODES = ("platform_study_id", "code_completed", "code_no_consent", "code_failed_comprehension", "finish_url")
HIDDEN = "HIDDEN"


def hide_codes(study: Study) -> None:
    """Of a study that is only shown: what is filled in says nothing but that."""
    for name in CODES:
        if getattr(study, name):
            setattr(study, name, f"https://example.org/{HIDDEN}" if name == "finish_url" else HIDDEN)


def without_codes(detail: Mapping[str, object]) -> dict[str, object]:
    """What an entry of the study's record says of a change, without what the codes were and became."""
    return {name: _hidden(value) if name in {"from", "to"} else value for name, value in detail.items()}


def _hidden(value: object) -> object:
    if not isinstance(value, Mapping):
        return value
    return {name: HIDDEN if name in CODES and was else was for name, was in value.items()}
