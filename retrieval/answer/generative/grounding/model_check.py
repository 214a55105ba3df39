"""A model's judgement on the sentences of an answer: one call, each sentence held against the passages that it cites.

The rules follow no paraphrase; a model does. It is asked for the words of the evidence that decide, and the program
looks whether they stand there: what a document orders is cut out before, to be neither followed nor quoted. A figure
that the rules find nowhere counts where those words print it, or give it by a calculation that the program makes.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from decimal import Decimal
from itertools import chain, combinations, permutations, product
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any

from .....core.errors import ModelError
from .....core.ids import stable_id
from .....core.language import Language
from .....core.records import dataclass
from .....core.sequences import grouped, runs, without
from .....core.tokens import estimate_tokens
from .....models.language import Message
from .....prompts.messages import message
from ..cells.cell import RATES, Cell
from ..cells.reading import read_cells
from ..prompts import defuse, fill, without_orders, without_requests
from .calculated import DIGITS, FORMULA
from .cell_match import is_value
from .claims import Claim as FigureClaim
from .claims import claims_of
from .derivation import chance_of, is_met
from .statements.source_sentences import FEWEST_LETTERS, GAP, PIECE, has_letters, letters_in, place_of

if TYPE_CHECKING:
    from .....models.language import LanguageModel
    from .checked_writer import CheckedWriter

SUPPORTED, CONTRADICTED, NOT_STATED = "supported", "contradicted", "not stated"
_MOST_SENTENCES, _MOST_TOKENS = 40, 16_000
"""Of one call: more than an answer has, and far less than a report."""
_MOST_FIGURES = 5
"""Of those quoted for one sentence that are calculated with."""
_MOST_CHANCE = 1.0
"""Calculations expected to meet a figure by chance; what a model has judged needs less proof than what rules find."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence of an answer without its marks, and the places of the passages that it cites, from 0."""

    sentence: str
    cited: tuple[int, ...]
    missing: tuple[str, ...] = ()
    """Its figures that the rules find nowhere."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the model finds of a sentence; ``is_quoted``: its words do stand in a passage that the sentence cites."""

    verdict: str
    words: str = ""
    is_quoted: bool = False
    missing: tuple[str, ...] = ()
    """Figures that neither the rules find nor the quoted words hold."""


def is_supported(judgement: Judgement | None, *, by_rules: bool) -> bool:
    """What counts of a sentence: the judgement; the rules' where there is none, or its words do not hold it.

    >>> is_supported(Judgement(SUPPORTED, "of nobody"), by_rules=False)
    False
    >>> is_supported(Judgement(SUPPORTED, "sales of 4", is_quoted=True, missing=("$5",)), by_rules=False)
    False
    """
    if judgement is None:
        return by_rules
    return judgement.verdict == SUPPORTED and (by_rules or (judgement.is_quoted and not judgement.missing))


