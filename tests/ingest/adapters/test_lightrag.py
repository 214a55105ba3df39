"""The contract of LightRAG's chunking_func, with a tokenizer of one token a word."""

from __future__ import annotations

import pytest
from cliquerag.core.errors import UsageError
from cliquerag.ingest.adapters.lightrag import chunking_function


class Words:
    def encode(self, content: str) -> list[int]:
        return [0] * len(content.split())


TEXT = " ".join(f"Sentence number {i} tells how revenue grew in region {i}." for i in range(200))


@pytest.mark.parametrize("name", ["clique", "fixed", "recursive", "semantic", "structure", "length", "merged_cliques"])
def test_chunks_are_whole_in_order_and_within_the_limit(name: str) -> None:
    chunks = chunking_function(name, embedder=None)(Words(), TEXT, None, False, 100, 120)
    assert [c["chunk_order_index"] for c in chunks] == list(range(len(chunks)))
    assert " ".join(c["content"] for c in chunks) == TEXT
    assert all(c["tokens"] == len(c["content"].split()) <= 120 for c in chunks)
    assert set(chunks[0]) == {"tokens", "content", "chunk_order_index"}


def test_lengths_follow_the_limit() -> None:
    few = chunking_function(embedder=None)(Words(), TEXT, None, False, 0, 600)
    many = chunking_function(embedder=None)(Words(), TEXT, None, False, 0, 60)
    assert len(few) <= 5 < 25 <= len(many)


def test_own_options_stand() -> None:
    chunks = chunking_function("clique", embedder=None, target=30)(Words(), TEXT, None, False, 0, 600)
    assert len(chunks) > 30


def test_split_by_character() -> None:
    function = chunking_function(embedder=None)
    text = "First part.\f" + TEXT + "\f \fLast part."
    only = function(Words(), text, "\f", True, 0, 100)
    assert [c["content"] for c in only] == ["First part.", TEXT, "Last part."]
    both = function(Words(), text, "\f", False, 0, 100)
    assert both[0]["content"] == "First part." and both[-1]["content"] == "Last part."
    assert max(c["tokens"] for c in both) <= 100


def test_a_long_sentence_is_cut_to_the_limit() -> None:
    chunks = chunking_function(embedder=None)(Words(), "word " * 90 + "end", None, False, 0, 20)
    assert max(c["tokens"] for c in chunks) <= 20
    assert sum(c["tokens"] for c in chunks) == 91


def test_nothing_in_nothing_out() -> None:
    assert chunking_function(embedder=None)(Words(), " \n", None, False, 0, 100) == []


def test_wrong_options_are_told_at_once() -> None:
    with pytest.raises(UsageError, match="no such chunker"):
        chunking_function("cliques")


def test_no_chunk_goes_over_a_heading_where_that_is_wished() -> None:
    text = "".join(f"# Part {part}\n\n{TEXT[: 40 * part]}\n\n" for part in (1, 2, 3))
    free = chunking_function(embedder=None)(Words(), text, None, False, 0, 600)
    held = chunking_function(embedder=None, headings=True)(Words(), text, None, False, 0, 600)
    assert len(free) == 1
    assert [chunk["content"][:8] for chunk in held] == ["# Part 1", "# Part 2", "# Part 3"]
