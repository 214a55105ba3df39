"""One file does not hold up a folder: what is too big or takes too long is given up with a clear error."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from cliquerag.core.errors import DocumentError
from cliquerag.ingest.limits import Deadline, ReadingLimits
from cliquerag.ingest.pdf.backend import PageLayout, Word
from cliquerag.ingest.pdf.reader import read_pdf
from cliquerag.ingest.read import read_document


def test_a_file_over_the_limit_is_not_even_opened(tmp_path: Path) -> None:
    path = tmp_path / "big.txt"
    with path.open("wb") as file:
        file.truncate(3_000_000)  # no bytes are written: reading it would find an empty file
    with pytest.raises(DocumentError, match=r"big\.txt: it has 3\.0 MB, more than the 2\.5 that are read.*max_file_mb"):
        read_document(path, source="big.txt", limits=ReadingLimits(max_mb=2.5))
    with pytest.raises(DocumentError, match="empty"):
        read_document(path, source="big.txt", limits=ReadingLimits(max_mb=3))


class _SlowFile:
    """A PDF whose pages take a tenth of a second each."""

    name = "slow"
    page_count = 1_000

    def __init__(self) -> None:
        self.read = 0
        self.closed = False

    def open(self, path: Path) -> _SlowFile:
        return self

    def page(self, number: int) -> PageLayout:
        self.read += 1
        time.sleep(0.1)
        return PageLayout(number, 600, 800, (Word("word", (50, 50, 90, 60)),))

    def outline(self) -> list:
        return []

    def info(self) -> dict[str, str]:
        return {}

    def close(self) -> None:
        self.closed = True


def test_a_pdf_that_takes_too_long_is_given_up_between_two_pages() -> None:
    file = _SlowFile()
    with pytest.raises(DocumentError, match=r"x\.pdf: given up: .* more than 0\.3 seconds.*max_file_seconds"):
        read_pdf(Path("x.pdf"), file, deadline=Deadline(0.3, "x.pdf"))  # type: ignore[arg-type]
    assert 2 <= file.read <= 4
    assert file.closed


def test_a_text_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("Acme Corp sold more pumps.", encoding="utf-8")
    with pytest.raises(DocumentError, match=r"a\.txt: given up"):
        read_document(path, source="a.txt", limits=ReadingLimits(max_seconds=1e-9))


@pytest.mark.parametrize(("name", "before"), [("a.txt", ""), ("a.html", "<html><body><p>"), ("a.md", "# Report\n\n")])
def test_a_text_of_too_many_characters_is_refused_before_it_is_worked_on(
    tmp_path: Path, name: str, before: str
) -> None:
    path = tmp_path / name
    path.write_text(before + "Acme Corp sold more pumps. " * 40, encoding="utf-8")
    with pytest.raises(
        DocumentError, match=r"has 1,\d\d\d characters, more than the 1,000 that .*Split it.*max_characters"
    ):
        read_document(path, source=name, limits=ReadingLimits(max_characters=1_000))
    assert read_document(path, source=name, limits=ReadingLimits(max_characters=2_000)).text


def test_nought_is_no_limit(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("Acme Corp sold more pumps.", encoding="utf-8")
    assert read_document(path, source="a.txt", limits=ReadingLimits(0, 0)).text
