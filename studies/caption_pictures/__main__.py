"""`python -m studies.caption_pictures` draws them all into annotation/studies/presets/items/captions/."""

from studies.caption_pictures.scenes import FOLDER, SCENES
from tools import place


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for scene in SCENES:
        scene.paint().save(FOLDER / f"{scene.name}.png")
    print(f"{len(SCENES)} pictures in {FOLDER.relative_to(place.ROOT)}")


if __name__ == "__main__":
    main()
