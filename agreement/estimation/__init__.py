"""From a statistic to its interval: who judged what, deletions, replicates, two-way jackknife, limits."""
