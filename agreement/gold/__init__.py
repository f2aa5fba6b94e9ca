"""Gold: what a cleaned crowd says about each item, from arrays, and nothing of Django (docs/statistics.md)."""
