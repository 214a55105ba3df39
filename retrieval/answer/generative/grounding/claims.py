"""What a sentence claims with each of its figures: of which time, of what, rising or falling, how exactly."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise

from .....core.period import Period
from .....core.period_text import periods_in
from .....core.quantity import Quantity
from .....core.records import dataclass
from ..cells.cell import RATES, last_digit
from ..cells.times import FigureTime, figures_of, is_base, is_compared, is_range, times_of_figures
from ..wording import WORDING, direction_of_change, names_of_words, short_forms, terms, words_of_no_row

POINTS = {"pp": Decimal(1), "bp": Decimal("0.01")}
"""Units of a difference of percentages, in percentage points."""
_POINTS_WORD = re.compile(r"^\s?(?:percentage )?points?\b", re.IGNORECASE)
_SCALE_WORD = re.compile(r"\b(?:thousands?|millions?|billions?|mn|bn)\b|[$€£]\s?[mk]\b|万|亿|千", re.IGNORECASE)
_HEAD_ENDS = re.compile(r"[;；，]|, (?=and|of which|but|while)|\bof which\b")
_TAIL_ENDS = re.compile(
    r"[;；，]|,(?!\s?(?:19|20)?\d\d)|\b(?:and|but|while|whereas|compared|up|down)\b"
    r"|\b(?:against|from)\s+[$€£\d]|\bafter an?\b|\b(?:due to|because|driven by|as a result of|owing to)\b"
    r"|\((?=[^()]{0,80}$)"
)
_VOTES_AGAINST = re.compile(
    r"\bvot(?:e[sd]?|ing)\s{1,3}(?:cast\s{1,3}|were\s{1,3})?against\b|\d\sagainst\W{0,9}$", re.IGNORECASE
)
"""Names a column, and compares with nothing: "votes against", "746 against."."""
_LONGEST_NAME = 60
_NEAR = 20
_MOST_ABOUT = Decimal("0.25")
"""Characters before a figure in which "about" speaks of it."""
MOST_FIGURES = 200
"""Of one sentence that are looked for: nobody writes more, and each is held against every cell."""
_NO_VERB_OF_ITS_OWN = re.compile(
    r"^(?:\s?\([^()]{0,40}\))?,?(?: and|,)\s"
    r"(?:(?!(?:is|are|was|were|be|to|of|at|from|had|has|reached|totaled|stood)\b)[\w’'&-]{1,30}\s){1,7}$"
)
"""Between two figures of one verb: "revenue increased 8% (previously 6%) and core EPS 9%"."""
_JOINS = re.compile(r"[的为由至年月万亿元占较了]")
"""In a pair of Chinese characters that runs over the end of a word, or is of an amount: it names no row."""
_GOES_ON = re.compile(r"\sto\s(?:about\s|approximately\s|some\s|nearly\s)?", re.IGNORECASE)
"""Between the size of a change and the value that it led to."""
_TO = re.compile(
    r"\b(?:to|reach(?:ed|ing))\s(?:about\s|approximately\s|some\s|nearly\s)?[$€£]?$|[降升增减]至(?:约)?$", re.IGNORECASE
)
"""Before the value to which something rose or fell."""
_FROM = re.compile(
    r"(?<!ranging )(?<!ranged )(?<!ranges )\bfrom\s(?:about\s|approximately\s)?[$€£]?$|[由从]$", re.IGNORECASE
)
_TO_NEXT = re.compile(r"(?:\s[^\d,;]{0,40})?\s?(?:\bto\b|[增减降升]?[至到])", re.IGNORECASE)
_NOT_ITS_OWN = re.compile(r"\b(?:unlike|(?:compared|relative) (?:with|to)|versus|than)\s(?:the\s)?$", re.IGNORECASE)
"""Before a company with which the one that is spoken of is compared."""
_NAME = re.compile(r"[^\W\d_][\w&-]{2,}")
_SAID_AGAIN = 2
"""Characters between a figure and the bracket that says it again."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A figure of a sentence with what the sentence says about it."""

    figure: Quantity
    sentence: str
    clause: str
    """The words around it that speak of it."""
    time: FigureTime
    own_words: frozenset[str]
    """Search words of its clause that may name what it is of."""
    words: frozenset[str]
    """The same; where the clause has none ("against $4 million"), those of the figure that it goes with."""
    asked: frozenset[str]
    """Search words of the question."""
    asked_periods: tuple[Period, ...]
    """The periods that the question names."""
    direction: int
    """Of the size of a change: 1 up, -1 down; 0 for a level."""
    tolerance: Decimal
    """Half of what the last printed digit is worth; 0 for what has to be exact."""
    is_points: bool = False
    says_scale: bool = False
    """True where the sentence or the question says a scale elsewhere: "in millions"."""
    is_base: bool = False
    """True where the sentence compares another figure with it: "up from $201"."""
    company: frozenset[str] = frozenset()
    """Search words of the company that the evidence is of."""
    known: frozenset[str] = frozenset()
    """Names of what the evidence is about: its company calls itself "we"."""
    shares_verb: bool = False
    """True where the verb of a rise or fall before it is its own, too: 9% of "revenue rose 8% and EPS 9%"."""

    @property
    def periods(self) -> tuple[Period, ...]:
        """The periods that it is of, as far as the sentence says."""
        return self.time.periods

    @property
    def periods_meant(self) -> tuple[Period, ...]:
        """Those of the sentence; where it names none, those of the question that it answers."""
        return self.periods or self.asked_periods

    @property
    def ahead(self) -> frozenset[str]:
        """Search words of the sentence before the figure: "Domestic revenue grew 21% to" its new value."""
        return terms(self.sentence[: self.figure.start])

    @property
    def all_words(self) -> frozenset[str]:
        """Search words of the whole sentence."""
        return self.words | terms(self.sentence)

    @property
    def plain(self) -> Decimal:
        """The figure in its unit; rates as printed."""
        return self.figure.value if self.figure.unit in RATES else self.figure.amount


