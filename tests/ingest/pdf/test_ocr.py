"""Pages that are pictures, read by text recognition: words, boxes, tables, English and Chinese."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pymupdf
import pytest
from cliquerag.core.errors import DocumentError
from cliquerag.ingest.facts import extract_facts
from cliquerag.ingest.limits import Deadline, ReadingLimits
from cliquerag.ingest.pdf import deciphering, ocr
from cliquerag.ingest.pdf.backend import Letter, PdfBackend, Word
from cliquerag.ingest.pdf.deciphering import CipherKey, LineChooser, PrintedNumbers
from cliquerag.ingest.pdf.pdfium_backend import PdfiumBackend
from cliquerag.ingest.pdf.pymupdf_backend import PyMuPdfBackend
from cliquerag.ingest.pdf.reader import read_pdf
from cliquerag.ingest.read import read_document
from support.pdf_samples import save, write

ENGLISH = "Acme Corp. acquired Bolt Inc. in May 2023."
CHINESE = "公司2023年营业收入981,000元增长12%"
ROWS = (("(in millions)", "2023", "2022"), ("Revenue", "1,234", "1,100"), ("Net income", "156", "98"))


def printed(folder: Path) -> Path:
    """A page of text and a table as a program prints it."""
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((72, 80), "Annual report 2023", fontsize=18)
    page.insert_text((72, 120), ENGLISH, fontsize=11)
    page.insert_text((72, 150), CHINESE, fontsize=12, fontname="china-s")
    for row, cells in enumerate(ROWS):
        for column, text in enumerate(cells):
            page.insert_text((72 + 150 * column, 200 + 18 * row), text, fontsize=11)
    return save(document, folder / "printed.pdf")


def scanned(path: Path, dpi: int = 150, text_first: bool = False) -> Path:
    """The same as a scanner leaves it: pictures of its pages."""
    document = pymupdf.open()
    if text_first:
        document.new_page().insert_text((72, 80), "A cover page with a text of its own")
    for page in pymupdf.open(path):
        copy = document.new_page()
        copy.insert_image(copy.rect, pixmap=page.get_pixmap(dpi=dpi))
    return save(document, path.with_name("scan.pdf"))


@pytest.mark.parametrize("dpi", [150, 200])
def test_a_scan_is_read_with_its_boxes(dpi: int, tmp_path: Path) -> None:
    document = read_document(scanned(printed(tmp_path), dpi), source="scan.pdf")
    text = "".join(document.text.split())
    assert "".join(ENGLISH.split()) in text and CHINESE in text
    start = document.text.index("Bolt")
    (anchor,) = document.anchors(start, start + 4)
    (box,) = anchor.boxes
    assert anchor.page == 1
    assert box == pytest.approx((72, 110, 290, 124), abs=9)  # frames the line that was printed there
    assert "1 pages were read as pictures by text recognition" in document.coverage.notes[0]
    assert document.coverage.pages_failed == {}


def test_tables_are_found_in_what_was_recognised(tmp_path: Path) -> None:
    document = read_document(scanned(printed(tmp_path)), source="scan.pdf")
    (table,) = document.tables
    assert table.rows == ROWS
    revenue = next(fact for fact in extract_facts(document) if fact.text == "1,234")
    assert revenue.metric == "revenue" and revenue.anchors[0].boxes[0] == pytest.approx((223, 206, 249, 222), abs=3)


def test_only_pages_without_text_are_recognised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[int]] = []
    whole = ocr.recognise

    def noted(file, numbers, *rest, **options):  # type: ignore[no-untyped-def]
        asked.append(list(numbers))
        return whole(file, numbers, *rest, **options)

    monkeypatch.setattr(ocr, "recognise", noted)
    shown: list[tuple[int, int]] = []
    path = scanned(printed(tmp_path), text_first=True)
    document = read_document(path, source="scan.pdf", progress=lambda done, count: shown.append((done, count)))
    assert asked == [[2]] and shown[-1] == (1, 1)
    assert document.text.startswith("A cover page")


def test_without_the_extra_the_message_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "is_installed", lambda: False)
    document = read_document(scanned(printed(tmp_path), text_first=True), source="scan.pdf")
    assert document.coverage.pages_failed == {2: "no text: the page is a picture"}
    assert "1 of 2 pages are pictures; pip install 'cliquerag[ocr]' reads them" in document.coverage.notes[0]


def ciphered(path: Path) -> Path:
    """A page that looks as printed and whose text layer is that of a font without a map to letters."""
    document = pymupdf.open()
    document.new_page().insert_text((72, 80), "A cover page with a text of its own")
    for page in pymupdf.open(path):
        copy = document.new_page()
        copy.insert_image(copy.rect, pixmap=page.get_pixmap(dpi=150))
        for line in range(8):
            copy.insert_text((72, 80 + 20 * line), "8DBE:CH6I>DC ID:6G:9 I=>C<H 6C8:A ;DG7:", render_mode=3)
    return save(document, path.with_name("ciphered.pdf"))


def test_a_page_whose_fonts_name_no_letters_is_read_as_a_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = ciphered(printed(tmp_path))
    document = read_document(path, source="a.pdf")
    assert "Acme" in document.text and "I>DC" not in document.text
    assert document.coverage.notes[0].startswith("1 pages were read as pictures by text recognition")
    monkeypatch.setattr(ocr, "is_installed", lambda: False)
    document = read_document(path, source="a.pdf")
    assert "I>DC" not in document.text
    assert document.coverage.pages_failed == {2: "no text: its fonts do not say which letters they draw"}
    assert "1 of 2 pages have fonts that do not say which letters they draw; pip install" in document.coverage.notes[0]


def test_recognition_has_a_minute_a_page_beyond_the_limit(tmp_path: Path) -> None:
    path = scanned(printed(tmp_path))
    assert "Acme" in read_document(path, source="scan.pdf", limits=ReadingLimits(max_seconds=2)).text
    with pytest.raises(DocumentError, match="given up"):
        read_document(path, source="scan.pdf", limits=ReadingLimits(max_seconds=1e-9))


def without_letters(folder: Path) -> Path:
    """A PDF that shows a sentence, in a font that does not tell which letters its glyphs are."""
    document = pymupdf.open()
    write(document.new_page(), 72, 100, "A page that can be read as it is printed.")
    page = document.new_page()
    writer = pymupdf.TextWriter(page.rect)
    writer.append((72, 100), "Net sales rose to 372.2 million in the year 2023", font=pymupdf.Font("helv"), fontsize=14)
    writer.write_text(page)
    for number in range(1, document.xref_length()):
        if "/Identity-H" in document.xref_object(number):
            document.xref_set_key(number, "ToUnicode", "null")
    return save(document, folder / "glyphs.pdf")


@pytest.mark.parametrize("backend", [PyMuPdfBackend, PdfiumBackend])
def test_a_page_whose_fonts_do_not_tell_their_letters_is_looked_at(
    backend: Callable[[], PdfBackend], tmp_path: Path
) -> None:
    content = read_pdf(without_letters(tmp_path), backend())
    text = " ".join(block.text for block in content.blocks)
    assert "Net sales rose to 372.2 million in the year 2023" in text and "A page that can be read" in text
    assert content.failed == {}
    assert "1 pages were read as pictures by text recognition" in content.notes[0]


SENTENCES = (
    "Net sales rose to 372.2 million in the year 2023",
    "Operating income fell in the quarter of 2022 to 41.6 million",
    "Total assets of the group were 9,805.1 million in 2023",
)


def ciphered_report(folder: Path, pages: int = 9, more: Sequence[str] = ("Quarterly Zenith",)) -> Path:
    """Pages of text in one font that does not tell which letters its glyphs are; the last page has letters ``more``."""
    document = pymupdf.open()
    font = pymupdf.Font("helv")
    for number in range(pages):
        page = document.new_page()
        writer = pymupdf.TextWriter(page.rect)
        lines = [*SENTENCES * 4, *more] if number == pages - 1 else SENTENCES * 4
        for at, sentence in enumerate(lines):
            writer.append((72, 100 + 24 * at), sentence, font=font, fontsize=12)
        writer.append((400, 420), f"{number + 1},372", font=font, fontsize=12)
        writer.write_text(page)
    for number in range(1, document.xref_length()):
        if "/Identity-H" in document.xref_object(number):
            document.xref_set_key(number, "ToUnicode", "null")
    return save(document, folder / "ciphered_report.pdf")


@pytest.fixture
def recognised_pages(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The pages that are looked at as pictures."""
    pages: list[int] = []
    whole = ocr.recognise

    def noted(file, numbers, *rest, **options):  # type: ignore[no-untyped-def]
        pages.extend(numbers)
        return whole(file, numbers, *rest, **options)

    monkeypatch.setattr(ocr, "recognise", noted)
    return pages


