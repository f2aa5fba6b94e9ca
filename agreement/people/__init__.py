"""How far people agree: statistics from arrays, with intervals, and nothing of Django."""
