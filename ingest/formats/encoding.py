"""Bytes -> text, without being told the encoding: byte order marks, UTF-8, GB18030, Latin-1."""

from __future__ import annotations

import codecs
import re

from ...core.errors import DocumentError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_DECLARED = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?([\w-]+)""", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9f]")
_HAN_RUN = re.compile("[\u4e00-\u9fff]+")
_COMMON_HAN = re.compile("[的一是不了在有人和公司年为中国大上个与及以会产行业资月元等增分]")
_SAMPLE = 200_000
"""Characters, or bytes, from the start of a file by which it is judged."""
_MOST_CONTROL = 0.02
"""Share of control characters above which a file is binary."""


def decode(data: bytes, *, where: str = "") -> str:
    """The text of a file of unknown encoding; line ends stay as they are.

    ``where`` names the file in the error. Raises DocumentError for a binary file.

    >>> decode("净利润增长".encode("gb18030")), decode("café".encode("latin-1"))
    ('净利润增长', 'café')
    """
    marked = _encoding_by_mark(data)
    if marked:
        return _checked(data.decode(marked, "replace"), where)
    wide = _utf16_without_mark(data)
    if wide:
        return data.decode(wide, "replace")
    if b"\0" in data[:_SAMPLE]:
        raise _binary(where)
    text = _decoded(data, "utf-8") or _as_declared(data) or _best_guess(data)
    return _checked(text, where)


def _encoding_by_mark(data: bytes) -> str | None:
    """The encoding that a byte order mark at the start tells."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return encoding
    return None


def _utf16_without_mark(data: bytes) -> str | None:
    """UTF-16 of mostly Latin text has a zero in every other byte."""
    sample = data[:2000]
    half = len(sample) // 2
    if half < 4:
        return None
    most, few = 0.7 * half, 0.05 * half
    zeros_in_even = sample[0::2].count(0)
    zeros_in_odd = sample[1::2].count(0)
    if zeros_in_odd > most and zeros_in_even < few:
        return "utf-16-le"
    if zeros_in_even > most and zeros_in_odd < few:
        return "utf-16-be"
    return None


def _as_declared(data: bytes) -> str:
    """Decoded as an HTML or XML head says, "" where it says nothing or something wrong."""
    declared = _DECLARED.search(data[:4096])
    if not declared:
        return ""
    return _decoded(data, declared[1].decode("ascii"))


def _best_guess(data: bytes) -> str:
    """GB18030 where what it yields reads as Chinese, else Windows-1252, else Latin-1, which accepts anything."""
    chinese = _decoded(data, "gb18030")
    if chinese and _is_chinese(chinese):
        return chinese
    return _decoded(data, "cp1252") or data.decode("latin-1")


def _is_chinese(text: str) -> bool:
    """True where Chinese characters come in runs and common ones are among them; Latin accents give lone, rare ones."""
    sample = text[:_SAMPLE]
    lengths = list(map(len, _HAN_RUN.findall(sample)))
    characters = sum(lengths)
    in_runs = characters - lengths.count(1)
    if not characters or in_runs < 0.8 * characters:
        return False
    too_short_to_tell = characters < 25
    return too_short_to_tell or len(_COMMON_HAN.findall(sample)) >= 0.04 * characters


def _decoded(data: bytes, encoding: str) -> str:
    """The text, or "" where the bytes are not of that encoding or nobody knows it."""
    try:
        return data.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return ""


def _checked(text: str, where: str) -> str:
    """The same text. Raises DocumentError where too much of it are control or replacement characters."""
    sample = text[:_SAMPLE]
    unprintable = len(_CONTROL.findall(sample)) + sample.count("\ufffd")
    if unprintable / max(1, len(sample)) > _MOST_CONTROL:
        raise _binary(where)
    return text


def _binary(where: str) -> DocumentError:
    return DocumentError(
        "not a text file: its bytes are binary",
        where=where,
        hint="Give it the ending of its kind, or export it as text",
    )
