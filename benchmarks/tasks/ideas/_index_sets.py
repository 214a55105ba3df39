"""The data sets that ideas of indexing are measured on, in one form: documents, questions, a score of what is found.

A score is a measure -> value mapping of one question's ranking; the first measure of a set is the one it is judged by.
"""

from __future__ import annotations

import json
import lzma
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any

from cliquerag.core.scope import Scope
from cliquerag.core.tokens import count_tokens
from cliquerag.evaluation.metrics.chunking import iou, recall, recall_at_budget
from cliquerag.evaluation.metrics.retrieval import distinct
from cliquerag.retrieval.search.evidence import Evidence

from .._shared import metric, part, read_lines
from ..documents import chroma_chunking
from ..retrieval import docugami_10q, financebench, multihop_hotpotqa, tatqa

Found = Sequence[Evidence]
Unit = Callable[[Evidence], Hashable | None]
"""What a hit counts as; None for a hit that is left out of the ranking."""
_BESIDE = 5
"""Pages of a filing on either side of an answer's that a part of it keeps."""
_PART = 21
"""Questions whose filings are searched alone, for rows that take a second a question."""
_LONG_FORMS = ("10K", "10Q")
"""In the names of filings of 60 pages and more, which take minutes to read as they are printed."""
_SHORTEST_NEWS = 300
"""Characters of a news text that has several passages to choose from."""
_GOLD = "gold"
"""The unit of a hit that overlaps the text that answers."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of a set: its number in the data, where it is searched, and what its hits are worth."""

    number: int
    text: str
    scope: Scope | None
    score: Callable[[Found], dict[str, float]]
    needs: tuple[str, ...] = ()
    """The documents without which it cannot be answered; a small sample stores only those of its questions."""


@dataclass(frozen=True, slots=True)
class IdeaSet:
    """Documents and questions. ``files`` are read from disk, ``texts`` are source -> text or pages."""

    texts: Mapping[str, str | Sequence[str]]
    questions: Sequence[Asked]
    files: tuple[Path, ...] = ()
    own_documents: bool = False
    """Each question is asked of its own document: a sample of questions needs no other one."""

    def sample(self, limit: int | None, chosen: str) -> IdeaSet:
        """``limit`` questions, evenly spread; ``chosen`` "read" leaves out every third, "unread" takes only those."""
        questions = [asked for asked in self.questions if chosen == "all" or is_unread(asked) == (chosen == "unread")]
        if limit and limit < len(questions):
            questions = [questions[round(i * len(questions) / limit)] for i in range(limit)]
        texts = self.texts
        if self.own_documents:
            wanted = {source for asked in questions for source in asked.needs}
            texts = {source: text for source, text in texts.items() if source in wanted}
        return IdeaSet(texts, questions, self.files, self.own_documents)


def is_unread(asked: Asked) -> bool:
    """Every third question: left aside while anything is still being chosen."""
    return asked.number % 3 == 2


def _ranked(metrics: Sequence[str], gold: Iterable[Hashable], unit: Unit, found: Found) -> dict[str, float]:
    ranking = distinct(item for item in map(unit, found) if item is not None)
    right = frozenset(gold)
    return {name: metric(name)(ranking, right) for name in metrics}


def _source(item: Evidence) -> Hashable:
    return item.source


def _page(item: Evidence) -> Hashable:
    return Path(item.source).name, item.page  # a file read from disk is known by its whole path


# --- finance, English


def _chroma(only: str, folder: Path) -> IdeaSet:
    """All corpora together, or the one that is named."""
    questions = chroma_chunking.read_questions(folder)
    names = [only] if only else list(dict.fromkeys(question.corpus for question in questions))
    texts = {f"{name}.md": (folder / "corpora" / f"{name}.md").read_text(encoding="utf-8") for name in names}
    asked: list[Asked] = []
    for number, question in enumerate(questions):
        if question.corpus in names:
            asked.append(Asked(number, question.text, Scope.all(), partial(_excerpts, question)))
    return IdeaSet(texts, asked)


