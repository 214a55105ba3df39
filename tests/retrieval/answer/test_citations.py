"""Where the number of a citation stands in a sentence."""

from __future__ import annotations

import pytest
from cliquerag.retrieval.answer.citations import with_marks


@pytest.mark.parametrize(
    ("sentence", "marked"),
    [
        ("Revenue rose.", "Revenue rose [1]."),
        ("Revenue rose", "Revenue rose [1]"),
        ("Revenue rose.  \n", "Revenue rose [1]."),
        ('He said "sales rose."', 'He said "sales rose [1]."'),
        ("Revenue rose (see note 3)", "Revenue rose (see note 3) [1]"),
        ("Did it rise?!", "Did it rise [1]?!"),
        ("收入增长。”", "收入增长[1]。”"),
        ("...", " [1]..."),
    ],
)
def test_the_number_stands_before_the_closing_marks(sentence: str, marked: str) -> None:
    assert with_marks(sentence, [1]) == marked
