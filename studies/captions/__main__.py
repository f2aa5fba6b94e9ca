"""`python -m studies.captions` draws them all into studies/presets/items/captions/."""

from studies.captions.scenes import FOLDER, SCENES


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for scene in SCENES:
        scene.paint().save(FOLDER / f"{scene.name}.png")
    print(f"{len(SCENES)} pictures in {FOLDER}")


if __name__ == "__main__":
    main()
