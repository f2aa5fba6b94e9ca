"""What a run froze and a release holds, as its portions keep it."""

import numpy as np

from annotation.releases.models import CleaningRun, GoldRelease


def frozen_keys(run: CleaningRun) -> list[int]:
    return [key for portion in run.frozen.order_by("position") for key in portion.keys]


def keys_in_gold(release: GoldRelease) -> list[int]:
    found: list[int] = []
    for chosen in release.judgments_in_gold.select_related("frozen").order_by("frozen__position"):
        keys = np.array(chosen.frozen.keys)
        bits = np.unpackbits(np.frombuffer(bytes(chosen.bits), dtype=np.uint8), count=len(keys)).astype(bool)
        found += keys[bits].tolist()
    return found
