"""Mid-ranks of values given as codes, and grouped deletions for statistics of ranks."""

import numpy as np

from agreement.stats.design import Codes
from agreement.stats.estimate import Floats


def mid_ranks(code: Codes, codes: int) -> Floats:
    """[K] the average rank of each element among all, ties sharing theirs; `code` orders the values."""
    counts = np.bincount(code, minlength=codes)
    upto = np.cumsum(counts)
    return np.asarray((upto - (counts - 1) / 2)[code])
