"""How dates are written, a language a folder."""