@dataclass(frozen=True, slots=True)
class SentenceCheck:
    """The passages of an answer as a model is to judge by them: headed, without orders, without marks of speakers."""

    texts: tuple[str, ...]
    heads: tuple[str, ...]
    language: Language

    @classmethod
    def of(cls, texts: Sequence[str], heads: Sequence[str], language: Language) -> SentenceCheck:
        """Of the texts of the evidence and what is known of each."""
        stated = (without_requests(without_orders(text)) for text in texts)
        return cls(tuple(map(defuse, stated)), tuple(defuse(without_orders(head)) for head in heads), language)

    def messages(self, claims: Sequence[Claim]) -> list[Message]:
        """The chat that asks for the verdicts; passages that no sentence cites are not sent."""
        tag = "evidence-" + stable_id(*self.texts, *(claim.sentence for claim in claims))[:10]
        cited = sorted({place for claim in claims for place in claim.cited})
        blocks = [f"[{at + 1}] {self.heads[at]}\n<{tag}>\n{self.texts[at]}\n</{tag}>" for at in cited]
        asked = [f"{number}. {defuse(claim.sentence)} {_marks(claim)}" for number, claim in enumerate(claims, 1)]
        rules = fill("check_sentences", self.language, tag=tag)
        return [Message("system", rules), Message("user", "\n\n".join((*blocks, "\n".join(asked))))]

    def ask(self, model: LanguageModel, claims: Sequence[Claim]) -> dict[int, Judgement]:
        """The judgement on each claim by its place; one that the model leaves out is missing.

        The claims of a long text are asked about in several calls, those of neighbouring passages together. Raises
        ModelError where the model cannot be reached or says nothing of any sentence.
        """
        parts = self._parts(claims)
        asked = [self.messages(part) for part in parts]
        errors: list[ModelError] = []
        found: dict[int, Judgement] = {}
        for index, reply in model.replies(asked, schema=SCHEMA, failed=lambda _, error: errors.append(error)):
            own = self.read(reply.data, parts[index])
            found |= {claims.index(parts[index][at]): judgement for at, judgement in own.items()}
        if not found:
            raise next(iter(errors), ModelError("the reply holds no verdict", where=model.name))
        return found

    def _parts(self, claims: Sequence[Claim]) -> list[list[Claim]]:
        """The claims that go into one call, by the passages that they cite."""
        by_place = sorted(claims, key=attrgetter("cited"))
        return [sorted(part, key=claims.index) for part in runs(by_place, self._fits)]

    def _fits(self, part: Sequence[Claim], claim: Claim) -> bool:
        cited = set(chain.from_iterable(map(attrgetter("cited"), (*part, claim))))
        tokens = sum(estimate_tokens(self.texts[place]) for place in cited)
        return len(part) < _MOST_SENTENCES and tokens <= _MOST_TOKENS

    def read(self, data: object, claims: Sequence[Claim]) -> dict[int, Judgement]:
        """The judgements of a reply, as far as they can be read; of two on one sentence the first counts."""
        rows = data.get("verdicts") if isinstance(data, Mapping) else data
        found: dict[int, Judgement] = {}
        for row in rows if isinstance(rows, list) else ():
            place, verdict, words = _read_row(row)
            if verdict and 0 <= place < len(claims):
                found.setdefault(place, self._judgement(verdict, words, claims[place]))
        return found

    def _judgement(self, verdict: str, words: str, claim: Claim) -> Judgement:
        """With what the quoted words hold; of a calculation that the model writes out its figures are quoted."""
        parts = list(filter(has_letters, GAP.split(FORMULA.sub(_operands, words))))
        places = [self._places(part, claim) for part in parts]
        is_long = sum(map(len, map(letters_in, parts))) >= FEWEST_LETTERS
        quoted = list(chain.from_iterable(places)) if is_long and all(places) else []
        return Judgement(verdict, words, bool(quoted), self._missing(claim, quoted))

    def _places(self, part: str, claim: Claim) -> list[_Quoted]:
        """Where quoted words stand in what the claim cites: as a whole, or each piece of them; [] where nowhere.

        The heads alone say whom a passage is of and prove nothing.
        """
        for pieces in ([part], list(filter(has_letters, PIECE.split(part)))):
            places = [self._place(piece, claim) for piece in pieces]
            below = (place_of(piece, self.texts[place]) for piece in pieces for place in claim.cited)
            if all(places) and any(below):
                return list(filter(None, places))
        return []

    def _place(self, piece: str, claim: Claim) -> _Quoted | None:
        passages = (f"{self.heads[place]}\n\n{self.texts[place]}" for place in claim.cited)
        found = ((passage, place_of(piece, passage)) for passage in passages)
        return next((_Quoted(passage, *span) for passage, span in found if span), None)

    def _missing(self, claim: Claim, quoted: Sequence[_Quoted]) -> tuple[str, ...]:
        """The figures that the rules find nowhere and that the quoted words do not hold either."""
        cells = list(dict.fromkeys(chain.from_iterable(one.cells for one in quoted)))
        printed = " ".join(one.words for one in quoted)
        said = claims_of(claim.sentence, "")
        held = {one for one in said if one.figure.text not in claim.missing or _is_printed(one, cells, printed)}
        for one in said * 2:  # what is worked out of figures that are themselves worked out comes second
            given = without(held, [one])
            if _is_result(one, (), given) or _is_result(one, cells, given):
                held.add(one)
        return tuple(without(claim.missing, [one.figure.text for one in held]))


@dataclass(frozen=True, slots=True)
class _Quoted:
    """Words of a passage, from ``start`` to ``end``."""

    passage: str
    start: int
    end: int

    @property
    def words(self) -> str:
        """As they are printed."""
        return self.passage[self.start : self.end]

    @property
    def cells(self) -> list[Cell]:
        """The figures that are quoted."""
        return [cell for cell in read_cells(self.passage) if cell.start < self.end and self.start < cell.end]


def _operands(formula: re.Match[str]) -> str:
    return f" ... {' ... '.join(DIGITS.findall(formula['terms']))} ... "


def _is_printed(said: FigureClaim, cells: Iterable[Cell], text: str) -> bool:
    """Whether the quoted words print a figure, in any scale or to the letter; the 1 of "for every $1" needs nothing."""
    to_the_letter = re.search(rf"(?<![\d.,]){re.escape(said.figure.text)}(?!\d|[.,]\d)", text)
    is_one_of_money = said.figure.value == said.figure.scale == 1 and said.figure.unit not in RATES
    if to_the_letter or is_one_of_money:
        return True
    return any(is_value(said, cell) for cell in cells)