def _excerpts(question: chroma_chunking.Question, found: Found) -> dict[str, float]:
    """Recall of the exact excerpts at a budget of tokens, and in the first five hits."""
    own = [(item.start, item.end) if item.source == f"{question.corpus}.md" else None for item in found]
    tokens = [count_tokens(item.text) for item in found]
    first = [place for place in own[:5] if place]
    elsewhere = sum(item.end - item.start for item, place in zip(found[:5], own, strict=False) if place is None)
    values = {f"recall {n} tokens": recall_at_budget(question.gold, own, tokens, n) for n in (1000, 500)}
    return {
        **values,
        "recall top 5": recall(question.gold, first),
        "IoU top 5": iou(question.gold, first, elsewhere),
    }


def _financebench(shared: bool, folder: Path) -> IdeaSet:
    filings, questions = financebench.read_task(folder)
    asked = [
        Asked(
            number,
            question.text,
            Scope.all() if shared else Scope(sources=(question.source,)),
            partial(_ranked, ("recall@5", "MRR@10", "MAP@10"), question.gold, _page),
            (question.source,),
        )
        for number, question in enumerate(questions)
    ]
    return IdeaSet(filings, asked, own_documents=True)


def _filings_as_pdf(folder: Path) -> IdeaSet:
    """Earnings releases and current reports as they are printed, with the layout of their tables; searched together."""
    paths = sorted((folder / "pdfs_dev").glob("*.pdf"))
    files = tuple(path for path in paths if not any(form in path.name for form in _LONG_FORMS))
    wanted = {path.name for path in files}
    asked = [question for question in _financebench(True, folder).questions if question.needs[0] in wanted]
    return IdeaSet({}, asked, files=files)


def _near_pages(shared: bool, folder: Path) -> IdeaSet:
    """All questions over a ninth of the pages: of each filing its first one, and those around its answers."""
    whole = _financebench(shared, folder)
    _, questions = financebench.read_task(folder)
    kept: dict[str, set[int]] = {}
    for question in questions:
        pages = kept.setdefault(question.source, {1})
        for _, page in question.gold:
            pages.update(range(page - _BESIDE, page + _BESIDE + 1))
    texts: dict[str, str | Sequence[str]] = {}
    for source, whole_text in whole.texts.items():
        wanted = kept.get(source, set())
        texts[source] = [page if number in wanted else "" for number, page in enumerate(whole_text, 1)]
    return IdeaSet(texts, whole.questions, own_documents=True)


def _tatqa(every: int, folder: Path) -> IdeaSet:
    contexts = read_lines(part(folder))[::every]
    texts = {f"{number}.md": tatqa.text_of(context) for number, context in enumerate(contexts)}
    pairs = [(q["question"], f"{i}.md") for i, context in enumerate(contexts) for q in context["questions"]]
    return _of_documents(texts, [text for text, _ in pairs], [{name} for _, name in pairs], ("hit@5", "MRR@10"))


def _docugami(folder: Path) -> IdeaSet:
    reports, questions, gold = docugami_10q.read_task(folder)
    return _of_documents(reports, questions, gold, ("all gold@5", "MRR@10", "MAP@10"))


def _ectsum(folder: Path) -> IdeaSet:
    calls = read_lines(part(folder))
    texts = {f"{call['call']}.txt": " ".join(call["sentences"]) for call in calls}
    asked: list[Asked] = []
    for call in calls:
        name = f"{call['call']}.txt"
        starts = list(accumulate((len(sentence) + 1 for sentence in call["sentences"]), initial=0))
        for query in call["queries"]:
            unit = partial(_holding_sentence, starts, frozenset(query["gold_sentences"]))
            score = partial(_ranked, ("MRR@10", "hit@1"), {_GOLD}, unit)
            asked.append(Asked(len(asked), query["query"], Scope(sources=(name,)), score, (name,)))
    return IdeaSet(texts, asked, own_documents=True)


def _holding_sentence(starts: Sequence[int], gold: frozenset[int], item: Evidence) -> Hashable:
    first, last = bisect_right(starts, item.start) - 1, bisect_right(starts, max(item.start, item.end - 1)) - 1
    return _GOLD if any(first <= sentence <= last for sentence in gold) else (item.source, item.start)


