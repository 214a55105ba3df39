"""Learning from use, on simulated analysts: where weights and a policy learned from clicks begin to help, or do harm.

Analysts ask the questions of FinanceBench (pages of all filings), TAT-QA (contexts) and ECTSum (passages of a known
call) and open what answers, as people do: rarely what stands far down, sometimes what is wrong; 5 % of the sessions
open whatever comes, 5 % of neighbours change places. They ask about half of the companies; what is learned is judged by
NDCG@10 on questions about the others, two thirds of them looked at while this was built, a third ("unread") only at the
end.
"shipped" starts from our weights, "wrong" from weights that suit other documents: vectors count five times, statements,
rows and sentences a fifth. "kept" is what counts after the gate: 0 where it was not accepted.
"""

from __future__ import annotations

import os
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.evaluation.learning.impressions import Analysts, Asked, Impressions, quality, quality_of, simulate
from cliquerag.evaluation.learning.pairwise import learn
from cliquerag.evaluation.learning.policy import Method, learn_policy, order_by_policy
from cliquerag.feedback.learning import SHARES

from ._candidates import Record, read_candidates

FOLDER = "."
"""Several data sets: the folder that holds them."""
MINUTES = 15
CANDIDATES_VARIABLE = "CLIQUERAG_BENCH_CANDIDATES"
"""Environment variable: a file that keeps what was searched, for a next run with the same code."""
COUNTS = (300, 3_000, 30_000)
_SEEDS = {300: 3, 3_000: 2, 30_000: 1}
_WRONG = {"dense": 5.0, "home": 0.2, "row": 0.2, "sentence": 0.2}
_PARTS = ("other half", "unread")
METHODS: tuple[Method, ...] = ("reinforce", "ppo")


@dataclass(frozen=True, slots=True)
class Halves:
    """The questions of a data set: on the companies learned from, on the others, and of those the unread ones."""

    learning: list[Asked]
    judging: dict[str, list[Asked]]


def run(folder: Path) -> Report:
    """Simulate, learn and judge, for each data set, start, number of questions and method."""
    with tempfile.TemporaryDirectory(prefix="cliquerag-bench-") as scratch:
        kept = os.environ.get(CANDIDATES_VARIABLE) or str(Path(scratch) / "candidates.jsonl")
        records = read_candidates(folder, Path(kept))
    rows: list[Row] = []
    for name in dict.fromkeys(record["set"] for record in records):
        own = [record for record in records if record["set"] == name]
        for start, multipliers in (("shipped", {}), ("wrong", _WRONG)):
            rows += _rows(f"{name}, {start}", _halves(own, multipliers))
    return Report("learning", tuple(rows), (f"{len(records)} questions, their candidates searched once.",))


def _halves(records: Sequence[Record], multipliers: dict[str, float]) -> Halves:
    found = Halves([], {part: [] for part in _PARTS})
    for record in records:
        is_chained = any("chain" in row["shares"] for row in record["rows"])
        if is_chained or len(record["rows"]) < 2:
            continue
        asked = _asked(record, multipliers)
        company = record["company"]
        if _hash("company", company) % 2 == 0:
            found.learning.append(asked)
        else:
            found.judging[_PARTS[_hash("unread", company) % 3 == 0]].append(asked)
    return found


def _hash(salt: str, name: str) -> int:
    return zlib.crc32(f"{salt} {name}".encode())


def _asked(record: Record, multipliers: dict[str, float]) -> Asked:
    """The candidates in the order that the weights give them."""
    factors = np.array([multipliers.get(name, 1.0) for name in SHARES])
    shares = np.array([[row["shares"].get(name, 0.0) for name in SHARES] for row in record["rows"]]) * factors
    right = np.array([row["gold"] for row in record["rows"]], bool)
    documents = np.unique([row["source"] for row in record["rows"]], return_inverse=True)[1]
    order = np.argsort(-shares.sum(axis=1), kind="stable")
    return Asked(record["question"], shares[order], right[order], documents[order])


def _rows(name: str, halves: Halves) -> Iterator[Row]:
    for part, asked in halves.judging.items():
        ndcg, first = quality(asked)
        yield _mean(f"{name}: before", f"{part}: NDCG@10", ndcg)
        yield _mean(f"{name}: before", f"{part}: MRR", first)
    for count in COUNTS:
        randoms = [np.random.default_rng(seed) for seed in range(_SEEDS[count])]
        shown = [simulate(halves.learning, SHARES, count, Analysts(), random) for random in randoms]
        for method in ("weights", *METHODS):
            gains, accepted = _learned(method, shown, halves)
            system = f"{name}: {method}, {count:,} questions"
            yield Row(system, "accepted", float(np.mean(accepted)), n=len(accepted), better="neither")
            for part, values in gains.items():
                kept = values * np.array(accepted)[:, None]
                yield _mean(system, f"{part}: gain", values.mean(axis=0))
                yield _mean(system, f"{part}: gain kept", kept.mean(axis=0))
                yield Row(system, f"{part}: worst kept", float(kept.mean(axis=1).min()), n=len(kept), better="higher")


def _mean(system: str, metric: str, values: np.ndarray) -> Row:
    """A row without the value of each question: there are too many of them to be kept."""
    return replace(Row.mean(system, metric, values.tolist()), values=())


def _learned(method: str, shown: Sequence[Impressions], halves: Halves) -> tuple[dict[str, np.ndarray], list[bool]]:
    """Gain in NDCG@10 of each question of each part, (runs, questions), and whether each run was accepted."""
    gains: dict[str, list[np.ndarray]] = {part: [] for part in halves.judging}
    accepted: list[bool] = []
    for seed, own in enumerate(shown):
        if method == "weights":
            lesson = learn(own)
            accepted.append(lesson.is_accepted)
            weights = np.array([lesson.multipliers[name] for name in SHARES])
        else:
            policy = learn_policy(own, "ppo" if method == "ppo" else "reinforce", seed)
            accepted.append(policy.is_accepted)
            weights = np.array(policy.weights)
        for part, asked in halves.judging.items():
            after = quality(asked, weights)[0] if method == "weights" else _policy_quality(asked, weights)
            gains[part].append(after - quality(asked)[0])
    return {part: np.stack(values) for part, values in gains.items()}, accepted


def _policy_quality(asked: Sequence[Asked], weights: np.ndarray) -> np.ndarray:
    """NDCG@10 where the policy orders the first ten places."""
    found = []
    for one in asked:
        order = order_by_policy(one.shares[:10], one.documents[:10], weights)
        found.append(quality_of(np.concatenate([one.right[:10][order], one.right[10:]]))[0])
    return np.array(found)
