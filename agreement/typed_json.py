"""Frozen dataclasses as JSON and back, and the JSON Schema of them: a field is a key unless its metadata say more.

The metadata of a field, which the constants below give:
`ABSENT`: the key is left out where the field has its default. `INLINE`: the field's own keys stand among the others.
`beside(key)`: the key is there only beside that other key. `renamed(key)`: the key has another name than the field.
`NOT_IN_JSON`: the field is no key at all.
"""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from typing import ClassVar, Literal, Protocol, TypeAlias, TypeVar, Union, cast, get_args, get_origin, get_type_hints

import numpy as np

Json: TypeAlias = "Mapping[str, Json] | Sequence[Json] | str | int | float | bool | None"
JsonObject: TypeAlias = dict[str, Json]
Metadata: TypeAlias = Mapping[str, object]

ABSENT: Metadata = {"absent": True}
INLINE: Metadata = {"inline": True}
NOT_IN_JSON: Metadata = {"not in JSON": True}
Made = TypeVar("Made")


def stands_beside(key: str) -> Metadata:
    """Metadata of a field whose key is there where `key` is."""
    return {"beside": key}


def json_name(key: str) -> Metadata:
    """Metadata of a field whose key has another name."""
    return {"key": key}


def inline_but(*last: str) -> Metadata:
    """Metadata of an inline field; these of its keys stand behind all others."""
    return {"inline": True, "last": last}


class Misread(ValueError):
    """JSON that doesn't fit the type; says where."""


