"""`manage.py presets`: the presets that a new study can start from."""

from typing import Any

from annotation.management.base import TouchstoneCommand
from annotation.studies import presets


class Command(TouchstoneCommand):
    help = "Lists the presets that create_study can start from."

    def answer(self, **_options: Any) -> dict[str, Any]:
        loaded = [presets.load(name) for name in presets.names()]
        return {
            "presets": [
                {
                    "name": preset.name,
                    "version": preset.version,
                    "sha256": preset.sha256,
                    "kind": preset.study["kind"],
                    "title": preset.title,
                    "items": len(preset.items),
                }
                for preset in loaded
            ]
        }

    def say(self, answer: dict[str, Any]) -> str:
        return "\n".join(
            "{name} (version {version}, {kind}, {items} items): {title}".format(**preset)
            for preset in answer["presets"]
        )
