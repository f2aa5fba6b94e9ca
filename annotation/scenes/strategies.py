"""How often simple rules are right about sentences: what a model has to beat before its figure means much."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from annotation.scenes.scene import Scene
from annotation.scenes.tasks import BIG
from annotation.scenes.threshold import K_MEAN

STRATEGIES = {
    "sharp": f"the threshold at k = {K_MEAN} in every scene",
    "superlative": "big if it is the largest of its reference set",
    "whole_scene": f"the threshold at k = {K_MEAN}, but of the whole scene and not of the shapes of its kind",
    "constant": "the same verdict always, whichever is right more often",
}


def ceilings_of_scenes(scenes: Sequence[Scene]) -> dict[str, float]:
    """The accuracy of each strategy on the scenes' sentences; a strategy that means nothing for their task is left out.

    A superlative has no threshold, and where the reference set is the whole scene that strategy is the rule itself.
    """
    truth = [scene.is_true for scene in scenes]
    right = {name: [verdict == true for verdict, true in zip(said, truth, strict=True)] for name, said in _said(scenes)}
    found = {name: sum(each) / len(scenes) for name, each in right.items()}
    found["constant"] = max(sum(truth), len(scenes) - sum(truth)) / len(scenes)
    return found


def _said(scenes: Sequence[Scene]) -> Iterator[tuple[str, list[bool]]]:
    task = scenes[0].task
    if not task.is_superlative:
        yield "sharp", [(scene.sizes_at(K_MEAN)[scene.queried] == BIG) == scene.says_big for scene in scenes]
    yield "superlative", [scene.is_largest == scene.says_big for scene in scenes]
    if task.by_shape:
        wholes = [scene.as_whole for scene in scenes]
        yield "whole_scene", [(whole.sizes_at(K_MEAN)[whole.queried] == BIG) == whole.says_big for whole in wholes]


def in_lines(ceilings: Mapping[str, float]) -> Iterable[str]:
    yield "Right by a simple rule:"
    for name, accuracy in ceilings.items():
        yield f"  {accuracy:.4f}  {name.replace('_', ' ')}: {STRATEGIES[name]}"
