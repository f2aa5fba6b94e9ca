"""The pictures of the presets on captions: small scenes, drawn here, with ways in which people might describe each."""
