"""Learns by what the sentences of an answer without a model are scored: `sentence_weights.toml` beside that code.

    python -m benchmarks.sentence_weights DATA            what weights learned on other documents would choose
    python -m benchmarks.sentence_weights DATA --write    and learn them from all development questions

Of each development question of three benchmarks the sentences and rows are taken that the answer is chosen from; right
are those that hold all that the answer must (or most of it, where none holds all). Beside them stand bullets of news
and the sentences of the calls that hold their numbers, of two thirds of the companies. The weights make the right ones
likely among the others (softmax), drawn towards what was set by hand (``prior``), so that a feature that few questions
show keeps its weight.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np
from cliquerag.core.rules import load_rules
from cliquerag.retrieval.answer import extractive
from cliquerag.retrieval.answer.extractive.completion import rest_of_pages
from cliquerag.retrieval.answer.extractive.requirements.subject import read_subjects
from cliquerag.retrieval.answer.extractive.sentence_scoring import quotes_with_features
from cliquerag.retrieval.answer.preparation import AskOptions, prepare
from cliquerag.retrieval.question.vocabulary.vocabulary import shipped_vocabulary

from .ours import stored
from .tasks._shared import embedder, part, read_lines
from .tasks.answers import _filings, filings_elsewhere, relational_questions
from .tasks.answers._filings import Question, read_asked
from .tasks.answers._marking import holds, normalised
from .tasks.retrieval import ectsum

if TYPE_CHECKING:
    from cliquerag.kg.store import Store

PULL = 0.5
"""How strongly a weight is drawn to the one set by hand.

Right first on other documents: .615 of 314 questions; .608 with 1, .611 with .2."""
TEMPERATURE = 5.0
"""The weights are those of a softmax divided by this: the best sentence then has about the score that it had."""
FOLDS = 8
BULLET = 0.5
"""Worth of a bullet next to a question on filings: there are more of them, and they are of one kind.

By weights learned on other companies right first of 354 questions and MAP@10 of 412 bullets: .610 and .777 with 0,
.605 and .781 with .25, .605 and .787 with .5, .602 and .784 with 1; by those of filings alone, as they were, .773."""
_FILE = Path(extractive.__file__).with_name("sentence_weights.toml")


@dataclass(frozen=True, slots=True)
class Example:
    """A question's candidates: a row of features each, which are right; the company that answers; what it is worth."""

    company: str
    features: np.ndarray
    right: np.ndarray
    worth: float = 1.0

    @property
    def tells(self) -> bool:
        """True where some candidates are right and others are not."""
        return bool(self.right.any()) and not self.right.all()


def examples(store: Store, asked: Iterable[Question], names: Sequence[str]) -> Iterator[Example]:
    """The questions on the documents of a store; those that no document answers are left out."""
    companies = {record.source: min(record.companies, default=record.source) for record in store.documents()}
    for question in asked:
        if not question.answerable:
            continue
        rows, held = _candidates(store, question, names)
        most = max(held, default=0) or 1
        right = np.array([number == most for number in held])
        company = companies[min(source for source, _ in question.gold)]
        yield Example(company, np.array(rows), right)


def bullets(folder: Path, names: Sequence[str], *, unread: bool) -> Iterator[Example]:
    """The bullets on the calls of every third company, which nothing is learned from, or those on the others."""
    calls = [call for call in read_lines(part(folder)) if (crc32(_ticker(call["call"]).encode()) % 3 == 0) == unread]
    for bullet in ectsum.asked_bullets(calls):
        rows: list[list[float]] = []
        right: list[bool] = []
        for quote, features in quotes_with_features(bullet.plan, embedder(), bullet.found, bullet.subjects):
            rows.append([features.get(name, 0.0) for name in names])
            right.append(bullet.place(quote.start, quote.end) in bullet.gold)
        yield Example(_ticker(bullet.call), np.array(rows), np.array(right), BULLET)


def _ticker(call: str) -> str:
    return call.partition("_")[0]


def _candidates(store: Store, question: Question, names: Sequence[str]) -> tuple[list[list[float]], list[int]]:
    """Of each candidate its features, and how many of the things that an answer must hold it holds."""
    rows: list[list[float]] = []
    held: list[int] = []
    task = prepare(store, embedder(), None, question.text, shipped_vocabulary(), AskOptions())
    evidence = [item for item in task.context.evidence if "numbers" not in item.why]
    evidence += rest_of_pages(store, evidence)
    part = task.plan.parts[0]
    subjects = read_subjects(part, {item.source for item in evidence})
    for quote, features in quotes_with_features(part, embedder(), evidence, subjects):
        text = normalised(quote.text)
        rows.append([features.get(name, 0.0) for name in names])
        held.append(sum(any(holds(text, alternative) for alternative in group) for group in question.must))
    return rows, held


