"""All labels, put in order."""
