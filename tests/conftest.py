"""What all tests share."""

from tests.databases import django_db_modify_db_settings, django_db_setup

__all__ = ["django_db_modify_db_settings", "django_db_setup"]
