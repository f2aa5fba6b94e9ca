"""The command `touchstone`, and what its commands on files share."""
