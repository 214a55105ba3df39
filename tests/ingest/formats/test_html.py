"""HTML and EDGAR filings: what is seen, tables, page breaks, cover facts of inline XBRL."""

from __future__ import annotations

import pytest
from cliquerag.ingest.document import Document
from cliquerag.ingest.facts import extract_facts
from cliquerag.ingest.read import read_text

FILING = """<?xml version='1.0' encoding='ASCII'?>
<html xmlns:ix="http://www.xbrl.org/2013/inlineXBRL"><head><title>acme-20231231</title><style>p {}</style></head><body>
<div style="display:none"><ix:header><ix:hidden><ix:nonNumeric name="dei:AmendmentFlag">false</ix:nonNumeric>
</ix:hidden></ix:header></div>
<div><span style="font-weight:700;font-size:14pt">FORM
<ix:nonNumeric name="dei:DocumentType">10-K</ix:nonNumeric></span></div>
<p>For the fiscal year ended <ix:nonNumeric name="dei:DocumentPeriodEndDate">December 31, 2023</ix:nonNumeric>
<span style="display:none">seen by nobody</span></p>
<p><ix:nonNumeric name="dei:EntityRegistrantName">Acme&#160;Inc.</ix:nonNumeric></p>
<p>Delaware</p><p>(State of incorporation)</p>
<p><ix:nonNumeric name="dei:TradingSymbol">ACME</ix:nonNumeric>
<ix:nonNumeric name="dei:DocumentFiscalYearFocus">2023</ix:nonNumeric>
<ix:nonNumeric name="dei:DocumentFiscalPeriodFocus">FY</ix:nonNumeric></p>
<table><tr><td><a href="#i1">Item 1.</a></td><td><a href="#i1">Business</a></td><td><a href="#i1">3</a></td></tr>
<tr><td><a href="#i7">Item 7.</a></td><td><a href="#i7">Review of the year</a></td><td><a href="#i7">9</a></td></tr>
</table>
<hr style="page-break-after:always"/>
<div id="i7"><b>Item 7. Review of the year</b></div>
<p>Revenue rose 12% to $3.4&nbsp;<b>billion</b> in 2023.<br/>More text.</p>
<table><tr><td>&#8226;</td><td>A bullet that is laid out with a table.</td></tr></table>
<p>Net sales</p><p>(in millions)</p>
<table><tr><td></td><td colspan="3">2023</td><td></td><td colspan="3">2022</td></tr>
<tr><td>Pumps</td><td>$</td><td>3,400</td><td></td><td></td><td>$</td><td>3,036</td><td></td></tr>
<tr><td>Valves</td><td></td><td>(12</td><td>)</td><td></td><td></td><td>(15</td><td>)</td></tr></table>
<ul><li>One</li><li>Two</li></ul>
</body></html>"""


@pytest.fixture(scope="module")
def filing() -> Document:
    return read_text(FILING, source="filing.htm")


def test_hidden_text_is_left_out_and_seen_text_kept(filing: Document) -> None:
    assert "false" not in filing.text and "nobody" not in filing.text and "p {}" not in filing.text
    assert "Revenue rose 12% to $3.4 billion in 2023.\nMore text." in filing.text
    assert "A bullet that is laid out with a table." in filing.text


@pytest.mark.parametrize(
    "style",
    ["font-size:0", "font-size: 1px; color:#fff", "opacity:0", "FONT-SIZE:0.5pt", "position:absolute;left:-9999px"],
)
def test_letters_too_small_or_faint_to_be_seen_are_left_out(style: str) -> None:
    page = f"<html><body><p>Seen by all.</p><p style='{style}'>Nobody sees this.</p></body></html>"
    assert "Nobody" not in read_text(page, source="page.htm").text


def test_what_is_hidden_by_its_attribute_is_left_out() -> None:
    page = "<html><body><p>Seen by all.</p><div hidden>Nobody sees this.</div></body></html>"
    assert "Nobody" not in read_text(page, source="page.htm").text


@pytest.mark.parametrize("style", ["font-size:10pt", "font-size:1.2em", "color:#ffffff", "opacity:0.9"])
def test_other_letters_are_read(style: str) -> None:
    page = f"<html><body><p>Seen by all.</p><p style='{style}'>This as well.</p></body></html>"
    assert "This as well" in read_text(page, source="page.htm").text


def test_tables_lose_spacers_and_regain_their_signs(filing: Document) -> None:
    (table,) = filing.tables
    assert table.rows == (("", "2023", "2022"), ("Pumps", "$3,400", "$3,036"), ("Valves", "(12)", "(15)"))
    assert (table.header_rows, table.title, table.unit) == (1, "Net sales", "(in millions)")
    assert "| Valves | (12) | (15) |" in filing.text[table.start : table.end]
    assert table.headings[-1] == "Item 7. Review of the year"


def test_a_head_over_several_columns_heads_each_of_them_and_a_section_is_no_head() -> None:
    rows = """<tr><td></td><td></td><td colspan="7">Year Ended December 31,</td></tr>
<tr><td></td><td></td><td colspan="3">2023</td><td></td><td colspan="3">2022</td></tr>
<tr><td>Current assets:</td><td></td><td colspan="3"></td><td></td><td colspan="3"></td></tr>
<tr><td>Cash</td><td></td><td>$</td><td>12</td><td></td><td></td><td>$</td><td>14</td><td></td></tr>
<tr><td>Debt</td><td></td><td></td><td>(13</td><td>)</td><td></td><td></td><td>15</td><td></td></tr>"""
    document = read_text(f"<html><body><table>{rows}</table></body></html>", source="x.htm")
    assert document.tables[0].header_rows == 2
    assert document.text.split("\n") == [
        "|  | Year Ended December 31, 2023 | Year Ended December 31, 2022 |",
        "| --- | --- | --- |",
        "| Current assets: |  |  |",
        "| Cash | $12 | $14 |",
        "| Debt | (13) | 15 |",
    ]


