"""Mode "auto": which way of searching fits a question, read from its words and the entities it names."""

from __future__ import annotations

from collections.abc import Sequence

from .community_route import asks_broadly, asks_for_connection
from .expected import expected_answer
from .linking import LinkedEntity
from .question import Question

_PAIR = 2


def route(question: Question, links: Sequence[LinkedEntity], *, has_figures: bool) -> tuple[str, str]:
    """The mode to search in, and why.

    Figures and passages that state them come from "hybrid"; how entities hang together from "graph"; what a body of
    documents is about from "global"; everything else from "hybrid".

    >>> from .question import read_question
    >>> route(read_question("What are the main risks across these companies?"), (), has_figures=False)
    ('global', 'it is about everything in scope')
    """
    if asks_for_connection(question):
        return "graph", "it asks how entities are connected"
    if asks_broadly(question):
        return "global", "it is about everything in scope"
    if has_figures:
        return "hybrid", "it asks for a figure that the facts have"
    pair = len({link.entity.id for link in links}) >= _PAIR
    if pair and expected_answer(question).kind in ("name", "") and not question.numeric and not question.explains:
        return "graph", "it names several entities and asks for words"
    return "hybrid", "a question about passages"
