"""The same question put in 40 other ways: does the answer stay, and do the pages found, without a model?

60 questions on 25 filings, each in half of the wrappings: a role, a wish for a source, a unit or a form, polite
or other talk around it, other letters, other phrasing. An answer stays where its first figure does (units and digits
aside) or, where sentences are quoted, the first page cited; the pages stay where the first one does and four of five.
Of 22 wrappings the outcomes may be looked at ("read"), of the others nobody looks at more than these shares.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Literal

from cliquerag.core.quantity import Quantity, find_quantities
from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.kg.store import Store
from cliquerag.retrieval.search.evidence import Answer

from ...asking import answer_question
from ...ours import OURS
from .._shared import embedder
from ._filings import FOLDER, TOP, PageKey, Question, filings_store, read_asked, top_pages, write_details
from ._marking import headline, is_refusal, states_figure

__all__ = ["FOLDER", "MINUTES", "run"]
MINUTES = 10
_FIGURES, _TEXTS = 42, 18
"""Bare questions: those for one figure, and the others."""
_SAME_PAGES = 4
_TOPIC = re.compile(r"What (?:was|were|is|are) (?P<topic>.+)\?")
_MARK = re.compile(r"\s{0,9}\[\d{1,9}\]")
_ROUNDING = Decimal("1.001")

Part = Literal["read", "unread"]
PARTS: tuple[Part, ...] = ("read", "unread")


@dataclass(frozen=True, slots=True)
class Wrapper:
    """A way of putting a question: ``{q}`` stands for the question, ``{x}`` and ``{X}`` for what "What was ...?" asks.

    ``letters`` changes the letters instead; ``figures`` is for questions for one figure only.
    """

    name: str
    part: Part
    text: str = "{q}"
    letters: Literal["", "lower", "upper", "no mark"] = ""
    figures: bool = False

    @property
    def rephrases(self) -> bool:
        """True where the question's topic is put into another sentence."""
        return "{x}" in self.text.lower()

    def wrapped(self, question: Question) -> str | None:
        """The question put in this way; None where it cannot be."""
        if self.figures and not question.asks_figure:
            return None
        values = {"q": _spelt(question.text, self.letters)}
        if self.rephrases:
            topic = _TOPIC.fullmatch(question.text)
            if topic is None:
                return None
            values |= {"x": topic["topic"], "X": topic["topic"][:1].upper() + topic["topic"][1:]}
        return self.text.format(**values)


def _spelt(text: str, letters: str) -> str:
    if letters == "lower":
        return text.lower()
    if letters == "upper":
        return text.upper()
    return text.rstrip("?. ") if letters == "no mark" else text


