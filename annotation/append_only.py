"""Database triggers that forbid UPDATE, and where asked DELETE, on rows that must never change, on both databases."""

from typing import Any

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState


def trigger_name(table: str, event: str) -> str:
    return f"{table}_no_{event.lower()}"


def forbid(schema_editor: BaseDatabaseSchemaEditor, table: str, events: tuple[str, ...]) -> None:
    for event in events:
        name, reason = trigger_name(table, event), f"{table} is append-only: {event} is forbidden"
        if schema_editor.connection.vendor == "postgresql":
            schema_editor.execute(
                f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ "
                f"BEGIN RAISE EXCEPTION '{reason}' USING ERRCODE = 'restrict_violation'; END $$"
            )
            schema_editor.execute(
                f"CREATE TRIGGER {name} BEFORE {event} ON {table} FOR EACH ROW EXECUTE FUNCTION {name}()"
            )
        else:
            schema_editor.execute(
                f"CREATE TRIGGER {name} BEFORE {event} ON {table} BEGIN SELECT RAISE(ABORT, '{reason}'); END"
            )


def allow(schema_editor: BaseDatabaseSchemaEditor, table: str, events: tuple[str, ...]) -> None:
    for event in events:
        name = trigger_name(table, event)
        if schema_editor.connection.vendor == "postgresql":
            schema_editor.execute(f"DROP TRIGGER IF EXISTS {name} ON {table}")
            schema_editor.execute(f"DROP FUNCTION IF EXISTS {name}()")
        else:
            schema_editor.execute(f"DROP TRIGGER IF EXISTS {name}")


class ForbidChanges(Operation):
    """A migration's step: rows of this model can be added, and then not changed (nor, unless told, removed)."""

    reversible = True

    def __init__(self, model_name: str, *, allows_delete: bool = False) -> None:
        self.model_name = model_name
        self.allows_delete = allows_delete

    @property
    def events(self) -> tuple[str, ...]:
        return ("UPDATE",) if self.allows_delete else ("UPDATE", "DELETE")

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        pass

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: Any,
        to_state: Any,
    ) -> None:
        forbid(schema_editor, to_state.apps.get_model(app_label, self.model_name)._meta.db_table, self.events)

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: Any,
        to_state: Any,
    ) -> None:
        allow(schema_editor, from_state.apps.get_model(app_label, self.model_name)._meta.db_table, self.events)

    def describe(self) -> str:
        return f"Forbid {' and '.join(self.events)} on {self.model_name}"
