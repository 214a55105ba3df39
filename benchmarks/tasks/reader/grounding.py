"""Grounding: true sentences about real tables pass, false ones (scale, year, row, sign, company, relation) are marked.

300 sentences of our own over 25 contexts of TAT-QA (Zhu et al. 2021), in ``grounding.txt`` beside this file. Each is
checked as a model's sentence that cites its context. The sentences of every third context were not read while the
checks were made; they are counted apart. The baseline looks only for the digits of the sentence in the context.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.retrieval.answer.generative.cells.times import figures_of
from cliquerag.retrieval.answer.generative.grounding.answer_check import AnswerChecker, Passage

from .._shared import part, read_lines
from ..answers.tatqa_numbers import context_document

FOLDER = "tatqa"
MINUTES = 1
SYSTEM = "CliqueRAG"
BASELINE = "digits alone"
_DIGITS = re.compile(r"\d[\d,]*(?:\.\d+)?")
_SENTENCES = Path(__file__).with_name("grounding.txt")


APART = "cause"
"""False sentences that came later than the others, with a cause that the text gives of something else: in no sum."""


@dataclass(frozen=True, slots=True)
class Case:
    """A sentence about a context; ``kind`` is "" for a true one, else in what it is false."""

    context: str
    company: str
    sentence: str
    kind: str
    unread: bool = False


def run(folder: Path) -> Report:
    """Check every sentence against its context."""
    contexts = read_lines(part(folder))
    rows: list[Row] = []
    cases = list(read_cases())
    passages = {case.context: passage_of(case, contexts[int(case.context)]) for case in cases}
    for name, chosen in (("all", cases), ("unread", [case for case in cases if case.unread])):
        checked = [(case, passes(case, passages[case.context])) for case in chosen]
        rows.extend(rows_of(SYSTEM, name, checked))
        rows.extend(rows_without_figures(SYSTEM, name, checked))
        rows.extend(rows_of(BASELINE, name, [(case, has_digits(case, passages[case.context])) for case in chosen])[:2])
    return Report("grounding", tuple(rows), (f"{len(cases)} sentences over {len(passages)} contexts.",))


def read_cases(path: Path = _SENTENCES) -> Iterator[Case]:
    """The sentences of TAT-QA; those of every third context were not read while the checks were made."""
    for case, count in parse_cases(path):
        yield replace(case, unread=count % 3 == 0)


def parse_cases(path: Path) -> Iterator[tuple[Case, int]]:
    """The sentences of a file, each with the number of its context from 1; the file's head says how it is written."""
    context, company, count = "", "", 0
    for line in path.read_text(encoding="utf-8").splitlines():
        mark, _, rest = line.partition(" ")
        if mark == "=":
            *places, company = rest.split(" ", 1) if rest[0].isdigit() else rest.split(" ", 2)
            context, count = " ".join(places), count + 1
        elif mark == "T":
            yield Case(context, company, rest, ""), count
        elif mark == "F":
            kind, _, sentence = rest.partition(" ")
            yield Case(context, company, sentence, kind), count


def passage_of(case: Case, context: dict[str, object]) -> Passage:
    """The context as a search would give it: text and table in Markdown, with the company it is of."""
    document = context_document("context", context)
    title = document.tables[0].title
    return Passage("\n\n".join(filter(None, (title, document.text))), case.company)


def passes(case: Case, passage: Passage) -> bool:
    """True where the sentence is not marked."""
    return AnswerChecker([passage]).check(case.sentence, [0]).passed


def has_digits(case: Case, passage: Passage) -> bool:
    known = set(_DIGITS.findall(passage.text))
    return all(digits in known for digits in _DIGITS.findall(case.sentence))


def rows_without_figures(system: str, name: str, results: Sequence[tuple[Case, bool]]) -> list[Row]:
    """The same of the sentences that have no figures, years and dates aside: true passed, false marked."""
    plain = [(case, passed) for case, passed in results if not figures_of(case.sentence)]
    kinds = {bool(case.kind) for case, _ in plain}
    return rows_of(system, f"{name}, without figures", plain)[:2] if len(kinds) > 1 else []


def rows_of(system: str, name: str, results: Sequence[tuple[Case, bool]]) -> list[Row]:
    true = [float(passed) for case, passed in results if not case.kind]
    false: dict[str, list[float]] = defaultdict(list)
    for case, passed in results:
        if case.kind:
            false[case.kind].append(float(not passed))
    rows = [Row.mean(system, f"true passed ({name})", true)]
    summed = [value for kind, own in false.items() if kind != APART for value in own]
    rows.append(Row.mean(system, f"false marked ({name})", summed))
    rows.extend(Row.mean(system, f"false by {kind} marked ({name})", values) for kind, values in false.items())
    return rows
