"""A small library of invented filings and passages, read, cut and stored as an add would do it."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence

import numpy as np
from cliquerag.core.words import search_words
from cliquerag.ingest.facts import extract_facts
from cliquerag.kg.extraction.build import make_extractor
from cliquerag.kg.schema import load_schema
from cliquerag.kg.store import Store
from support.stores import open_store

from benchmarks.asking import answer_question
from benchmarks.ours import make_bundle, text_documents

BALANCE_SHEET = """{name}
CONSOLIDATED BALANCE SHEETS
(in millions)
December 31,
{year} {before}
Cash and cash equivalents
1,234
1,111
Receivables, net
456
444
Inventories
{inventories}
75
Total current assets
1,757
1,630
Goodwill
88
88
Total assets
2,345
2,218
Accounts payable
234
222
Total current liabilities
345
333
Long-term debt
400
410
Total liabilities
900
905
Retained earnings
1,000
900
Total stockholders' equity
1,445
1,313"""


def filing(name: str, year: int, *more: str, inventories: int = 67) -> list[str]:
    """The pages of a short annual report; the balance sheet is page 4."""
    cover = (
        f"UNITED STATES SECURITIES AND EXCHANGE COMMISSION\nFORM 10-K\n"
        f"ANNUAL REPORT PURSUANT TO SECTION 13 OR 15(d)\nFor the fiscal year ended December 31, {year}\n{name}\n"
        f"(Exact name of registrant as specified in its charter)"
    )
    business = f"Item 1. Business\n{name} makes pumps and valves. Its largest customer is Borealis Marine Ltd."
    legal = (
        f"Item 3. Legal Proceedings\nIn {year} Cresta Tools GmbH sued {name} over a patent on valves. "
        f"The trial has not begun."
    )
    sheet = BALANCE_SHEET.format(name=name.upper(), year=year, before=year - 1, inventories=inventories)
    return [cover, business, legal, sheet, *more]


FILINGS: Mapping[str, Sequence[str]] = {
    "ACME_2021_10K.pdf": filing("Acme Corporation", 2021),
    "ACME_2022_10K.pdf": filing("Acme Corporation", 2022, inventories=69),
    "ZENITH_2022_10K.pdf": filing("Zenith Industries, Inc.", 2022, inventories=71),
}
PASSAGES: Mapping[str, str] = {
    "Steel Harbour": "Steel Harbour\n\nSteel Harbour is a port in the north. Ships were built there by Ada Quill.",
    "Ada Quill": "Ada Quill\n\nAda Quill was an engineer who was born in the town of Fenwick in 1901.",
    "Fenwick": "Fenwick\n\nFenwick is a market town known for its cheese.",
    "Ports of the north": "Ports of the north\n\nMany ports of the north built ships for the fishing trade.",
    "Cheese": "Cheese\n\nCheese is made from milk in many towns.",
    "Trains": "Trains\n\nTrains carried fish from the ports to the towns.",
}


class WordEmbedder:
    """Bags of hashed stems as unit vectors: texts that share words are near."""

    name = "words-64"
    dim = 64

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        vectors = np.full((len(texts), self.dim), 1e-3, np.float32)
        for row, text in enumerate(texts):
            for word in search_words(text):
                vectors[row, zlib.crc32(word.encode()) % self.dim] += 1
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def library(
    texts: Mapping[str, str | Sequence[str]], *, vectors: bool = True, graph: bool = False, facts: bool = False
) -> Store:
    """A store in memory that holds the texts."""
    store = open_store("sqlite://")
    embedder = WordEmbedder() if vectors else None
    extractor = make_extractor("rules", load_schema()) if graph else None
    for document in text_documents(texts):
        figures = extract_facts(document) if facts else ()
        store.put(make_bundle(document, embedder, extractor, facts=tuple(figures)))
    return store


def answer_text(store: Store, question: str, mode: str = "hybrid") -> str:
    """What is answered by words alone: without an embedder and without a model."""
    return answer_question(store, None, None, question, mode=mode).text
