"""The context of an answer: the vector leg and the graph leg of HybridRAG, a token budget each, nothing said twice."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Literal

from ...core.anchor import at_place
from ...core.tokens import count_tokens
from ...core.words import question_words, sought
from ...kg.drivers import Driver
from ..search.evidence import TEXTS, Context, Evidence
from ..search.retrievers.graph import WORDS

Order = Literal["vector-first", "graph-first"]
BUDGETS = (4000, 2000)
"""Tokens of the vector and of the graph leg."""
_LEAST_WORDS = 0.5
"""Share of the asked words, names left out, that the sentence of another relation has to hold."""
_LEAST_CLIP = 40
"""A clip of fewer tokens says too little to be worth its place."""


def build_context(
    vector: Sequence[Evidence],
    graph: Sequence[Evidence] = (),
    *,
    question: str,
    order: Order = "vector-first",
    budgets: tuple[int, int] = BUDGETS,
    lean: bool = False,
) -> Context:
    """Fill each leg, best first, up to its budget; what the first leg holds is left out of the second.

    Stands on one leg where the other found nothing. A piece larger than the whole budget of its leg is cut to the lines
    around its best sentence. ``lean`` is for a model, which reads sentences itself: relations of one sentence are one
    line, one whose sentence a passage of the context holds adds nothing, and the lines stand in the order in which the
    ``question`` speaks of what they say. Source: Sarmah et al. 2024 (HybridRAG), section 3.3.

    >>> piece = Evidence("chunk", "Revenue rose.", 1.0, "a.txt", id="1", end=13)
    >>> context = build_context([piece], [piece], question="What rose?")
    >>> len(context.vector), len(context.graph)
    (1, 0)
    """
    legs = [(vector, budgets[0]), (one_line_a_sentence(graph) if lean else graph, budgets[1])]
    taken: list[Evidence] = []
    filled: list[tuple[Evidence, ...]] = []
    for found, budget in legs if order == "vector-first" else reversed(legs):
        wanted = [item for item in found if not _is_read_already(item, taken)] if lean else found
        leg = _fill(wanted, budget, taken)
        taken += leg
        filled.append(tuple(leg))
    first, second = filled
    vector_leg, graph_leg = (first, second) if order == "vector-first" else (second, first)
    if lean:
        graph_leg = in_order_of_question(graph_leg, question)
    return Context(vector_leg, graph_leg, order, sum(item.tokens for item in taken))


def adding_to_texts(
    graph: Sequence[Evidence], *, asks_figure: bool = False, asks_connection: bool = False
) -> list[Evidence]:
    """What may tell a model more than the passages do: facts, relations of the kind asked for, the path of a connection
    asked for, and of other relations those whose sentence speaks of what is asked; none where a figure is asked for.

    Of 15 questions on 13 filings a model was given 80 lines; of these it is given 36.
    """
    wanted = {"asked", "path"} if asks_connection else {"asked"}
    return [item for item in graph if item.kind != "relation" or _adds(item, wanted, asks_figure)]


def _adds(relation: Evidence, wanted: Collection[str], asks_figure: bool) -> bool:
    if not relation.why.keys().isdisjoint(wanted):
        return True
    if asks_figure or "path" in relation.why:
        return False
    return relation.why.get(WORDS, 1.0) >= _LEAST_WORDS


def one_line_a_sentence(graph: Sequence[Evidence]) -> list[Evidence]:
    """Relations that one sentence states as one piece, at the place of the first: all of them, then the sentence."""
    found: dict[tuple[str, ...], Evidence] = {}
    for item in graph:
        is_relation = item.kind == "relation" and item.end > item.start
        key = (item.source, str(item.start), str(item.end)) if is_relation else (item.kind, item.id, item.text)
        before = found.get(key)
        if before is None:
            found[key] = item
            continue
        if is_relation:
            said, _, _ = item.text.partition(": ")
            earlier, _, sentence = before.text.partition(": ")
            found[key] = replace(before, text=f"{earlier}; {said}: {sentence}", tokens=0)
    return list(found.values())


def in_order_of_question(leg: Sequence[Evidence], question: str) -> tuple[Evidence, ...]:
    """The lines of relations by the words of the question that they hold, earlier words first; all else stays.

    What was bought comes before who sold it where the question asks so. A word of all lines, or of none, orders
    nothing, and lines that are alike stay as they were found.

    >>> lines = [Evidence("relation", text, 1.0, "a.txt") for text in ("Acme supplies Bolt", "Acme acquired Crux")]
    >>> [line.text for line in in_order_of_question(lines, "Whom did Acme acquire, and whom does it supply?")]
    ['Acme acquired Crux', 'Acme supplies Bolt']
    """
    places = [at for at, item in enumerate(leg) if item.kind == "relation"]
    words = list(dict.fromkeys(question_words(question)))
    asked = sought(frozenset(words))
    held = [asked.found_in(leg[at].text) for at in places]
    telling = [word for word in words if 0 < sum(word in own for own in held) < len(held)]
    ranks = {at: [word not in own for word in telling] for at, own in zip(places, held, strict=True)}
    ordered = list(leg)
    for at, found in zip(places, sorted(places, key=lambda place: ranks[place]), strict=True):
        ordered[at] = leg[found]
    return tuple(ordered)


def _is_read_already(item: Evidence, taken: Sequence[Evidence]) -> bool:
    """True for a relation whose sentence stands in a passage of the context."""
    if item.kind != "relation" or item.end <= item.start:
        return False
    passages = (other for other in taken if other.kind in TEXTS and other.source == item.source)
    return any(other.start <= item.start and item.end <= other.end for other in passages)


def split_legs(found: Iterable[Evidence]) -> tuple[list[Evidence], list[Evidence]]:
    """One ranking as (texts, what the graph and the facts say), each in its order."""
    texts: list[Evidence] = []
    graph: list[Evidence] = []
    for item in found:
        (texts if item.kind in TEXTS else graph).append(item)
    return texts, graph


def describe_budgets(
    vector: Sequence[Evidence], graph: Sequence[Evidence], context: Context, budgets: tuple[int, int]
) -> dict[str, dict[str, object]]:
    """For the trace: what each leg's budget took, and what it left out, as (kind, source, page)."""
    return {
        "vector": _describe_leg(vector, context.vector, budgets[0]),
        "graph": _describe_leg(graph, context.graph, budgets[1]),
    }


