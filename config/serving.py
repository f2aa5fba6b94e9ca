"""What must be so before anything is served: the web server and the worker both ask here and stop if it isn't."""

import sys
from importlib import import_module

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from config.environment import PREFIX


def missing_settings() -> list[str]:
    missing = []
    try:
        bool(settings.SECRET_KEY)
    except ImproperlyConfigured:  # Django's own word for an empty key
        missing.append(f"{PREFIX}SECRET_KEY (a long random text; keep it the same over restarts)")
    if not settings.ALLOWED_HOSTS:
        missing.append(f"{PREFIX}ALLOWED_HOSTS (the names people reach this site by, with commas between)")
    return missing


def require_serving_settings() -> None:
    if missing := missing_settings():
        sys.exit("Touchstone does not start: set " + " and ".join(missing) + ". docs/deploy.md explains them.")
    if settings.INSTITUTION_LOGO:
        from agreement.errors import Refused
        from annotation.media.institution import logo

        try:
            logo()
        except Refused as refusal:
            sys.exit(f"Touchstone does not start: {refusal}")


def fault_of_the_database() -> str | None:
    """Why this code can't serve from the database. One that can't be reached now may come back: that is no fault.

    A plain DatabaseError is what SQLite says of a file that is damaged, or none of its own.
    """
    from annotation.database import triggers

    try:
        executor = MigrationExecutor(connection)
        plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
        lacking = triggers.lacking_triggers(connection)
    except DatabaseError as error:
        if connection.vendor == "sqlite" and type(error) is DatabaseError:
            return f"the database {connection.settings_dict['NAME']} is damaged ({error}): put a backup in its place"
        return None
    finally:
        connection.close()
    if newer := _unknown_migrations(executor.loader):
        return (
            f"a newer version has changed the database ({_first_names(newer)}): run that version, or restore a backup"
        )
    if plan:
        names = [f"{migration.app_label} {migration.name}" for migration, _backwards in plan]
        return f"the database lacks {len(plan)} migrations ({_first_names(names)}): run `manage.py migrate`"
    if lacking:
        return (
            f"the database lacks {len(lacking)} of the triggers that keep answers as they were"
            f" ({_first_names(lacking)}), as after a migration that was interrupted: run `manage.py migrate`,"
            " which makes them again"
        )
    return None


def _unknown_migrations(loader: MigrationLoader) -> list[str]:
    """Migrations of our apps that the database has seen and this code doesn't have."""
    known = set(loader.disk_migrations)
    replaced = {old for migration in loader.disk_migrations.values() for old in migration.replaces}
    unknown = set(loader.applied_migrations) - known - replaced
    return sorted(f"{app} {name}" for app, name in unknown if app in loader.migrated_apps)


def _first_names(names: list[str]) -> str:
    return ", ".join(names[:3]) + (", …" if len(names) > 3 else "")


def require_ready_database() -> None:
    if fault := fault_of_the_database():
        sys.exit(f"Touchstone does not start: {fault}. docs/migrations.md explains it.")


def import_site() -> None:
    """All that requests and jobs need: before the processes fork that share it, and before anybody waits for it."""
    import_module(settings.ROOT_URLCONF)
