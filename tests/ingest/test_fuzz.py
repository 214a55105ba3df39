"""Every reader is attacked with damaged files: a few here, many by ``make fuzz``."""

from __future__ import annotations

import io
import random
import zipfile
from pathlib import Path

import pytest
from cliquerag.ingest.formats.registry import readers
from support import fuzz

FILES = 12
NAMES = [reader.name for reader in readers()]
DAMAGED_PARTS = [
    ("Word document", ".docx", "docProps/thumbnail.jpeg"),
    ("Word document", ".docx", "docProps/app.xml"),
    ("PowerPoint deck", ".pptx", "docProps/thumbnail.jpeg"),
    ("Excel workbook", ".xlsx", "docProps/app.xml"),
]
HOLD_OTHERS = [reader.name for reader in readers() if reader.members]
"""Formats that are read by what is in them; a ZIP archive has no text of its own."""


def _path(folder: Path, name: str) -> Path:
    suffixes = next(reader.suffixes for reader in readers() if reader.name == name)
    return folder / f"x{(*suffixes, '.txt')[0]}"


@pytest.mark.parametrize("name", NAMES)
def test_every_reader_is_attacked_beginning_with_files_that_it_reads(name: str, tmp_path: Path) -> None:
    path = _path(tmp_path, name)
    for data in fuzz.seeds(name):
        path.write_bytes(data)
        assert fuzz.read_whole(path) or name in HOLD_OTHERS


@pytest.mark.parametrize("name", NAMES)
def test_damaged_files_are_read_or_refused(name: str, tmp_path: Path) -> None:
    path, dice = _path(tmp_path, name), random.Random(7)
    smallest = min(fuzz.seeds(name), key=len)
    for _ in range(FILES):
        path.write_bytes(fuzz.damaged(smallest, dice))
        fuzz.read_whole(path)


def test_a_fault_is_found_and_its_file_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a reader takes longer than allowed: no time at all is allowed here."""
    slow = tmp_path / "fuzz_slow.py"
    code = Path(fuzz.__file__).read_text(encoding="utf-8")
    code = code.replace("SLOW = 20.0", "SLOW = 1e-6").replace("parents[2]", "parents[0]")
    slow.write_text(code.replace("ROOT = Path(__file__).parents[0]", f"ROOT = Path({str(fuzz.ROOT)!r})"))
    monkeypatch.setattr(fuzz, "__file__", str(slow))
    lines = list(fuzz.faults_of("Markdown", 0.5, 1, tmp_path / "found"))
    assert lines and lines[0].startswith("FAULT Markdown") and "_SlowError" in lines[0]
    assert {path.suffix for path in (tmp_path / "found").iterdir()} == {".md"}


def _damaged_archive(data: bytes, part: str, how: str) -> bytes:
    """An office file of which one part is damaged: other bytes in it, or a version of ZIP that nobody knows."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        info = archive.getinfo(part)
        content = archive.read(part)
    changed = bytearray(data)
    if how == "bytes":
        start = info.header_offset + 30 + len(part)
        at = start + info.compress_size // 2
        changed[at] ^= 0xFF
        assert content
    else:
        changed[data.index(part.encode(), data.index(b"PK\x01\x02")) - 46 + 6] = 121
    return bytes(changed)


@pytest.mark.parametrize("how", ["bytes", "version"])
@pytest.mark.parametrize(("name", "suffix", "part"), DAMAGED_PARTS)
def test_office_files_with_damaged_pictures_are_refused_or_read(
    name: str, suffix: str, part: str, how: str, tmp_path: Path
) -> None:
    """Found by the fuzz: a part that no library needs, but unpacks, ended in an error of the archive's own."""
    path = tmp_path / f"x{suffix}"
    path.write_bytes(_damaged_archive(fuzz.seeds(name)[0], part, how))
    fuzz.read_whole(path)