class _WithComputedKeys(Protocol):
    """A dataclass some of whose properties are written too, and passed over in reading."""

    COMPUTED: ClassVar[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class _Key:
    """One field: its `hint` resolved, `default` None with `has_default` False where it must be given."""

    name: str
    key: str
    hint: object
    has_default: bool
    default: object
    absent: bool
    inline: bool
    beside: str
    last: tuple[str, ...]


def _keys(cls: type) -> tuple[_Key, ...]:
    return _keys_of(cls)


@cache
def _keys_of(cls: type) -> tuple[_Key, ...]:
    hints = get_type_hints(cls)
    keys = []
    for each in fields(cls):
        about = each.metadata
        if "not in JSON" in about:
            continue
        default = each.default_factory() if each.default_factory is not MISSING else each.default
        keys.append(
            _Key(
                name=each.name,
                key=str(about.get("key", each.name)),
                hint=hints[each.name],
                has_default=default is not MISSING,
                default=None if default is MISSING else default,
                absent="absent" in about,
                inline="inline" in about,
                beside=str(about.get("beside", "")),
                last=tuple(about.get("last", ())),
            )
        )
    return tuple(keys)


def _computed(cls: type) -> tuple[str, ...]:
    return cast("_WithComputedKeys", cls).COMPUTED if hasattr(cls, "COMPUTED") else ()


# Writing.


def to_json(value: object) -> Json:
    """The value as `json.dumps` takes it.

    >>> from agreement.estimation.estimate import Estimate, Undefined
    >>> to_json([Estimate(0.5, None, None, 3, "mean"), Undefined("nobody answered")])
    [{'estimate': 0.5, 'low': None, 'high': None, 'n': 3, 'method': 'mean'}, {'undefined': 'nobody answered'}]
    """
    if is_dataclass(value) and not isinstance(value, type):
        return object_of(value)
    match value:
        case None | bool() | str():
            return value
        case np.generic():
            return cast("Json", value.item())
        case int() | float():
            return value
        case Mapping():
            return {str(key): to_json(each) for key, each in value.items()}
        case Sequence():
            return [to_json(each) for each in value]
    raise TypeError(f"{type(value).__name__} has no place in JSON")


def object_of(value: object) -> JsonObject:
    """A dataclass as JSON."""
    written: JsonObject = {}
    last: JsonObject = {}
    for each in _keys(type(value)):
        field_value = getattr(value, each.name)
        if (each.absent and field_value == each.default) or (each.beside and each.beside not in written):
            continue
        if each.inline:
            part = {} if field_value is None else object_of(field_value)
            last |= {key: part.pop(key) for key in each.last if key in part}
            written |= part
        else:
            written[each.key] = to_json(field_value)
    return written | {name: to_json(getattr(value, name)) for name in _computed(type(value))} | last


# Reading.


def from_json(cls: type[Made], value: object, where: str = "", **not_in_json: object) -> Made:
    """The dataclass that this JSON is of; fields that are no keys are given beside it. `Misread` where a key is missing
    or unknown, or its value of another type.
    """
    if not isinstance(value, Mapping):
        raise Misread(f"{where or cls.__name__}: {_kind(value)} where an object belongs")
    if unknown := [key for key in value if key not in known_keys(cls)]:
        raise Misread(f"{where or cls.__name__}: the key {unknown[0]} is not known")
    return cast("Made", _read_object(cls, value, where, **not_in_json))


@cache
def _known_keys(cls: type) -> frozenset[str]:
    keys = set(_computed(cls))
    for each in _keys(cls):
        keys |= _inline_keys(each.hint) if each.inline else {each.key}
    return frozenset(keys)


def known_keys(cls: type) -> frozenset[str]:
    """All keys that its JSON may have."""
    return _known_keys(cls)


def _inline_keys(hint: object) -> frozenset[str]:
    return frozenset().union(*map(known_keys, _classes(hint)))


def _read_object(cls: type, value: Mapping[str, object], where: str, **not_in_json: object) -> object:
    arguments = dict(not_in_json)
    for each in _keys(cls):
        place = f"{where}.{each.key}" if where else each.key
        if each.inline:
            if not (each.has_default and value.keys().isdisjoint(_inline_keys(each.hint))):
                arguments[each.name] = _read_object(_fitting(each.hint, value, where), value, where)
        elif each.key in value:
            arguments[each.name] = read_as(each.hint, value[each.key], place)
        elif not each.has_default:
            raise Misread(f"{place}: it is missing")
    return cls(**arguments)


def read_as(hint: object, value: object, where: str = "") -> object:
    """The value that this JSON is of, by the type that it should have."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return _read_one_of(hint, value, where)
    if isinstance(hint, type) and is_dataclass(hint):
        return from_json(hint, value, where)
    if origin is Literal:
        if value in arguments:
            return value
        raise Misread(f"{where}: {value!r} is not one of {', '.join(map(str, arguments))}")
    if origin in (tuple, Sequence) and isinstance(value, list | tuple):
        return tuple(read_as(arguments[0], each, f"{where}[{index}]") for index, each in enumerate(value))
    if isinstance(origin, type) and issubclass(origin, Mapping) and isinstance(value, Mapping):
        return {str(key): read_as(arguments[1], each, f"{where}.{key}") for key, each in value.items()}
    if _is_of(hint, value):
        return value
    raise Misread(f"{where}: {_kind(value)} where {hint} belongs")


def _is_of(hint: object, value: object) -> bool:
    """Whether a plain value is of a plain type; a whole number is a number too, and no flag is."""
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(hint, type) and isinstance(value, hint)


def _read_one_of(hint: object, value: object, where: str) -> object:
    arguments = get_args(hint)
    if value is None and type(None) in arguments:
        return None
    if isinstance(value, Mapping) and _classes(hint):
        return from_json(_fitting(hint, value, where), value, where)
    for each in arguments:
        try:
            return read_as(each, value, where)
        except Misread:
            continue
    raise Misread(f"{where}: {_kind(value)} where {hint} belongs")


def _classes(hint: object) -> tuple[type, ...]:
    """The dataclasses of a type: of a union all of them."""
    return tuple(each for each in (get_args(hint) or (hint,)) if isinstance(each, type) and is_dataclass(each))


def _fitting(hint: object, value: Mapping[str, object], where: str) -> type:
    """Of the dataclasses of a union the first whose needed keys are all there."""
    for cls in _classes(hint):
        if _fits(cls, value.keys()):
            return cls
    raise Misread(f"{where}: {', '.join(value)} are the keys of none of {hint}")


def _fits(cls: type, keys: AbstractSet[str]) -> bool:
    """Whether all keys that it needs are there, and of what is inline in it those of one class of each union."""
    needed = [each for each in _keys(cls) if not each.has_default]
    return all(
        any(_fits(part, keys) for part in _classes(each.hint)) if each.inline else each.key in keys for each in needed
    )


def _kind(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")


# The schema.


def object_schema(cls: type, definitions: JsonObject) -> JsonObject:
    """JSON Schema 2020-12 of a dataclass. Those in it are added to `definitions`, with their docstring's first
    paragraph as their meaning.
    """
    properties: JsonObject = {}
    inner: list[Json] = []
    for each in _keys(cls):
        if not each.inline:
            properties[each.key] = _schema(each.hint, definitions)
            continue
        parts = [object_schema(part, definitions) for part in _classes(each.hint)]
        for part in parts:
            for key, own in cast("JsonObject", part["properties"]).items():
                other = properties.get(key)
                properties[key] = own if other in (None, own) else _any_of([cast("Json", other), own])
        if not each.has_default:
            inner.append(
                {"anyOf": [{key: part[key] for key in ("required", "allOf") if key in part} for part in parts]}
            )
    properties |= {name: _schema(_property_type(cls, name), definitions) for name in _computed(cls)}
    required: list[Json] = [each.key for each in _keys(cls) if not each.inline and not each.has_default]
    schema: JsonObject = {"type": "object", "properties": properties, "required": required}
    return {**schema, "additionalProperties": False, **({"allOf": inner} if inner else {})}


def _property_type(cls: type, name: str) -> object:
    return get_type_hints(getattr(cls, name).fget)["return"]


def _schema(hint: object, definitions: JsonObject) -> Json:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return _any_of([_schema(each, definitions) for each in arguments])
    if isinstance(hint, type) and is_dataclass(hint):
        if hint.__name__ not in definitions:
            definitions[hint.__name__] = None  # where a type has itself in it
            about = " ".join((hint.__doc__ or "").split("\n\n")[0].split())
            definitions[hint.__name__] = {"description": about, **object_schema(hint, definitions)}
        return {"$ref": f"#/$defs/{hint.__name__}"}
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin in (tuple, Sequence):
        return {"type": "array", "items": _schema(arguments[0], definitions)}
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _schema(arguments[1], definitions)}
    plain = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}
    return {"type": plain[cast("type", hint)]}


def _any_of(parts: Sequence[Json]) -> Json:
    return {"anyOf": list(_each_once(parts))}


def _each_once(parts: Sequence[Json]) -> Iterator[Json]:
    """Without repeats, those of unions within unions laid beside each other."""
    seen: list[Json] = []
    for part in parts:
        inner = part["anyOf"] if isinstance(part, dict) and set(part) == {"anyOf"} else [part]
        for each in cast("list[Json]", inner):
            if each not in seen:
                seen.append(each)
                yield each
