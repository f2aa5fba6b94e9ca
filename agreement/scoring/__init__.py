"""How close a probe, or a person, comes to gold: one code for both, from arrays, and nothing of Django."""
