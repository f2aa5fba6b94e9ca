"""Database triggers that keep rows as they were, declared on the models as data and installed after migrations.

A model says `triggers = [AppendOnly()]`. Before a migration runs every trigger is removed, because SQLite loses or
trips over the triggers of a table that it builds anew, and after it all of them are installed again. The web process
and the worker refuse to start without them (`config/serving.py`); docs/migrations.md says what that means for you.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Protocol, cast

from django.apps import apps
from django.core.exceptions import FieldDoesNotExist
from django.core.management.base import CommandError
from django.db import DEFAULT_DB_ALIAS, connections, models, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations import Migration

NO_UPDATE, NO_DELETE, FROZEN = ENDINGS = ("_no_update", "_no_delete", "_frozen_once_judged")


@dataclass(frozen=True)
class Trigger:
    """Refuses an event on a table: always, or where one of `columns` changes in a row for which `condition` holds."""

    name: str
    table: str
    event: str
    refuses: str
    columns: tuple[str, ...] = ()
    condition: str = ""

    def changed(self, differs: str) -> str:
        return " OR ".join(f'OLD."{column}" {differs} NEW."{column}"' for column in self.columns)

    def sqlite(self) -> str:
        when = " AND ".join(f"({part})" for part in (self.changed("IS NOT"), self.condition) if part)
        return (
            f"CREATE TRIGGER {self.name} BEFORE {self.event} ON {self.table} {f'WHEN {when} ' if when else ''}"
            f"BEGIN SELECT RAISE(ABORT, '{self.refuses}'); END"
        )

    def statements(self, vendor: str) -> list[str]:
        """Makes the trigger, in place of one of that name that says something else."""
        if vendor == "postgresql":
            comment = f"COMMENT ON TRIGGER {self.name} ON {self.table} IS '{self.mark(vendor)}'"
            return [*self.postgresql(), comment]
        return [f"DROP TRIGGER IF EXISTS {self.name}", self.sqlite()]

    def postgresql(self) -> list[str]:
        # The cheap comparison is in WHEN; a subquery may not be there, and is looked at only if something differs.
        refusal = f"RAISE EXCEPTION '{self.refuses}' USING ERRCODE = 'restrict_violation';"
        body = f"IF {self.condition} THEN {refusal} END IF; RETURN NEW;" if self.condition else refusal
        when = f"WHEN ({self.changed('IS DISTINCT FROM')}) " if self.columns else ""
        on = f"BEFORE {self.event} ON {self.table} FOR EACH ROW {when}"
        return [
            f"CREATE OR REPLACE FUNCTION {self.name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {body} END $$",
            f"DROP TRIGGER IF EXISTS {self.name} ON {self.table}",
            f"CREATE TRIGGER {self.name} {on}EXECUTE FUNCTION {self.name}()",
        ]

    def mark(self, vendor: str) -> str:
        """What the database shows of this trigger: its text on SQLite, a comment with the text's hash on PostgreSQL."""
        if vendor == "postgresql":
            return sha256("\n".join(self.postgresql()).encode()).hexdigest()
        return self.sqlite()


class Declaration(Protocol):
    """An element of a model's `triggers`."""

    def of(self, model: type[models.Model]) -> list[Trigger]: ...


@dataclass(frozen=True)
class AppendOnly:
    """Rows can be added, and then not changed nor, unless `allows_delete`, removed."""

    allows_delete: bool = False

    def of(self, model: type[models.Model]) -> list[Trigger]:
        table = model._meta.db_table
        return [
            Trigger(
                name=table + NO_UPDATE if event == "UPDATE" else table + NO_DELETE,
                table=table,
                event=event,
                refuses=f"{table} is append-only: {event} is forbidden",
            )
            for event in (("UPDATE",) if self.allows_delete else ("UPDATE", "DELETE"))
        ]