WRAPPERS = (
    Wrapper("role: public equities analyst", "read", "Assume that you are a public equities analyst. {q}"),
    Wrapper(
        "role: investment banker",
        "unread",
        "You are an investment banker and your only resources are the filings at hand. {q}",
    ),
    Wrapper(
        "role: assistant", "unread", "Act as a portfolio manager's assistant and answer the following question. {q}"
    ),
    Wrapper(
        "source: line items of the statements",
        "read",
        "{q} Address the question by using the line items and information shown within the financial statements.",
    ),
    Wrapper(
        "source: based on the filings", "unread", "Based only on the details reported in the company's filings: {q}"
    ),
    Wrapper("unit: millions", "read", "{q} Answer in USD millions.", figures=True),
    Wrapper("unit: billions", "unread", "{q} Please give the amount in billions of US dollars.", figures=True),
    Wrapper("digits: one", "unread", "{q} Round your answer to one decimal place.", figures=True),
    Wrapper("digits: two", "read", "{q} Round to two decimal places.", figures=True),
    Wrapper(
        "form: useful metric",
        "read",
        "{q} If this is not a useful metric for this company, state that and explain why.",
        figures=True,
    ),
    Wrapper("form: concise", "unread", "{q} Be concise."),
    Wrapper("form: just a number", "read", "{q} Respond with just a number.", figures=True),
    Wrapper("form: one sentence", "unread", "{q} Answer in one short sentence and name your source."),
    Wrapper("polite: greeting and thanks", "read", "Hello, I hope you are well. {q} Many thanks in advance!"),
    Wrapper("polite: please help", "unread", "Could you please help me with this? {q} Thank you."),
    Wrapper("context: memo", "read", "We are preparing an investment memo. {q}"),
    Wrapper("context: call", "unread", "I have a call with the client in ten minutes and need this for my notes. {q}"),
    Wrapper(
        "both: model update", "read", "For our model update: {q} Use the filing, not press reports, and be precise."
    ),
    Wrapper("letters: lower case", "unread", letters="lower"),
    Wrapper("letters: no question mark", "read", letters="no mark"),
    Wrapper("letters: capitals", "unread", letters="upper"),
    Wrapper("phrasing: tell me", "read", "Tell me {x}."),
    Wrapper("phrasing: please give me", "unread", "Please give me {x}."),
    Wrapper("phrasing: what was it", "read", "{X}: what was it?"),
    Wrapper("phrasing: can you tell me", "unread", "Can you tell me {x}?"),
    Wrapper(
        "role: credit committee",
        "read",
        "Pretend you sit on the credit committee of a regional lender. {q} Think about it before you reply.",
    ),
    Wrapper("talk: coffee machine", "read", "The auditors were here and the coffee machine is broken. Anyway. {q}"),
    Wrapper("talk: colleague", "read", "My colleague claims I got it wrong. {q}"),
    Wrapper("talk: before the call", "read", "Before the call starts: {q}"),
    Wrapper(
        "mail: signature", "read", "Hi Jonas,\nhope the weekend was good. {q}\nCheers\nAnneka Visser\nNorthlake Capital"
    ),
    Wrapper("mail: forwarded", "unread", "FW: RE: quick check\n\n{q}\n\nSent from my phone"),
    Wrapper("form: keys", "unread", '{q} Return JSON with the keys "value" and "unit".', figures=True),
    Wrapper("form: instruction", "read", "### Instruction\n{q}\n### Response"),
    Wrapper("form: not found", "unread", "{q} If you can't find it just say N/A."),
    Wrapper("topic: alone", "read", "{X}"),
    Wrapper("topic: slide", "read", "Need {x} for slide 12."),
    Wrapper("topic: after", "unread", "I am after {x}, nothing else."),
    Wrapper("topic: came in", "read", "What did {x} come in at?"),
    Wrapper("topic: colon", "read", "{X}:"),
    Wrapper("topic: someone", "unread", "Someone asked about {x}, can you help?"),
)


@dataclass(frozen=True, slots=True)
class _Reply:
    """What comes back for one way of putting a question."""

    answer: Answer
    pages: Sequence[PageKey]

    @property
    def cited(self) -> tuple[str, int | None] | None:
        """The first page cited."""
        first = next(iter(self.answer.citations), None)
        return (first.source, first.page) if first else None


@dataclass(frozen=True, slots=True)
class Outcome:
    """A question put in another way, and what stayed."""

    question: Question
    wrapper: Wrapper
    text: str
    answer_stays: bool
    pages_stay: bool
    replies: tuple[_Reply, _Reply]
    """To the bare question and to this one."""


def run(folder: Path) -> Report:
    """Ask the bare questions and half of all pairs of question and wrapping."""
    asked = _bare()
    with filings_store(folder) as store:
        bare = [_reply(store, question.text) for question in asked]
        outcomes = [_outcome(store, asked[i], wrapper, text, bare[i]) for i, wrapper, text in _pairs(asked)]
    shown = [o for o in outcomes if o.wrapper.part == "read" and o.question.part == "dev"]
    write_details("wrappers", [_details(outcome) for outcome in shown])
    notes = (f"{len(asked)} questions, {len(WRAPPERS)} wrappings, {len(outcomes)} pairs.",)
    return Report("wrappers", tuple(_rows(outcomes)), notes)


