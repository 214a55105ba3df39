"""A PDF as a Document: text in order, headings, tables in place, furniture out, everything counted and anchored."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest
from cliquerag.core.anchor import Box
from cliquerag.core.errors import DocumentError
from cliquerag.ingest.document import Document
from cliquerag.ingest.facts import extract_facts
from cliquerag.ingest.pdf import ocr
from cliquerag.ingest.pdf.backend import OutlineItem, PageLayout, Word
from cliquerag.ingest.pdf.reader import read_pdf
from cliquerag.ingest.read import read_document
from hypothesis import given, settings
from hypothesis import strategies as st
from support.pdf_samples import BOTTOM, LEFT, PROSE, RIGHT, TOP, lines, paragraph, report, save, write


def read(path: Path) -> Document:
    return read_document(path, source=path.name)


def check(document: Document) -> None:
    """What holds for every document."""
    last = 0
    for segment in document.segments:
        assert last <= segment.start < segment.end <= len(document.text)
        assert document.text[segment.start : segment.end].strip() == document.text[segment.start : segment.end]
        last = segment.end
    starts = [line.start for line in document.lines]
    assert starts == sorted(starts) and all(line.start < line.end for line in document.lines)
    assert [page.number for page in document.pages] == list(range(1, len(document.pages) + 1))
    assert all(a.end == b.start for a, b in zip(document.pages, document.pages[1:], strict=False))


def test_a_report_keeps_its_text_and_loses_its_furniture(tmp_path: Path) -> None:
    document = read(report(tmp_path / "report.pdf"))
    check(document)
    assert "Acme Corp Annual Report 2023" not in document.text and "Page 3 of 6" not in document.text
    assert document.coverage.dropped == {"running header": 6, "page number": 6}
    for number in range(1, 7):
        at = document.text.index(str(number * 1111))
        (anchor,) = document.anchors(at, at + 4)
        assert anchor.page == number and len(anchor.boxes) == 1


def test_headings_stand_above_their_text(tmp_path: Path) -> None:
    document = read(report(tmp_path / "report.pdf"))
    titles = [document.text[s.start : s.end] for s in document.segments if s.kind == "heading"]
    assert titles == [f"Chapter {letter} Outlook" for letter in "BCDEFG"]
    value = next(s for s in document.segments if "3333" in document.text[s.start : s.end])
    assert value.headings == ("Chapter D Outlook",)


def test_a_table_stands_in_its_place_with_rows_anchored(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    paragraph(page, (LEFT, 80, RIGHT, 130), "Before the table. " + PROSE)
    write(page, LEFT, 160, "(in millions)")
    write(page, 380, 160, "2023")
    write(page, 460, 160, "2022")
    for number, name in enumerate(("Net sales", "Cost of sales", "Gross profit", "Net income")):
        write(page, LEFT, 180 + 16 * number, name)
        write(page, 372, 180 + 16 * number, f"{number + 1},234")
        write(page, 452, 180 + 16 * number, f"{number + 1},111")
    paragraph(page, (LEFT, 260, RIGHT, 310), "After the table. " + PROSE)
    read_back = read(save(document, tmp_path / "a.pdf"))
    check(read_back)
    (segment,) = [s for s in read_back.segments if s.kind == "table"]
    text = read_back.text[segment.start : segment.end]
    assert "| Cost of sales | 2,234 | 2,111 |" in text and "(in millions)" in text
    assert read_back.text.index("Before the table") < segment.start < read_back.text.index("After the table")
    assert read_back.text.count("3,234") == 1
    table = read_back.tables[segment.table or 0]
    assert (table.start, table.end) == (segment.start, segment.end)
    at = read_back.text.index("3,234")
    (anchor,) = read_back.anchors(at, at + 5)
    assert anchor.boxes[0][1] < 212 < anchor.boxes[0][3], "the row's own box, not the table's"
    (fact,) = [f for f in extract_facts(read_back) if f.text == "3,234"]
    ((x0, y0, x1, y1),) = fact.anchors[0].boxes
    assert 370 < x0 < x1 < 410 and y0 < 212 < y1, "the cell's own box, not the row's"


def test_every_word_and_number_is_kept(tmp_path: Path) -> None:
    texts = [f"Line {n} speaks of {n * 17} things" for n in range(30)]
    document = read(lines(tmp_path / "a.pdf", texts))
    assert all(f"speaks of {n * 17} things" in " ".join(document.text.split()) for n in range(30))


def test_contents_pages_and_disclaimers_are_marked_not_lost(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    write(page, LEFT, TOP, "Table of Contents", 14, "hebo")
    for number in range(1, 8):
        write(page, LEFT, TOP + 20 * number, f"Item {number}. Part of the report {number * 3}")
    page = document.new_page()
    write(page, LEFT, TOP, "Forward-Looking Statements", 14, "hebo")
    paragraph(page, (LEFT, TOP + 20, RIGHT, BOTTOM), "Actual results may differ materially from what is said. " + PROSE)
    read_back = read(save(document, tmp_path / "a.pdf"))
    kinds = {s.kind: read_back.text[s.start : s.end] for s in read_back.segments}
    assert "Item 4. Part of the report 12" in kinds["contents"]
    assert "Actual results" in kinds["disclaimer"]
    assert read_back.coverage.dropped["contents page"] == 8 and read_back.coverage.dropped["disclaimer"] > 0


def test_numbers_that_look_like_an_axis_are_marked_not_lost(tmp_path: Path) -> None:
    read_back = read(
        lines(tmp_path / "a.pdf", ["Sales by region", "30", "20", "10", "0", "North and South grew alike"])
    )
    assert "30\n20\n10\n0" in read_back.text and read_back.coverage.dropped == {"chart axis": 4}


def test_a_scanned_page_among_others_is_marked(tmp_path: Path) -> None:
    document = pymupdf.open()
    write(document.new_page(), LEFT, TOP, "The only words")
    scan = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 60, 80))
    scan.clear_with(255)
    page = document.new_page()
    page.insert_image(page.rect, pixmap=scan)
    path = save(document, tmp_path / "a.pdf")
    assert read(path).coverage.pages_failed == {2: "no text: the page is a picture"}


def test_a_scan_is_an_error_that_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    document = pymupdf.open()
    scan = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 60, 80))
    scan.clear_with(255)
    page = document.new_page()
    page.insert_image(page.rect, pixmap=scan)
    with pytest.raises(DocumentError, match="1 of 1 pages are pictures") as raised:
        read(save(document, tmp_path / "scan.pdf"))
    assert "recognition finds no words" in raised.value.hint
    monkeypatch.setattr(ocr, "is_installed", lambda: False)
    with pytest.raises(DocumentError, match=r"pip install 'cliquerag\[ocr\]' reads them, less than a minute"):
        read(tmp_path / "scan.pdf")


def test_blank_pages_only_are_an_error(tmp_path: Path) -> None:
    document = pymupdf.open()
    document.new_page()
    with pytest.raises(DocumentError, match="blank"):
        read(save(document, tmp_path / "blank.pdf"))


class _Broken:
    """A file whose second page cannot be read."""

    name = "broken"
    page_count = 2

    def __init__(self, real: object) -> None:
        self._real = real

    def open(self, path: Path) -> _Broken:
        return self

    def page(self, number: int) -> PageLayout:
        if number == 2:
            raise DocumentError("page 2 cannot be read (broken font)")
        return self._real.page(number)  # type: ignore[attr-defined, no-any-return]

    def outline(self) -> list[object]:
        return []

    def info(self) -> dict[str, str]:
        return {}

    def close(self) -> None:
        pass


def test_a_page_that_fails_does_not_stop_the_others(tmp_path: Path) -> None:
    from cliquerag.ingest.pdf.pymupdf_backend import PyMuPdfBackend

    path = report(tmp_path / "a.pdf", 2)
    seen: list[tuple[int, int]] = []
    content = read_pdf(path, _Broken(PyMuPdfBackend().open(path)), lambda *at: seen.append(at))  # type: ignore[arg-type]
    assert content.failed == {2: "page 2 cannot be read (broken font)"}
    assert any("1111" in block.text for block in content.blocks)
    assert seen == [(1, 2), (2, 2)]


def test_chinese_pages(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    write(page, LEFT, 100, "第三节 公司业务概要", 14, "china-s")
    write(page, LEFT, 130, "公司主营业务是食品冷冻设备的研发、生产和销售。", 10, "china-s")
    read_back = read(save(document, tmp_path / "a.pdf"))
    assert read_back.segments[0].kind == "heading" and read_back.segments[0].level == 1
    assert read_back.segments[1].headings == ("第三节 公司业务概要",)
    assert read_back.metadata.language == "zh"


class _Made:
    """A file of made-up pages."""

    name = "made"

    def __init__(self, pages: list[PageLayout]) -> None:
        self._pages = pages
        self.page_count = len(pages)

    def open(self, path: Path) -> _Made:
        return self

    def page(self, number: int) -> PageLayout:
        return self._pages[number - 1]

    def outline(self) -> list[OutlineItem]:
        return [OutlineItem(1, "Item 1.", 1), OutlineItem(9, "", 99)]

    def info(self) -> dict[str, str]:
        return {}

    def close(self) -> None:
        pass


NUMBERS = st.one_of(st.integers(-50, 700), st.sampled_from([-1e6, 0.0, 1e6, 300.5]))
WORDS = st.builds(
    lambda text, x, y, w, h, size, bold, block, line: Word(text, (x, y, x + w, y + h), size, bold, block, line),
    st.one_of(
        st.sampled_from(
            ["Item", "1.", "7", "1,234", "$", "(in", "millions)", "—", "well-", "known", "第三节", "•", "PART", "I"]
        ),
        st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=6),
    ),
    NUMBERS,
    NUMBERS,
    st.integers(0, 200),
    st.integers(0, 40),
    st.sampled_from([0.0, 8.0, 10.0, 24.0]),
    st.booleans(),
    st.integers(0, 5),
    st.integers(0, 8),
)
RULES = st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS, NUMBERS), max_size=6).map(tuple)
PAGES = st.lists(st.tuples(st.lists(WORDS, max_size=40).map(tuple), RULES), min_size=1, max_size=4)


@settings(max_examples=100, deadline=None)
@given(PAGES)
def test_any_page_is_read_and_loses_no_word_unsaid(made: list[tuple[tuple[Word, ...], tuple[Box, ...]]]) -> None:
    layouts = [PageLayout(n, 600.0, 800.0, words, rules) for n, (words, rules) in enumerate(made, 1)]
    try:
        content = read_pdf(Path("made.pdf"), _Made(layouts))  # type: ignore[arg-type]
    except DocumentError:
        assert not any(layout.words for layout in layouts)
        return
    text = "".join("".join(block.text.split()) for block in content.blocks)
    lost = [w.text for layout in layouts for w in layout.words if w.text.strip("-") not in text.replace("\\|", "|")]
    if not any(rule in content.dropped for rule in ("symbol line", "page number", "chart axis", "repeated line")):
        assert not [word for word in lost if not any("running" in rule for rule in content.dropped)]
