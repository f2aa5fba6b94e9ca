"""One number for each label."""
