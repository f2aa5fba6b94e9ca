"""One free text."""
