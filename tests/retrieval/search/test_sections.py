"""Whole sections in place of cut pieces."""

import pytest
from cliquerag.retrieval.search.context_expansion import section_runs, whole_sections
from cliquerag.retrieval.search.evidence import Evidence
from cliquerag.workspace import Workspace

LONG = " ".join(f"Supplier number {n} sends castings of kind {n} to Acme every month of the year." for n in range(60))
TEXT = f"# Acme Corporation\n\n## Suppliers\n{LONG}\n\n## Litigation\nZeta Pumps sued Acme over valves in March 2023.\n"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    with Workspace(f"sqlite:///{tmp_path_factory.mktemp('sections') / 'w.db'}", embedder="none") as made:
        made.add_text(TEXT, "acme.md", "Acme Corporation", "FY2023", "10-K")
        yield made


def test_a_section_is_whole_and_stands_once(workspace):
    small = workspace.search("castings from suppliers of Acme", mode="vector", k=6)
    assert sum("Suppliers" in hit.headings for hit in small) > 1, "several pieces of one section"
    whole = whole_sections(workspace.store, small)
    suppliers = [item for item in whole if "Suppliers" in item.headings]
    assert len(suppliers) == 1
    assert "Supplier number 0 " in suppliers[0].text and "Supplier number 59 " in suppliers[0].text
    assert "Zeta Pumps" not in suppliers[0].text
    text = workspace.store.text("acme.md")
    assert text[suppliers[0].start : suppliers[0].end] == suppliers[0].text
    assert {child.id for child in suppliers[0].children} <= {hit.id for hit in small}


def test_a_longer_section_is_read_around_the_hit(workspace):
    hit = next(hit for hit in workspace.search("castings of suppliers", mode="vector") if "Suppliers" in hit.headings)
    run = section_runs(workspace.store, [hit], 300)[hit.id]
    assert hit.id in [chunk.id for chunk in run]
    assert sum(chunk.tokens for chunk in run) <= 300
    assert [chunk.ordinal for chunk in run] == list(range(run[0].ordinal, run[-1].ordinal + 1))


def test_the_mode_answers_from_sections_and_quotes_sentences(workspace):
    found = workspace.search("Who sued Acme?", mode="menu")
    assert found[0].headings[-1] == "Litigation"
    answer = workspace.ask("Who sued Acme?", mode="menu")
    assert "Zeta Pumps sued Acme" in answer.text and answer.mode == "menu"


def test_what_is_no_stored_text_stays_as_it_is(workspace):
    fact = Evidence("fact", "Revenue: 5", 1.0, "acme.md", id="f")
    assert whole_sections(workspace.store, [fact]) == [fact]
