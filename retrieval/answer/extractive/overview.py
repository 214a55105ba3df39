"""Answers without a model to the broadest questions: whole claims, each cited, and themes that companies share.

Claims are those of community reports, or the steps of a path. A theme is a risk, a rule or a rival that the statements
of several companies lead to; the one that most share is first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ....core.orders import gives_orders
from ....core.patterns import PatternTable
from ....kg.graph import Relation, Statement
from ....prompts.messages import message
from ...question.plan import QuestionPlan
from ...search.evidence import Evidence
from ...search.retrievers.communities import asks_broadly, asks_for_connection
from ...search.retrievers.relations import statement_evidence
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


MOST_THEMES = 8
MOST_COMPANIES = 4
"""Companies of a theme that are named, each with its sentence; the others are counted."""
_LEAST_COMPANIES = 2
_RULES = PatternTable(__package__, "themes.toml")

Said = tuple[Relation, Statement]


@dataclass(frozen=True, slots=True)
class Theme:
    """What companies share, and for each of them the relation and the statement that says so."""

    name: str
    said: Sequence[Said]


def shared_themes(plan: QuestionPlan) -> list[Theme]:
    """The themes of the documents in scope that a broad question asks for; empty for any other question.

    Reads all relations of the store once, as finding the communities does.
    """
    text = plan.asked.trimmed
    asked = [kind for kind in _RULES if _RULES.any(kind, text)]
    if not asked or not asks_broadly(plan.asked):
        return []
    sources = set(plan.selection.sources)
    by_theme: dict[str, dict[str, Said]] = {}
    names: dict[str, str] = {}
    for relation in plan.store.all_relations():
        if relation.relation not in asked:
            continue
        said = next((one for one in relation.statements if one.document in sources and _can_be_shown(one)), None)
        if said is not None:
            names[relation.tail.id] = relation.tail.name
            by_theme.setdefault(relation.tail.id, {}).setdefault(relation.head.id, (relation, said))
    themes = [Theme(names[id], list(own.values())) for id, own in by_theme.items() if len(own) >= _LEAST_COMPANIES]
    themes.sort(key=lambda theme: (-len(theme.said), theme.name))
    return themes[:MOST_THEMES]


def write_themes(themes: Sequence[Theme], plan: QuestionPlan, citations: Citations) -> str:
    """A line a theme: its name, how many companies share it, and some of them with page and citation."""
    lines, between = [message("themes", plan.language)], message("between_names", plan.language)
    for theme in themes:
        named = [_named(item, plan, citations) for item in theme.said[:MOST_COMPANIES]]
        shared = message("theme", plan.language, name=theme.name, count=len(theme.said), named=between.join(named))
        lines.append(f"- {shared}")
    return "\n".join(lines)


def _can_be_shown(said: Statement) -> bool:
    return said.modality != "negated" and not gives_orders(said.text)


def _named(item: Said, plan: QuestionPlan, citations: Citations) -> str:
    """ "Acme (p. 12) [3]": who shares a theme, and where its document says so."""
    relation, said = item
    evidence = _evidence(relation, said, plan)
    number = citations.cite(evidence, said.text, said.start, said.end)
    page = message("theme_page", plan.language, page=evidence.page) if evidence.page else ""
    return f"{relation.head.name}{page} [{number}]"


def _evidence(relation: Relation, said: Statement, plan: QuestionPlan) -> Evidence:
    pages = plan.store.pages({said.document}).get(said.document, ())
    return statement_evidence(said.confidence, relation, said, plan.vocabulary.schema, pages)
