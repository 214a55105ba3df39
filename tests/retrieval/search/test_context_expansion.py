"""Search small, read large: sections and pages in place of the first hits."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from cliquerag.core.errors import UsageError
from cliquerag.kg.store import Store
from cliquerag.retrieval.search.context_expansion import (
    describe_parents,
    hits_of,
    most_tokens,
    parent_for,
    read_parents,
)
from cliquerag.retrieval.search.evidence import Evidence
from support.library import library


def _sentences(subject: str, count: int) -> str:
    return " ".join(
        f"The {subject} of plant {i} was looked at by the board in its meeting of that week." for i in range(count)
    )


REPORT = f"# Energy\n\n{_sentences('steam', 40)}\n\n# Paper\n\n{_sentences('pulp', 12)}\n"
PAGES = [_sentences("steam", 12), _sentences("pulp", 12), _sentences("sales", 4)]


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    found = library({"report.md": REPORT, "pages.pdf": PAGES}, vectors=False)
    yield found
    found.close()


def hits(store: Store, source: str, *places: int) -> list[Evidence]:
    """The chunks at these places as a search would give them."""
    chunks = store.chunks_of(source)
    return [
        Evidence("chunk", c.text, 1.0, source, c.id, c.page, c.anchors, c.start, c.end, (c.sentences[0],), c.tokens)
        for c in (chunks[place] for place in places)
    ]


def test_a_section_is_read_for_a_hit_and_no_word_of_the_next(store: Store) -> None:
    (hit,) = hits(store, "report.md", -1)
    (section,) = read_parents(store, [hit], "section")
    assert section.text == store.text("report.md")[section.start : section.end]
    assert section.text.count("pulp") == 12 and "steam" not in section.text
    assert section.children == (hit,) and section.highlights == hit.highlights
    assert (section.id, section.page, section.anchors) == (hit.id, hit.page, hit.anchors)
    assert section.tokens > 2 * hit.tokens


def test_a_page_is_read_for_a_hit_and_no_word_of_the_next(store: Store) -> None:
    at = next(i for i, chunk in enumerate(store.chunks_of("pages.pdf")) if chunk.page == 2)
    (hit,) = hits(store, "pages.pdf", at)
    (page,) = read_parents(store, [hit], "page")
    assert page.text.count("pulp") == 12 and "steam" not in page.text and "sales" not in page.text
    assert page.page == 2


def test_without_pages_the_page_is_the_document(store: Store) -> None:
    (whole,) = read_parents(store, hits(store, "report.md", -1), "page", most=10_000)
    assert whole.text.count("pulp") == 12 and whole.text.count("steam") == 40


def test_hits_in_a_parent_become_its_children(store: Store) -> None:
    first, second, other = hits(store, "report.md", -1, -2, 0)
    relation = Evidence("relation", "A supplies B.", 0.5, "report.md", id=second.id)
    found = read_parents(store, [first, relation, second, other], "section")
    assert [item.kind for item in found] == ["chunk", "relation", "chunk"]
    assert found[0].children == (first, second) and found[1] is relation
    assert hits_of(found) == [first, second, relation, other]
    assert describe_parents(found)[0]["hits"] == [first.tokens, second.tokens]


def test_a_long_section_is_read_around_each_hit_without_overlaps(store: Store) -> None:
    found = read_parents(store, hits(store, "report.md", 1, 4, 6), "section", most=250)
    spans = sorted((item.start, item.end) for item in found)
    assert all(item.tokens <= 260 for item in found) and any(len(item.children) == 1 for item in found)
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))


def test_only_the_first_hits_are_read_larger(store: Store) -> None:
    found = read_parents(store, hits(store, "report.md", 0, 2, 4, 6), "section", most=120)
    assert not found[-1].children


def test_nothing_changes_without_a_parent_or_room(store: Store) -> None:
    found = hits(store, "report.md", 0, 3)
    assert read_parents(store, found, "none") == found
    assert read_parents(store, found, "section", most=most_tokens(100)) == found
    assert read_parents(store, [], "page") == []


def test_a_model_reads_sections_unasked() -> None:
    assert [parent_for("auto", model_reads=reads) for reads in (True, False)] == ["section", "none"]
    with pytest.raises(UsageError, match="no parent 'chapter'"):
        parent_for("chapter", model_reads=True)


def test_a_hit_that_was_removed_meanwhile_stays_as_it_was(store: Store) -> None:
    gone = Evidence("chunk", "Gone.", 1.0, "gone.txt", id="gone", end=5)
    assert read_parents(store, [gone], "section") == [gone]


def test_only_the_first_hits_are_read_large(store: Store) -> None:
    found = hits(store, "report.md", *range(0, len(store.chunks_of("report.md")), 2))
    read = read_parents(store, found, "section", found[0].tokens * 2)
    assert len(read) > 3 and [bool(item.children) for item in read] == [True] * 3 + [False] * (len(read) - 3)


def test_a_section_is_read_with_its_sub_headings() -> None:
    """Under "Acquisitions" stand two of them, each with a heading of its own: both belong to the section."""
    parts = ("# Acquisitions", "We made two.", "## Bolt", "We bought Bolt.", "## Nut", "We bought Nut.")
    store = library({"report.md": "\n\n".join((*parts, "# Risks", "There are risks."))}, vectors=False)
    (hit,) = hits(store, "report.md", 0)
    (section,) = read_parents(store, [hit], "section")
    assert "bought Bolt" in section.text and "bought Nut" in section.text and "risks" not in section.text
    store.close()
