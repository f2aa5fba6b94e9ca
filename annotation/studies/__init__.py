"""Setting a study up: presets, items, pictures, checks, how far it is."""
