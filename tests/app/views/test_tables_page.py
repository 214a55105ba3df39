from pathlib import Path

from cliquerag.views.inspection_pages import tables_html
from support.layouts import page, statement


class File:
    def __init__(self, layouts):
        self.layouts, self.page_count, self.closed = layouts, len(layouts), False

    def page(self, number):
        return self.layouts[number - 1]

    def picture(self, number, dpi=110):
        return b"PNG"

    def close(self):
        self.closed = True


class Backend:
    name = "ours"

    def __init__(self, *layouts):
        self.file = File(layouts)

    def open(self, path):
        return self.file


def test_each_page_with_a_table_shows_its_picture_boxes_and_cells():
    backend = Backend(statement(1), page(number=2))
    html = tables_html(Path("a <b>.pdf"), backend=backend)
    assert html.count("<figure>") == 1 and html.count("<rect") == 1
    assert "Tables of a &lt;b&gt;.pdf" in html and "<b>" not in html
    assert "1 tables on 1 of 2 pages" in html
    assert "<td" in html and "1,000" in html and "data:image/png;base64,UE5H" in html
    assert "http" not in html
    assert backend.file.closed


def test_a_table_over_two_pages_is_shown_once_and_pointed_at():
    backend = Backend(statement(1, top=650, rows=9), statement(2, top=60, rows=5, heads=False))
    html = tables_html("x.pdf", backend=backend)
    assert html.count("<table>") == 1
    assert "Table 1 goes on from page 1." in html
