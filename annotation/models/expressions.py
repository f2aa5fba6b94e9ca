"""What constraints are written with: their shapes, and functions that both databases have under different names."""

from typing import Any, TypeAlias, TypeVar

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import CheckConstraint, F, Func, IntegerField, Model, Q, TextField, Value
from django.db.models.lookups import Exact, GreaterThan
from django.db.models.sql.compiler import SQLCompiler
from django.utils.choices import CallableChoiceIterator

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


# The shapes that constraints come in here, so that each model's rules read as a list.

M = TypeVar("M", bound=Model)
LARGEST_DOUBLE = 1.7976931348623157e308


def known_choices(model: type[M]) -> type[M]:
    """Has the database refuse, in every field with choices, what is not one of them. For use as a class decorator.

    Choices that a function gives are a setting, such as the languages: the database doesn't hold them.
    """
    options = model._meta
    name = options.model_name
    options.constraints = [
        *options.constraints,
        *(
            CheckConstraint(
                condition=Q(**{f"{field.name}__in": [value for value, _ in field.flatchoices]}),
                name=f"{name}_{field.name}_known",
            )
            for field in options.local_fields
            if field.choices and not isinstance(field.choices, CallableChoiceIterator)
        ),
    ]
    options.original_attrs["constraints"] = options.constraints  # where makemigrations looks
    return model


def both_or_neither(first: str, second: str) -> CheckConstraint:
    both = Q(**{f"{first}__isnull": False, f"{second}__isnull": False})
    neither = Q(**{f"{first}__isnull": True, f"{second}__isnull": True})
    return CheckConstraint(condition=both | neither, name=f"%(class)s_{first}_with_{second}")


def exactly_one(*fields: str, name: str) -> CheckConstraint:
    condition = Q()
    for filled in fields:
        condition |= Q(**{f"{field}__isnull": field != filled for field in fields})
    return CheckConstraint(condition=condition, name=f"%(class)s_{name}")


def finite(field: str) -> CheckConstraint:
    """Refuses NaN and both infinities: PostgreSQL holds NaN to be greater than any number, SQLite stores it as NULL."""
    within = Q(**{f"{field}__gte": -LARGEST_DOUBLE, f"{field}__lte": LARGEST_DOUBLE})
    return CheckConstraint(condition=Q(**{f"{field}__isnull": True}) | within, name=f"%(class)s_{field}_finite")


def ordered(low: str, high: str, *, strictly: bool = False) -> CheckConstraint:
    """Low before high wherever both are given."""
    in_order = Q(**{f"{low}__lt" if strictly else f"{low}__lte": F(high)})
    return CheckConstraint(
        condition=Q(**{f"{low}__isnull": True}) | Q(**{f"{high}__isnull": True}) | in_order,
        name=f"%(class)s_{low}_before_{high}",
    )


def filled(field: str) -> CheckConstraint:
    return CheckConstraint(condition=~Q(**{field: ""}), name=f"%(class)s_{field}_filled")


def json_is(field: str, kind: str) -> Q:
    return Q(Exact(JSONKind(F(field)), Value(kind)))


def json_has_members(field: str) -> Q:
    return Q(GreaterThan(JSONArrayLength(F(field)), Value(0)))


def one_answer(*besides: str) -> list[CheckConstraint]:
    """Of the columns that an answer may be in, and those for there being none, exactly one is filled, and rightly."""
    return [
        exactly_one("number", "label", "labels", "numbers", "properties", "text", *besides, name="one_answer"),
        finite("number"),
        filled("label"),
        filled("text"),
        CheckConstraint(
            condition=Q(labels__isnull=True) | (json_is("labels", "array") & json_has_members("labels")),
            name="%(class)s_labels_are_list",
        ),
        CheckConstraint(
            condition=Q(properties__isnull=True) | (json_is("properties", "array") & json_has_members("properties")),
            name="%(class)s_properties_are_list",
        ),
        CheckConstraint(
            condition=Q(numbers__isnull=True) | json_is("numbers", "object"), name="%(class)s_numbers_are_object"
        ),
    ]