def claims_of(sentence: str, question: str, about: str = "") -> list[Claim]:
    """The first :data:`MOST_FIGURES` figures of a sentence, but for those of the question, which are free.

    ``about`` says what is known of the evidence: company, kind, period, headings.
    """
    figures = _without_brackets(figures_of(sentence)[:MOST_FIGURES])
    times = times_of_figures(sentence, figures)
    asked = {abs(figure.amount) for figure in figures_of(question)}
    known, company = names_of_words(about), terms(about.partition("|")[0][:_LONGEST_NAME])
    claims: list[Claim] = []
    subjects: dict[str, frozenset[str]] = {}
    last: Claim | None = None
    for figure, time, clause in zip(figures, times, clauses_of(sentence, figures), strict=True):
        claim = replace(
            _claim(figure, time, sentence, clause, question),
            known=known,
            company=company,
            is_base=is_base(sentence, figure) or is_compared(sentence, figure),
            shares_verb=_shares_verb(sentence, figure, figures),
        )
        if last and _GOES_ON.fullmatch(sentence[last.figure.end : figure.start]):  # "fell 45% to $5 million"
            claim = replace(claim, words=claim.words | last.words)
        elif is_compared(sentence, figure) or not claim.words:  # "against $4 million": of what $5 million is
            claim = replace(claim, words=claim.words | subjects.get(figure.unit, frozenset()))
        subjects[figure.unit] = claim.words
        last = claim
        if abs(figure.amount) not in asked and not _is_number_of_item(sentence, figure):
            claims.append(claim)
    return claims


def _shares_verb(sentence: str, figure: Quantity, figures: Sequence[Quantity]) -> bool:
    """True where the figure goes on from the size of a rise or fall, without a verb between."""
    for other in figures:
        is_ahead = other.end <= figure.start and other.unit == figure.unit
        if is_ahead and _NO_VERB_OF_ITS_OWN.search(sentence[other.end : figure.start]):
            return direction_of_change(sentence, other.start) != 0
    return False


def _is_number_of_item(sentence: str, figure: Quantity) -> bool:
    """True for "10." before an item of a list."""
    return not sentence[: figure.start].strip() and sentence[figure.end :].startswith((". ", ") "))


def _claim(figure: Quantity, time: FigureTime, sentence: str, clause: str, question: str) -> Claim:
    is_points = figure.unit in POINTS
    if not figure.unit:
        is_points = _POINTS_WORD.search(sentence[figure.end :]) is not None
    elsewhere = f"{sentence.replace(figure.text, '')} {question}"
    words = row_words(_without_whole(clause))
    return Claim(
        figure, sentence, clause, time, words, words, terms(question), periods_in(question),
        direction_of_change(sentence, figure.start), _tolerance(figure, sentence), is_points,
        _SCALE_WORD.search(elsewhere) is not None,
    )  # fmt: skip


def _without_whole(clause: str) -> str:
    """The clause without what the thing is picked from: "the largest among the short-term investments"."""
    return WORDING.without("partitive", clause)


def row_words(clause: str) -> frozenset[str]:
    """The search words of a clause that may name a row or a column: no words of time, scale or comparison."""
    said = terms(clause)
    said = said.union(*(words for short, words in short_forms().items() if short in said))
    said = said.union(short for short, words in short_forms().items() if words <= said)
    words = frozenset(word for word in said - words_of_no_row() if not word.isdigit() and not _JOINS.search(word))
    return words | terms("against") if _VOTES_AGAINST.search(clause) else words


def _without_brackets(figures: Sequence[Quantity]) -> list[Quantity]:
    """ "1.04亿元（103,848,784.27元）": brackets right behind a figure say it again, and make it no negative one."""
    found = []
    ends = {figure.end for figure in figures}
    for figure in figures:
        is_again = any(figure.start - gap in ends for gap in range(_SAID_AGAIN + 1))
        found.append(replace(figure, value=abs(figure.value)) if is_again and figure.text[0] in "(（" else figure)
    return found


