"""Simulated people choose true or false as they choose any other label."""

from questions.choice.simulation import answer

__all__ = ["answer"]
