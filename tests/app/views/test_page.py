"""The frame of all pages: complete, for light and dark, closed to what the documents say."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import pytest
from cliquerag.views.page import element, page

VOID = {"meta", "input", "br", "img", "link"}


class Read(HTMLParser):
    """The elements of a page, those left open, and what it would load from elsewhere."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)
        addresses = [str(value) for name, value in attrs if name in ("src", "href")]
        self.loaded += [address for address in addresses if not address.startswith(("#", "data:"))]

    def handle_endtag(self, tag: str) -> None:
        if self.open and self.open[-1] == tag:
            self.open.pop()


@pytest.mark.parametrize("kind", ["answer", "chunks", "tables", "graph", "comparison"])
def test_every_page_has_the_same_frame_and_its_own_style(kind: str) -> None:
    html = page(kind, "A & <b>", "<main>text</main>", footer="<i>")
    read = Read(html)
    assert read.open == [] and read.loaded == []
    assert {"html", "head", "title", "style", "header", "h1", "footer"} <= set(read.tags)
    assert html.count("A &amp; &lt;b&gt;") == 2 and "&lt;i&gt; · CliqueRAG" in html and "<b>" not in html
    assert "prefers-color-scheme: dark" in html
    own = html.partition("@media print")[2].partition("</style>")[0]
    assert len(own) > 500 and not re.search(
        r"https?:|@import|url[(](?!#)", html.replace("http://www.w3.org/2000/svg", "")
    )


def test_colours_of_a_style_sheet_are_those_of_the_frame() -> None:
    for kind in ("answer", "chunks", "tables", "graph", "comparison"):
        html = page(kind, "", "")
        named = set(re.findall(r"var[(](--[a-z0-9]+)", html))
        of_the_content = {"--a", "--w", "--wide"}
        assert named - set(re.findall(r"(--[a-z0-9]+):", html)) <= of_the_content


def test_data_cannot_leave_its_element() -> None:
    hostile = {"text": "</script><script>alert(1)</script>\u2028"}
    html = page("graph", "", "", data=json.dumps(hostile, ensure_ascii=False))
    held = html.split('id="graph">')[1].split("</script>")[0]
    assert json.loads(held) == {"text": hostile["text"].replace("\u2028", " ")}
    assert html.count("</script>") == 2


def test_attributes_are_text_and_those_without_a_value_are_left_out() -> None:
    assert (
        element("a", "x", "y", href='"><b>', aria_label=None, class_="k")
        == '<a href="&quot;&gt;&lt;b&gt;" class="k">xy</a>'
    )
    assert element("line", x1=1, y1=2.25) == '<line x1="1" y1="2.2"></line>'