def clauses_of(sentence: str, figures: Sequence[Quantity]) -> list[str]:
    """The words around each figure: from the clause of the one before it to the one behind it, or where a clause ends.

    Both ends of a range have one clause.

    >>> text = "Sales were $5 million at Home, a loss of $2 million at Away (after a loss of $3 million)."
    >>> [clause.strip() for clause in clauses_of(text, figures_of(text))]
    ['Sales were $5 million at Home', ', a loss of $2 million at Away', '(after a loss of $3 million).']
    """
    clauses: list[str] = []
    start = 0
    for place, figure in enumerate(figures):
        after = figures[place + 1].start if place + 1 < len(figures) else len(sentence)
        cuts = [match.end() for match in _HEAD_ENDS.finditer(sentence[start : figure.start])]
        tail = _TAIL_ENDS.search(sentence, figure.end, after)
        clauses.append(sentence[start + max(cuts, default=0) : tail.start() if tail else after])
        start = tail.start() if tail else figure.end
    for place, (first, last) in enumerate(pairwise(figures)):
        if is_range(first, last, sentence):
            clauses[place] = clauses[place + 1] = clauses[place] + clauses[place + 1]
    return clauses


def is_moved_to(sentence: str, claim: Claim) -> bool:
    """True for the value to which a sentence says that something rose or fell."""
    return _TO.search(sentence[: claim.figure.start]) is not None


def ends_of_move(sentence: str, one: Claim, other: Claim) -> tuple[Claim, ...]:
    """The old and the new value of "from 5 to 4" and of "to 4 from 5"; none where it says neither."""
    if _FROM.search(sentence[: one.figure.start]) and _TO_NEXT.match(sentence, one.figure.end):
        return (one, other)
    is_from = _FROM.fullmatch(sentence[one.figure.end : other.figure.start].strip(" ,") + " ")
    return (other, one) if is_from and is_moved_to(sentence, one) else ()


def _tolerance(figure: Quantity, sentence: str) -> Decimal:
    """A whole number without a scale is exact, unless "about" stands before; "about 20" may be 15 to 25."""
    step = last_digit(figure.value)
    is_about = WORDING.any("approximate", sentence[max(0, figure.start - _NEAR) : figure.start])
    if is_about and step >= 1:
        step = min(_last_other_than_zero(figure.value), abs(figure.value) * _MOST_ABOUT)
    if figure.unit in POINTS:
        return step * POINTS[figure.unit] / 2
    if figure.unit in RATES:
        return step / 2
    is_exact = figure.scale == 1 and step >= 1 and not is_about
    return Decimal(0) if is_exact else step * figure.scale / 2


def _last_other_than_zero(value: Decimal) -> Decimal:
    """What the last digit of a whole number that is no zero is worth: 100 of 4,300."""
    digits = str(int(abs(value)))
    return Decimal(10) ** (len(digits) - len(digits.rstrip("0")))


# --- of which company a figure is


def owners_of(sentence: str, figures: Sequence[Quantity], companies: Sequence[str]) -> Mapping[int, str]:
    """Where a figure begins -> its company, one of those that the cited documents are of (one a document).

    Where all names stand before the figures, they go in pairs; else a figure is of the last one named before it.
    Nothing where the sentence does not name two of them.

    >>> from ..cells.times import figures_of
    >>> text = "Acme's sales grew 4% whereas Bolt's fell by 2%."
    >>> list(owners_of(text, figures_of(text), ["Acme Inc.", "Bolt plc"]).values())
    ['Acme Inc.', 'Bolt plc']
    >>> text = "Acme outspends Bolt, $5 million against $4 million."
    >>> list(owners_of(text, figures_of(text), ["Acme Inc.", "Bolt plc"]).values())
    ['Acme Inc.', 'Bolt plc']
    """
    named = sorted((match.start(), name) for name in set(companies) for match in _mentions(sentence, name))
    if len({name for _, name in named}) < 2 or not figures:
        return {}
    if named[-1][0] < figures[0].start:
        in_order = [name for at, name in named if not _NOT_ITS_OWN.search(sentence[:at])]
        is_paired = len(set(in_order)) == len(in_order) == len(named) <= len(figures)
        return {figure.start: name for figure, name in zip(figures, in_order, strict=False)} if is_paired else {}
    owners: dict[int, str] = {}
    for figure in figures:
        before = [name for at, name in named if at < figure.start]
        if before:
            owners[figure.start] = before[-1]
    return owners


def _mentions(sentence: str, company: str) -> list[re.Match[str]]:
    """Where the first word of a company's name stands: "Ziff" of "Ziff Davis, Inc."."""
    first = _NAME.search(company)
    return list(re.finditer(rf"\b{re.escape(first[0])}\b", sentence)) if first else []
