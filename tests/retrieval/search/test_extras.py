import pytest
from cliquerag.core.errors import UsageError
from cliquerag.retrieval.search.weights import EXTRAS, extras_named
from cliquerag.settings import Settings
from cliquerag.workspace import Workspace


def test_an_unknown_extra_is_said_with_what_there_is():
    with pytest.raises(UsageError, match="tokenz") as error:
        extras_named("value, tokenz")
    assert all(name in str(error.value) for name in EXTRAS)


def test_no_extra_is_on_by_itself():
    assert extras_named(Settings().extras) == frozenset()


def test_the_value_of_a_chunk_counts_where_it_is_asked_for():
    plain = "Sales of robots were 5 in the north and sales of robots were 7 in the south that year."
    told = "Sales of robots rose because of new lines, and we expect sales of robots to grow in the south."
    with Workspace("sqlite://", embedder="none", extras="value") as workspace:
        workspace.add_text([plain, told], "a.txt")
        why = {item.page: item.why for item in workspace.search("How did sales of robots develop?")}
    assert why[2]["value"] > why[1]["value"] > 0
