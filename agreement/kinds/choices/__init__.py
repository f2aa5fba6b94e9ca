"""One or more labels."""
