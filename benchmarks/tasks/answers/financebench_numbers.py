"""FinanceBench numbers: questions whose answer is one number, from the filing to the figure, without a model.

Source: Islam et al. 2023. Filings at hand as PDF are read from the PDF, the others from the page texts of the set. All
are in one store; company and period come from the question. Right is a figure within half a unit of the gold's last
printed digit, or half a per cent, in whatever scale the question asks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.ingest.document import Document
from cliquerag.ingest.facts import extract_facts
from cliquerag.ingest.read import read_document, read_text
from cliquerag.kg.engines.opening import open_store
from cliquerag.kg.schema import load_schema
from cliquerag.kg.store import Bundle, Store
from cliquerag.retrieval.calculation import NumberAnswer

from ...asking import explain_numbers
from .._shared import read_lines
from ..retrieval.financebench import page_texts

FOLDER = "financebench"
MINUTES = 6
_SYSTEM = "CliqueRAG"
_NUMBER = re.compile(
    r"(?:approximately |about )?-?\(?[$€£]?\s?-?[\d,]{0,40}\.?\d{1,40}\)?"
    r"\s?(?:%|x|(?:million|billion|thousand)s?|days)?\.?"
)
_DIGITS = re.compile(r"[\d,]{0,40}\.?\d{1,40}")
_SCALES = (Decimal(1), Decimal(10) ** 3, Decimal(10) ** 6, Decimal(10) ** 9, Decimal("0.01"))
_NEAR = Decimal("0.005")

Question = Mapping[str, Any]


def run(folder: Path) -> Report:
    """Answer every question with one number as its gold; how many are right, wrong and declined."""
    texts = page_texts(folder)
    pdfs = {path.stem: path for path in sorted(folder.glob("pdfs_*/*.pdf"))}
    asked = [q for q in read_lines(folder / "questions.jsonl") if q["doc_name"] in texts and gold_of(q) is not None]
    store = open_store("sqlite://", schema=load_schema())
    try:
        for name, pages in texts.items():
            source = f"{name}.pdf"
            read = read_document(pdfs[name], source=source) if name in pdfs else read_text(pages, source=source)
            store.put(_bundle(read))
        rows = list(_rows(store, asked, set(pdfs)))
    finally:
        store.close()
    return Report("financebench_numbers", tuple(rows), (f"{len(asked)} questions, {len(texts)} filings in one store.",))


def _bundle(document: Document) -> Bundle:
    return Bundle(document, (), (), (), tuple(extract_facts(document)))


def _rows(store: Store, asked: Sequence[Question], pdfs: set[str]) -> Iterator[Row]:
    for name, questions in (
        ("from PDF", [q for q in asked if q["doc_name"] in pdfs]),
        ("from page texts", [q for q in asked if q["doc_name"] not in pdfs]),
    ):
        if questions:
            answers = [explain_numbers(store, q["question"]).answer for q in questions]
            right = [float(a is not None and is_right(a, q)) for a, q in zip(answers, questions, strict=True)]
            given = [value for value, answer in zip(right, answers, strict=True) if answer is not None]
            yield Row.mean(_SYSTEM, f"{name}: right", right)
            yield Row.mean(_SYSTEM, f"{name}: precision of given answers", given)
            declined = 1 - len(given) / len(questions)
            yield Row(_SYSTEM, f"{name}: declined", declined, n=len(questions), better="neither")


def gold_of(question: Question) -> Decimal | None:
    """The one number that is the answer; None where words are.

    >>> gold_of({"answer": "$1577.00"}), gold_of({"answer": "-3.7%"}), gold_of({"answer": "Yes, it rose to 5."})
    (Decimal('1577.00'), Decimal('-3.7'), None)
    """
    text = str(question["answer"]).strip()
    if not _NUMBER.fullmatch(text):
        return None
    digits = _DIGITS.search(text)
    value = Decimal(digits[0].replace(",", "")) if digits else None
    return -value if value is not None and ("-" in text or "(" in text) else value


def is_right(answer: NumberAnswer, question: Question) -> bool:
    """True where a figure of the answer is the gold's in some scale; the last one where it is calculated."""
    gold = gold_of(question)
    if gold is None:
        return False
    exponent = gold.as_tuple().exponent
    step = Decimal(1).scaleb(exponent if isinstance(exponent, int) else 0) / 2
    near = max(step if step < 1 else Decimal("0.5"), abs(gold) * _NEAR)
    shown = [answer.value] if answer.value is not None else []
    found = [*shown, *(f.value / scale for f in answer.figures for scale in _SCALES if f.value is not None)]
    return any(abs(value - gold) <= near for value in found)
