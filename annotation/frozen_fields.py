"""Database triggers that forbid changing what was asked once somebody has answered it, on both databases."""

from typing import Any

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

# Whether a row of the table (OLD) has been judged, as a condition in SQL.
JUDGED = {
    "Item": (
        "EXISTS (SELECT 1 FROM annotation_judgment j JOIN annotation_assigneditem a ON a.id = j.assigned_item_id "
        "WHERE a.item_id = OLD.id)"
    ),
    "Study": (
        "EXISTS (SELECT 1 FROM annotation_judgment j JOIN annotation_assigneditem a ON a.id = j.assigned_item_id "
        "JOIN annotation_item i ON i.id = a.item_id WHERE i.study_id = OLD.id)"
    ),
    "Label": (
        "EXISTS (SELECT 1 FROM annotation_judgment j JOIN annotation_assigneditem a ON a.id = j.assigned_item_id "
        "JOIN annotation_item i ON i.id = a.item_id WHERE i.study_id = OLD.study_id)"
    ),
}


class FreezeOnceJudged(Operation):
    """A migration's step: these fields of a model can't change any more once there is an answer that saw them."""

    reversible = True

    def __init__(self, model_name: str, fields: tuple[str, ...]) -> None:
        self.model_name = model_name
        self.fields = fields

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        pass

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: Any, to_state: Any
    ) -> None:
        options = to_state.apps.get_model(app_label, self.model_name)._meta
        columns = [options.get_field(field).column for field in self.fields]
        table, name = options.db_table, f"{options.db_table}_frozen_once_judged"
        reason = f"{self.model_name} has been judged: {', '.join(self.fields)} can not change any more"
        is_postgresql = schema_editor.connection.vendor == "postgresql"
        same = "IS DISTINCT FROM" if is_postgresql else "IS NOT"
        differs = " OR ".join(f'OLD."{column}" {same} NEW."{column}"' for column in columns)
        if is_postgresql:
            # The cheap comparison stands in WHEN; a subquery may not, and is asked only if something differs.
            schema_editor.execute(
                f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
                f"IF {JUDGED[self.model_name]} THEN RAISE EXCEPTION '{reason}' USING ERRCODE = 'restrict_violation'; "
                "END IF; RETURN NEW; END $$"
            )
            schema_editor.execute(
                f"CREATE TRIGGER {name} BEFORE UPDATE ON {table} FOR EACH ROW WHEN ({differs}) "
                f"EXECUTE FUNCTION {name}()"
            )
        else:
            schema_editor.execute(
                f"CREATE TRIGGER {name} BEFORE UPDATE ON {table} WHEN ({differs}) AND {JUDGED[self.model_name]} "
                f"BEGIN SELECT RAISE(ABORT, '{reason}'); END"
            )

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: Any, to_state: Any
    ) -> None:
        table = from_state.apps.get_model(app_label, self.model_name)._meta.db_table
        name = f"{table}_frozen_once_judged"
        if schema_editor.connection.vendor == "postgresql":
            schema_editor.execute(f"DROP TRIGGER IF EXISTS {name} ON {table}")
            schema_editor.execute(f"DROP FUNCTION IF EXISTS {name}()")
        else:
            schema_editor.execute(f"DROP TRIGGER IF EXISTS {name}")

    def describe(self) -> str:
        return f"Freeze {', '.join(self.fields)} of {self.model_name} once judged"