def learned(known: Sequence[Example], prior: np.ndarray) -> np.ndarray:
    """The weights under which the right candidates are likeliest, drawn to ``prior``."""
    from scipy.optimize import minimize

    start = TEMPERATURE * prior

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        off = weights - start
        value, slope = PULL * float(off @ off), 2 * PULL * off
        for example in known:
            likely = _softmax(example.features @ weights)
            right = np.where(example.right, likely, 0.0)
            total = right.sum() + 1e-12
            value -= example.worth * math.log(total)
            slope += example.worth * (example.features.T @ (likely - right / total))
        return value, slope

    found = minimize(loss, start, jac=True, method="L-BFGS-B")
    return np.asarray(found.x) / TEMPERATURE


def _softmax(scores: np.ndarray) -> np.ndarray:
    grown = np.exp(scores - scores.max())
    return np.asarray(grown / grown.sum())


def places(known: Iterable[Example], weights: np.ndarray) -> list[int]:
    """The place, from 0, of the first right candidate of each question."""
    found: list[int] = []
    for example in known:
        order = np.argsort(-(example.features @ weights), kind="stable")
        found.append(int(np.argmax(example.right[order])))
    return found


def places_elsewhere(known: Sequence[Example], prior: np.ndarray) -> list[tuple[Example, int]]:
    """The same, with the question, by weights that were learned on other companies."""
    companies = sorted({example.company for example in known})
    found: list[tuple[Example, int]] = []
    for fold in range(FOLDS):
        away = set(companies[fold::FOLDS])
        weights = learned([example for example in known if example.company not in away], prior)
        asked = [example for example in known if example.company in away]
        found.extend(zip(asked, places(asked, weights), strict=True))
    return found


def _shares(found: Sequence[int]) -> str:
    first, two, three = (sum(place < depth for place in found) / len(found) for depth in (1, 2, 3))
    return f"first {first:.3f}, among two {two:.3f}, three {three:.3f} (n={len(found)})"


def _by_kind(found: Sequence[tuple[Example, int]]) -> str:
    """The shares of the questions, and of the bullets."""
    questions = [place for example, place in found if example.worth == 1]
    return f"{_shares(questions)}; bullets {_shares([place for example, place in found if example.worth != 1])}"


def _development(folder: Path, names: Sequence[str]) -> Iterator[Example]:
    sets = (
        ((_filings.QUESTIONS,), _filings.documents),
        ((filings_elsewhere.QUESTIONS,), filings_elsewhere.documents),
        *((tuple(paths.values()), documents) for paths, documents in relational_questions.SETS),
    )
    for paths, documents in sets:
        with stored(documents(folder), embedder(), facts=True) as store:
            for path in paths:
                asked = [question for question in read_asked(path) if question.part.endswith("dev")]
                yield from examples(store, asked, names)


def write(weights: Mapping[str, float], prior: Mapping[str, float], note: str) -> None:
    """The file anew: how the weights were learned, the weights, and what they are drawn to."""
    lines = [*(f"# {line}" for line in note.splitlines()), "", "[weight]"]
    lines += [f'"{name}" = {value:.2f}' for name, value in weights.items()]
    lines += ["", "[prior]", *(f'"{name}" = {value}' for name, value in prior.items()), ""]
    _FILE.write_text("\n".join(lines), encoding="utf-8")


def report(known: Sequence[Example], prior: np.ndarray) -> str:
    """How often the right candidate comes first, by hand-set weights and by ones learned on other companies."""
    companies = len({example.company for example in known})
    by_hand = list(zip(known, places(known, prior), strict=True))
    return (
        f"Learned by `python -m benchmarks.sentence_weights` on {companies} companies.\n"
        f"Set by hand: {_by_kind(by_hand)}.\n"
        f"Learned on other companies: {_by_kind(places_elsewhere(known, prior))}."
    )


def main() -> None:
    """Learn, say what it brings, and write where that is wanted."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("data", type=Path)
    asked.add_argument("--write", action="store_true")
    options = asked.parse_args()
    prior: dict[str, float] = load_rules(extractive.__name__, _FILE.name)["prior"]
    names, by_hand = list(prior), np.array(list(prior.values()))
    calls = options.data / "ectsum"
    known = [*_development(options.data, names), *bullets(calls, names, unread=False)]
    known = [example for example in known if example.tells]
    unread = [example for example in bullets(calls, names, unread=True) if example.tells]
    weights = learned(known, by_hand)
    note = f"{report(known, by_hand)}\nBullets on companies that were not read: {_shares(places(unread, weights))}."
    print(note)
    if options.write:
        write(dict(zip(names, weights.tolist(), strict=True)), prior, note)


if __name__ == "__main__":
    main()