def _earnings_qa(unspoken: bool, folder: Path) -> IdeaSet:
    """Analysts' questions; the executive's answer is gold, and whatever holds words of the question's turn is no hit.

    ``unspoken`` cuts the turns of all these questions out of the calls instead: nothing of their words is left there.
    """
    records = read_lines(folder / "questions.jsonl")
    calls = {call["id"]: call["file"] for call in read_lines(folder / "calls.jsonl")}
    texts: dict[str, str | Sequence[str]] = {}
    cuts: dict[str, list[tuple[int, int]]] = {}
    for call, file in calls.items():
        own = [record for record in records if record["call"] == call]
        cuts[f"{call}.txt"] = sorted((record["q_start"], record["q_end"]) for record in own) if unspoken else []
        texts[f"{call}.txt"] = _without((folder / file).read_text(encoding="utf-8"), cuts[f"{call}.txt"])
    asked: list[Asked] = []
    for number, record in enumerate(records):
        name = f"{record['call']}.txt"
        answer, turn = (
            tuple(_moved(record[f"{side}_{end}"], cuts[name]) for end in ("start", "end")) for side in ("answer", "q")
        )
        score = partial(_ranked, ("hit@5", "MRR@10", "MAP@10"), {_GOLD}, partial(_answering, name, answer, turn))
        asked.append(Asked(number, record["question"], Scope(sources=(name,)), score, (name,)))
    return IdeaSet(texts, asked, own_documents=True)


def _without(text: str, cuts: Sequence[tuple[int, int]]) -> str:
    kept, at = [], 0
    for start, end in cuts:
        kept.append(text[at:start])
        at = end
    return "".join((*kept, text[at:]))


def _moved(offset: int, cuts: Sequence[tuple[int, int]]) -> int:
    """Where an offset of the whole text lies once the cuts are out."""
    return offset - sum(min(end, offset) - start for start, end in cuts if start < offset)


def _answering(source: str, answer: tuple[int, ...], turn: tuple[int, ...], item: Evidence) -> Hashable | None:
    if item.source != source:
        return item.source, item.start
    is_spoken = turn[0] < turn[1]
    if is_spoken and item.start < turn[1] and turn[0] < item.end:
        return None
    answers = item.start < answer[1] and answer[0] < item.end
    return _GOLD if answers else (item.source, item.start)


# --- several passages, and Chinese


def _multihop(folder: Path) -> IdeaSet:
    return _of_documents(*multihop_hotpotqa.read_task(folder), ("recall@5", "all gold@5", "MAP@10"))


def _finna(folder: Path) -> IdeaSet:
    from ..retrieval.finna_zh import bodies_and_headlines

    bodies, headlines = bodies_and_headlines(folder)
    texts = {f"{i}.txt": body for i, body in enumerate(bodies)}
    return _of_documents(texts, headlines, [{name} for name in texts], ("MRR@10", "hit@1"))


def _fincuge(folder: Path) -> IdeaSet:
    """Which passage of a news text holds the short answer; short texts and answers printed twice are left out."""
    texts: dict[str, str | Sequence[str]] = {}
    asked: list[Asked] = []
    for number, (joined, answer) in enumerate(_json_lines(folder / "finqa.jsonl")):
        question, mark, text = joined.partition("？")
        name = f"{number}.txt"
        states_once = bool(answer) and text.count(answer) == 1
        if not mark or len(text) < _SHORTEST_NEWS or not states_once:
            continue
        texts[name] = text
        unit = partial(_stating, text.index(answer), text.index(answer) + len(answer))
        score = partial(_ranked, ("MRR@10", "hit@1"), {_GOLD}, unit)
        asked.append(Asked(len(asked), question + mark, Scope(sources=(name,)), score, (name,)))
    return IdeaSet(texts, asked, own_documents=True)


def _json_lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def _stating(start: int, end: int, item: Evidence) -> Hashable:
    """Gold where the hit prints the text from ``start`` to ``end``."""
    return _GOLD if item.start <= start and end <= item.end else (item.source, item.start)


