"""Ways in which a sentence contradicts another (opposites, denials, counts, clauses of other years, turned roles), or
the row of a table that it speaks of ("no ..." of a row with values, a wrong trend)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import chain, pairwise

from ......core.chinese import simplified
from ......core.names import is_chinese
from ......core.period import Period
from ......core.period_text import periods_in
from ......core.quantity import Quantity
from ......core.sequences import share, without
from ......core.words import without_numbers
from ...cells.cell import Cell
from ...cells.reading import read_cells
from ...cells.times import figures_of, same_time
from ...wording import (
    WORDING,
    is_common_name,
    is_denied,
    number_words,
    opposites_in_chinese,
    opposites_of,
    small_words,
    stem,
    terms,
    trend_of,
    verbs,
    words_set_aside,
)
from ..calculated import change_of
from ..named_rows import head_fit, row_fit
from .source_sentences import parts_of

_WORD = re.compile(r"[A-Za-z][\w’'-]*|\d[\d.,]*|[\u4e00-\u9fff]+")
_NOUN = re.compile(r"[a-z](?:ments?|[eo]rs?|tions?)$")
"""Of verbs: "investments" and "suppliers" do nothing to anybody."""
_PASSIVE = re.compile(r"\b(?:is|are|was|were|been|being|be)\s+(?:\w+ly\s+)?$", re.IGNORECASE)
_ASIDE = re.compile(r"^\W{0,3}(?:without|not counting|apart from|aside from)\b[^,;]{3,80},\s", re.IGNORECASE)
"""Says what a sentence leaves out, and denies nothing of it."""
_TAKEN_UP = re.compile(r"\b(?:the|this|that)\s(\w{3,20})\b(?!\s(?:in|of)\b)", re.IGNORECASE)
_PREFIXES = ("un", "non-", "non", "in", "dis", "im")
_SHORTEST_STEM = 4
_NEAR = 2
"""Words of weight behind a denial that it denies."""


def contradiction(sentence: str, said: str, shared: frozenset[str]) -> str:
    """The first way in which one sentence speaks against the other; ``shared`` are the words that both have."""
    return next((name for name, is_so in _WAYS.items() if is_so(sentence, said, shared)), "")


def has_opposite_word(one: str, other: str) -> bool:
    """True where a word of one text has its opposite in the other: by prefix ("unsecured"), or another word."""
    own, theirs = set(_stems(one)), set(_stems(other))
    if any(opposites_of(word) & theirs for word in own):
        return True
    return any(_is_prefixed(word, own, theirs) for word in _words(one) | _words(other))


def contraries_of(word: str) -> frozenset[str]:
    """The opposites of a word, and the word with each prefix that denies it."""
    return opposites_of(word) | {f"{prefix}{word}" for prefix in _PREFIXES}


def _is_denied_in_one(sentence: str, said: str, shared: frozenset[str]) -> bool:
    if not _denied_words(sentence).isdisjoint(_denied_words(said)):  # "little to no impact" in both
        return False
    denied = _first_denied(sentence, shared)
    if denied and denied == _first_denied(said, shared):  # "no shares were bought", "did not buy shares"
        return False
    if is_denied(sentence) and tells_none(said):
        return False
    sentence, said = _ASIDE.sub("", sentence), _ASIDE.sub("", said)
    is_denied_here, is_denied_there = is_denied_near(sentence, shared), is_denied_near(said, shared)
    if is_denied_here and WORDING.any("incapable", said):  # "cannot be raised" of "unable to raise"
        return False
    if is_denied_here and not is_denied_there and _has_denying_prefix(said, _denied_words(sentence)):
        return False
    return is_denied_here != is_denied_there


def tells_none(text: str) -> bool:
    """True where zero is every figure of a text, and none is a rate: "sales to them were $0" of "there were none"."""
    return {figure.value or figure.unit == "%" for figure in figures_of(text)} == {False}


def _first_denied(text: str, shared: frozenset[str]) -> str:
    """The first word behind the one denial of a text that both sentences have; "" of a text with no or more denials."""
    words = [word.lower() for word in _WORD.findall(text)]
    denials = [at for at, word in enumerate(words) if is_denied(word)]
    behind = words[denials[0] + 1 :] if len(denials) == 1 else []
    return next(filter(shared.__contains__, map(stem, behind)), "")


def _has_denying_prefix(said: str, denied: frozenset[str]) -> bool:
    """True for "non-recurring" of what "did not recur"."""
    bare = (word.removeprefix(prefix).lstrip("-") for word in _words(said) for prefix in _PREFIXES if word != prefix)
    return any(word not in _words(said) and stem(word) in denied for word in bare)


def _opposite(sentence: str, said: str, shared: frozenset[str]) -> bool:
    """True where one has a word and the other its opposite, both said of the same thing."""
    own, other = without(_stems(sentence), words_set_aside(sentence)), _stems(said)
    own_set, other_set = set(own), set(other)
    for place, word in enumerate(own):
        against = opposites_of(word) & other_set
        if not against:
            continue
        if word in other_set or (word in _taken_up(sentence) and _says_the_same(word, other_set)):
            if _said_of_another(own, place, other, against):
                return True
        elif not against & own_set:
            return is_denied_near(sentence, frozenset({word})) == is_denied_near(said, against)
    denied = is_denied(sentence) != is_denied(said)
    return not denied and any(_is_prefixed(word, own_set, other_set) for word in _words(sentence) | _words(said))


def _taken_up(text: str) -> frozenset[str]:
    """Words by which a sentence speaks of what was told before: "softened the decline", not "the decline in sales"."""
    return frozenset(stem(match[1].lower()) for match in _TAKEN_UP.finditer(text))


def _says_the_same(word: str, others: set[str]) -> bool:
    """True where one of the words has an opposite that this word has, too: "decrease" of a "decline"."""
    against = opposites_of(word)
    return any(against & opposites_of(other) for other in others)


def _said_of_another(own: Sequence[str], place: int, other: Sequence[str], against: frozenset[str]) -> bool:
    """True where the source says the opposite word, and only that, of what the word is said of."""
    things = own[place + 1 : place + 2]
    before = {earlier for earlier, word in pairwise(other) if word in things}
    return own[place] not in before and bool(before & against)


def _is_prefixed(word: str, own: set[str], other: set[str]) -> bool:
    """ "cancellable" on one side and "non-cancellable" on the other."""
    for prefix in _PREFIXES:
        if not word.startswith(prefix) or len(word) <= len(prefix) + _SHORTEST_STEM:
            continue
        bare, full = stem(word.removeprefix(prefix).lstrip("-")), {stem(word), word}
        if _has_full_alone(own, other, bare, full) or _has_full_alone(other, own, bare, full):
            return True
    return False


def _has_full_alone(one: set[str], other: set[str], bare: str, full: set[str]) -> bool:
    """True where the first has the word with its prefix, and the other only the one without."""
    has_one_alone = bool(one & full) and bare not in one - full
    return has_one_alone and bare in other and not other & full


def _words(text: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(text)}


def _stems(text: str) -> list[str]:
    """The search words of a text in order; hyphened words are kept whole beside their parts."""
    found: list[str] = []
    for word in _WORD.findall(text.lower()):
        if "-" not in word:
            found.append(stem(word))
            continue
        found.append(word)
        if not word.startswith(("non-", "un-")):
            found.extend(terms(word))
    return without(found, small_words())


def _denied_words(text: str) -> frozenset[str]:
    """The first word of weight behind each denial, and what "or" puts beside it: "have not declared or paid"."""
    words = [word.lower() for word in _WORD.findall(text)]
    found: set[str] = set()
    for at, word in enumerate(words):
        if not is_denied(word):
            continue
        behind = [place for place in range(at + 1, min(at + 8, len(words))) if words[place] not in small_words()]
        for place in behind:
            if place == behind[0] or words[place - 1] in ("or", "nor"):
                found.add(stem(words[place]))
    return frozenset(found)


def is_denied_near(text: str, shared: frozenset[str]) -> bool:
    """True where a denial is of something that both sentences share: of one of the next two words of weight.

    A word that the text has a second time is not denied by that: "cost not yet recognized ... to be recognized over".
    """
    words = _WORD.findall(text)
    once = {word for word, count in Counter(stem(word.lower()) for word in words).items() if count == 1}
    for at, word in enumerate(words):
        if is_denied(word) and is_chinese(word):  # a clause in one piece
            return not shared.isdisjoint(terms(word))
        if is_denied(word):
            behind = [stem(other.lower()) for other in words[at + 1 : at + 8] if other.lower() not in small_words()]
            if not once.isdisjoint(shared.intersection(behind[:_NEAR])):
                return True
    return False


def _counts_otherwise(sentence: str, said: str, shared: frozenset[str]) -> bool:
    """ "three segments" against "a single segment"."""
    own, other = _counts(sentence), _counts(said)
    return bool(own and other) and own.isdisjoint(other)


def _counts(text: str) -> set[str]:
    """The whole numbers that a text writes as words."""
    numbers = number_words()
    return {numbers[word] for word in _words(text).intersection(numbers)} - {"zero"}


def _is_turned_round(sentence: str, said: str, shared: frozenset[str]) -> bool:
    """True where a name that does something in one sentence has it done to it in the other."""
    names = _capitals(said) & _capitals(sentence) & shared
    for verb in shared & verbs():
        for name in names - {verb}:
            if {_does(sentence, name, verb), _does(said, name, verb)} == {True, False}:
                return True
    return False


def _capitals(text: str) -> frozenset[str]:
    """Stems of the words that are written as names."""
    words = [word for word in _WORD.findall(text) if word[0].isupper() and not is_common_name(word)]
    return frozenset(stem(word.lower()) for word in words)


def _does(text: str, name: str, verb: str) -> bool | None:
    """True where the name stands on the side of the doer of the verb; None where one of them is missing."""
    words = list(_WORD.finditer(text))
    stems = ["" if _NOUN.search(match[0]) else stem(match[0].lower()) for match in words]
    if name not in stems or verb not in stems:
        return None
    at_verb = stems.index(verb)
    sides = {place < at_verb for place, word in enumerate(stems) if word == name}
    if len(sides) > 1:  # "Acme and Bolt agreed that Acme acquires Bolt"
        return None
    is_passive = bool(_PASSIVE.search(text[: words[at_verb].start()]))
    return sides.pop() != is_passive


_WAYS: Mapping[str, Callable[[str, str, frozenset[str]], bool]] = {
    "opposite": _opposite,
    "denial": _is_denied_in_one,
    "number": _counts_otherwise,
    "roles": _is_turned_round,
}
"""How a sentence may speak against one of its source, in the order in which it is looked for."""


_COMPARES = re.compile(
    r"\b(?:more|less|fewer|higher|lower|larger|smaller|greater|faster|slower)\b[^.;]{0,30}\bthan\b", re.IGNORECASE
)
"""Of two things, and of no rise or fall."""
_NONE = re.compile(r"\b(?:no|none)\b", re.IGNORECASE)
_FROM = re.compile(r"\bfrom\s(?:about\s|approximately\s|some\s)?$", re.IGNORECASE)
_TO = re.compile(r"^[^;]{0,40}\bto\s(?:about\s|approximately\s|some\s)?$", re.IGNORECASE)
_MOVED = re.compile(
    r"^[^;]{0,30},?\s(?:up|down)\b[^;]{0,12}\sfrom\s(?:about\s|approximately\s|some\s)?$", re.IGNORECASE
)
_MOVED_TO = re.compile(r"\bto\s(?:about\s|approximately\s|some\s)?$", re.IGNORECASE)
_MOVED_FROM = re.compile(
    r"^(?:\s(?:in|for)\s[\w\s]{2,30})?,?\sfrom\s(?:about\s|approximately\s|some\s)?$", re.IGNORECASE
)
"""Before and behind the first value of "to 4 in 2022 from 5"."""
_COMPARED = re.compile(
    r"^[^;]{0,60}\b(?:which|that)\s(?:is|was|are|were)\s(?:an?\s)?"
    r"(?:(?P<more>(?:higher|more|greater|larger)\sthan|above|(?:increase|rise)\sfrom)"
    r"|(?:lower|less|smaller)\sthan|below|(?:decrease|decline|drop)\sfrom)\b"
    r"(?P<behind>[^;\d]{0,60})$",
    re.IGNORECASE,
)
"""Between two figures of which the first is said to be the higher or the lower one."""
_OTHER_SIZE = re.compile(
    r"\b(?:by|increase|decrease|rise|decline|drop|growth|loss|twice|double|triple|times|(?:half|third|quarter)\sof)\b",
    re.IGNORECASE,
)
"""The figure behind such a word is a change or a part: not the size that the first one is compared with."""
_RANGE = re.compile(r"\s?(?:to|and|[-\u2013])\s?[$\u20ac\xa3]?\d", re.IGNORECASE)
"""Behind the first end of a range: "the 10% to 15% target"."""
_OF_QUALITY = re.compile(r"improv|worsen|deteriorat|widen|narrow|loss|expense|negative", re.IGNORECASE)
_NEAR_YEAR = 60
"""Characters before the first of two values in which it is said which way they moved."""
_MOST_FIGURES = 40
_LEAST_NAMING = 0.5
_WORTH_OF_PROSE = 0.7
_WORTH_OF_HEADS = 0.2
_WORTH_OF_A_WORD = 0.01
_TREND_WORDS = terms("increase decrease rise fall grow decline drop improve higher lower shrink narrow widen up down")


def denies_figure(sentence: str, texts: Sequence[str]) -> bool:
    """True where a sentence without figures says "no ..." of a row that has a value, or the wrong trend of a row."""
    says_none_of_it = is_denied(sentence) or _COMPARES.search(sentence) or words_set_aside(sentence)
    trend = 0 if says_none_of_it else trend_of(sentence)
    says_none = _NONE.search(sentence) is not None
    if not trend and not says_none:
        return False
    row = _row_named(terms(sentence), texts)
    if says_none and row and row[0].table >= 0:
        asked = periods_in(sentence)
        return any(cell.value for cell in row if same_time(asked, cell.periods))
    return _goes_against(trend, row)


def moves_against_itself(sentence: str) -> bool:
    """True where a sentence says that something rose, and its own two figures fell, or the other way round.

    >>> moves_against_itself("Net sales rose from $5 million to $4 million.")
    True
    >>> moves_against_itself("Net sales fell to $5 million in 2022 from $4 million.")
    True
    >>> moves_against_itself("Net sales were up 9% to $5 million from $4 million.")
    False
    >>> moves_against_itself("The tax rate was 12.5%, which is higher than the statutory rate of 21%.")
    True
    """
    figures = figures_of(sentence)[:_MOST_FIGURES]
    if any(_is_wrongly_compared(sentence, one, other) for one, other in pairwise(figures)):
        return True
    for old in figures:
        before = sentence[max(0, old.start - _NEAR_YEAR) : old.start]
        new = _new_value(sentence, old, figures) if _FROM.search(before) else None
        if new is None or old.unit != new.unit or min(old.value, new.value) < 0:
            continue
        trend = _plain_trend(sentence[max(0, min(old.start, new.start) - _NEAR_YEAR) : max(old.start, new.start)])
        change = new.amount - old.amount
        if trend * change < 0:
            return True
    return False


def _is_wrongly_compared(sentence: str, one: Quantity, other: Quantity) -> bool:
    """True for "12.5%, which is higher than the statutory rate of 21%"."""
    compared = _COMPARED.search(sentence[one.end : other.start])
    if compared is None or one.unit != other.unit or min(one.value, other.value) < 0:
        return False
    if _OTHER_SIZE.search(compared["behind"]) or _RANGE.match(sentence, other.end):
        return False
    is_more = compared["more"] is not None
    return one.amount != other.amount and (one.amount > other.amount) != is_more


def _new_value(sentence: str, old: Quantity, figures: Sequence[Quantity]) -> Quantity | None:
    """The value that something moved to: "from 5 to 7", "to 7 in 2022 from 5", "was 7, up 9% from 5"."""
    behind = [other for other in figures if other.start >= old.end]
    if behind and _TO.search(sentence[old.end : behind[0].start]):
        return behind[0]
    ahead = [other for other in figures if other.end <= old.start and other.unit == old.unit]
    if not ahead or old.unit == "%":
        return None
    new, between = ahead[-1], sentence[ahead[-1].end : old.start]
    is_back = _MOVED_TO.search(sentence[: new.start]) and _MOVED_FROM.search(between)
    return new if is_back or _MOVED.search(between) else None


def _plain_trend(text: str) -> int:
    """As :func:`trend_of`, of words that say nothing of good or bad."""
    return 0 if _OF_QUALITY.search(text) else trend_of(text)


def _row_named(words: frozenset[str], texts: Sequence[str]) -> list[Cell]:
    """The cells with a period of the row, or of the sentence, that the words name best; none where several do."""
    rows: dict[tuple[int, frozenset[str], frozenset[str]], list[Cell]] = {}
    for cell in chain.from_iterable(map(read_cells, texts)):
        if cell.periods:
            rows.setdefault((cell.table, cell.words, cell.heads), []).append(cell)
    naming = {key: _naming(words, cells[0]) for key, cells in rows.items()}
    best = max(naming.values(), default=0.0)
    named = [key for key, value in naming.items() if value == best]
    return rows[named[0]] if best >= _LEAST_NAMING and len(named) == 1 else []


def _naming(words: frozenset[str], cell: Cell) -> float:
    """How well the words name the row and column of a cell; of prose, the share of them that its sentence has."""
    if cell.table < 0:
        said = without_numbers(words - _TREND_WORDS)
        return share(said & cell.words, said) * _WORTH_OF_PROSE if len(said) > 1 else 0.0
    names = words & (cell.words | cell.heads)
    return row_fit(names, cell) + _WORTH_OF_HEADS * head_fit(words, cell) + _WORTH_OF_A_WORD * len(names)


def _goes_against(trend: int, cells: Sequence[Cell]) -> bool:
    """True where the two newest values of a row moved the other way."""
    values: dict[Period, Cell] = {}
    for cell in cells:
        values.setdefault(cell.periods[0], cell)
    ordered = [values[period] for period in sorted(values, key=lambda period: period.sort_key)]
    if len(ordered) < 2:
        return False
    change = change_of(ordered[-2], ordered[-1])
    return trend * change < 0


_SPACE = re.compile(r"\s+")
_LEAST_SHARED = 0.4
"""Share of the words of a clause that a clause of the source must hold to speak of the same thing."""


def says_opposite_in_chinese(sentence: str, texts: Sequence[str]) -> bool:
    """True where the clause of the sources that is nearest to one of the sentence has the opposite word in its place.

    Chinese has no spaces and no capitals: neither opposites nor names are seen as they are in English.

    >>> says_opposite_in_chinese("甲公司于8月出售丙公司股权。", ["甲公司于8月购入丙公司股权。"])
    True
    >>> says_opposite_in_chinese("甲公司于8月購入丙公司股權。", ["甲公司于8月购入丙公司股权。"])
    False
    """
    if not is_chinese(sentence):
        return False
    said = list(chain.from_iterable(map(_clauses, texts)))
    return any(_is_turned(clause, said) for clause in _clauses(sentence))


def _clauses(text: str) -> list[str]:
    """The clauses of a text in one script; lines of a page end within words."""
    return parts_of(_SPACE.sub("", simplified(text)), "clause_zh")


def _is_turned(clause: str, said: Sequence[str]) -> bool:
    against = [(one, other) for one, other in opposites_in_chinese() if one in clause and other not in clause]
    if not against:
        return False
    words = terms(clause)
    nearest = max(said, key=lambda other: len(words & terms(other)), default="")
    if share(words & terms(nearest), words) < _LEAST_SHARED or is_denied(clause) != is_denied(nearest):
        return False
    return any(other in nearest and one not in nearest for one, other in against)


def names_stranger(sentence: str, allowed: str) -> bool:
    """True where something is done with somebody, or a firm named, of whose name no two characters stand in a text.

    >>> source = "国产车均系向国瑞购入。"
    >>> names_stranger("国产车向和泰购入。", source), names_stranger("国产车向國瑞购入。", source)
    (True, False)
    """
    if not is_chinese(sentence):
        return False
    known = terms(allowed)
    names = (match["name"] for match in WORDING.each("party_zh", simplified(sentence)))
    return any(terms(name).isdisjoint(known) for name in names if not WORDING.any("anybody_zh", name))
