"""The founding studies: scenes, relations, prompts, norms, and the runs that make their tables."""
