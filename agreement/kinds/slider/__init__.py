"""One number on a line between two end labels."""