@dataclass(frozen=True)
class FrozenOnceJudged:
    """These fields can't change any more once somebody has answered what they say.

    `items` names the column of Item and the column of this model that are equal for the items concerned.
    """

    fields: tuple[str, ...]
    items: tuple[str, str]

    def of(self, model: type[models.Model]) -> list[Trigger]:
        options = model._meta
        return [
            Trigger(
                name=options.db_table + FROZEN,
                table=options.db_table,
                event="UPDATE",
                refuses=f"{model.__name__} has been judged: {', '.join(self.fields)} can not change any more",
                columns=tuple(_column(model, field) for field in self.fields),
                condition=self._judged(),
            )
        ]

    def _judged(self) -> str:
        judgment, place, item = (
            apps.get_model("annotation", name)._meta.db_table for name in ("Judgment", "AssignedItem", "Item")
        )
        of_item, of_row = self.items
        joined = f"{judgment} j JOIN {place} a ON a.id = j.assigned_item_id JOIN {item} i ON i.id = a.item_id"
        return f"EXISTS (SELECT 1 FROM {joined} WHERE i.{of_item} = OLD.{of_row})"  # noqa: S608 - our own names


def _column(model: type[models.Model], field: str) -> str:
    column = cast("models.Field[object, object]", model._meta.get_field(field)).column
    if column is None:
        raise FieldDoesNotExist(f"{model.__name__}.{field} has no column of its own")
    return column


def declared_triggers() -> Iterator[Trigger]:
    for model in apps.get_models():
        declarations: list[Declaration] = vars(model).get("triggers", [])
        for declaration in declarations:
            yield from declaration.of(model)


def installed_triggers(connection: BaseDatabaseWrapper) -> dict[str, tuple[str, str | None]]:
    """The triggers of this module that are there: table and mark by name. Others on our tables are somebody else's."""
    if connection.vendor == "postgresql":
        query = (
            "SELECT t.tgname, c.relname, obj_description(t.oid, 'pg_trigger') FROM pg_trigger t "
            "JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace s ON s.oid = c.relnamespace "
            "WHERE NOT t.tgisinternal AND s.nspname = current_schema()"
        )
    else:
        query = "SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'trigger'"
    with connection.cursor() as cursor:
        cursor.execute(query)
        rows = cursor.fetchall()
    ours = {model._meta.db_table + ending for model in apps.get_models() for ending in ENDINGS}
    return {name: (table, mark) for name, table, mark in rows if name in ours}


def lacking_triggers(connection: BaseDatabaseWrapper) -> list[str]:
    """The names of the triggers that are missing or say something else than the models do."""
    present = installed_triggers(connection)
    return [
        trigger.name
        for trigger in declared_triggers()
        if present.get(trigger.name) != (trigger.table, trigger.mark(connection.vendor))
    ]


def remove_triggers(connection: BaseDatabaseWrapper) -> None:
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        for name, (table, _mark) in installed_triggers(connection).items():
            if connection.vendor == "postgresql":
                cursor.execute(f"DROP TRIGGER {name} ON {table}")
                cursor.execute(f"DROP FUNCTION IF EXISTS {name}()")
            else:
                cursor.execute(f"DROP TRIGGER {name}")


def install_triggers(connection: BaseDatabaseWrapper) -> None:
    """Makes what is lacking, and changes nothing where nothing is. Tables of an older schema may not be there yet."""
    missing = set(lacking_triggers(connection))
    if not missing:
        return
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        wanted = [trigger for trigger in declared_triggers() if trigger.name in missing]
        tables = {trigger.table for trigger in wanted}.intersection(connection.introspection.table_names(cursor))
        columns = {table: _columns(connection, table) for table in tables}
        for trigger in wanted:
            if trigger.table in columns and columns[trigger.table].issuperset(trigger.columns):
                for statement in trigger.statements(connection.vendor):
                    cursor.execute(statement)


def _columns(connection: BaseDatabaseWrapper, table: str) -> frozenset[str]:
    with connection.cursor() as cursor:
        return frozenset(column.name for column in connection.introspection.get_table_description(cursor, table))


def before_migrating(
    *, using: str = DEFAULT_DB_ALIAS, plan: list[tuple[Migration, bool]] | None = None, **_: object
) -> None:
    """`pre_migrate`. Without a plan nothing is migrated, and a site that runs keeps its triggers."""
    if not plan:
        return
    if irreversible := [str(step) for step, is_backwards in plan if is_backwards and not _is_reversible(step)]:
        raise CommandError(
            f"{', '.join(irreversible)} can't be undone, so nothing was changed. To go back to the version before, "
            "restore the backup that was made before this one was installed."
        )
    remove_triggers(connections[using])


def _is_reversible(migration: Migration) -> bool:
    return all(operation.reversible for operation in migration.operations)


def after_migrating(*, using: str = DEFAULT_DB_ALIAS, **_: object) -> None:
    """`post_migrate`."""
    install_triggers(connections[using])
