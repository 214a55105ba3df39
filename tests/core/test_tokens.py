"""Token counts: close to a real tokenizer's, and never an error."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

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


@pytest.fixture
def encoder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[list[str]]:
    """A tiktoken that says what it was asked for; the real one would download what it does not find."""
    asked: list[str] = []

    def get_encoding(name: str) -> SimpleNamespace:
        asked.append(name)
        return SimpleNamespace(encode=lambda text, disallowed_special: text.split())

    monkeypatch.setitem(sys.modules, "tiktoken", SimpleNamespace(get_encoding=get_encoding))
    for name in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    tokens._counter.cache_clear()
    yield asked
    tokens._counter.cache_clear()


def vocabulary(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = b"a vocabulary"
    folder.mkdir(exist_ok=True)
    (folder / tokens._VOCABULARY).write_bytes(content)
    monkeypatch.setattr(tokens, "_CONTENT", hashlib.sha256(content).hexdigest())


@pytest.mark.parametrize("variable", ["TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR", None])
def test_a_vocabulary_at_hand_counts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, encoder: list[str], variable: str | None
) -> None:
    vocabulary(tmp_path / "data-gym-cache", monkeypatch)
    if variable:
        monkeypatch.setenv(variable, str(tmp_path / "data-gym-cache"))
    assert count_tokens("extraordinarily long words") == 3
    assert encoder == ["cl100k_base"]


def test_without_vocabulary_the_estimate_counts(encoder: list[str]) -> None:
    assert tokens._counter() is estimate_tokens
    assert encoder == []


def test_a_damaged_vocabulary_is_not_downloaded_anew(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, encoder: list[str]
) -> None:
    vocabulary(tmp_path, monkeypatch)
    (tmp_path / tokens._VOCABULARY).write_bytes(b"a vocabular!")
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    assert count_tokens("two words") == estimate_tokens("two words")
    assert encoder == []


def test_a_folder_that_tiktoken_does_not_look_into_is_no_reason_to_ask_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, encoder: list[str]
) -> None:
    vocabulary(tmp_path / "data-gym-cache", monkeypatch)
    monkeypatch.setenv("DATA_GYM_CACHE_DIR", str(tmp_path / "data-gym-cache"))
    for first in ("", str(tmp_path / "elsewhere")):  # empty: its cache is switched off, and it would download
        monkeypatch.setenv("TIKTOKEN_CACHE_DIR", first)
        tokens._counter.cache_clear()
        assert tokens._counter() is estimate_tokens
    assert encoder == []


def test_without_tiktoken_the_estimate_counts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, encoder: list[str]
) -> None:
    vocabulary(tmp_path / "data-gym-cache", monkeypatch)
    monkeypatch.setitem(sys.modules, "tiktoken", None)
    assert count_tokens("two words") == estimate_tokens("two words")
