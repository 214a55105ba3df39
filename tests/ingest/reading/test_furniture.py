"""Running headers, footers and page numbers."""

from __future__ import annotations

import pytest
from cliquerag.ingest.reading.block import PrintedLine
from cliquerag.ingest.reading.furniture import loose_furniture, page_numbers, running_lines

HEIGHT = 800.0


def page(number: int, *lines: tuple[float, str]) -> list[PrintedLine]:
    return [PrintedLine(text, number, (50, y, 300, y + 10)) for y, text in lines]


def marked(pages: list[list[PrintedLine]], marks: dict[tuple[int, int], str]) -> set[str]:
    return {pages[index][at].text for index, at in marks}


def test_what_recurs_at_the_edge_is_furniture_whatever_its_digits() -> None:
    pages = [page(n, (20, f"Acme {2000 + n} Report"), (400, "Body"), (780, f"- {n} of 9 pages")) for n in range(1, 7)]
    marks = running_lines(pages, [HEIGHT] * 6)
    assert {marks[0, 0], marks[3, 2]} == {"running header", "running footer"}
    assert "Body" not in marked(pages, marks)
    assert len(marks) == 12


def test_unit_lines_and_bare_numbers_at_the_edge_stay() -> None:
    pages = [page(n, (20, "(in millions)"), (40, "Year Ended December 31,"), (780, f"{n * 37}")) for n in range(1, 9)]
    assert running_lines(pages, [HEIGHT] * 8) == {}


def test_a_chapter_title_of_three_near_pages_is_furniture_but_not_of_two() -> None:
    titles = ["One", "One", "Three", "Three", "Three", *(f"Title {word}" for word in "abcdefghijklmn")]
    pages = [page(n, (20, f"{title} chapter"), (400, "x")) for n, title in enumerate(titles)]
    found = marked(pages, running_lines(pages, [HEIGHT] * len(pages)))
    assert found == {"Three chapter"}


def test_page_numbers_keep_step_with_the_pages() -> None:
    pages = [page(n, (400, "Body"), (780, str(n + 2))) for n in range(1, 8)]
    pages[3].append(PrintedLine("1234", 4, (50, 790, 80, 798)))
    found = marked(pages, page_numbers(pages, [HEIGHT] * 7))
    assert found == {str(n + 2) for n in range(1, 8)}


def test_written_out_page_numbers_need_no_company() -> None:
    pages = [page(1, (780, "Page 1 of 2")), page(2, (780, "第 2 页"))]
    assert len(page_numbers(pages, [HEIGHT] * 2)) == 2


@pytest.mark.parametrize("printed", ["{}", "-{}-", "– {} –"])
def test_numbers_of_another_page_size_count_up_through_the_text(printed: str) -> None:
    numbers = [printed.format(n) for n in range(1, 9)]
    pages = [
        page(n, (100, "ab" * n), (300, number), (320, "Table of Contents"), (500, "xy" * n))
        for n, number in enumerate(numbers, 1)
    ]
    pages[2].insert(0, PrintedLine("777", 3, (50, 60, 80, 70)))
    marks = loose_furniture(pages)
    assert marked(pages, marks) == {*numbers, "Table of Contents"}


def test_a_numbered_list_on_one_page_is_no_run_of_page_numbers() -> None:
    pages = [page(1, *((100 + 20 * n, str(n)) for n in range(1, 12))), page(2, (100, "Text"))]
    assert loose_furniture(pages) == {}


def test_text_without_boxes_is_looked_at_from_its_ends() -> None:
    pages = [
        [PrintedLine(text, n) for text in ("Acme Report", *(letter * length for length in range(4, 9)), str(n))]
        for n, letter in enumerate("abcde", start=1)
    ]
    assert marked(pages, running_lines(pages, [0.0] * 5)) == {"Acme Report"}
    assert {"1", "5"} <= marked(pages, page_numbers(pages, [0.0] * 5))


def test_numbered_titles_and_checked_boxes_are_no_furniture() -> None:
    pages = [page(n, (20, f"Exhibit {n}.1"), (400, "ab" * n), (780, "□适用 √不适用")) for n in range(1, 7)]
    assert running_lines(pages, [HEIGHT] * 6) == {}
