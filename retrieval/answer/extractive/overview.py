"""An answer without a model made of whole claims: of community reports, or the steps of a path; each is cited."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ....core.orders import gives_orders
from ...question.plan import QuestionPlan
from ...search.evidence import Evidence
from ...search.retrievers.communities import asks_broadly, asks_for_connection
from ..citations import Citations

MOST_GROUPS = 8
MOST_CLAIMS = 12
"""Of all groups together; each has three, so that the largest does not fill the answer."""
LONGEST = 240

Claims = dict[str, list[Evidence]]
"""Community or path -> its claims, in the order found."""


def claims_for(plan: QuestionPlan, evidence: Sequence[Evidence]) -> Claims:
    """The claims that answer a question about everything at once, or about how two things hang together.

    A question for names that is about one company is not answered by all that is related to it.
    """
    question = plan.asked
    if asks_for_connection(question):
        steps = _grouped(evidence, lambda item: "path" in item.why)
        if steps:
            return steps
    asks_names_of_one = plan.expected.kind == "name" and len(plan.companies) == 1
    if asks_names_of_one or not asks_broadly(question):
        return {}
    return _grouped(evidence, lambda item: item.kind == "community")


def write_overview(claims: Claims, citations: Citations) -> str:
    """A paragraph a group: its title, then a line a claim."""
    shown = list(claims.items())[:MOST_GROUPS]
    most = max(3, MOST_CLAIMS // len(shown))
    paragraphs: list[str] = []
    for title, items in shown:
        lines = [f"- {_line(item, citations)}" for item in items[:most]]
        paragraphs.append("\n".join([title, *lines]))
    return "\n\n".join(paragraphs)


def _grouped(evidence: Sequence[Evidence], wanted: Callable[[Evidence], bool]) -> Claims:
    groups: Claims = {}
    for item in evidence:
        if wanted(item) and item.headings and not gives_orders(item.text):
            groups.setdefault(item.headings[0], []).append(item)
    return groups


def _line(item: Evidence, citations: Citations) -> str:
    """A claim with its citation; what is cited is the sentence that says so."""
    claim, _, sentence = item.text.partition("\n" if item.kind == "community" else ": ")
    number = citations.cite(item, sentence or claim, item.start, item.end)
    shown = claim if len(claim) <= LONGEST else f"{claim[:LONGEST].rsplit(' ', 1)[0]} …"
    return f"{shown} [{number}]"
