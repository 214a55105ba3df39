"""SQL over the facts: one SELECT passes; nothing is written, read outside the view, or runs on."""

import hashlib
import time

import pytest
from cliquerag.core.errors import UsageError
from cliquerag.kg.store import Bundle, FactQuery
from cliquerag.retrieval.calculation.sql_guard import select_facts
from support.number_store import fact, number_store
from support.stores import open_store

GOOD = [
    "select count(*) from facts_view",
    "SELECT company, sum(amount) FROM facts_view WHERE metric = 'revenue' GROUP BY company",
    "with f as (select * from facts_view) select count(*) from f",
    "select metric, rank() over (order by amount desc) from facts_view",
    "  select upper(metric) from facts_view -- a remark",
    "select 'drop table fact; document' from facts_view",
    "select a.amount - b.amount from facts_view a join facts_view b on a.company = b.company",
    "select max(amount) from facts_view union select min(amount) from facts_view",
]
HOSTILE = [
    "",
    ";",
    "-- nothing",
    "drop table fact",
    "DROP VIEW facts_view",
    "delete from fact",
    "delete from facts_view",
    "update fact set amount = 0",
    "update facts_view set amount = 0",
    "insert into fact (key) values ('x')",
    "insert or replace into setting values ('version', 9)",
    "replace into setting values ('version', 9)",
    "create table x (a)",
    "create temp table x (a)",
    "create view x as select 1",
    "create trigger t after insert on fact begin select 1; end",
    "create index x on fact (amount)",
    "alter table fact rename to facts",
    "reindex",
    "analyze",
    "vacuum",
    "vacuum into 'stolen.db'",
    "attach database 'other.db' as other",
    "attach database ':memory:' as other",
    "detach database main",
    "begin",
    "commit",
    "savepoint x",
    "pragma query_only = off",
    "pragma table_info(fact)",
    "pragma journal_mode = delete",
    "pragma writable_schema = on",
    "explain select * from facts_view",
    "explain query plan select * from facts_view",
    "values (1)",
    "select * from fact",
    "select count(*) from fact",
    "select count(*) from document",
    "select count(*) from \"document\"",
    "select count(*) from [document]",
    "select count(*) from `document`",
    "select \"'\", (select count(*) from document), \"'\" from facts_view",
    "select '--' from document",
    "select /* x */ text from document",
    "select * from chunk",
    "select * from setting",
    "select * from entity",
    "select * from merge",
    "select * from sqlite_master",
    "select * from sqlite_schema",
    "select sql from sqlite_temp_master",
    "select * from pragma_table_info('fact')",
    "select * from pragma_database_list",
    "select * from dbstat",
    "select * from chunk_text",
    "select (select source from document limit 1) from facts_view",
    "select * from facts_view where source in (select source from document)",
    "select * from facts_view union select * from fact",
    "with x as (select * from fact) select * from x",
    "with x as (delete from fact returning *) select * from x",
    "with facts_view as (select * from setting) select * from facts_view",
    "select load_extension('evil')",
    "select readfile('/etc/passwd')",
    "select writefile('x', 'y')",
    "select edit('x')",
    "select fts3_tokenizer('simple')",
    "select sqlite_compileoption_get(1)",
    "select randomblob(1000000000)",
    "select zeroblob(1000000000)",
    "select hex(zeroblob(1000000000))",
    "select printf('%.*c', 1000000000, 'x')",
    "select format('%.*c', 1000000000, 'x')",
    "select replace(text, '1', text) from facts_view",
    "select group_concat(text) from facts_view",
    "select char(1, 2, 3)",
    "select likelihood(1, 0.5) from facts_view",
    "select json_extract('{}', '$') from facts_view",
    "select * from json_each('[1]')",
    "select * from generate_series(1, 1000000000)",
    "with recursive c(x) as (select 1 union all select x + 1 from c) select sum(x) from c",
    "with recursive c(x) as (select 1 union all select x + 1 from c) select x from c",
    "select 1; drop table fact",
    "select 1; select 2",
    "select * from facts_view; delete from fact",
    "select * from facts_view\u0000; delete from fact",
    "select",
    "select * from",
    "select nothing from facts_view",
    "select * from no_such_table",
    "select * from main.fact",
    "select * from temp.facts_view",
    "selectx",
    "drop/**/table fact",
    "(select 1)",
    "select " + "1," * 6000 + "1",
]  # fmt: skip