def _zh_annual_reports(folder: Path) -> IdeaSet:
    data: dict[str, Any] = json.loads(part(folder, ".json").read_text(encoding="utf-8"))
    asked = [
        Asked(
            number,
            pair["question"],
            Scope.all(),
            partial(_ranked, ("hit@5", "MRR@10", "MAP@10"), {(data["pdf"], page + 1) for page in pair["pages"]}, _page),
        )
        for number, pair in enumerate(data["pairs"])
    ]
    return IdeaSet({}, asked, files=(folder / data["pdf"],))


def _aicup(only: str, among_all: bool, folder: Path) -> IdeaSet:
    """The right one of a question's candidates, or of all documents; ``only`` the questions of a category."""
    with lzma.open(folder / "documents.jsonl.xz", "rt", encoding="utf-8") as lines:
        texts = {f"{line['category']}-{line['doc']}.txt": line["pages"] for line in map(json.loads, lines)}
    asked = []
    for number, record in enumerate(read_lines(folder / "questions.jsonl")):
        if only and record["category"] != only:
            continue
        candidates = tuple(f"{record['category']}-{name}.txt" for name in record["candidates"])
        gold = {f"{record['category']}-{record['gold']}.txt"}
        score = partial(_ranked, ("hit@1", "MRR@10"), gold, _source)
        scope = Scope.all() if among_all else Scope(sources=candidates)
        asked.append(Asked(number, record["query"], scope, score, candidates))
    return IdeaSet(texts, asked, own_documents=not among_all)


def _of_documents(
    texts: Mapping[str, str | Sequence[str]],
    questions: Sequence[str],
    gold: Sequence[Iterable[Hashable]],
    metrics: tuple[str, ...],
) -> IdeaSet:
    """Which documents answer, among all; nothing is said of them."""
    asked = [
        Asked(number, text, None, partial(_ranked, metrics, right, _source))
        for number, (text, right) in enumerate(zip(questions, gold, strict=True))
    ]
    return IdeaSet(texts, asked)


SETS: Mapping[str, tuple[str, Callable[[Path], IdeaSet]]] = {
    "chroma": ("chroma_chunking", partial(_chroma, "")),
    "chroma_speech": ("chroma_chunking", partial(_chroma, "state_of_the_union")),
    "financebench_known": ("financebench", partial(_financebench, False)),
    "financebench_shared": ("financebench", partial(_financebench, True)),
    "filings_as_pdf": ("financebench", _filings_as_pdf),
    "near_pages_known": ("financebench", partial(_near_pages, False)),
    "near_pages_shared": ("financebench", partial(_near_pages, True)),
    "near_pages_part": ("financebench", lambda folder: _near_pages(True, folder).sample(_PART, "all")),
    "tatqa": ("tatqa", partial(_tatqa, 1)),
    "tatqa_part": ("tatqa", partial(_tatqa, 20)),
    "ectsum": ("ectsum", _ectsum),
    "docugami": ("docugami_10q", _docugami),
    "earnings_qa": ("earnings_qa", partial(_earnings_qa, False)),
    "earnings_qa_unspoken": ("earnings_qa", partial(_earnings_qa, True)),
    "musique": ("multihop_musique", _multihop),
    "2wiki": ("multihop_2wiki", _multihop),
    "hotpotqa": ("multihop_hotpotqa_more", _multihop),
    "finna_zh": ("finna_zh", _finna),
    "fincuge_zh": ("fincuge_zh", _fincuge),
    "zh_annual_reports": ("zh_annual_reports", _zh_annual_reports),
    "aicup2024_zh": ("aicup2024_zh", partial(_aicup, "", False)),
    "aicup_finance": ("aicup2024_zh", partial(_aicup, "finance", False)),
    "aicup_all_documents": ("aicup2024_zh", partial(_aicup, "finance", True)),
}
"""Name -> the folder of its data, and what reads it."""


def read_set(name: str, root: Path) -> IdeaSet:
    """A set by its name; ``root`` holds the folders of all data sets."""
    folder, read = SETS[name]
    return read(root / folder)
