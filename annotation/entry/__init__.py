"""How people come in: platforms, links, tokens, capacity."""
