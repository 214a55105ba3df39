from collections import Counter

import pytest
from cliquerag.core.errors import UsageError
from cliquerag.ingest.document import Table

from benchmarks.tasks.documents.icdar2013_tables import gold_relations, run, table_relations

GOLD = """<document><table id="1"><region page="1">
<cell start-row="0" start-col="0" end-col="1"><content>Both Years</content></cell>
<cell start-row="1" start-col="0"><content>a</content></cell>
<cell start-row="1" start-col="1"><content></content></cell>
<cell start-row="2" start-col="0"><content>b</content></cell>
<cell start-row="2" start-col="1"><content>1 000</content></cell>
</region></table></document>"""


def test_relations_skip_empty_cells_and_count_a_span_once_a_neighbour(tmp_path):
    path = tmp_path / "x-str.xml"
    path.write_text(GOLD, encoding="utf-8")
    assert gold_relations(path) == Counter(
        {
            ("bothyears", "a", "below"): 1,
            ("bothyears", "1000", "below"): 1,
            ("a", "b", "below"): 1,
            ("b", "1000", "right"): 1,
        }
    )


def test_a_table_that_is_read_right_has_the_relations_of_the_gold(tmp_path):
    path = tmp_path / "x-str.xml"
    path.write_text(GOLD, encoding="utf-8")
    table = Table((("Both years", ""), ("a", ""), ("b", "1 000")), spans=((0, 0, 0, 1),))
    assert table_relations(table) == gold_relations(path)


def test_a_folder_without_gold_is_a_clear_error(tmp_path):
    with pytest.raises(UsageError, match="structure files"):
        run(tmp_path)
