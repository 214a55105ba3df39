"""Encodings are told by their bytes; binary files are refused."""

from __future__ import annotations

import random
import zlib

import pytest
from cliquerag.core.errors import DocumentError
from cliquerag.ingest.formats.registry import decode

ENGLISH = "Net sales rose 5 % to €3.4 billion – a “record” for Société Générale.\r\n"
CHINESE = "公司2019年实现营业收入11.8亿元，同比增长5%，归属于上市公司股东的净利润为1.3亿元。\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252"])
def test_english(encoding: str) -> None:
    assert decode(ENGLISH.encode(encoding)) == ENGLISH


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "gb18030", "gbk", "gb2312"])
def test_chinese(encoding: str) -> None:
    assert decode(CHINESE.encode(encoding)) == CHINESE


def test_utf16_without_a_mark() -> None:
    assert decode("Net sales rose".encode("utf-16-le")) == "Net sales rose"
    assert decode("Net sales rose".encode("utf-16-be")) == "Net sales rose"


def test_latin_with_many_accents_is_not_taken_for_chinese() -> None:
    french = "L’évolution des résultats reflète une activité élevée : bénéfice opérationnel, dépréciations, réévaluées."
    assert decode(french.encode("cp1252")) == french
    nordic = "Försäljningen ökade på grund av högre priser på våra största marknader i år."
    assert decode(nordic.encode("latin-1")) == nordic


def test_a_declared_charset_is_believed() -> None:
    page = "<meta charset='windows-1251'>Выручка выросла"
    assert decode(page.encode("cp1251")) == page


@pytest.mark.parametrize(
    "data",
    [
        b"PK\x03\x04\x14\x00\x06\x00" + bytes(range(256)) * 4,
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
        zlib.compress(ENGLISH.encode() * 200) * 3,
        random.Random(1).randbytes(5000),
    ],
)
def test_binary_files_are_refused(data: bytes) -> None:
    with pytest.raises(DocumentError, match="not a text file") as raised:
        decode(data, where="notes.txt")
    assert "notes.txt" in str(raised.value)
