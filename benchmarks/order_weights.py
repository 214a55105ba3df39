"""Learns what each cue of a planted order is worth: `order_weights.toml` beside `core/orders.py`.

    python -m benchmarks.order_weights DATA            how many orders weights learned without them would find
    python -m benchmarks.order_weights DATA --write    and write those learned from all folds
    python -m benchmarks.order_weights DATA --meaning  the same by vectors of English sentences, some minutes

Right are the orders of ``planted_orders.txt``, wrong some 24,000 sentences of filings, calls and Chinese notes. The
weights are those of a logistic model; the limit is set so that :data:`FALSE_ALARMS` of the sentences count as orders.
What a sentence means is a vector of the default encoder, for which :data:`MEANINGS` sentences and rows of tables are
embedded; it tells orders in words that no list has.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from cliquerag.core import orders
from cliquerag.core.orders import cues_of
from cliquerag.ingest.sentences import split_text
from cliquerag.models.embedders import Embedder, load_embedder

from .tasks._shared import part, read_lines

FALSE_ALARMS = 0.013
"""Of sentences about companies: as many as forms of words alone took before."""
PULL = 3.0
"""How strongly a weight is drawn to 0."""
WORTH = 50.0
"""Sentences about companies that an order counts as."""
FOLDS = 8
MEANINGS, MEANT_FALSELY = 6_000, 0.005
"""Sentences about companies whose vectors are learned from, and how many of them may count as orders."""
_SEED = 3
_LONG = 4.0
"""What a vector is multiplied with, that it weighs as much as some cues."""
_FILE = Path(orders.__file__).with_name("order_weights.toml")
_MEANING = _FILE.with_name("order_meaning.toml")
_MEANING_HEAD = """# How much what a sentence means speaks for an order: each number of its vector by an encoder, then
# each cue of order_weights.toml; above 0 in all, it is one. Learned by benchmarks/order_weights.py --meaning.
"""
_ORDERS = Path(__file__).with_name("planted_orders.txt")
_HEAD = """# How much each cue of orders.toml speaks for an order; above 0 in all, a sentence is one. Learned by
# benchmarks/order_weights.py from sentences of our own and 24,000 of filings, calls and notes.
[weights]
"""


def written_orders(part: str) -> list[str]:
    """The sentences of a part of the file: "D", which is learned from, or "H", which was held out."""
    lines = _ORDERS.read_text(encoding="utf-8").splitlines()
    return [line.removeprefix(f"{part} ") for line in lines if line.startswith(f"{part} ")]


def company_sentences(folder: Path) -> Iterator[str]:
    """Sentences of filings, calls and Chinese notes, drawn from each page and turn."""
    draw = random.Random(_SEED)
    for text, most in _texts(folder, draw):
        spans = split_text(text, shortest=0, longest=10_000)
        said = [text[span.start : span.end].strip() for span in spans]
        told = [sentence for sentence in said if len(sentence) > 20 and not sentence.isnumeric()]
        yield from draw.sample(told, min(most, len(told)))


def _texts(folder: Path, draw: random.Random) -> Iterator[tuple[str, int]]:
    for name, pages_of_each in (("financebench/pages_dev", 40), ("aicup2024_zh/documents", 100)):
        with lzma.open(folder / f"{name}.jsonl.xz", "rt", encoding="utf-8") as lines:
            for line in lines:
                pages = json.loads(line)["pages"]
                for page in draw.sample(pages, min(pages_of_each, len(pages))):
                    yield page, 10
    for call in read_lines(folder / "earnings21" / "calls.jsonl"):
        for turn in call["turns"]:
            yield turn["text"], 12


def rows_of(sentences: Iterator[str] | list[str]) -> np.ndarray:
    """A row for each sentence: 1 for each cue that it has."""
    return np.array([list(cues_of(sentence).values()) for sentence in sentences], dtype=float)


def learned(right: np.ndarray, wrong: np.ndarray) -> np.ndarray:
    """The weights of a logistic model, by Newton's method."""
    rows = np.concatenate([right, wrong])
    labels = np.concatenate([np.ones(len(right)), np.zeros(len(wrong))])
    worth = np.concatenate([np.full(len(right), WORTH), np.ones(len(wrong))])
    weights: np.ndarray = np.zeros(rows.shape[1])
    for _ in range(25):
        likely = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (worth * (likely - labels)) + PULL * weights
        curve = (rows * (worth * likely * (1 - likely))[:, None]).T @ rows + PULL * np.eye(len(weights))
        weights = np.asarray(weights - np.linalg.solve(curve, slope))
    return weights


