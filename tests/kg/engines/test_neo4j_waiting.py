"""Vectors of documents that wait for their index, while others write."""

from __future__ import annotations

import numpy as np
from cliquerag.kg.engines.neo4j.vector_queue import Waiting


def test_a_document_that_is_replaced_at_this_moment_is_passed_over() -> None:
    """The server gives such a row without a source; a search beside a writer failed of it once in some runs."""
    nobody = Waiting().hits(None, [(None, 1)], np.ones(2, np.float32))  # type: ignore[arg-type,list-item]
    assert nobody == []
