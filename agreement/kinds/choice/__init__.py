"""One label of a few."""
