"""Messages, archives, and files inside of both."""

from __future__ import annotations

import zipfile
from datetime import date
from pathlib import Path

import pytest
from cliquerag.core.errors import DocumentError
from cliquerag.ingest.files import files_inside, read_bytes
from cliquerag.ingest.limits import ReadingLimits
from cliquerag.ingest.read import read_document
from cliquerag.sources import find_files

from tests.support.office_samples import mail, saved, workbook, zipped

NOTE = b"Acme Corp. acquired Bolt Inc. in 2023."


def test_a_message_is_read_with_sender_and_day(tmp_path: Path) -> None:
    path = tmp_path / "mail.eml"
    path.write_bytes(mail({}))
    document = read_document(path, source="mail.eml")
    assert document.metadata.title == "Acme 第三季度"
    assert document.metadata.published == date(2023, 11, 6)
    assert "From: Jane Doe <jane@acme.com>" in document.text
    start = document.text.index("Acme Corp.")
    assert document.anchors(start, start + 4)[0].place == "paragraph 2"


def test_files_inside_files_are_read_by_their_path(tmp_path: Path) -> None:
    path = tmp_path / "deal.zip"
    path.write_bytes(zipped({"in/mail.eml": mail({"model.xlsx": saved(workbook())}), "a.exe": b"MZ", "b.txt": NOTE}))
    found = find_files([path])
    names = [file.relative_to(tmp_path).as_posix() for file in found.files]
    assert names == ["deal.zip/b.txt", "deal.zip/in/mail.eml", "deal.zip/in/mail.eml/model.xlsx"]
    assert found.left_out == {".exe": 1}
    assert read_document(found.files[2], source="x").coverage.reader == "Excel workbook"
    assert read_bytes(found.files[0]) == NOTE


def test_names_that_lead_out_of_an_archive_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "evil.zip"
    path.write_bytes(zipped({"../out.txt": NOTE, "/etc/a.txt": NOTE, "a/../../b.txt": NOTE, "ok\\in.txt": NOTE}))
    assert [file.relative_to(path).as_posix() for file in files_inside(path).files] == ["ok/in.txt"]


def test_attachments_cannot_lead_out_of_a_message(tmp_path: Path) -> None:
    path = tmp_path / "mail.eml"
    path.write_bytes(mail({"../../evil.txt": NOTE, "..": NOTE}))
    assert [file.name for file in files_inside(path).files] == ["evil.txt"]
    assert read_bytes(path / "evil.txt") == NOTE


def test_bombs_are_refused_before_they_are_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "bomb.zip"
    path.write_bytes(zipped({"a.txt": b" " * 100_000_000}))
    with pytest.raises(DocumentError, match="would grow to 100 MB"):
        files_inside(path)
    assert find_files([path]).files == [path]  # so that adding it says why
    with pytest.raises(DocumentError, match="would grow to 100 MB"):
        read_document(path, source="bomb.zip")


def test_archives_in_archives_end_somewhere(tmp_path: Path) -> None:
    data = zipped({"deep.txt": NOTE})
    for _ in range(10):
        data = zipped({"in.zip": data})
    path = tmp_path / "nested.zip"
    path.write_bytes(data)
    assert files_inside(path).files == []


def test_a_file_in_an_archive_may_not_be_larger_than_files_may(tmp_path: Path) -> None:
    path = tmp_path / "big.zip"
    path.write_bytes(zipped({"a.txt": NOTE * 50_000}))
    with pytest.raises(DocumentError, match="more than the 1 that are read"):
        read_bytes(path / "a.txt", ReadingLimits(max_mb=1))


def test_damaged_archives_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(zipped({"a.txt": NOTE * 100})[:60])
    with pytest.raises(DocumentError, match="damaged"):
        files_inside(path)
    data = bytearray(zipped({"a.txt": NOTE}, zipfile.ZIP_STORED))
    data[data.index(b"Acme")] = 0
    path.write_bytes(bytes(data))
    with pytest.raises(DocumentError, match="damaged"):
        read_bytes(path / "a.txt")


def test_chinese_names_of_windows_archives(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    as_windows_packs_it = zipped({"nianbao.txt": NOTE}).replace(b"nianbao.txt", "年报年1.txt".encode("gbk"))
    path.write_bytes(as_windows_packs_it)
    assert [file.name for file in files_inside(path).files] == ["年报年1.txt"]
    assert read_bytes(path / "年报年1.txt") == NOTE


def test_endings_that_lie(tmp_path: Path) -> None:
    for name, reader in (("a.pdf.txt", "mail message"), ("mail", "mail message")):
        path = tmp_path / name
        path.write_bytes(mail({}))
        assert read_document(path, source=name).coverage.reader == reader
