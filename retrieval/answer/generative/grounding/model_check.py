"""A model's judgement on the sentences of an answer: one call, each sentence held against the passages that it cites.

The rules follow no paraphrase; a model does. It is asked for the words of the evidence that decide, and the program
looks whether they stand there: what a document orders is cut out before, to be neither followed nor quoted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .....core.errors import ModelError
from .....core.ids import stable_id
from .....core.language import Language
from .....core.records import dataclass
from .....models.language import Message
from ..prompts import defuse, fill, without_orders, without_requests
from ..reply_text import squeeze

if TYPE_CHECKING:
    from .....models.language import LanguageModel

SUPPORTED, CONTRADICTED, NOT_STATED = "supported", "contradicted", "not stated"
_GAP = re.compile(r"\s{0,3}(?:\.{3,9}|…{1,3})\s{0,3}")
_FEWEST_LETTERS = 4
"""Letters or digits that quoted words have at least: "the" stands everywhere."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence of an answer without its marks, and the places of the passages that it cites, from 0."""

    sentence: str
    cited: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the model finds of a sentence; ``is_quoted``: its words do stand in a passage that the sentence cites."""

    verdict: str
    words: str = ""
    is_quoted: bool = False


def is_supported(judgement: Judgement | None, *, by_rules: bool) -> bool:
    """What counts of a sentence: the judgement; the rules' where there is none, or its words stand nowhere.

    >>> is_supported(Judgement(SUPPORTED, "of nobody"), by_rules=False)
    False
    """
    if judgement is None or (judgement.verdict == SUPPORTED and not judgement.is_quoted):
        return by_rules
    return judgement.verdict == SUPPORTED


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

        Raises ModelError where the model cannot be reached or says nothing of any sentence.
        """
        found = self.read(model.reply(self.messages(claims), schema=SCHEMA).data, claims)
        if claims and not found:
            raise ModelError("the reply holds no verdict", where=model.name)
        return found

    def read(self, data: object, claims: Sequence[Claim]) -> dict[int, Judgement]:
        """The judgements of a reply, as far as they can be read; of two on one sentence the first counts."""
        rows = data.get("verdicts") if isinstance(data, Mapping) else data
        found: dict[int, Judgement] = {}
        for row in rows if isinstance(rows, list) else ():
            place, verdict, words = _read_row(row)
            if verdict and 0 <= place < len(claims):
                found.setdefault(place, Judgement(verdict, words, self._holds(words, claims[place])))
        return found

    def _holds(self, words: str, claim: Claim) -> bool:
        """Whether each part of the quoted words stands in a passage that the claim cites, and is more than a sign."""
        told = [squeeze(self.texts[place]) for place in claim.cited]
        parts = [part for part in map(squeeze, _GAP.split(words)) if part]
        is_long = sum(map(len, parts)) >= _FEWEST_LETTERS
        return is_long and all(any(part in text for text in told) for part in parts)


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
