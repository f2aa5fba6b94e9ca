"""One stream of random numbers a statistic, by name, so that adding a statistic changes no other."""

import hashlib

import numpy as np


def stream(seed: int, name: str) -> np.random.Generator:
    """The generator of the statistic `name` under `seed`; the same two give the same numbers on any machine.

    >>> bool(stream(1, "kappa").random() == stream(1, "kappa").random())
    True
    >>> bool(stream(1, "kappa").random() == stream(1, "alpha").random())
    False
    """
    digest = hashlib.sha256(name.encode()).digest()
    words = [int.from_bytes(digest[start : start + 4], "big") for start in range(0, 16, 4)]
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence([abs(seed), int(seed < 0), *words])))
