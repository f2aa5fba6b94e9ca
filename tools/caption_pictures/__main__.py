"""`python -m tools.caption_pictures` draws them all into annotation/presets/items/captions/."""

from tools import place
from tools.caption_pictures.scenes import FOLDER, SCENES


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for scene in SCENES:
        scene.paint().save(FOLDER / f"{scene.name}.png")
    print(f"{len(SCENES)} pictures in {FOLDER.relative_to(place.ROOT)}")


if __name__ == "__main__":
    main()
