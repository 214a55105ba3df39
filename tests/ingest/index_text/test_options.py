"""Two settings say what is indexed; a changed one is another version of the step."""

from __future__ import annotations

import pytest
from cliquerag.core.errors import UsageError
from cliquerag.ingest.index_text import PLAIN, IndexOptions
from cliquerag.ingest.index_text.options import chunk_vectors, index_texts
from support.canned_model import Canned


@pytest.mark.parametrize("text", index_texts())
def test_every_name_is_an_option_with_a_label_of_its_own(text: str) -> None:
    labels = {IndexOptions.of(name).label(Canned("")) for name in index_texts()}
    assert len(labels) == len(index_texts())
    assert (IndexOptions.of(text).label(None) == "") == (text == "plain")


def test_the_printed_text_and_the_mean_are_the_default() -> None:
    assert IndexOptions.of() == PLAIN == IndexOptions.of("plain", "mean")
    assert [IndexOptions.of(chunk_vectors=kind).weight for kind in chunk_vectors()] == [0, 0.5, 0.5, 0.5]


def test_the_model_and_its_prompt_are_part_of_the_version() -> None:
    options = IndexOptions.of("context:model")
    assert options.asks_model and "canned" in options.label(Canned(""))
    assert options.label(Canned("")) != IndexOptions.of("context").label(Canned(""))


@pytest.mark.parametrize(
    ("texts", "vectors"),
    [("nmaes", "mean"), ("names:model", "mean"), ("plain:model", "mean"), ("plain", "sum"), ("plain", "late:2"),
     ("plain", "late:x"), ("plain", "late:0"), ("plain", "mean:0.5")],
)  # fmt: skip
def test_what_is_no_option_is_named(texts: str, vectors: str) -> None:
    with pytest.raises(UsageError, match=r"names|late"):
        IndexOptions.of(texts, vectors)
