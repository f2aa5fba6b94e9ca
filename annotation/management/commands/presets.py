"""`manage.py presets`: the presets that a new study can start from."""

from argparse import Namespace
from typing import TypedDict

from annotation.management.base import TouchstoneCommand
from annotation.studies import presets


class OnePreset(TypedDict):
    name: str
    version: str
    sha256: str
    kind: str
    title: str
    items: int


class Listed(TypedDict):
    presets: list[OnePreset]


class Command(TouchstoneCommand[Listed]):
    help = "Lists the presets that create_study can start from."

    def answer(self, _options: Namespace) -> Listed:
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

    def say(self, answer: Listed) -> str:
        return "\n".join(
            "{name} (version {version}, {kind}, {items} items): {title}".format(**preset)
            for preset in answer["presets"]
        )
