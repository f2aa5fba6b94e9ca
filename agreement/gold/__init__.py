"""Gold: what a cleaned crowd says about each item, from arrays, and nothing of Django (statistics.md, section 3)."""
