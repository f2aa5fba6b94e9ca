"""What the founding studies add to the library and the site."""

from pathlib import Path

from agreement.plugins import Plugin

ON_FILES = (
    "score_norms", "score_spans", "summarise_items", "term_vectors", "make_scenes", "label_scenes", "make_size_sets",
    "split_items", "studies",
)  # fmt: skip

PLUGIN = Plugin(
    package="studies",
    commands={name: f"studies.commands.{name}" for name in ON_FILES},
    preset_folders=(Path(__file__).parent / "presets",),
    item_makers={"scenes": "studies.scenes.of_presets:drawn_scenes"},
)
