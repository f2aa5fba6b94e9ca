"""What `make` calls: setting up, running with what a run needs, and testing with what a test needs."""
