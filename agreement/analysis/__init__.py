"""One crowd in, one report out: cleaning, gold, agreement and ceilings put together and written, with no database."""
