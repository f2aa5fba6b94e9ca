"""Collecting judgments: studies, items, assignments, forms and the answers that people gave."""
