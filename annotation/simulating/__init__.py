"""Simulated people sent through a study of this site, and the demonstration."""