def _bare() -> list[Question]:
    """Questions without a wrapping of their own, those of the dev part first."""
    plain = [q for q in read_asked() if q.answerable and not q.tags & {"long", "unit"}]
    ordered = sorted(plain, key=lambda q: q.part != "dev")
    figures = [q for q in ordered if q.asks_figure]
    texts = [q for q in ordered if not q.asks_figure]
    return figures[:_FIGURES] + texts[:_TEXTS]


def _pairs(asked: Sequence[Question]) -> Iterator[tuple[int, Wrapper, str]]:
    """Every second wrapping of a question, from the first or the second on in turn; few can be phrased anew: these are
    in every way."""
    for i, question in enumerate(asked):
        for j, wrapper in enumerate(WRAPPERS):
            text = wrapper.wrapped(question) if i % 2 == j % 2 or wrapper.rephrases else None
            if text is not None:
                yield i, wrapper, text


def _reply(store: Store, text: str) -> _Reply:
    return _Reply(answer_question(store, embedder(), None, text), top_pages(store, text))


def _outcome(store: Store, question: Question, wrapper: Wrapper, text: str, bare: _Reply) -> Outcome:
    reply = _reply(store, text)
    return Outcome(question, wrapper, text, same_answer(bare, reply), same_pages(bare, reply), (bare, reply))


def same_answer(one: _Reply, other: _Reply) -> bool:
    """True where both refuse, give the same figure, or quote the same page first."""
    if is_refusal(one.answer) or is_refusal(other.answer):
        return is_refusal(one.answer) and is_refusal(other.answer)
    if states_figure(one.answer) or states_figure(other.answer):
        return same_figure(_first_figure(one.answer), _first_figure(other.answer))
    return one.cited == other.cited


def same_pages(one: _Reply, other: _Reply) -> bool:
    """True where the first page is the same, and four of the first five are."""
    needed = min(_SAME_PAGES, len(one.pages))
    return one.pages[:1] == other.pages[:1] and len(set(one.pages[:TOP]) & set(other.pages[:TOP])) >= needed


def _first_figure(answer: Answer) -> Quantity | None:
    return next(iter(find_quantities(_MARK.sub("", headline(answer)))), None)


def same_figure(one: Quantity | None, other: Quantity | None) -> bool:
    """True where two amounts are the same up to their unit's scale and the digits printed.

    >>> first, second = find_quantities("USD 7,396 million"), find_quantities("USD 7.4 billion")
    >>> same_figure(first[0], second[0])
    True
    """
    if one is None or other is None:
        return one is other
    coarse = max(_step(one), _step(other))
    return abs(one.amount - other.amount) <= coarse / 2 * _ROUNDING


def _step(quantity: Quantity) -> Decimal:
    """The value of the last printed digit."""
    exponent = quantity.value.as_tuple().exponent
    decimals = -exponent if isinstance(exponent, int) else 0
    return quantity.scale.scaleb(-max(decimals, 0))


def _rows(outcomes: Sequence[Outcome]) -> Iterator[Row]:
    groups: dict[str, list[Outcome]] = {part: [o for o in outcomes if o.wrapper.part == part] for part in PARTS}
    groups["all"] = list(outcomes)
    for name, own in groups.items():
        yield Row.mean(OURS, f"{name}: answers stay", [float(o.answer_stays) for o in own])
        yield Row.mean(OURS, f"{name}: pages stay", [float(o.pages_stay) for o in own])
    for kind, wanted in (("figures", True), ("texts", False)):
        own = [o for o in outcomes if o.question.asks_figure == wanted]
        yield Row.mean(OURS, f"{kind}: answers stay", [float(o.answer_stays) for o in own])
        yield Row.mean(OURS, f"{kind}: pages stay", [float(o.pages_stay) for o in own])


def _details(outcome: Outcome) -> dict[str, object]:
    bare, wrapped = outcome.replies
    return {
        "id": outcome.question.id,
        "wrapper": outcome.wrapper.name,
        "question": outcome.text,
        "answer stays": outcome.answer_stays,
        "pages stay": outcome.pages_stay,
        "bare answer": bare.answer.text,
        "answer": wrapped.answer.text,
        "bare pages": bare.pages,
        "pages": wrapped.pages,
    }
