"""Mode "auto": which way of searching fits a question, read from its words."""

from __future__ import annotations

from ..question.question import Question
from .retrievers.communities import asks_broadly, asks_for_connection

_PAIR = 2
"""Names that can be connected."""


def route(question: Question, *, names: int, has_figures: bool) -> tuple[str, str]:
    """The mode to search in, and why; ``names`` are the entities that the question names.

    Figures and passages that state them come from "hybrid"; how entities hang together from "graph"; what a body of
    documents is about from "global"; everything else from "hybrid". Several names alone do not make a question one for
    the graph: sent there, such questions lost their passages (on HotpotQA a sixth of all had both no more).

    >>> from cliquerag.retrieval.question.question import read_question
    >>> route(read_question("What are the main risks across these companies?"), names=0, has_figures=False)
    ('global', 'it is about everything in scope')
    """
    if names >= _PAIR and asks_for_connection(question):
        return "graph", "it asks how entities are connected"
    if asks_broadly(question):
        return "global", "it is about everything in scope"
    if has_figures:
        return "hybrid", "it asks for a figure that the facts have"
    return "hybrid", "a question about passages"
