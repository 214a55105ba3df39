"""What of a document is embedded and searched, as a setting says it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...core.errors import UsageError
from ...core.records import dataclass

if TYPE_CHECKING:
    from ...models.language import LanguageModel

VERSION = "1"
"""Rises when the same options would give other texts or vectors."""
RULES, MODEL = "rules", "model"
_TEXTS = ("names", "context", "propositions", "tables")
_BY_MODEL = ("context", "propositions", "tables")
_WEIGHTS = {"text": 0.5, "meta": 0.5, "late": 0.5}
"""Kind of a second vector -> its share where none is said: as much as the mean of the sentences."""


@dataclass(frozen=True, slots=True)
class IndexOptions:
    """What is put into the text that is embedded and searched by words, and what a chunk's vector is made of.

    ``context``, ``propositions`` and ``tables`` are "", "rules" or "model".
    """

    names: bool = False
    """The name of the company in the place of "the Company", we and 本公司."""
    context: str = ""
    """A line before each chunk that says where it stands: company, kind, period, headings, table, statement."""
    propositions: str = ""
    """Sentences as statements that are understood alone, each pointing to its sentence."""
    tables: str = ""
    """A row in words for each table: what rose and what fell."""
    vectors: str = "mean"
    """What a chunk's vector holds besides the mean of its sentences: "mean" nothing, "text" the vector of its text,
    "meta" that of company, kind, period, headings and text, "late" token states pooled over the chunk."""
    weight: float = 0.0
    """Share of that second vector, 0 to 1."""

    @classmethod
    def of(cls, index_text: str = "plain", chunk_vectors: str = "mean") -> IndexOptions:
        """The options that two settings name. Raises UsageError: an unknown name, or a share that is none.

        >>> IndexOptions.of("names+context", "late:0.3")
        IndexOptions(names=True, context='rules', propositions='', tables='', vectors='late', weight=0.3)
        """
        chosen = _texts(index_text)
        kind, _, share = chunk_vectors.partition(":")
        shares_nothing = kind == "mean" and not share
        if not shares_nothing and kind not in _WEIGHTS:
            hint = f"Known are mean, {', '.join(_WEIGHTS)}; a share may follow: late:0.5"
            raise UsageError("no such vectors of chunks", where=chunk_vectors, hint=hint)
        weight = _share(share, chunk_vectors) if share else _WEIGHTS.get(kind, 0.0)
        context, propositions = chosen.get("context", ""), chosen.get("propositions", "")
        return cls("names" in chosen, context, propositions, chosen.get("tables", ""), kind, weight)

    @property
    def asks_model(self) -> bool:
        """True where a language model has to be asked for each section."""
        return MODEL in (self.context, self.propositions, self.tables)

    def label(self, model: LanguageModel | None) -> str:
        """What goes into the version of the step: "" for the printed text with the mean of its sentences' vectors.

        >>> IndexOptions.of("names", "meta:0.5").label(None)
        '+names-1+meta0.5-1'
        """
        parts = {
            "names": self.names,
            f"context{_by(model, self.context, 'chunk_context')}": self.context,
            f"propositions{_by(model, self.propositions, 'propositions')}": self.propositions,
            f"tables{_by(model, self.tables, 'table_summaries')}": self.tables,
            f"{self.vectors}{self.weight:g}": self.weight,
        }
        return "".join(f"+{part}-{VERSION}" for part, is_chosen in parts.items() if is_chosen)


PLAIN = IndexOptions()
"""The printed text."""


def index_texts() -> Sequence[str]:
    """The names that the setting ``index_text`` may join with "+"."""
    return ("plain", *_TEXTS, *(f"{name}:{MODEL}" for name in _BY_MODEL))


def chunk_vectors() -> Sequence[str]:
    """The names that the setting ``chunk_vectors`` may have."""
    return ("mean", *_WEIGHTS)


def _texts(setting: str) -> dict[str, str]:
    """Name -> how it is made, "rules" or "model"."""
    chosen: dict[str, str] = {}
    for part in setting.split("+"):
        name, _, how = part.strip().partition(":")
        is_known = name in _TEXTS and how in ("", RULES, MODEL)
        by_rules_alone = how == MODEL and name not in _BY_MODEL
        if name == "plain" and not how:
            continue
        if not is_known or by_rules_alone:
            hint = f'Known are {", ".join(index_texts())}; "+" joins several: names+context'
            raise UsageError("no such text to index", where=setting, hint=hint)
        chosen[name] = how or RULES
    return chosen


def _share(text: str, setting: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 < share <= 1:
        raise UsageError("the share of a vector has to be above 0 and at most 1", where=setting, hint="late:0.5")
    return share


def _by(model: LanguageModel | None, how: str, task: str) -> str:
    """The model and its prompts in both languages where a model is asked."""
    from ...prompts import prompt_version

    if how != MODEL or model is None:
        return ""
    return f"-{model.name}-{prompt_version(task, 'en')[:4]}{prompt_version(task, 'zh')[:4]}"
