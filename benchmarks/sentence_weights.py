"""Learns by what the sentences of an answer without a model are scored: `sentence_weights.toml` beside that code.

    python -m benchmarks.sentence_weights DATA            what weights learned on other documents would choose
    python -m benchmarks.sentence_weights DATA --write    and learn them from all development questions

Of each development question of three benchmarks the sentences and rows are taken that the answer is chosen from; right
are those that hold all that the answer must (or most of it, where none holds all). The weights make the right ones
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

import numpy as np
from cliquerag.core.rules import load_rules
from cliquerag.retrieval.answer import extractive
from cliquerag.retrieval.answer.extractive.completion import rest_of_pages
from cliquerag.retrieval.answer.extractive.requirements.subject import read_subjects
from cliquerag.retrieval.answer.extractive.sentence_scoring import quotes_with_features
from cliquerag.retrieval.answer.preparation import AskOptions, prepare
from cliquerag.retrieval.question.vocabulary.vocabulary import shipped_vocabulary

from .ours import stored
from .tasks._shared import embedder
from .tasks.answers import _filings, filings_elsewhere, relational_questions
from .tasks.answers._filings import Question, read_asked
from .tasks.answers._marking import holds, normalised

if TYPE_CHECKING:
    from cliquerag.kg.store import Store

PULL = 0.5
"""How strongly a weight is drawn to the one set by hand.

Right first on other documents: .615 of 314 questions; .608 with 1, .611 with .2."""
TEMPERATURE = 5.0
"""The weights are those of a softmax divided by this: the best sentence then has about the score that it had."""
FOLDS = 8
_FILE = Path(extractive.__file__).with_name("sentence_weights.toml")


@dataclass(frozen=True, slots=True)
class Example:
    """A question's candidates: a row of features each, which are right, and the document that answers."""

    document: str
    features: np.ndarray
    right: np.ndarray


def examples(store: Store, asked: Iterable[Question], names: Sequence[str]) -> Iterator[Example]:
    """The questions of which some candidates are right and others are not."""
    for question in asked:
        if not question.answerable:
            continue
        rows, held = _candidates(store, question, names)
        best = max(held, default=0)
        right = np.array([number == best for number in held])
        if best and not right.all():
            document = min(source for source, _ in question.gold)
            yield Example(document, np.array(rows), right)


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
            value -= math.log(total)
            slope += example.features.T @ (likely - right / total)
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


def places_elsewhere(known: Sequence[Example], prior: np.ndarray) -> list[int]:
    """The same with weights that were learned on other documents."""
    documents = sorted({example.document for example in known})
    found: list[int] = []
    for fold in range(FOLDS):
        away = set(documents[fold::FOLDS])
        weights = learned([example for example in known if example.document not in away], prior)
        found.extend(places([example for example in known if example.document in away], weights))
    return found


def _shares(found: Sequence[int]) -> str:
    first, two, three = (sum(place < depth for place in found) / len(found) for depth in (1, 2, 3))
    return f"first {first:.3f}, among two {two:.3f}, three {three:.3f} (n={len(found)})"


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


def report(known: Sequence[Example], names: Sequence[str], prior: np.ndarray) -> str:
    """How often the right candidate comes first, by hand-set weights and by ones learned on other documents."""
    documents = len({example.document for example in known})
    return (
        f"Learned by `python -m benchmarks.sentence_weights` from {len(known)} development questions on {documents} "
        f"documents.\nSet by hand: {_shares(places(known, prior))}.\n"
        f"Learned on other documents: {_shares(places_elsewhere(known, prior))}."
    )


def main() -> None:
    """Learn, say what it brings, and write where that is wanted."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("data", type=Path)
    asked.add_argument("--write", action="store_true")
    options = asked.parse_args()
    prior: dict[str, float] = load_rules(extractive.__name__, _FILE.name)["prior"]
    names, by_hand = list(prior), np.array(list(prior.values()))
    known = list(_development(options.data, names))
    note = report(known, names, by_hand)
    print(note)
    if options.write:
        write(dict(zip(names, learned(known, by_hand).tolist(), strict=True)), prior, note)


if __name__ == "__main__":
    main()
