"""People who took part: pay, leaving, withdrawal, what is erased."""