def test_a_caption_is_the_title_and_unit_of_its_table_and_stays_in_the_text() -> None:
    page = """<html><body><h1>Nordby AB grows</h1><table><caption>Nordby AB, key figures (SEK million)</caption>
<tr><th></th><th>Q3 2025</th><th>Q3 2024</th></tr>
<tr><td>Net sales</td><td>1,873</td><td>1,420</td></tr></table></body></html>"""
    document = read_text(page, source="x.htm")
    (table,) = document.tables
    assert (table.title, table.unit) == ("Nordby AB, key figures (SEK million)", "(SEK million)")
    assert "\n\nNordby AB, key figures (SEK million)\n\n| (SEK million) |" in document.text
    fact = extract_facts(document)[0]
    assert (fact.company, fact.unit, fact.amount) == ("Nordby AB", "SEK", 1_873_000_000)


def test_page_breaks_count_pages(filing: Document) -> None:
    assert len(filing.pages) == 2
    at = filing.text.index("Revenue rose")
    assert [anchor.page for anchor in filing.anchors(at, at + 5)] == [2]


def test_cover_facts_come_from_inline_xbrl(filing: Document) -> None:
    data = filing.metadata
    assert (data.companies, data.tickers, data.kind) == (("Acme Inc.",), ("ACME",), "10-K")
    assert data.period is not None and data.period.label == "FY2023"
    assert data.how["companies"] == data.how["period"] == "inline XBRL"


def test_contents_by_links_are_marked(filing: Document) -> None:
    contents = [filing.text[s.start : s.end] for s in filing.segments if s.kind == "contents"]
    assert contents == ["Item 1. Business 3\nItem 7. Review of the year 9"]


def test_list_items_form_one_list(filing: Document) -> None:
    assert [filing.text[s.start : s.end] for s in filing.segments if s.kind == "list"][-1] == "One\nTwo"


def test_headings_of_html_give_levels() -> None:
    document = read_text("<html><body><h1>Top</h1><p>a</p><h3>Deep</h3><p>b</p></body></html>", source="x")
    assert [(s.kind, s.level, s.headings) for s in document.segments] == [
        ("heading", 1, ()),
        ("paragraph", 0, ("Top",)),
        ("heading", 3, ("Top",)),
        ("paragraph", 0, ("Top", "Deep")),
    ]


def test_row_spans_push_cells_to_the_right() -> None:
    rows = "<tr><td rowspan=2>A<td>1<td>2</tr><tr><td>3<td>4</tr><tr><td>B<td>5<td>6</tr>"
    document = read_text(f"<html><body><table>{rows}</table></body></html>", source="x")
    assert document.tables[0].rows == (("A", "1", "2"), ("", "3", "4"), ("B", "5", "6"))


def test_a_submission_is_read_without_its_pictures_and_data() -> None:
    text = (
        "<SEC-DOCUMENT>\n"
        "<DOCUMENT>\n<TYPE>10-K\n<TEXT>\n<html><body><p>The report</p></body></html>\n</TEXT>\n</DOCUMENT>\n"
        "<DOCUMENT>\n<TYPE>GRAPHIC\n<TEXT>\nbegin 644 a.jpg\nM_]C_X\n</TEXT>\n</DOCUMENT>\n"
        "<DOCUMENT>\n<TYPE>EX-99.1\n<TEXT>\n<html><body><p>The release</p></body></html>\n</TEXT>\n</DOCUMENT>"
    )
    document = read_text(text, source="x.txt")
    assert "The report" in document.text and "The release" in document.text and "M_]C_X" not in document.text


def test_very_deep_nesting_still_gives_its_text() -> None:
    document = read_text(
        "<html><body>" + "<div>" * 30_000 + "deep text" + "</div>" * 30_000 + "<p>After</p>", source="x"
    )
    assert "deep text" in document.text


def test_words_set_apart_by_style_alone_have_a_blank_between_them() -> None:
    page = """<html><body><div style="padding-left:45pt"><span style="font-weight:700">Item 1.</span><span
style="font-weight:700;padding-left:13.92pt">Business</span></div><p>We sell <b style="padding-left:1pt">p</b>umps.</p>
<table><tr><td><span>(1)</span><span style="margin-left:4px">Total</span></td><td>5</td><td>4</td></tr></table>
</body></html>"""
    text = read_text(page, source="a.htm").text
    assert "Item 1. Business" in text and "We sell pumps." in text and "(1) Total" in text


TYPED = """
                                  Year ended December 31,
                                    1999         1998
                                  ---------    ---------
<S>                               <C>          <C>
Net sales......................   $ 1,204      $   998
Net income (loss)..............        44          (12)
"""


@pytest.mark.parametrize("marks", [("", ""), ("<TABLE>\n<CAPTION>", "</TABLE>")])
def test_tables_typed_with_blanks(marks: tuple[str, str]) -> None:
    opening, closing = marks
    page = f"<html><body><pre>The Company sells pumps.\n{opening}{TYPED}{closing}\nSales rose.</pre></body></html>"
    document = read_text(page, source="branton_1999_10k.htm")
    (table,) = document.tables
    assert table.body == (("Net sales", "$ 1,204", "$ 998"), ("Net income (loss)", "44", "(12)"))
    assert document.text.startswith("The Company sells pumps.") and document.text.endswith("Sales rose.")
    assert "Year ended December 31, 1998 |" in document.text
