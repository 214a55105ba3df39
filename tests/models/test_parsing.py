"""Models wrap JSON in all kinds of paper; half an answer is never taken for a whole one."""

from __future__ import annotations

import json

import pytest
from cliquerag.models.replies import NoJSONError, check_shape, parse_json
from hypothesis import given, settings
from hypothesis import strategies as st

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=6,
)
objects = st.dictionaries(st.text(), values, min_size=1)


@pytest.mark.parametrize(
    "text",
    [
        '{"a": [1, 2]}',
        '```json\n{"a": [1, 2]}\n```',
        'Sure! Here is the JSON:\n\n{"a": [1, 2,],}\n\nLet me know.',
        'In {braces} and [brackets], the answer is {"a": [1, 2]}',
    ],
)
def test_paper_around_the_json(text: str) -> None:
    assert parse_json(text) == {"a": [1, 2]}


def test_brackets_commas_and_line_breaks_inside_strings_stay() -> None:
    assert parse_json('{"a": "x, ] } \\" ,]", "b": "two\nlines",}') == {"a": 'x, ] } " ,]', "b": "two\nlines"}


@pytest.mark.parametrize("text", ["", "no JSON at all", "nothing in {here}"])
def test_prose_is_an_error_of_its_own(text: str) -> None:
    with pytest.raises(NoJSONError):
        parse_json(text)


@settings(max_examples=40, deadline=None)
@given(objects)
def test_whole_objects_are_read_whatever_is_around_them(value: dict[str, object]) -> None:
    assert parse_json(f"Here: {json.dumps(value)} Done.") == value


@settings(max_examples=40, deadline=None)
@given(objects, st.data())
def test_every_cut_is_noticed(value: dict[str, object], data: st.DataObject) -> None:
    text = json.dumps(value)
    end = data.draw(st.integers(0, len(text) - 1))
    with pytest.raises(ValueError):
        parse_json(text[:end])


def test_shape() -> None:
    schema = {"type": "object", "required": ["triples"]}
    check_shape({"triples": [], "more": 1}, schema)
    with pytest.raises(ValueError, match="lacks triples"):
        check_shape({"more": 1}, schema)
    with pytest.raises(ValueError, match="object"):
        check_shape([], schema)
