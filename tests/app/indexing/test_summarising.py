"""Summaries by a model while somebody else adds or removes the documents."""

import pytest
from cliquerag import Workspace
from cliquerag.indexing.mending import summarise_documents
from support.canned_answers import Answering

BOOK = "# Costs\n\n" + "Steel and containers were dear in the year, and rents rose with them. " * 60


class Meanwhile(Answering):
    """A model during whose first call something happens to the store."""

    def __init__(self, happens):
        super().__init__(['{"summary": "Steel was dear."}'])
        self.happens = [happens]

    def replies(self, requests, **options):
        while self.happens:
            self.happens.pop()()
        return super().replies(requests, **options)


@pytest.mark.parametrize("is_removed", [True, False])
def test_a_document_that_goes_or_changes_during_the_calls_gets_no_old_summary(is_removed):
    with Workspace("sqlite://", embedder="none") as workspace:
        workspace.add_text(BOOK, "a.md")
        workspace.add_text(BOOK + "End.", "b.md")

        def happens():
            if is_removed:
                workspace.store.remove("a.md")
            else:
                workspace.add_text(BOOK + "Steel was cheap after all.", "a.md")

        first, second = summarise_documents(workspace.store, Meanwhile(happens), None)
        assert (first.outcome, second.outcome) == ("failed", "added")
        assert "meanwhile" in first.error
        assert list(workspace.store.section_summaries(["b.md"])) == ["b.md"]
        again = list(summarise_documents(workspace.store, Meanwhile(lambda: None), None))
        assert [report.outcome for report in again] == (["unchanged"] if is_removed else ["added", "unchanged"])
