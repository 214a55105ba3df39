"""Names in an English question: runs of words with capitals that are no words of asking or measuring."""

from __future__ import annotations

import re
from functools import cache

from ....ingest.facts.metrics import MetricList
from .answer_type import ordinary_words

_TOKEN = re.compile(r"[A-Z][\w&’'.-]*")
_JOINT = re.compile(r"\s+(?:(?:of|and|&|the|de)\s+)?")
_SENTENCE_START = re.compile(r"[.?!:]\s+$")
_CAPITAL_NEXT = re.compile(r"\s+[A-Z]")
_POSSESSIVE = re.compile(r"['’]s?$")


def capitalised_names(text: str, metrics: MetricList) -> list[tuple[str, int, int]]:
    """Runs of capitalised words that are no words of asking or measuring, as (name, start, end).

    >>> from cliquerag.ingest.facts.metrics import default_metrics
    >>> capitalised_names("Did the Bank of Norrland fund Acme's plant?", default_metrics())
    [('Bank Norrland', 8, 24), ('Acme', 30, 34)]
    """
    found: list[tuple[list[str], int, int]] = []
    for match in _TOKEN.finditer(text):
        word = _POSSESSIVE.sub("", match[0].rstrip(".,'’"))
        begins = not match.start() or _SENTENCE_START.search(text[: match.start()])
        lone = begins and word == match[0] and not _names_owner(text[match.end() :], metrics)
        if lone or _is_ordinary(word, metrics) or (match.start() and text[match.start() - 1].isalnum()):
            continue
        end = match.start() + len(word)
        if (
            found
            and _JOINT.fullmatch(text[found[-1][2] : match.start()])
            and " and " not in text[found[-1][2] : match.start()]
        ):
            found[-1] = ([*found[-1][0], word], found[-1][1], end)
        else:
            found.append(([word], match.start(), end))
    return [(" ".join(words), start, end) for words, start, end in found]


def _names_owner(after: str, metrics: MetricList) -> bool:
    """True where what follows the first word of a question shows it to be a name: "Acme Steel", "Acme net income"."""
    if _CAPITAL_NEXT.match(after):
        return True
    words = after.lower().split()
    return bool(words) and any(" ".join(words[:count]) in metrics.names for count in (1, 2, 3))


def _is_ordinary(word: str, metrics: MetricList) -> bool:
    """True for words of asking and measuring, single letters, and abbreviations, which may be measures."""
    plain = word.lower()
    return len(word) < 2 or word.isupper() or plain in ordinary_words() or plain in measure_words(metrics)


@cache
def measure_words(metrics: MetricList) -> frozenset[str]:
    return frozenset(word for name in metrics.names for word in name.lower().split() if word.isascii())