def limited(weights: np.ndarray, wrong: np.ndarray, falsely: float = FALSE_ALARMS) -> np.ndarray:
    """The weights with the last one, which every sentence has, moved so that few sentences are above 0."""
    moved: np.ndarray = weights.copy()
    moved[-1] -= np.quantile(wrong @ weights, 1 - falsely)
    return moved


def meant(orders_told: list[str], folder: Path) -> tuple[Embedder, np.ndarray, np.ndarray]:
    """The default encoder, and rows of its vectors and cues: of orders, and of sentences and rows about companies."""
    encoder = load_embedder()
    assert encoder is not None, "the default encoder is installed"
    told = [sentence for sentence in company_sentences(folder) if sentence.isascii()]
    random.Random(_SEED).shuffle(told)
    rows = [line for line in _table_rows(folder) if line.isascii()]
    right, wrong = (
        np.hstack([encoder.embed(own) * _LONG, rows_of(own)]) for own in (orders_told, told[:MEANINGS] + rows)
    )
    return encoder, right, wrong


def _table_rows(folder: Path) -> Iterator[str]:
    """The first rows of the tables of TAT-QA, as Markdown has them."""
    for context in read_lines(part(folder / "tatqa"))[:200]:
        for cells in context["table"][:6]:
            yield f"| {' | '.join(cells)} |"


def learn_meaning(folder: Path, *, write: bool) -> None:
    """Print how many orders left out are found by what they mean, and write the weights."""
    right = [sentence for sentence in written_orders("D") if sentence.isascii()]
    held = [sentence for sentence in written_orders("H") if sentence.isascii()]
    encoder, own, wrong = meant(right + held, folder)
    told, left = own[: len(right)], own[len(right) :]
    folds, found = np.arange(len(told)) % FOLDS, np.zeros(len(told), dtype=bool)
    for fold in range(FOLDS):
        weights = limited(learned(told[folds != fold], wrong), wrong, MEANT_FALSELY)
        found[folds == fold] = told[folds == fold] @ weights > 0
    weights = limited(learned(told, wrong), wrong, MEANT_FALSELY)
    print(f"{len(told)} English orders, found by weights learned without them: {found.mean():.3f}")
    print(f"{len(left)} held out: {(left @ weights > 0).mean():.3f}")
    print(f"{len(wrong)} sentences and rows about companies, taken for orders: {(wrong @ weights > 0).mean():.4f}")
    if write:
        numbers = ", ".join(f"{weight:.3f}" for weight in (*(weights[: encoder.dim] * _LONG), *weights[encoder.dim :]))
        _MEANING.write_text(f'{_MEANING_HEAD}[meaning]\n"{encoder.name}" = [{numbers}]\n', encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--meaning", action="store_true")
    arguments = parser.parse_args()
    if arguments.meaning:
        learn_meaning(arguments.data, write=arguments.write)
        return
    names = list(cues_of("x"))
    right, held = rows_of(written_orders("D")), rows_of(written_orders("H"))
    wrong = rows_of(company_sentences(arguments.data))
    folds = np.arange(len(right)) % FOLDS
    found = np.zeros(len(right), dtype=bool)
    for fold in range(FOLDS):
        weights = limited(learned(right[folds != fold], wrong), wrong)
        found[folds == fold] = right[folds == fold] @ weights > 0
    weights = limited(learned(right, wrong), wrong)
    print(f"{len(right)} orders, found by weights learned without them: {found.mean():.3f}")
    print(f"{len(held)} held out: {(held @ weights > 0).mean():.3f}")
    print(f"{len(wrong)} sentences about companies, taken for orders: {(wrong @ weights > 0).mean():.4f}")
    if arguments.write:
        lines = (f"{name} = {weight:.2f}" for name, weight in zip(names, weights, strict=True))
        _FILE.write_text(_HEAD + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
