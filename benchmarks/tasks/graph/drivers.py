"""Drivers: what moved a figure, in sentences of filings, calls and news, English and Chinese.

The labels (``driver_sentences.jsonl``) were written before the rules were tuned; those of the part "held" (every third
document) after the rules were done. They name places only: the sentences stay in the data sets that they come from.
"""

from __future__ import annotations

import json
import lzma
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from cliquerag.core.ids import content_hash
from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.kg.drivers import Cause
from cliquerag.kg.extraction.drivers.chinese import read_chinese
from cliquerag.kg.extraction.drivers.english import read_english
from cliquerag.kg.extraction.drivers.readings import Reading

from ...extraction import Tally

FOLDER = "financebench"
MINUTES = 0.5
_CHINESE = ("zh_annual_reports", "finna_zh", "fincuge_zh")
_DIRECTIONS = {"+": "up", "-": "down", "=": "flat"}
_SIGNS = {"+": 1, "-": -1}
_OVERLAP = 0.5
"""Of the shorter of two causes, the characters that both hold."""


@dataclass(slots=True)
class Scores:
    """Effects and causes found, and of the causes found the signs that are right."""

    effects: Tally
    causes: Tally
    signs: Tally

    def rows(self, system: str) -> Iterator[Row]:
        """Precision and recall of each."""
        yield from self.effects.rows(system, "effect ")
        yield from self.causes.rows(system, "cause ")
        yield Row(system, "sign right", self.signs.precision, n=self.signs.found)


def run(folder: Path) -> Report:
    """Score the rules on every part and language that is there."""
    scores: dict[str, Scores] = {}
    for label, text in labelled_sentences(folder.parent):
        is_chinese = label["set"] in _CHINESE
        found = read_chinese(text) if is_chinese else read_english(text)
        name = f"{label['part']}, {'Chinese' if is_chinese else 'English'}"
        score(scores.setdefault(name, Scores(Tally(), Tally(), Tally())), label["effects"], found)
    rows = [row for name, found in scores.items() for row in found.rows(name)]
    notes = (
        "An effect is right where its figure overlaps the labelled one and it moved the same way, a cause where it "
        "shares half of its words with a labelled one, at any depth; figures outside a company count neither way.",
        'The parts "held", "unseen" and "last" come from every third document; each was read after its first run, '
        "which gave, precision / recall of effects, then of causes: held English .727 / .640, .683 / .722, Chinese "
        ".667 / .500, .667 / .400; unseen English .600 / .500, .778 / .556; unseen Chinese .917 / .846, .812 / .526; "
        "last English .700 / .875, .786 / .917. Those are the figures for text that nobody tuned on.",
    )
    return Report("drivers", tuple(rows), notes=notes)


def labelled_sentences(root: Path) -> Iterator[tuple[Mapping[str, Any], str]]:
    """Each label with its sentence, read from the data set that it names; those of absent sets are left out."""
    lines = Path(__file__).with_name("driver_sentences.jsonl").read_text(encoding="utf-8").splitlines()
    for label in map(json.loads, lines):
        pages = _pages(root, label["set"])
        text = pages.get((label["document"], label["page"]), "")[label["start"] : label["end"]]
        if text and content_hash(text.encode())[:12] == label["hash"]:
            yield label, text


def score(scores: Scores, labels: Sequence[Mapping[str, Any]], found: Sequence[Reading]) -> None:
    """Add what was found in one sentence."""
    named = [reading for reading in found if reading.effect.label]
    unused = list(named)
    for label in labels:
        matching = [reading for reading in unused if _is_same_effect(reading, label)]
        if label.get("optional"):
            unused = [reading for reading in unused if not _touches(reading, label)]
            continue
        scores.effects.gold += 1
        if matching:
            unused.remove(matching[0])
            wanted = _DIRECTIONS.get(label["direction"])
            is_right = wanted is None or matching[0].effect.direction == wanted
            scores.effects.found += 1
            scores.effects.right += is_right
            scores.effects.hit += is_right
        _score_causes(scores, label, matching[0] if matching else None)
    scores.effects.found += len(unused)
    for reading in unused:
        scores.causes.found += sum(1 for cause in reading.causes for _ in cause.chain())


def _score_causes(scores: Scores, label: Mapping[str, Any], reading: Reading | None) -> None:
    required = [cause for cause in label["causes"] if len(cause) == 3]
    scores.causes.gold += len(required)
    if reading is None:
        return
    found = [cause for top in reading.causes for cause in top.chain()]
    hit = {index for index, cause in enumerate(required) if any(_shares(cause, mine) for mine in found)}
    scores.causes.hit += len(hit)
    for mine in found:
        same = [cause for cause in label["causes"] if _shares(cause, mine)]
        scores.causes.found += 1
        scores.causes.right += bool(same)
        signs = {_SIGNS[cause[2]] for cause in same if cause[2] in _SIGNS}
        if signs:
            scores.signs.found += 1
            scores.signs.right += mine.sign in signs


def _is_same_effect(reading: Reading, label: Mapping[str, Any]) -> bool:
    start, end = label["effect"]
    return bool(reading.effect.start < end and start < reading.effect.end)


def _touches(reading: Reading, label: Mapping[str, Any]) -> bool:
    """An optional label without causes speaks for the whole sentence."""
    return not label["causes"] or _is_same_effect(reading, label)


def _shares(label: Sequence[Any], cause: Cause) -> bool:
    both = min(label[1], cause.end) - max(label[0], cause.start)
    return bool(both >= _OVERLAP * min(label[1] - label[0], cause.end - cause.start))


@cache
def _pages(root: Path, name: str) -> Mapping[tuple[str, int], str]:
    """(document, page from 0) -> text with single blanks, or for the Chinese report without any."""
    if not (root / name).is_dir():
        return {}
    return dict(_READERS[name](root / name))


_Pages = Iterator[tuple[tuple[str, int], str]]


def _filings(folder: Path) -> _Pages:
    with lzma.open(folder / "pages_dev.jsonl.xz", "rt", encoding="utf-8") as lines:
        for filing in map(json.loads, lines):
            for number, page in enumerate(filing["pages"]):
                yield (filing["doc"], number), " ".join(page.split())


def _calls(folder: Path) -> _Pages:
    for call in map(json.loads, (folder / "dev.jsonl").open(encoding="utf-8")):
        yield (call["call"], 0), " ".join(" ".join(call["sentences"]).split())


def _report(folder: Path) -> _Pages:
    import pymupdf

    for path in sorted(folder.glob("*.pdf")):
        with pymupdf.open(path) as pages:
            for number in range(pages.page_count):
                yield (path.name, number), re.sub(r"\s+", "", pages[number].get_text())


def _news(folder: Path) -> _Pages:
    for piece in map(json.loads, (folder / "pairs.jsonl").open(encoding="utf-8")):
        yield (str(piece["id"]), 0), " ".join(piece["body"].split())


def _asked_news(folder: Path) -> _Pages:
    for number, line in enumerate((folder / "finqa.jsonl").open(encoding="utf-8")):
        yield (str(number), 0), " ".join(json.loads(line)[0].split())


_READERS = {
    "financebench": _filings,
    "ectsum": _calls,
    "zh_annual_reports": _report,
    "finna_zh": _news,
    "fincuge_zh": _asked_news,
}
