from pathlib import Path

import pytest
from cliquerag.core.errors import UsageError
from cliquerag.kg.schema import load_schema
from cliquerag.kg.triple import Triple


def triple(relation: str, head_type: str = "company", tail_type: str = "company") -> Triple:
    return Triple("Acme", head_type, relation, "Bolt", tail_type, "Acme buys Bolt.", 0, 15)


def test_every_relation_is_complete():
    schema = load_schema()
    assert 30 <= len(schema.relations) <= 60
    for relation in schema.relations.values():
        assert relation.en
        assert relation.zh
        assert relation.inverse
        assert relation.neo4j == relation.name.upper()
        assert not relation.symmetric or relation.inverse == relation.name


def test_inverses_are_unambiguous():
    inverses = [r.inverse for r in load_schema().relations.values()]
    assert len(inverses) == len(set(inverses))


def test_what_falls_outside_keeps_its_reason():
    schema = load_schema()
    assert schema.check(triple("acquires")).reason == ""
    assert "outside the schema" in schema.check(triple("eats")).reason
    assert "outside the schema: banana" in schema.check(triple("acquires", tail_type="banana")).reason
    assert "does not lead from metric" in schema.check(triple("acquires", head_type="metric")).reason


def test_an_inverse_name_is_turned_round():
    schema = load_schema()
    assert schema.canonical("audited_by") == ("audits", True)
    assert schema.canonical("audits") == ("audits", False)
    assert schema.canonical("eats") == ("eats", False)


def test_a_users_file_extends_and_overrides(tmp_path: Path):
    file = tmp_path / "own.toml"
    file.write_text(
        '[types]\ndrug = {en = "Drug"}\n[relations.treats]\nheads = ["drug"]\ntails = ["risk"]\n'
        '[relations.acquires]\nheads = ["company"]\ntails = ["drug"]\n',
        encoding="utf-8",
    )
    schema = load_schema(file)
    assert schema.relations["treats"].label() == "treats"
    assert schema.types["drug"].neo4j == "Drug"
    assert schema.violation(triple("acquires"))
    assert "supplies" in schema.relations


def test_a_users_file_may_replace(tmp_path: Path):
    file = tmp_path / "own.toml"
    file.write_text('replace = true\n[types]\na = {en = "A"}\n[relations.r]\nheads = ["a"]\ntails = ["a"]\n')
    assert set(load_schema(file).relations) == {"r"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[relations.r]\nheads = ["company"]\n', "lacks tails"),
        ('[relations.r]\nheads = ["ghost"]\ntails = ["company"]\n', "unknown type: ghost"),
        ("[relations", "cannot read"),
    ],
)
def test_a_broken_file_says_what_is_wrong(tmp_path: Path, text: str, message: str):
    file = tmp_path / "own.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=message):
        load_schema(file)
