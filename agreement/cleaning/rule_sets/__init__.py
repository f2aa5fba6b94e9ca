"""Built-in rule sets, as TOML; one that was used is never edited: a change is a new name."""
