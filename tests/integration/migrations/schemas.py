"""What a database says of its own schema: tables, columns, constraints, indexes and triggers, as text to compare."""

from django.db.backends.base.base import BaseDatabaseWrapper

Schema = set[tuple[str, str, str]]
# Each gives the table, the name and the definition. The order of columns is left out: a later one stands last.
# So are names that PostgreSQL gave to checks: they hold the name that the column had first.
OF_POSTGRESQL = """
    SELECT table_name, column_name, concat_ws(
        ' | ', data_type, character_maximum_length, is_nullable, column_default, is_identity, collation_name
    )
    FROM information_schema.columns WHERE table_schema = current_schema();

    SELECT conrelid::regclass::text, regexp_replace(conname, '^.*_check$', ''), pg_get_constraintdef(oid)
    FROM pg_constraint WHERE connamespace = current_schema()::regnamespace;

    SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = current_schema();

    SELECT tgrelid::regclass::text, tgname, pg_get_triggerdef(t.oid) || pg_get_functiondef(tgfoid)
    FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid
    WHERE NOT tgisinternal AND relnamespace = current_schema()::regnamespace;

    SELECT sequencename, data_type::text, concat_ws(' | ', start_value, increment_by)
    FROM pg_sequences WHERE schemaname = current_schema()
"""


def schema_of(database: BaseDatabaseWrapper) -> Schema:
    """Of Django's tables too, since ours refer to them."""
    with database.cursor() as cursor:
        if database.vendor == "postgresql":
            definitions: Schema = set()
            for query in OF_POSTGRESQL.split(";"):
                cursor.execute(query)
                definitions.update((table, name, definition) for table, name, definition in cursor.fetchall())
            return definitions
        cursor.execute("SELECT type, tbl_name, name, sql FROM sqlite_master")
        return {
            (table, name, part)
            for type_, table, name, sql in cursor.fetchall()
            for part in (elements(sql) if type_ == "table" else [sql or ""])
        }


def elements(create_table: str) -> list[str]:
    """The columns and constraints between the outer brackets of SQLite's CREATE TABLE."""
    inside = create_table[create_table.index("(") + 1 : create_table.rindex(")")]
    parts, part, depth, quote = [], "", 0, ""
    for character in inside:
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        depth += 0 if quote else {"(": 1, ")": -1}.get(character, 0)
        if character == "," and not depth and not quote:
            parts.append(part.strip())
            part = ""
        else:
            part += character
    return [*parts, part.strip()]
