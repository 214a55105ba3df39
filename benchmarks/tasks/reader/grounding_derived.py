"""Grounding on sentences that nobody wrote for it: gold answers of TAT-QA, and news bullets on earnings calls.

True are some 1,600 sentences: questions of TAT-QA (Zhu et al. 2021) with their gold answers, looked up and calculated,
and the bullets of ECTSum (Mukherjee et al. 2022) over the sentences of the call that hold their numbers. False are the
same with the value of another row or year of the table, another scale, another number of the same text, a number that
stands nowhere, or the opposite direction. Some of the false are true by chance and some bullets have their number from
elsewhere, so that nothing reaches 1. Every third context and call was not looked at while the checks were made.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.retrieval.answer.generative.grounding.answer_check import Passage

from .._shared import part, read_lines
from .grounding import BASELINE, SYSTEM, Case, has_digits, passage_of, passes, rows_of

FOLDER = "."
MINUTES = 2
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_QUESTION = re.compile(r"(?:What|How much) (was|is|were|are) (?:the )?(.{1,400}?)\s{0,3}\??$")
_LONGEST_ANSWER = 40
_SCALES = {"thousand": "million", "million": "billion", "billion": "million"}
_OPPOSITES = {" increase": " decrease", " up ": " down ", "raise": "lower", " rose": " fell", " grew": " declined"}
_RANGE = re.compile(r"\d (?:to|and) \$?\d|between|range|-")
_CALL = re.compile(r"\b(\w{1,20})_q(\d)_(\d{4})\b")
_AROUND = 2
"""Sentences of a call before and behind those with the number."""
_LEAST_DIGITS = 3
_SEED = 7

Checked = tuple[Case, Passage]


def run(folder: Path) -> Report:
    """Check every sentence against its context."""
    rows: list[Row] = []
    sets = {
        "looked up": list(_answers(folder / "tatqa", "span")),
        "calculated": list(_answers(folder / "tatqa", "arithmetic")),
        "said in a call": list(_bullets(folder / "ectsum")),
    }
    for name, checked in sets.items():
        for label, chosen in ((name, checked), (f"{name}, unread", [one for one in checked if one[0].unread])):
            rows += rows_of(SYSTEM, label, [(case, passes(case, passage)) for case, passage in chosen])
            rows += rows_of(BASELINE, label, [(case, has_digits(case, passage)) for case, passage in chosen])[:2]
    return Report("grounding_derived", tuple(rows), (f"{sum(map(len, sets.values()))} sentences.",))


# --- TAT-QA


def _answers(folder: Path, kind: str) -> Iterator[Checked]:
    draw = random.Random(_SEED)
    for number, context in enumerate(read_lines(part(folder))):
        passage = passage_of(Case(str(number), "", "", ""), context)
        for question in context["questions"]:
            sentence = _sentence(question) if question["answer_type"] == kind else None
            if sentence is None:
                continue
            is_in_table = kind == "span" and question["answer_from"].startswith("table")
            false = [*_of_other_scale(sentence, question["scale"]), *_off(sentence)]
            false += _of_other_cells(sentence, _printed(question), context["table"], draw) if is_in_table else []
            for wrong, text in (("", sentence), *false):
                yield Case(str(number), "", text, wrong, unread=number % 3 == 0), passage


def _printed(question: Mapping[str, Any]) -> str:
    answer = question["answer"]
    return str(answer[0] if isinstance(answer, list) else answer).strip()


def _sentence(question: Mapping[str, Any]) -> str | None:
    """ "What was the revenue in 2019?" with its answer: "The revenue in 2019 was 12 million."; None for others."""
    asked, answer = _QUESTION.match(question["question"]), _printed(question)
    if asked is None or not _NUMBER.search(answer) or len(answer) > _LONGEST_ANSWER:
        return None
    scale = question["scale"]
    if scale == "percent":
        bare = answer.strip("()-% ")
        shown = f"{'-' if answer[0] in '-(' else ''}{bare}%"
    else:
        shown = f"{answer} {scale}".strip()
    return f"The {asked[2]} {asked[1]} {shown}."


def _of_other_scale(sentence: str, scale: str) -> Iterator[tuple[str, str]]:
    if scale in _SCALES:
        yield "scale", sentence.replace(f"{scale}.", f"{_SCALES[scale]}.")


def _off(sentence: str) -> Iterator[tuple[str, str]]:
    """The sentence with a number that is seven parts in a hundred off."""
    last = list(_NUMBER.finditer(sentence))[-1]
    value = last[0].replace(",", "")
    places = len(value.partition(".")[2])
    wrong = f"{float(value) * 1.07 + (0 if places else 3):.{places}f}"
    if wrong != value:
        yield "value", f"{sentence[: last.start()]}{wrong}{sentence[last.end() :]}"


def _of_other_cells(
    sentence: str, answer: str, table: Sequence[Sequence[str]], draw: random.Random
) -> Iterator[tuple[str, str]]:
    """The sentence with the value of another row of the column, and of another year of the row."""
    own = _digits(answer)
    places = [(row, column) for row, cells in enumerate(table) for column, cell in enumerate(cells) if _is(cell, own)]
    if len(places) != 1:
        return
    row, column = places[0]
    others = [cells[column] for number, cells in enumerate(table) if number != row and cells[0] and column < len(cells)]
    for kind, cells in (("row", draw.sample(others, len(others))), ("year", _years(table, row, column))):
        cell = next((cell for cell in cells if _may_stand_for(cell, table[row][column])), None)
        if cell is not None and answer in sentence:
            yield kind, sentence.replace(answer, cell.strip("$ "))


def _years(table: Sequence[Sequence[str]], row: int, column: int) -> list[str]:
    heads = [" ".join(cells[place] for cells in table[:3]) for place in range(len(table[row]))]
    return [table[row][at] for at, head in enumerate(heads) if at not in (0, column) and re.search(r"\b20\d\d", head)]


def _may_stand_for(cell: str, own: str) -> bool:
    digits = _digits(cell)
    is_year = re.fullmatch(r"(?:19|20)\d\d", cell.strip()) is not None
    return len(digits) >= _LEAST_DIGITS and digits != _digits(own) and not is_year and ("%" in cell) == ("%" in own)


def _is(cell: str, digits: str) -> bool:
    return bool(digits) and _digits(cell) == digits


def _digits(text: str) -> str:
    return re.sub(r"[^\d.]", "", text)


# --- ECTSum


def _bullets(folder: Path) -> Iterator[Checked]:
    draw = random.Random(_SEED)
    for number, call in enumerate(read_lines(part(folder))):
        about = _CALL.sub(r"\1 | earnings call | Q\2 \3", call["call"])
        for query in call["queries"]:
            bullet = query["bullet"].replace("compname", "The company")
            text = _around(call["sentences"], query["gold_sentences"])
            for wrong, sentence in (("", bullet), *_false_bullets(bullet, text, draw)):
                case = Case(call["call"], "", sentence[0].upper() + sentence[1:], wrong, unread=number % 3 == 0)
                yield case, Passage(text, about)


def _around(sentences: Sequence[str], gold: Sequence[int]) -> str:
    places = {near for place in gold for near in range(place - _AROUND, place + _AROUND + 1)}
    return " ".join(sentences[place] for place in sorted(places) if 0 <= place < len(sentences))


def _false_bullets(bullet: str, text: str, draw: random.Random) -> Iterator[tuple[str, str]]:
    numbers = [match for match in _NUMBER.finditer(bullet) if not _is_of_time(match)]
    if not numbers:
        return
    last = numbers[-1]
    yield from _off(bullet[: last.end()] + bullet[last.end() :].translate(_NO_DIGITS))
    for scale in ("million", "billion"):
        if scale in bullet[last.end() : last.end() + 9]:
            yield "scale", bullet[: last.end()] + bullet[last.end() :].replace(scale, _SCALES[scale], 1)
    is_rate = bullet[last.end() : last.end() + 1] == "%"
    others = [f for f in re.findall(r"\$?\d[\d,.]*\d%?", text) if ("%" in f) == is_rate and f.strip("$%") != last[0]]
    if others and not _RANGE.search(bullet):
        yield "number", f"{bullet[: last.start()]}{draw.choice(others).strip('$%')}{bullet[last.end() :]}"
    for word, opposite in _OPPOSITES.items():
        if word in bullet:
            yield "sign", bullet.replace(word, opposite, 1)
            return


_NO_DIGITS = str.maketrans("", "", "0123456789")


def _is_of_time(match: re.Match[str]) -> bool:
    """True for the number of a quarter or a year."""
    return (
        re.fullmatch(r"20\d\d", match[0]) is not None
        or re.search(r"(?:q|fy ?)$", match.string[: match.start()]) is not None
    )