def revenues():
    facts = [fact("revenue", f"FY{year}", str(year)) for year in range(1990, 2022)]
    return number_store(a=("Acme Inc.", "FY2022", facts))


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("sql") / "facts.db"
    memory = revenues()
    with_file = open_store(f"sqlite:///{path}")
    with_file.put(Bundle(memory.document("a"), (), (), (), tuple(memory.facts(FactQuery()))))
    with_file.close()
    memory.close()
    return path


@pytest.fixture(params=["file", "memory"])
def store(path, request):
    # "memory" as for a store on a server: the facts are read into memory
    store = open_store(f"sqlite:///{path}") if request.param == "file" else revenues()
    yield store
    store.close()


@pytest.mark.parametrize("statement", GOOD)
def test_a_select_on_the_view_passes(store, statement):
    assert select_facts(store, statement).rows


@pytest.mark.parametrize("statement", HOSTILE)
def test_nothing_else_passes_and_nothing_changes(store, path, statement):
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    with pytest.raises(UsageError):
        select_facts(store, statement, seconds=1.0)
    assert hashlib.sha256(path.read_bytes()).hexdigest() == before
    assert sorted(p.name for p in path.parent.iterdir() if not p.name.endswith(("-wal", "-shm"))) == ["facts.db"]


DISGUISES = ["select 1 from facts_view; {}", "/* select */ {}", "with a as (select 1 from facts_view) {}"]


def test_disguised_they_do_not_pass_either(store, path):
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    statements = [disguise.format(hostile) for hostile in HOSTILE if hostile.strip(" ;") for disguise in DISGUISES]
    assert len(statements) + len(HOSTILE) >= 200
    for statement in statements:
        try:
            rows = select_facts(store, statement, seconds=1.0)
        except UsageError:
            continue
        assert set(rows.rows) <= {(1,)}, f"{statement} gave {rows}"
    assert hashlib.sha256(path.read_bytes()).hexdigest() == before


def test_only_the_documents_named_are_seen():
    store = number_store(
        a=("Alpha", "FY2022", [fact("revenue", "FY2022", "5", company="Alpha")]),
        b=("Beta", "FY2022", [fact("revenue", "FY2022", "6", company="Beta")]),
    )
    statement = "select company, kind from facts_view"
    assert select_facts(store, statement, sources=("b",)).rows == (("Beta", "10-K"),)
    assert select_facts(store, statement, sources=()).rows == ()
    for hostile in ("select * from sqlite_master", "delete from facts_view", "attach ':memory:' as x"):
        with pytest.raises(UsageError):
            select_facts(store, hostile, sources=("b",))
    store.close()


def test_what_takes_too_long_is_stopped(store):
    joins = ", ".join(f"facts_view f{n}" for n in range(8))
    started = time.monotonic()
    with pytest.raises(UsageError, match="too long"):
        select_facts(store, f"select count(*) from {joins} where f0.amount + f7.amount < 0", seconds=0.3)
    assert time.monotonic() - started < 3


@pytest.mark.parametrize("levels", [12, 27])
def test_no_text_grows_without_end(store, levels):
    """Neither while it runs (a value has a limit) nor while SQLite puts subqueries into each other."""
    parts = ["x0 as (select max(text) as t from facts_view group by source)"]
    parts += [f"x{n} as (select {'||'.join('t' * 4)} as t from x{n - 1})" for n in range(1, levels)]
    with pytest.raises(UsageError):
        select_facts(store, f"with {', '.join(parts)} select length(t) from x{levels - 1}")


def test_rows_are_limited(store):
    found = select_facts(store, "select * from facts_view", limit=5)
    assert len(found.rows) == 5
    assert found.truncated
    assert found.columns[:2] == ("company", "metric")


def test_a_whole_company_has_no_dimension(store):
    """As the prompt says it to a model: its statements begin so."""
    statement = (
        "SELECT company, MAX(amount) FROM facts_view WHERE dimensions = '' AND basis = 'reported' GROUP BY company"
    )
    assert len(select_facts(store, statement).rows) == 1
