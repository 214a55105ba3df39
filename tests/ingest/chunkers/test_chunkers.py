"""What every chunker promises: all sentences, in order, never across a hard break."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from cliquerag.core.errors import UsageError
from cliquerag.ingest.chunk import Break, Sentence, Span
from cliquerag.ingest.chunkers import chunker_names, make_chunker, register
from hypothesis import given, settings
from hypothesis import strategies as st

CHUNKERS = [
    ("clique", {}),
    ("clique", {"mode": "topic"}),
    *((name, {}) for name in chunker_names() if name != "clique"),
]


def _sentences(tokens: list[int], breaks: list[int] | None = None) -> tuple[str, list[Sentence]]:
    breaks = breaks or [0] * len(tokens)
    text = "".join(f"word{i % 7:03d}. " for i in range(len(tokens)))
    return text, [Sentence(i * 9, i * 9 + 8, t, Break(b)) for i, (t, b) in enumerate(zip(tokens, breaks, strict=True))]


def _vectors(topics: list[int], noise: float = 0.2) -> np.ndarray:
    rng = np.random.default_rng(3)
    centres = rng.standard_normal((max(topics) + 1, 32))
    vectors = centres[topics] + noise * rng.standard_normal((len(topics), 32))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


@pytest.mark.parametrize(("name", "options"), CHUNKERS)
@settings(max_examples=40, deadline=None)
@given(
    rows=st.lists(st.tuples(st.integers(1, 700), st.integers(0, 3), st.integers(0, 4)), max_size=30),
    embedded=st.booleans(),
)
def test_all_sentences_in_order_within_sections(
    name: str, options: dict, rows: list[tuple[int, int, int]], embedded: bool
) -> None:
    text, sentences = _sentences([r[0] for r in rows], [r[1] for r in rows])
    vectors = _vectors([r[2] for r in rows]) if rows and embedded else None
    spans = make_chunker(name, **options).chunk(text, sentences, vectors)
    assert [i for span in spans for i in range(span.first, span.last)] == list(range(len(rows)))
    for span in spans:
        assert all(sentences[i].before < Break.HARD for i in range(span.first + 1, span.last))


@pytest.mark.parametrize(("name", "options"), CHUNKERS)
def test_equal_vectors_are_no_trouble(name: str, options: dict) -> None:
    text, sentences = _sentences([30] * 20)
    vectors = np.tile(_vectors([0]), (20, 1))
    spans = make_chunker(name, **options).chunk(text, sentences, vectors)
    assert spans[0].first == 0 and spans[-1].last == 20


def test_clique_cuts_between_topics() -> None:
    topics = [0] * 4 + [1] * 5 + [2] * 4
    text, sentences = _sentences([20] * 13)
    assert make_chunker("clique").chunk(text, sentences, _vectors(topics)) == [Span(0, 4), Span(4, 9), Span(9, 13)]


def test_merged_cliques_keep_topics_and_give_what_two_share_to_the_shorter() -> None:
    text, sentences = _sentences([30] * 12)
    chunker = make_chunker("merged_cliques", window=4, quantile=0.4, target=120)
    assert chunker.chunk(text, sentences, _vectors([0] * 4 + [1] * 4 + [2] * 4, noise=0.05)) == [
        Span(0, 4),
        Span(4, 8),
        Span(8, 12),
    ]
    angles = np.radians([0, 5, 30, 55, 60])  # 0 to 2 and 2 to 4 are near to each other: the third sentence is of both
    turned = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    text, sentences = _sentences([60, 60, 30, 30, 30])
    chunker = make_chunker("merged_cliques", window=4, quantile=0.3, target=100)
    assert chunker.chunk(text, sentences, turned) == [Span(0, 2), Span(2, 5)]


def test_topic_mode_finds_long_topics_whatever_their_tokens() -> None:
    topics = [0] * 12 + [1] * 25 + [2] * 9
    text, sentences = _sentences([30] * 46)
    spans = make_chunker("clique", mode="topic").chunk(text, sentences, _vectors(topics))
    assert spans == [Span(0, 12), Span(12, 37), Span(37, 46)]


def test_clique_keeps_to_its_limits() -> None:
    text, sentences = _sentences([25] * 60 + [500] + [25] * 20)
    spans = make_chunker("clique", longest=100).chunk(text, sentences, _vectors([0] * 81))
    lengths = [sum(s.tokens for s in sentences[span.first : span.last]) for span in spans]
    assert max(length for length in lengths if length != 500) <= 100
    assert 500 in lengths


def test_without_vectors_words_show_the_topics() -> None:
    first, second = (
        "the credit facility carries floating interest. ",
        "our pipeline of oncology drugs grew in phase two. ",
    )
    text = first * 4 + second * 4
    starts = [i * len(first) for i in range(4)] + [4 * len(first) + i * len(second) for i in range(4)]
    sentences = [Sentence(s, s + 40, 24) for s in starts]
    assert Span(0, 4) in make_chunker("clique").chunk(text, sentences, None)


def test_fixed_overlaps_by_whole_sentences() -> None:
    text, sentences = _sentences([50] * 6)
    spans = make_chunker("fixed", target=150, overlap=60).chunk(text, sentences, None)
    assert spans == [Span(0, 3), Span(2, 5), Span(4, 6)]


def test_recursive_prefers_paragraphs() -> None:
    text, sentences = _sentences([60] * 5, [2, 0, 2, 0, 2])
    assert make_chunker("recursive", target=180).chunk(text, sentences, None) == [Span(0, 2), Span(2, 5)]


def test_structure_keeps_paragraphs() -> None:
    text, sentences = _sentences([60, 60, 10, 60, 200, 200], [2, 0, 2, 2, 2, 0])
    spans = make_chunker("structure").chunk(text, sentences, None)
    assert spans == [Span(0, 2), Span(2, 4), Span(4, 5), Span(5, 6)]


def test_a_new_chunker_is_found_by_name() -> None:
    @register("test-single")
    class Single:
        def chunk(self, text: str, sentences: list[Sentence], vectors: np.ndarray | None) -> list[Span]:
            return [Span(i, i + 1) for i in range(len(sentences))]

    assert "test-single" in chunker_names()
    assert len(make_chunker("test-single").chunk(*_sentences([1, 2, 3]), None)) == 3


@pytest.mark.parametrize(
    ("name", "options", "says"),
    [("cliques", {}, "no such chunker"), ("fixed", {"size": 1}, "overlap"), ("clique", {"window": 99}, "window")],
)
def test_wrong_use_is_told(name: str, options: dict, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        make_chunker(name, **options)


def test_a_file_in_the_package_is_enough_for_a_chunker(tmp_path: Path) -> None:
    """Nobody lists it by hand; and finding the names loads nothing heavy."""
    (tmp_path / "pairs.py").write_text(
        "from cliquerag.ingest.chunk import Span\n"
        "from cliquerag.ingest.chunkers import register\n"
        "@register('pairs')\n"
        "class Pairs:\n"
        "    def chunk(self, text, sentences, vectors):\n"
        "        return [Span(i, min(i + 2, len(sentences))) for i in range(0, len(sentences), 2)]\n",
        encoding="utf-8",
    )
    code = (
        "import sys, cliquerag.ingest.chunkers as chunkers\n"
        f"chunkers.__path__.append({str(tmp_path)!r})\n"
        "assert 'pairs' in chunkers.chunker_names(), chunkers.chunker_names()\n"
        "assert 'numpy' not in sys.modules\n"
        "print(chunkers.make_chunker('pairs').chunk('', [None] * 3, None))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "[Span(first=0, last=2), Span(first=2, last=3)]\n", done.stderr


def test_the_help_of_a_command_lists_all_chunkers() -> None:
    code = "from cliquerag.cli import main; main(['chunk', '--help'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    words = done.stdout.replace(",", " ").replace(".", " ").split()
    names = {name for name in chunker_names() if make_chunker(name).__module__.startswith("cliquerag.ingest.chunkers.")}
    assert len(names) > 5 and names <= set(words)