def test_few_pages_of_a_ciphered_report_are_recognised_and_the_others_spelled_out(
    tmp_path: Path, recognised_pages: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deciphering, "_AT_A_TIME", 2)
    shown: list[tuple[int, int]] = []
    content = read_pdf(
        ciphered_report(tmp_path), PyMuPdfBackend(), progress=lambda done, count: shown.append((done, count))
    )
    assert len(recognised_pages) < 5 and len(set(recognised_pages)) == len(recognised_pages)
    assert content.failed == {} and shown[-1] == (9, 9)
    assert content.notes[0].endswith(f"spell out {9 - len(recognised_pages)} more, whose fonts tell none")
    text = " ".join(" ".join(block.text for block in content.blocks).split())
    assert [text.count(sentence) for sentence in SENTENCES] == [9 * 4] * len(SENTENCES)
    assert "Quarterly Zenith" in text and all(f"{page},372" in text for page in range(1, 10))


def test_letters_that_few_pages_lack_are_learned_from_single_lines(
    tmp_path: Path, recognised_pages: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last page has four lines with a pound sign, which no order tells; they are read, and not the page."""
    monkeypatch.setattr(deciphering, "_AT_A_TIME", 1)
    monkeypatch.setattr(deciphering, "most_telling", lambda pages, count: [1])
    asked: list[dict[int, list[tuple[float, ...]]]] = []
    lines = ocr.recognise_lines

    def noted(file, wanted, *rest):  # type: ignore[no-untyped-def]
        asked.append({page: list(boxes) for page, boxes in wanted.items()})
        return lines(file, wanted, *rest)

    monkeypatch.setattr(ocr, "recognise_lines", noted)
    fees = [f"Fees of £{fee} and £2" for fee in (4, 5, 6, 7)]
    content = read_pdf(ciphered_report(tmp_path, 5, fees), PyMuPdfBackend())
    assert recognised_pages == [1]
    read = [box for one in asked for box in one.get(5, ())]
    assert 4 <= len(read) == len(set(read)) < 12
    text = " ".join(" ".join(block.text for block in content.blocks).split())
    assert all(fee in text for fee in fees) and "5,372" in text


def test_lines_of_several_pages_are_read_together_and_keep_their_places(tmp_path: Path) -> None:
    path = tmp_path / "pages.pdf"
    document = pymupdf.open()
    for number in range(3):
        page = document.new_page()
        page.insert_text((72, 100), f"Net sales of the year were {number + 1},372 million", fontsize=12)
        page.insert_text((72, 114), "A neighbour that is not asked for", fontsize=12)
    file = PyMuPdfBackend().open(save(document, path))
    box = (72.0, 88.0, 330.0, 104.0)
    found = ocr.recognise_lines(file, {1: [box], 3: [box]}, Deadline(60, path))
    file.close()
    assert {page: " ".join(word.text for word in words) for page, words in found.items()} == {
        1: "Net sales of the year were 1,372 million",
        3: "Net sales of the year were 3,372 million",
    }
    for words in found.values():
        assert words[0].box[:2] == pytest.approx((72, 91), abs=4) and words[-1].box[3] == pytest.approx(103, abs=4)


def test_a_line_is_chosen_once_and_a_number_looked_for_in_four() -> None:
    lines = [PrintedNumbers(frozenset({("F", "a"), ("F", chr(200 + at))}), (0, at, 9, at + 1)) for at in range(9)]
    pages = {1: [PrintedNumbers(frozenset({("F", "a")}), (0, 50 + at, 9, 60)) for at in range(9)], 2: lines}
    chooser, key = LineChooser(), CipherKey()
    assert chooser.choose(pages, key) == {2: [line.box for line in lines]}, "all, each for a number of its own"
    assert chooser.choose(pages, key) == {}, "a was looked for in nine lines, the others have no more"


def printed_line(numbers: str, line: int = 0, start: float = 0.0) -> list[Letter]:
    """Letters of one font, 10 points apart, with the numbers of these characters."""
    boxes = [(start + 10.0 * at, 20.0 * line, start + 10.0 * at + 9, 20.0 * line + 10) for at in range(len(numbers))]
    return [Letter("F", number, box, 10.0, False, False, 0, line) for number, box in zip(numbers, boxes, strict=True)]


def read_line(text: str, line: int = 0) -> Word:
    """What was recognised of such a line."""
    return Word(text, (0.0, 20.0 * line, 10.0 * len(text), 20.0 * line + 10), line=line)


def shifted(text: str) -> str:
    """A font that numbers its letters in their order, the blank first."""
    return "".join("\x01" if letter == " " else chr(ord(letter) - 32) for letter in text)


def test_a_number_that_is_recognised_now_one_way_now_another_is_not_known() -> None:
    key = CipherKey()
    for said in ("profit", "profit", "prolit", "prolit"):
        key.learn(printed_line("\x06\x05\x04\x03\x02\x01"), [read_line(said)])
    assert key.unknown({("F", "\x06"), ("F", "\x03"), ("F", "\x07")}) == {("F", "\x03"), ("F", "\x07")}
    key.learn(printed_line("\x03" * 6), [read_line("ffffff")])
    assert [word.text for word in key.words(printed_line("\x06\x05\x04\x03\x02\x01"))] == ["profit"]


def test_the_order_of_a_font_tells_letters_that_were_never_or_once_recognised() -> None:
    key = CipherKey()
    for _ in range(2):
        key.learn(printed_line(shifted("abcdeghijklmn")), [read_line("abcdeghijklmn")])
    assert key.unknown({("F", one) for one in shifted("fao")}) == {("F", shifted("o"))}
    key.learn(printed_line(shifted("ago")), [read_line("ago")])
    assert not key.unknown({("F", shifted("o"))})
    key.learn(printed_line(shifted("apa")), [read_line("aBa")])
    assert key.unknown({("F", shifted("p"))}), "recognised once, and not as its place in the order allows"


def test_lines_of_another_length_tell_what_stands_between_known_letters() -> None:
    key = CipherKey()
    for _ in range(2):
        key.learn(printed_line(shifted("net sales rose at once")), [read_line("net sales rose at once")])
    for _ in range(2):
        key.learn(printed_line(shifted("net rate, at once")), [read_line("net rate , at once")])
    assert [word.text for word in key.words(printed_line(shifted("rates, at")))] == ["rates,", "at"]


def test_what_always_stands_alone_is_a_mark_once_all_digits_are_known() -> None:
    key = CipherKey()
    text = shifted("0123456789 items of the list")
    page = [*printed_line("\x7f"), *printed_line(text, start=40.0)]
    for _ in range(2):
        key.note(page)
    assert key.unknown({("F", "\x7f")})
    for _ in range(2):
        key.learn(printed_line(text), [read_line("0123456789 items of the list")])
    assert [word.text for word in key.words(page)][:2] == ["\u2022", "0123456789"]
