"""Free text, one property per line."""
