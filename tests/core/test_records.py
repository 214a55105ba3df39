"""Data classes whose methods are shared behave as those of the standard library."""

from __future__ import annotations

import dataclasses
import pickle
from typing import Any

import pytest
from cliquerag.core.records import dataclass, replace


@dataclass(frozen=True, slots=True)
class Ours:
    """One of each kind of field."""

    name: str
    numbers: tuple[int, ...] = ()
    note: str = dataclasses.field(default="", compare=False)
    secret: str = dataclasses.field(default="", repr=False)
    key: str = dataclasses.field(default="", hash=False)


@dataclasses.dataclass(frozen=True, slots=True)
class Theirs:
    """The same by the standard library."""

    name: str
    numbers: tuple[int, ...] = ()
    note: str = dataclasses.field(default="", compare=False)
    secret: str = dataclasses.field(default="", repr=False)
    key: str = dataclasses.field(default="", hash=False)


VALUES: list[dict[str, Any]] = [
    {"name": "a"},
    {"name": "a", "note": "told"},
    {"name": "a", "secret": "kept"},
    {"name": "a", "key": "b"},
    {"name": "a", "numbers": (1, 2)},
]


@pytest.mark.parametrize("values", VALUES)
def test_what_is_equal_printed_and_hashed_is_that_of_the_standard_library(values):
    ours, theirs = Ours(**values), Theirs(**values)
    assert repr(ours).replace("Ours", "Theirs") == repr(theirs)
    for other in VALUES:
        assert (ours == Ours(**other)) is (theirs == Theirs(**other))
        assert (hash(ours) == hash(Ours(**other))) is (hash(theirs) == hash(Theirs(**other)))
    assert ours != theirs and ours.__eq__(theirs) is NotImplemented
    assert pickle.loads(pickle.dumps(ours)) == ours and dataclasses.replace(ours, name="c").name == "c"
    with pytest.raises(dataclasses.FrozenInstanceError):
        ours.name = "b"


def test_what_can_be_changed_has_no_hash():
    @dataclass(slots=True)
    class Counted:
        times: int = 0

    one = Counted()
    one.times += 1
    assert one == Counted(1) != Counted()
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)


def test_methods_of_a_class_and_other_options_are_left_to_the_standard_library():
    @dataclass(frozen=True, slots=True)
    class Named:
        name: str

        def __repr__(self) -> str:
            return self.name

    @dataclass(frozen=True, slots=True, order=True)
    class Ordered:
        at: int

    @dataclass(frozen=True, slots=True, eq=False)
    class Itself:
        at: int

    assert repr(Named("a")) == "a" and Named("a") == Named("a") and hash(Named("a")) == hash(Named("a"))
    assert sorted([Ordered(2), Ordered(1)]) == [Ordered(1), Ordered(2)]
    assert Itself(1) != Itself(1)


def test_records_without_a_field_or_that_hold_themselves():
    @dataclass(frozen=True, slots=True)
    class Nothing:
        pass

    @dataclass(slots=True)
    class Linked:
        others: list[object]

    linked = Linked([])
    linked.others.append(linked)
    assert Nothing() == Nothing() and repr(Nothing()).endswith("Nothing()")
    assert repr(linked).endswith("Linked(others=[...])")


def test_a_record_is_made_with_its_defaults_and_what_it_finds_out_itself():
    @dataclass(frozen=True, slots=True)
    class Read:
        name: str
        seen: dict[str, int] = dataclasses.field(default_factory=dict)
        length: int = dataclasses.field(init=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "length", len(self.name))

    one, other = Read("abc"), Read("d", {"d": 1})
    assert (one.length, other.seen) == (3, {"d": 1})
    assert one.seen == {} and one.seen is not Read("abc").seen
    with pytest.raises(TypeError, match=r"Read.__init__\(\) missing 1 required positional argument: 'name'"):
        Read()  # type: ignore[call-arg]


def test_a_frozen_record_is_made_without_going_through_the_setter_that_refuses():
    assert Ours("a").name == "a" and "__setattr__" not in Ours.__init__.__code__.co_names


def test_the_refusals_of_a_frozen_record_are_not_compiled_for_each_class():
    @dataclass(frozen=True, slots=True)
    class Other:
        at: int

    @dataclass(frozen=True, slots=True)
    class Further(Ours):
        place: str = ""

    class Named(Ours):
        pass

    assert Ours.__setattr__.__code__ is Other.__setattr__.__code__
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'name'"):
        del Ours("a").name
    with pytest.raises(dataclasses.FrozenInstanceError):
        Further("a").place = "b"
    named = Named("a")
    named.nick = "b"
    del named.nick
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'name'"):
        named.name = "c"
    assert Ours.__dataclass_params__.frozen and dataclasses.replace(Further("a"), place="p").place == "p"


@dataclass(frozen=True, slots=True)
class Summed:
    """A record that finds something out when it is made."""

    numbers: tuple[int, ...]
    total: int = dataclasses.field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "total", sum(self.numbers))


def test_a_changed_copy_is_that_of_the_standard_library(monkeypatch):
    first = Ours("a", (1,), note="n", secret="s", key="k")
    wanted = dataclasses.replace(first, name="b", note="m")
    summed = replace(Summed((1, 2)), numbers=(3, 4))
    monkeypatch.delattr(dataclasses, "replace")
    copy = replace(first, name="b", note="m")
    assert copy == wanted and copy.note == "m" and copy.secret == "s" and first.name == "a"
    assert summed.total == 7, "what a record finds out is found out anew"


def test_a_changed_copy_has_no_other_fields():
    with pytest.raises(TypeError, match="colour"):
        replace(Ours("a"), colour="red")
