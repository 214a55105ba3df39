"""Values of the data model as plain JSON lists and back, by the types of their fields.

A dataclass becomes the list of its fields, in the order of its layout, which is written beside the lists: a reader
takes a field that the writer did not know by its default, and refuses one that it does not know itself.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass
from datetime import date
from decimal import Decimal
from functools import cache
from operator import attrgetter
from typing import Any, Union, cast, get_args, get_origin, get_type_hints

from ...core.records import dataclass

Convert = Callable[[Any], Any]
Layout = Mapping[str, Sequence[str]]
"""Class -> the fields of its lists, in order."""

LEFT_OUT = {"Document": ("segments", "tagged"), "Table": ("places",)}
"""Fields that no store keeps: what reading alone needs."""


class LayoutError(ValueError):
    """Lists written by a version whose classes are others than these."""


@dataclass(frozen=True, slots=True)
class Form:
    """How values of a type are written as JSON, and read from it."""

    write: Convert
    read: Convert
    is_plain: bool = False
    """JSON takes and gives the values as they are."""


_PLAIN = Form(lambda value: value, lambda value: value, is_plain=True)
_TEXTS: Mapping[Any, Form] = {
    Decimal: Form(str, Decimal),
    date: Form(date.isoformat, date.fromisoformat),
}


def written_fields(record: Any) -> list[Field[Any]]:
    """The fields of a dataclass that are written."""
    left_out = LEFT_OUT.get(record.__name__, ())
    return [item for item in fields(record) if item.init and item.name not in left_out]


def layout_of(*records: Any) -> dict[str, list[str]]:
    """The layout of these dataclasses and of all that their fields hold.

    >>> from cliquerag.core.anchor import Anchor
    >>> layout_of(Anchor)
    {'Anchor': ['page', 'boxes', 'place']}
    """
    found: dict[str, list[str]] = {}
    waiting: list[Any] = list(records)
    while waiting:
        kind: Any = waiting.pop()
        waiting.extend(get_args(kind))
        if not is_dataclass(kind) or _name(kind) in found:
            continue
        names = [item.name for item in written_fields(kind)]
        found[_name(kind)] = names
        types_of_fields = _types_of(cast(Any, kind))
        waiting.extend(types_of_fields[name] for name in names)
    return dict(sorted(found.items()))


class Forms:
    """The forms of all types under one layout.

    >>> from cliquerag.core.anchor import Anchor
    >>> Forms(layout_of(Anchor)).of(Anchor).write(Anchor(3, place="slide 3"))
    [3, [], 'slide 3']
    >>> Forms({"Anchor": ["page", "place"]}).of(Anchor).read([3, "slide 3"])
    Anchor(page=3, boxes=(), place='slide 3')
    """

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._made: dict[Any, Form] = {}

    def of(self, kind: Any) -> Form:
        """The form of a type. Raises LayoutError where a class has changed too much to be read."""
        if kind not in self._made:
            # Something stands there while it is made: a cause holds causes.
            self._made[kind] = Form(
                lambda value: self._made[kind].write(value), lambda value: self._made[kind].read(value)
            )
            self._made[kind] = self._make(kind)
        return self._made[kind]

    def _make(self, kind: Any) -> Form:
        if is_dataclass(kind):
            return self._record(kind)
        if kind in _TEXTS:
            return _TEXTS[kind]
        parts, origin = get_args(kind), get_origin(kind)
        if origin is tuple and parts[-1] is Ellipsis:
            return _many(self.of(parts[0]))
        if origin is tuple:
            return _row(list(map(self.of, parts)))
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return _pairs(self.of(parts[0]), self.of(parts[1]))
        if origin in (Union, types.UnionType):
            (inner,) = (part for part in parts if part is not types.NoneType)
            return _or_none(self.of(inner))
        return _PLAIN

    def _record(self, record: Any) -> Form:
        names = self._layout.get(_name(record))
        if names is None:
            raise LayoutError(f"it knows no {_name(record)}")
        _check_fields(record, names)
        forms = [self.of(_types_of(record)[name]) for name in names]
        changed = [(place, form) for place, form in enumerate(forms) if not form.is_plain]
        values_of = attrgetter(*names) if len(names) > 1 else lambda value: (getattr(value, names[0]),)
        others = _never_written(record)

        def write(value: Any) -> list[Any]:
            values = list(values_of(value))
            for place, form in changed:
                values[place] = form.write(values[place])
            return values

        def read(values: list[Any]) -> Any:
            for place, form in changed:
                values[place] = form.read(values[place])
            return record(**dict(zip(names, values, strict=True)), **others)

        return Form(write, read)


def _many(item: Form) -> Form:
    """``tuple[X, ...]``"""
    if item.is_plain:
        return Form(_PLAIN.write, tuple)
    return Form(
        lambda values: list(map(item.write, values)),
        lambda values: tuple(map(item.read, values)),
    )


def _row(parts: Sequence[Form]) -> Form:
    """``tuple[X, Y]``"""
    if all(part.is_plain for part in parts):
        return Form(_PLAIN.write, tuple)
    return Form(
        lambda values: [part.write(value) for part, value in zip(parts, values, strict=True)],
        lambda values: tuple([part.read(value) for part, value in zip(parts, values, strict=True)]),
    )


def _pairs(key: Form, held: Form) -> Form:
    """``Mapping[X, Y]``, as pairs: JSON has no keys but texts."""
    return Form(
        lambda mapping: [[key.write(name), held.write(value)] for name, value in mapping.items()],
        lambda pairs: {key.read(name): held.read(value) for name, value in pairs},
    )


def _or_none(inner: Form) -> Form:
    """``X | None``"""
    if inner.is_plain:
        return _PLAIN
    return Form(
        lambda value: None if value is None else inner.write(value),
        lambda value: None if value is None else inner.read(value),
    )


def _check_fields(record: Any, names: Sequence[str]) -> None:
    """Raise LayoutError where lists of these fields are none of the class."""
    known = {item.name: item for item in written_fields(record)}
    unknown = sorted(set(names) - known.keys())
    if unknown:
        raise LayoutError(f"its {_name(record)} has a field {unknown[0]!r} that is not known here")
    missing = [name for name in known if name not in names and _has_no_default(known[name])]
    if missing:
        raise LayoutError(f"its {_name(record)} has no field {missing[0]!r}")


def _never_written(record: Any) -> dict[str, tuple[()]]:
    """Empty values of the fields that are left out and have no default."""
    left_out = LEFT_OUT.get(_name(record), ())
    return {item.name: () for item in fields(record) if item.name in left_out and _has_no_default(item)}


def _has_no_default(item: Field[Any]) -> bool:
    return item.default is MISSING and item.default_factory is MISSING


def _name(record: Any) -> str:
    return str(record.__name__)


@cache
def _types_of(record: Any) -> dict[str, Any]:
    return get_type_hints(record)
