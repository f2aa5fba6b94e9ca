"""A sentence that is true or false."""
