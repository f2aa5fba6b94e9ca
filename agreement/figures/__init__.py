"""Figures: each declared once, drawn on pages and in reports from the same specification."""