def _is_result(said: FigureClaim, cells: Sequence[Cell], given: Sequence[FigureClaim]) -> bool:
    """Whether a calculation with the figures that are quoted, or that the sentence gives, makes one, hardly by chance.

    Which calculation it is no word has to say: the model has judged already, and chosen what counts.
    """
    figures = [(cell.unit in RATES, cell.amount) for cell in cells]
    figures += [(other.figure.unit in RATES, other.plain) for other in given]
    by_kind = grouped(figures, itemgetter(0))
    rates = list(map(itemgetter(1), by_kind.get(True, ())))[:_MOST_FIGURES]
    amounts = list(map(itemgetter(1), by_kind.get(False, ())))[:_MOST_FIGURES]
    values = {level * scale for level, scale in product(_levels(amounts), (Decimal(1), Decimal(said.figure.scale)))}
    if said.figure.unit in RATES:
        values = {*_levels(rates), *(ratio * 100 for ratio in _ratios(amounts))}
    elif said.figure.scale == 1:
        values |= {*_ratios(amounts)}
    step = 2 * said.tolerance or Decimal(1)
    as_printed = {value // step * step for value in values}
    is_given = any(is_met(said, value) for value in values)
    return is_given and chance_of(said, as_printed) <= _MOST_CHANCE


def _levels(numbers: Sequence[Decimal]) -> Iterator[Decimal]:
    """Sums, differences and averages of two to four numbers."""
    for group in chain.from_iterable(combinations(numbers, count) for count in (2, 3, 4)):
        for signs in product((1, -1), repeat=len(group) - 1):
            yield sum(map(operator.mul, (1, *signs), group), Decimal(0))
        yield sum(group, Decimal(0)) / len(group)


def _ratios(numbers: Sequence[Decimal]) -> Iterator[Decimal]:
    """Ratios, rates of change, and the shares that one number or two have in another."""
    told = list(filter(None, numbers))
    for part, whole in permutations(told, 2):
        yield from (part / whole, (part - whole) / abs(whole))
    yield from ((one + other) / whole for one, other, whole in permutations(told, 3))


def settled(writer: CheckedWriter, judge: LanguageModel, check: SentenceCheck, trace: dict[str, Any]) -> str:
    """Which sentences what they cite does not support, and who judged that; noted in the trace.

    Where the judge fails or leaves sentences out, what the rules say of them counts. "" where nothing is to be judged.
    """
    if not writer.held:
        return ""
    claims = [held.claim for held in writer.held]
    judgements: dict[int, Judgement] = {}
    try:
        judgements = check.ask(judge, claims)
        told_of = sorted(judgements.items())
        trace["judgements"] = [{"sentence": claims[at].sentence, **asdict(one)} for at, one in told_of]
    except ModelError as error:
        trace["check failed"] = str(error)
    told = {0: "check_failed", len(claims): "judged_by"}.get(len(judgements), "partly_judged_by")
    trace["checked_by"] = judge.name if judgements else "rules"
    said = message(told, check.language, model=judge.name, judged=len(judgements), count=len(claims))
    doubted = " ".join(writer.settle(judgements))
    return f"{said} {message('not_supported' if doubted else 'supported', check.language, sentences=doubted)}"


def _marks(claim: Claim) -> str:
    return "".join(f"[{place + 1}]" for place in claim.cited)


def _read_row(row: object) -> tuple[int, str, str]:
    """Place, verdict and words of a row of the reply; a verdict that is none is "".

    >>> _read_row({"number": "2", "verdict": "Not_stated."})
    (1, 'not stated', '')
    """
    if not isinstance(row, Mapping):
        return -1, "", ""
    number, words = str(row.get("number", "")), row.get("words")
    said = re.sub(r"[\W_]+", " ", str(row.get("verdict", ""))).strip().lower()
    verdict = said if said in (SUPPORTED, CONTRADICTED, NOT_STATED) else ""
    return int(number) - 1 if number.isdecimal() else -1, verdict, words if isinstance(words, str) else ""


def _schema() -> dict[str, Any]:
    fields = {
        "number": {"type": "integer"},
        "verdict": {"type": "string", "enum": [SUPPORTED, CONTRADICTED, NOT_STATED]},
        "words": {"type": "string"},
    }
    row = {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
    rows = {"type": "array", "items": row}
    return {"type": "object", "properties": {"verdicts": rows}, "required": ["verdicts"], "additionalProperties": False}


SCHEMA = _schema()
