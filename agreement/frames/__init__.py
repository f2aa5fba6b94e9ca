"""A data frame of judgments analysed where it is, and what a notebook shows of it."""
