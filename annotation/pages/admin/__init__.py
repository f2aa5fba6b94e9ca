"""The researchers' admin: one section a file."""

from annotation.pages.admin import accounts, cleaning, item, payment, people, records, study

__all__ = ["accounts", "cleaning", "item", "payment", "people", "records", "study"]
