"""What landed migrations import: they once made these triggers, which `annotation/database/triggers.py` makes now."""

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState


class NothingAnyMore(Operation):
    """A migration's step that has nothing left to do."""

    reversible = True

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        pass

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        pass

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        pass


class ForbidChanges(NothingAnyMore):
    def __init__(self, model_name: str, *, allows_delete: bool = False) -> None:
        self.model_name = model_name
        self.allows_delete = allows_delete

    def describe(self) -> str:
        return f"{self.model_name} is append-only"
