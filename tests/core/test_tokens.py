"""Token counts: close to a real tokenizer's, and never an error."""

from __future__ import annotations

import pytest
from cliquerag.core import tokens
from cliquerag.core.tokens import count_tokens, estimate_tokens

# Counts of cl100k_base, recorded once.
RECORDED = {
    "Net revenue increased 12.5% to $3.4 billion, driven by higher volumes in North America and Asia.": 25,
    "We expect the second half to be stronger than the first, because the backlog grew and prices hold.": 20,
    "公司2023年实现营业收入12.5亿元,同比增长8.3%。": 25,
}


@pytest.mark.parametrize("text", RECORDED)
def test_estimate_is_close_to_a_real_tokenizer(text: str) -> None:
    assert estimate_tokens(text) == pytest.approx(RECORDED[text], rel=0.2)


def test_estimate_grows_with_the_text() -> None:
    once = estimate_tokens("Operating income fell. ")
    assert estimate_tokens("Operating income fell. " * 50) == pytest.approx(50 * once, rel=0.05)


@pytest.mark.parametrize("text", ["", " \n\t", "\ud800", "\x00", "a" * 10_000, "𠀀𠀁"])
def test_odd_text_is_counted(text: str) -> None:
    assert estimate_tokens(text) >= 0
    assert count_tokens(text) >= 0


def test_without_vocabulary_the_estimate_counts(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    tokens._counter.cache_clear()
    assert tokens._counter() is estimate_tokens
    tokens._counter.cache_clear()


def test_a_broken_vocabulary_falls_back(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    (tmp_path / tokens._VOCABULARY).write_bytes(b"not a vocabulary")
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    tokens._counter.cache_clear()
    assert count_tokens("two words") == estimate_tokens("two words")
    tokens._counter.cache_clear()
