"""Markdown: the text stays, headings, tables and lists become segments."""

from __future__ import annotations

from cliquerag.ingest.formats.markdown import is_markdown
from cliquerag.ingest.read import read_text

TEXT = """# Annual report

Intro of *two*
lines.

## Results

Net sales by region
(in millions)

| Region | 2023 | 2022 |
| :--- | ---: | ---: |
| Asia \\| Pacific | 1,200 | 1,100 |
| Europe | 900 |

- first
- second

Outlook
-------

```
# no heading
```
"""


def test_segments_point_into_the_text_as_it_is() -> None:
    document = read_text(TEXT, source="report.md")
    assert document.text == TEXT
    found = [(s.kind, s.level, TEXT[s.start : s.end].split("\n")[0], s.headings) for s in document.segments]
    assert found == [
        ("heading", 1, "Annual report", ()),
        ("paragraph", 0, "Intro of *two*", ("Annual report",)),
        ("heading", 2, "Results", ("Annual report",)),
        ("paragraph", 0, "Net sales by region", ("Annual report", "Results")),
        ("table", 0, "| Region | 2023 | 2022 |", ("Annual report", "Results")),
        ("list", 0, "- first", ("Annual report", "Results")),
        ("heading", 2, "Outlook", ("Annual report",)),
        ("paragraph", 0, "```", ("Annual report", "Outlook")),
    ]


def test_a_table_has_cells_title_and_unit() -> None:
    (table,) = read_text(TEXT, source="report.md").tables
    assert table.rows == (("Region", "2023", "2022"), ("Asia | Pacific", "1,200", "1,100"), ("Europe", "900", ""))
    assert (table.title, table.unit) == ("Net sales by region", "(in millions)")
    assert TEXT[table.start : table.end].startswith("| Region") and TEXT[table.start : table.end].endswith("| 900 |")


def test_plain_text_is_not_taken_for_markdown() -> None:
    assert not is_markdown("Revenue | 3\n#1 in the market\n-----\n")
    assert is_markdown("Text\n\n| a | b |\n|---|---|\n| 1 | 2 |")
