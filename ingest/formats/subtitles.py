"""Transcripts with times: WebVTT, SubRip, and the JSON that speech programs and providers of calls write."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain, groupby
from typing import Any

from ...core.patterns import stretches
from ...core.records import dataclass
from ...core.rules import load_rules
from ..reading.block import Block, Piece
from .office import content_of
from .registry import Content, Evidence, FileContent, Reader
from .speakers import Person, Turn, introduced, merged
from .transcript import call_parts

_TIME = r"(?:\d{1,3}:)?\d{1,2}:\d{2}[.,]\d{1,3}"
_TIMED = re.compile(rf"^[ \t]{{0,8}}(?P<start>{_TIME})[ \t]{{1,8}}-->[ \t]{{1,8}}{_TIME}", re.MULTILINE)
_VOICE = re.compile(r"<v(?:\.[^\s>]{0,60})?\s{1,4}([^>]{1,120})>")
_TAG = re.compile(r"<[^<>]{0,200}>")
_BLANK_LINE = re.compile(r"\n[ \t\r]{0,8}\n")
_SPOKEN_BY = re.compile(
    r"^(?:>>\s{0,3})?(?P<name>[A-Z\u4e00-\u9fff][^:：,.?!\[\]]{1,50})[:：]\s{0,4}(?P<said>\S.*)$", re.DOTALL
)
_LONGEST_PARAGRAPH = 700
"""Characters of speech by one person after which a paragraph ends with the next sentence."""
_ENDS = tuple('.?!。？！"”')
_LONGEST_TITLE = 200
_PAUSE = 3.0
"""Seconds of silence that part what nobody is named for."""
_FEWEST_CUES = 2
_MOST_ROWS = 0.8
"""Share of a list's rows that are spoken pieces where it is a transcript."""
_DEEPEST = 6
"""Lists and objects in each other; programs that write transcripts nest three or four."""
_LOOKED_AT = 50
"""Items of a list in which further lists are looked for."""
_JSON_HEAD = re.compile(r"^\s{0,200}[\[{]")
_SLOWEST = 10
"""Seconds a character: nobody speaks as slowly, so larger steps between two times are not in seconds."""
_LONGEST_CALL = 100_000.0
"""Seconds: a later time is not in seconds."""


@dataclass(frozen=True, slots=True)
class Cue:
    """Some words, when they begin (seconds; None where nothing tells) and who says them ("" unknown)."""

    text: str
    start: float | None = None
    speaker: str = ""
    role: str = ""


def clock(seconds: float) -> str:
    """A time of a recording as players show it.

    >>> clock(3723.9)
    '01:02:03'
    """
    whole = int(seconds)
    return f"{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02}"


def _recognises_captions(file: FileContent) -> bool:
    head = file.text[:4_000]
    starts = head.lstrip("\ufeff \t\r\n")
    is_named = starts.startswith("WEBVTT") or file.suffix in (".vtt", ".srt")
    return bool(_TIMED.search(head)) and (is_named or starts[:1].isdigit())


def _read_captions(file: FileContent) -> Content:
    return _content(_captions(file.text), {})


def _captions(text: str) -> Iterator[Cue]:
    """The cues of a WebVTT or SubRip file; a line said twice by captions that roll is taken once."""
    times = list(_TIMED.finditer(text))
    before = ""
    for time, end in stretches(times, len(text)):
        after_time = text[time.end() : end].partition("\n")[2]
        body = _BLANK_LINE.split(after_time, maxsplit=1)[0]
        words = " ".join(html.unescape(_TAG.sub("", body)).split())
        if not words or words == before:
            continue
        before = words
        speaker, said = _speaker_and_words(body, words)
        yield Cue(said, _seconds(time["start"]), speaker)


def _speaker_and_words(body: str, words: str) -> tuple[str, str]:
    """Who speaks, "" where nobody is named, and what: named by a voice tag, else before a colon."""
    voice = _VOICE.search(body)
    if voice is not None:
        return voice[1].strip(), words
    named = _SPOKEN_BY.match(words)
    if named is not None:
        return named["name"].strip(), named["said"]
    return "", words


def _seconds(time: str) -> float:
    """ "01:02:03,500" or "02:03.500" in seconds."""
    total = 0.0
    for part in time.replace(",", ".").split(":"):
        total = total * 60 + float(part)
    return total


# --- JSON


def _recognises_json(file: FileContent) -> bool:
    return bool(_JSON_HEAD.match(file.text[:300])) and len(_cues_in(_parsed(file.text))) >= _FEWEST_CUES


