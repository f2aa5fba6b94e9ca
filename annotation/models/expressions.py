"""Database functions that both databases have under different names."""

from typing import Any, TypeAlias

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Func, IntegerField, TextField
from django.db.models.sql.compiler import SQLCompiler

SQL: TypeAlias = tuple[str, tuple[str | int, ...]]


class JSONKind(Func):
    """The kind of a JSON value: `array`, `object`, `null`, ..."""

    output_field = TextField()

    def as_sqlite(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **extra: Any) -> SQL:
        return self.as_sql(compiler, connection, function="JSON_TYPE", **extra)

    def as_postgresql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **extra: Any) -> SQL:
        return self.as_sql(compiler, connection, function="JSONB_TYPEOF", **extra)


class JSONArrayLength(Func):
    """How many members a JSON array has; nothing else may be asked."""

    output_field = IntegerField()

    def as_sqlite(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **extra: Any) -> SQL:
        return self.as_sql(compiler, connection, function="JSON_ARRAY_LENGTH", **extra)

    def as_postgresql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **extra: Any) -> SQL:
        return self.as_sql(compiler, connection, function="JSONB_ARRAY_LENGTH", **extra)