def _describe_leg(found: Sequence[Evidence], kept: Sequence[Evidence], budget: int) -> dict[str, object]:
    return {
        "budget": budget,
        "used": sum(item.tokens for item in kept),
        "kept": len(kept),
        "left out": [describe_place(item) for item in found if not _is_held(item, kept)],
    }


def describe_place(item: Evidence) -> str:
    """ "table acme.pdf, page 3": what kind of evidence stands where."""
    return at_place(f"{item.kind} {item.source}", item)


def _fill(found: Sequence[Evidence], budget: int, taken: Sequence[Evidence]) -> list[Evidence]:
    leg: list[Evidence] = []
    left = budget
    for item in found:
        if _is_held(item, taken) or _is_held(item, leg):
            continue
        sized = item if item.tokens else replace(item, tokens=count_tokens(item.text))
        if sized.tokens > left and not leg:
            sized = _clip(sized, left)
        if sized.tokens <= left:
            leg.append(sized)
            left -= sized.tokens
    return leg


def _is_held(item: Evidence, others: Iterable[Evidence]) -> bool:
    return any(_adds_nothing(item, other) for other in others)


def _adds_nothing(one: Evidence, other: Evidence) -> bool:
    """True where ``one`` is the same thing as ``other``, says it in the same words, or is a part of its text."""
    if one.id and one.id == other.id:
        return True
    if one.source != other.source:
        return False
    if one.kind not in TEXTS or other.kind not in TEXTS:
        return one.text == other.text
    return other.start <= one.start and one.end <= other.end and one.end > one.start


def _clip(item: Evidence, budget: int) -> Evidence:
    """The lines around the best sentence that fit in the budget; offsets and text stay in step."""
    if budget < _LEAST_CLIP:
        return item
    lines = item.text.splitlines(keepends=True)
    costs = list(map(count_tokens, lines))
    first, last = _grow(costs, _line_of(item, lines), budget)
    start = sum(map(len, lines[:first]))
    text = "".join(lines[first:last]).rstrip()
    if not text or count_tokens(text) > budget:
        text = text[: max(1, len(text) * budget // (count_tokens(text) + 1))]
    end = item.start + start + len(text)
    return replace(item, text=text, start=item.start + start, end=end, tokens=count_tokens(text))


def _line_of(item: Evidence, lines: Sequence[str]) -> int:
    """The line that holds the best sentence, the first without one."""
    wanted = item.highlights[0][0] - item.start if item.highlights else 0
    at = 0
    for number, line in enumerate(lines):
        at += len(line)
        if wanted < at:
            return number
    return 0


def _grow(costs: Sequence[int], best: int, budget: int) -> tuple[int, int]:
    """Widest run of lines around ``best`` within the budget, growing after it first: what follows explains."""
    first, last, left = best, best + 1, budget - costs[best]
    while True:
        if last < len(costs) and costs[last] <= left:
            left -= costs[last]
            last += 1
        elif first > 0 and costs[first - 1] <= left:
            first -= 1
            left -= costs[first]
        else:
            return first, last


def cause_evidence(drivers: Sequence[Driver], texts: Sequence[Evidence]) -> list[Evidence]:
    """Drivers for a model's context: only those whose sentence no passage there holds."""
    found: list[Evidence] = []
    for driver in drivers:
        if any(_holds(item, driver) for item in texts):
            continue
        item = Evidence(
            kind="relation",
            text=driver.text,
            score=driver.confidence,
            source=driver.document,
            id=driver.id,
            page=driver.page,
            anchors=driver.anchors,
            start=driver.start,
            end=driver.end,
        )
        found.append(item)
    return found


def _holds(item: Evidence, driver: Driver) -> bool:
    return item.source == driver.document and item.start <= driver.start and driver.end <= item.end
