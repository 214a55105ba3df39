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
_COMMON_HAN = re.compile("[的一是不了在有人和公司年为中国大上个与及以会产行业资月元等增分]")
_SAMPLE = 200_000


def decode(data: bytes, *, where: str = "") -> str:
    """The text of a file, line ends as they are. Raises DocumentError for a binary file.

    >>> decode("净利润增长".encode("gb18030")), decode("café".encode("latin-1"))
    ('净利润增长', 'café')
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _marked(data, encoding, where)
    if wide := _utf16_without_mark(data):
        return data.decode(wide, "replace")
    if b"\0" in data[:_SAMPLE]:
        raise _binary(where)
    text = _try(data, "utf-8") or _declared(data) or _guess(data)
    if _control_share(text) > 0.02:
        raise _binary(where)
    return text


def _marked(data: bytes, encoding: str, where: str) -> str:
    text = data.decode(encoding, "replace")
    if _control_share(text) > 0.02:
        raise _binary(where)
    return text


def _utf16_without_mark(data: bytes) -> str | None:
    """UTF-16 of mostly Latin text has a zero in every other byte."""
    sample = data[:2000]
    half = len(sample) // 2
    if half < 4:
        return None
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if odd > 0.7 * half and even < 0.05 * half:
        return "utf-16-le"
    return "utf-16-be" if even > 0.7 * half and odd < 0.05 * half else None


def _declared(data: bytes) -> str:
    found = _DECLARED.search(data[:4096])
    return _try(data, found[1].decode("ascii")) if found else ""


def _guess(data: bytes) -> str:
    """GB18030 where what it yields reads as Chinese, else Windows Latin-1, which accepts anything."""
    chinese = _try(data, "gb18030")
    if chinese and _is_chinese(chinese):
        return chinese
    return data.decode("cp1252", "replace") if _try(data, "cp1252") else data.decode("latin-1")


def _is_chinese(text: str) -> bool:
    """True where Chinese characters come in runs and common ones are among them; Latin accents give lone, rare ones."""
    sample = text[:_SAMPLE]
    han = re.findall("[\u4e00-\u9fff]+", sample)
    count = sum(map(len, han))
    in_runs = sum(len(run) for run in han if len(run) > 1)
    common = len(_COMMON_HAN.findall(sample))
    return count > 0 and in_runs >= 0.8 * count and (common >= 0.04 * count or count < 25)


def _try(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return ""


def _control_share(text: str) -> float:
    sample = text[:_SAMPLE]
    return (len(_CONTROL.findall(sample)) + sample.count("\ufffd")) / max(1, len(sample))


def _binary(where: str) -> DocumentError:
    return DocumentError(
        "not a text file: its bytes are binary",
        where=where,
        hint="Give it the ending of its kind, or export it as text",
    )
