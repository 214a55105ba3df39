"""Plain text in two columns is read column by column."""

from cliquerag.ingest.formats.text import read_plain
from cliquerag.ingest.formats.text_columns import in_reading_order

TWO = """PARK HOMES TRUST
SUPPLEMENT

OVERVIEW                                  OUTLOOK FOR 2025

Park Homes owned 142 communities with     We expect core FFO per share of
38,906 apartment homes in ten states      $3.18 to $3.30 in 2025, and same-
at year end. Average occupancy of the     store growth of 1.5% to 3.0%.
same-store pool was 95.6% in the          Dispositions should be between $150
quarter, up from 95.1%.                   million and $250 million.

RESULTS (in thousands)
                                     2024       2023
Net income                         41,230     37,902
Depreciation of real estate        73,104     70,218
"""
NAMES = """Tom Ash            Chief Executive Officer
Ann Birch          Chief Financial Officer
Lee Cole           Head of Sales
Kim Dorn           Secretary
"""


def test_sentences_of_two_columns_are_whole_and_the_table_below_stays_one():
    content = read_plain(TWO, tables=True)
    assert (
        "We expect core FFO per share of $3.18 to $3.30 in 2025, and same-store growth of 1.5% to 3.0%." in content.text
    )
    assert "Average occupancy of the same-store pool was 95.6% in the quarter, up from 95.1%." in content.text
    assert content.text.index("OVERVIEW") < content.text.index("142 communities") < content.text.index("OUTLOOK")
    (table,) = content.tables
    assert ("Net income", "41,230", "37,902") in table.rows


def test_lists_tables_and_plain_prose_stay_as_they_are():
    plain = "One sentence that is broken\nover several lines of\nplain text is no column.\n"
    table = "\n".join(TWO.split("\n")[11:])
    for text in (NAMES, plain, table, ""):
        lines = text.split("\n")
        assert in_reading_order(lines) == lines