def _read_json(file: FileContent) -> Content:
    parsed = _parsed(file.text)
    about = parsed[0] if isinstance(parsed, list) and parsed else parsed
    if not isinstance(about, dict):
        about = {}
    return _content(_cues_in(parsed), about)


def _parsed(text: str) -> Any:
    """The value of a JSON text; None where it is none, or nests too deep."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _cues_in(value: Any) -> list[Cue]:
    """The longest list of spoken pieces in a JSON value, whatever program wrote it."""
    best: list[Cue] = []
    for rows in _lists(value, 0):
        cues = [cue for cue in map(_cue, rows) if cue is not None]
        if _are_speech(cues, len(rows)) and _characters(cues) > _characters(best):
            best = cues
    return _in_seconds(_with_roles(best, value))


def _are_speech(cues: Sequence[Cue], rows: int) -> bool:
    """True where nearly all rows of a list are cues, and of one it is known when it is said, or by whom."""
    if len(cues) < max(_FEWEST_CUES, _MOST_ROWS * rows):
        return False
    return any(cue.start is not None or cue.speaker for cue in cues)


def _characters(cues: Sequence[Cue]) -> int:
    return sum(len(cue.text) for cue in cues)


def _lists(value: Any, depth: int) -> Iterator[list[dict[str, Any]]]:
    """Lists of objects, at any depth that programs write; words of single turns are passed over for the turns."""
    if depth > _DEEPEST:
        return
    if isinstance(value, dict):
        for child in value.values():
            yield from _lists(child, depth + 1)
    elif isinstance(value, list):
        rows = [row for row in value if isinstance(row, dict)]
        if rows:
            yield rows
        for child in value[:_LOOKED_AT]:
            yield from _lists(child, depth + 1)


def _cue(row: Mapping[str, Any]) -> Cue | None:
    """A spoken piece, by the names that programs give its parts (``subtitles.toml``)."""
    said = _first(row, "text")
    text = " ".join(_words(said).split())
    if not text:
        return None
    return Cue(text, _time(row), _speaker(row), _text(row, "role"))


def _speaker(row: Mapping[str, Any]) -> str:
    """The name of who speaks; "Speaker 2" where programs only count them."""
    speaker = _first(row, "speaker")
    if isinstance(speaker, Mapping):
        speaker = _first(speaker, "speaker") or speaker.get("id")
    name = str(speaker or "")
    if isinstance(speaker, int) or name.isdigit():
        return f"Speaker {speaker}"
    return name.strip()


def _words(said: Any) -> str:
    """A text, a list of texts (paragraphs of a speech), or of words."""
    if isinstance(said, str):
        return said
    if isinstance(said, list):
        return " ".join(part if isinstance(part, str) else _text(part, "text") for part in said if part)
    return ""


def _time(row: Mapping[str, Any]) -> float | None:
    """When a piece begins: as its row says, else as the first of its words does; None where neither does."""
    value = _first(row, "start")
    if isinstance(value, Mapping):
        value = _first(value, "start")
    said = _first(row, "text")
    if value is None and isinstance(said, list):
        value = _first(said[0], "start")
    if value is None:
        return None
    try:
        return _seconds(value) if isinstance(value, str) else float(value)
    except (ValueError, TypeError):
        return None


def _first(row: Any, part: str) -> Any:
    """The first value that stands under one of the names of that part."""
    if not isinstance(row, Mapping):
        return None
    for name in _rules()[part]:
        if row.get(name) not in (None, "", []):
            return row[name]
    return None


def _text(row: Any, part: str) -> str:
    """The same as a text; "" where there is none."""
    value = _first(row, part)
    return str(value).strip() if value else ""


def _in_seconds(cues: list[Cue]) -> list[Cue]:
    """The same with times in seconds: some programs count milliseconds."""
    times = [cue.start for cue in cues if cue.start is not None]
    if len(times) < 2:
        return cues
    step = (times[-1] - times[0]) / len(times)
    length = _characters(cues) / len(cues)
    if step < _SLOWEST * length and times[-1] < _LONGEST_CALL:
        return cues
    in_seconds = []
    for cue in cues:
        start = None if cue.start is None else cue.start / 1000
        in_seconds.append(replace(cue, start=start))
    return in_seconds


def _with_roles(cues: list[Cue], value: Any) -> list[Cue]:
    """The same with names and offices that a list of participants gives."""
    people: dict[str, tuple[str, str]] = {}
    for row in chain.from_iterable(_lists(value, 0)):
        name = row.get("name")
        key = row.get("id", name)
        if not isinstance(name, str) or key is None:
            continue
        if _first(row, "text") is None:  # a participant, not a turn
            called = f"Speaker {key}" if isinstance(key, int) else str(key)
            people[called] = (name, str(_first(row, "role") or ""))
    told = []
    for cue in cues:
        name, role = people.get(cue.speaker, (cue.speaker, cue.role))
        told.append(replace(cue, speaker=name, role=cue.role or role))
    return told


@cache
def _rules() -> Mapping[str, Any]:
    return load_rules(__package__, "subtitles.toml")


# --- cues -> turns -> text


def _content(found: Iterator[Cue] | Sequence[Cue], about: Mapping[str, Any]) -> Content:
    """Turns with their speakers, and the time of every piece as its place; of a call also remarks and questions."""
    cues = _carried(list(found))
    runs = [list(run) for _, run in groupby(cues, key=lambda cue: cue.speaker)]
    turns = list(map(_turn, runs))
    people = merged([turn.person for turn in turns]) | introduced(turns)
    turns = [replace(turn, person=people.get(turn.person.name, turn.person)) for turn in turns]
    is_call = sum(bool(run[0].speaker) for run in runs) > 1
    parts = call_parts(turns) if is_call else [""] * len(runs)
    title = _title(about)
    blocks = [_heading(title)] if title else []
    for run, turn, part in zip(runs, turns, parts, strict=True):
        for paragraph in _paragraphs(run):
            blocks.append(Block("paragraph", _pieces(paragraph), speaker=turn.person.label, part=part))
    info = {"title": title} if title else {}
    return content_of(blocks, 0, Evidence(info=info, is_call=is_call), ())


def _carried(cues: Sequence[Cue]) -> list[Cue]:
    """Captions name a speaker once: what follows without a name is said by the same person."""
    named_at_all = any(cue.speaker for cue in cues)
    speaker = ""
    carried = []
    for cue in cues:
        speaker = cue.speaker or speaker
        carried.append(replace(cue, speaker=speaker) if named_at_all else cue)
    return carried


def _turn(run: Sequence[Cue]) -> Turn:
    said = " ".join(cue.text for cue in run)
    return Turn(Person(run[0].speaker, run[0].role), 0, 0, len(said), said)


def _paragraphs(run: Sequence[Cue]) -> Iterator[list[Cue]]:
    """A turn in paragraphs that end with a sentence once they are long, or where nobody speaks for a while."""
    paragraph: list[Cue] = []
    length = 0
    for cue in run:
        is_long = length > _LONGEST_PARAGRAPH and _ends(paragraph[-1], length)
        if paragraph and (is_long or _is_pause(paragraph[-1], cue)):
            yield paragraph
            paragraph, length = [], 0
        paragraph.append(cue)
        length += len(cue.text)
    if paragraph:
        yield paragraph


def _ends(last: Cue, length: int) -> bool:
    return last.text.endswith(_ENDS) or length > 4 * _LONGEST_PARAGRAPH


def _is_pause(before: Cue, cue: Cue) -> bool:
    """True where more time passes than the words before take, spoken slowly."""
    if cue.start is None or before.start is None or cue.speaker:
        return False
    return cue.start - before.start > _PAUSE + len(before.text) / 10


def _pieces(cues: Sequence[Cue]) -> tuple[Piece, ...]:
    pieces = []
    for cue in cues:
        place = "" if cue.start is None else clock(cue.start)
        joint = "" if cue.text[:1] > "\u2e80" else " "
        pieces.append(Piece(cue.text, 1, joint=joint, place=place))
    return tuple(pieces)


def _heading(title: str) -> Block:
    return Block("heading", (Piece(title, 1, place="title"),), level=1)


def _title(about: Mapping[str, Any]) -> str:
    """What a provider says of the call: company, quarter and year, day."""
    title = _first(about, "title")
    named = str(title or _first(about, "company") or _first(about, "symbol") or "")
    if not named or len(named) > _LONGEST_TITLE:
        return ""
    if title is None:
        named += _quarter(about)
    day = _first(about, "date")
    if isinstance(day, str) and day not in named:
        named = f"{named}, {day}"
    return " ".join(named.split())


def _quarter(about: Mapping[str, Any]) -> str:
    """ " Q2 2024 earnings call", to follow a company; "" where quarter or year are not given."""
    quarter, year = _text(about, "quarter"), _first(about, "year")
    if not (quarter and year):
        return ""
    return f" Q{quarter.upper().removeprefix('Q')} {year} earnings call"


CAPTIONS = Reader("captions", (".vtt", ".srt"), _recognises_captions, _read_captions, rank=31)
SPEECH_JSON = Reader("transcript (JSON)", (".json",), _recognises_json, _read_json, rank=34)
"""Asked after the JSON of figures."""
