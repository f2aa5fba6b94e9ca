"""Figures of the founding studies that no report of a crowd has."""
