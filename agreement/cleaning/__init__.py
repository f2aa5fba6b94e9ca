"""A named rule set applied to a crowd, with a verdict and its evidence for each worker; it deletes nothing."""
