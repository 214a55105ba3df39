"""Names of metrics in running text, and which quantity of a sentence is the value of the metric that it names."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from ...core.patterns import on_demand, one_of
from ...core.quantity import Quantity, find_quantities
from ...core.records import dataclass
from ...core.rules import load_rules
from .metrics import Metric, MetricList, default_metrics

_WORD = on_demand(r"[A-Za-z]+|&")
_SPELLED = {"&": "and"}
_JOINING = " -&’'"
"""What may stand between the words of one name."""
_MOST_NARROWING = 4
"""Words before a name that may name a part of the company."""
_WITHIN = on_demand(r"\b(?:in|within|through)\s+(?:our\s+|the\s+|its\s+)?(?:consolidated\s+)?$", re.IGNORECASE)
"""Before a name that only says where something is booked: "recorded in cost of revenue"."""
_WITHIN_REACH = 24
"""Characters that are looked at for it."""
_PARTY = on_demand(r" (?P<how>from|to) (?:the )?(?P<name>[A-Z][\w&.-]{1,30}(?: [A-Z][\w&.-]{1,30}){0,3})")
"""Behind a name: "revenue from Boeing", "sales to Apple" are no totals of the company."""
_OF_PART = on_demand(
    r" (?P<how>in|for|of|at) (?:our|the|its) (?P<name>(?!(?:reportable|operating|business|total)\b)"
    r"[\w&-]{2,20}(?: [\w&-]{2,20}){0,3})"
    r" (?:operating |reportable )?(?:segments?|divisions?|business(?:es)? units?)\b"
)
"""Behind a name: "backlog in our defense segments"."""
_HAN = on_demand(r"[\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True)
class MetricMention:
    """``text[start:end]`` names the metric; ``narrowed`` are the words before it that name a part of the company
    ("Cloud revenue"), ``party`` those behind it that say whom it is from or to ("from Boeing")."""

    start: int
    end: int
    metric: Metric
    narrowed: str = ""
    party: str = ""

    @property
    def part(self) -> str:
        """The part of the whole that is meant; "" for all."""
        return self.narrowed or self.party.partition(" ")[2]


def find_metrics(text: str, metrics: MetricList | None = None) -> list[MetricMention]:
    """Names of metrics, the shipped ones by default, in a sentence: longest first, without overlaps, in order.

    >>> [(m.metric.name, m.narrowed) for m in find_metrics("Cloud revenue rose while net income fell")]
    [('revenue', 'Cloud'), ('net income', '')]
    """
    known = metrics or default_metrics()
    if _HAN.search(text):
        return _chinese(text, known)
    return list(_English(text, known).mentions())


def _chinese(text: str, metrics: MetricList) -> list[MetricMention]:
    found = []
    for match in _chinese_names(metrics).finditer(text):
        metric = metrics.metrics[metrics.names[match.group().lower()]]
        found.append(MetricMention(match.start(), match.end(), metric))
    return found


class _English:
    """A sentence as words: ``words`` in lower case, ``places`` where each stands."""

    def __init__(self, text: str, metrics: MetricList) -> None:
        self.text = text
        self.metrics = metrics
        self.places = list(map(re.Match.span, _WORD.finditer(text)))
        self.words = tuple(_SPELLED.get(word, word.lower()) for word in _WORD.findall(text))

    def mentions(self) -> Iterator[MetricMention]:
        """Word by word; a name that is something else where it stands is passed over as a whole."""
        names = _names_by_first_word(self.metrics)
        at = 0
        for first, word in enumerate(self.words):
            if first < at or word not in names:
                continue
            name = self._longest(names[word], first)
            at = first + len(name)
            if name and not self._means_another(first, at):
                metric = self.metrics.metrics[self.metrics.names[" ".join(name)]]
                start, end = self.places[first][0], self.places[at - 1][1]
                yield MetricMention(start, end, metric, self._narrowed(first), self._party(end))

    def _longest(self, names: Sequence[tuple[str, ...]], first: int) -> tuple[str, ...]:
        """The longest of the names that stands at a word; () for none."""
        for name in names:
            if self.words[first : first + len(name)] == name:
                return name
        return ()

    def _means_another(self, first: int, end: int) -> bool:
        """True for "revenue growth", and for a name that only says where something is booked."""
        start = self.places[first][0]
        is_booked_in = _WITHIN.search(self.text, max(0, start - _WITHIN_REACH), start)
        return bool(is_booked_in) or not _words("not_before").isdisjoint(self.words[end : end + 1])

    def _narrowed(self, at: int) -> str:
        """Words right before the name, back to one that is neutral or to punctuation."""
        first = at
        for before in reversed(range(max(0, at - _MOST_NARROWING), at)):
            between = self.text[self.places[before][1] : self.places[first][0]]
            if self.words[before] in _words("neutral") or between.strip(_JOINING):
                break
            first = before
        return self.text[self.places[first][0] : self.places[at][0]].strip()

    def _party(self, end: int) -> str:
        """Whom a metric is from or to, or of which part it is: "from Boeing", "in defense"; "" where a month or no name
        stands right behind it."""
        found = _OF_PART.match(self.text, end) or _PARTY.match(self.text, end)
        if found is None or found["name"].split()[0].lower() in _words("times"):
            return ""
        return f"{found['how']} {found['name'].rstrip('.')}"


@cache
def _words(kind: str) -> frozenset[str]:
    return frozenset(load_rules(__package__, "prose.toml")[kind])


def _states_metric(plain: str, metrics: MetricList) -> bool:
    """True for a name that states a metric in a sentence."""
    name = metrics.names[plain]
    return metrics.metrics[name].kind != "text" and name not in _words("never")


def _is_clear(plain: str) -> bool:
    """False for shipped names of one word that mean other things as well."""
    return " " in plain or plain in _words("single") or plain not in default_metrics().names


@cache
def _names_by_first_word(metrics: MetricList) -> Mapping[str, list[tuple[str, ...]]]:
    """First word -> names that begin with it, longest first."""
    by_first: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for plain in sorted(metrics.names, key=_word_count, reverse=True):
        if plain.isascii() and _is_clear(plain) and _states_metric(plain, metrics):
            by_first[plain.partition(" ")[0]].append(tuple(plain.split()))
    return by_first


def _word_count(plain: str) -> int:
    return plain.count(" ") + 1


@cache
def _chinese_names(metrics: MetricList) -> re.Pattern[str]:
    """Any Chinese name that is clear in a sentence, the longest first."""
    chinese = filter(_HAN.search, metrics.names.keys() - _words("vague"))
    names = sorted(plain for plain in chinese if _states_metric(plain, metrics))
    return re.compile("|".join(map(re.escape, sorted(names, key=len, reverse=True))), re.IGNORECASE)


_REACH = 110
"""Characters between a metric and its value."""
_NEAR = 40
"""The same where only "of" stands before the value: further off it belongs to another noun."""
_VERB = one_of(
    "was|were|is|are",
    "of|to|at",
    "totall?ed|reached|equall?ed|exceeded|approximated",
    r"amounted\s+to|came\s+in\s+at",
)
_ABOUT = one_of(
    "approximately|about|nearly|almost",
    r"(?:just\s+|slightly\s+)?(?:over|under|above|below)|more\s+than",
    r"a\s+record|record",
    "到|约|人民币",
)
_IS = on_demand(
    one_of(
        rf"(?:\b{_VERB}|[:：为达至约是])\s*(?:{_ABOUT}\s*)?[(]?$",
        r"^\s*(?:[(]\s*)?$",
        "^(?:总额|合计|金额)?(?:为|约|人民币)?$",
    ),
    re.IGNORECASE,
)
"""All that stands between a metric and its value."""
_MOVED = one_of(
    "by|up|down",
    "rose|grew|fell",
    "increased?|decreased?|declined?",
    "higher|lower",
    rf"{one_of('growth', '(?:in|de)crease', 'gain', 'change', 'reduction', 'decline')}\s+of",
)
_CHANGE = on_demand(
    one_of(
        rf"\b{_MOVED}\s*(?:(?:approximately|about|nearly|a|an)\s*)?$",
        "(?:增长|下降|增加|减少|上升|同比|降低|增幅|降幅)(?:了|约)?$",
    ),
    re.IGNORECASE,
)
"""Before an amount by which something moved."""
_AGAINST = on_demand(
    one_of(
        r"compared\s+(?:to|with)",
        r"versus|vs\.?",
        "from|against|up from|down from",
        "上年同期(?:为)?",
    )
    + r"\s*$",
    re.IGNORECASE,
)
"""Before the value of another period."""
_DISTANCE = on_demand(
    r"\s*"
    + one_of(
        "higher|lower|more|less",
        "better|worse",
        "above|below|short",
    )
    + r"\b(?! or )",
    re.IGNORECASE,
)
"""After an amount: "free cash flow was $5 million lower than net income" tells by how much, not what it was."""
_OF_METRIC = on_demand(r"\s*(?:of|in)\s+(?:\w+\s+){0,2}$", re.IGNORECASE)
_LISTED = on_demand(r"\s*(?:,|and|,\s*and|、|和|及|以及|与)\s*", re.IGNORECASE)
_TO = on_demand(r"\s*(?:to|[-–—~～至到])\s*")
_CUT = on_demand(r";|；|。|\bwhile\b|\bwhereas\b|\boffset\b", re.IGNORECASE)
_BEFORE_VALUE = 30
"""Characters before a value in which it is called a change."""
_MONEY = on_demand(r"[A-Z]{3}")
_UNITS = {
    "percent": re.compile("%"),
    "people": re.compile("(?:people)?"),
    "shares": re.compile("shares"),
    "ratio": re.compile("x?"),
    "count": re.compile("x?"),
    "per share": re.compile("[A-Z]{3}(?:/.+)?"),
}
"""Kind of metric -> units that its values have; all others have those of money."""


class StatedValues:
    """The quantities of a sentence; each states one fact at most."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._all = find_quantities(text)
        self._unused = {quantity.start: quantity for quantity in self._all}

    def use(self, *quantities: Quantity) -> None:
        """From now on they are the values of a fact."""
        for quantity in quantities:
            self._unused.pop(quantity.start, None)

    def value_of(self, mention: MetricMention, limit: int) -> Quantity | None:
        """The value of a metric, after its name or right before it; ``limit`` is where the next metric is named."""
        return self._after(mention, limit) or self._before(mention)

    def first_of(self, unit: str) -> Quantity | None:
        """The first quantity of a unit."""
        return _first_in(unit, self._unused.values())

    def next_like(self, value: Quantity, limit: int) -> Quantity | None:
        """The next quantity of the same unit before ``limit``, if it is held against a value: "compared with $5"."""
        other = _first_in(value.unit, self._unused_within(value.end, limit - 1))
        if other is None or not _AGAINST.search(self.text[value.end : other.start]):
            return None
        return other

    def listed_with(self, value: Quantity) -> list[Quantity]:
        """The values that are listed with one, itself included: "5, 6 and 7"."""
        at = self._all.index(value)
        listed = [value]
        for quantity in self._all[at + 1 :]:
            if _LISTED.fullmatch(self.text, listed[-1].end, quantity.start):
                listed.append(quantity)
        for quantity in reversed(self._all[:at]):
            if _LISTED.fullmatch(self.text, quantity.end, listed[0].start):
                listed.insert(0, quantity)
        return listed

    def lower_of(self, value: Quantity) -> Quantity | None:
        """The lower end of a range whose higher end a value is: 130 of "130 to 150"; None for any other value."""
        before = [quantity for quantity in self._all if quantity.end <= value.start and quantity.unit == value.unit]
        return next((one for one in before[-1:] if _TO.fullmatch(self.text, one.end, value.start)), None)

    def changes(self, end: int, start: int = 0) -> bool:
        """True where the words up to a quantity call it a change: "rose by"."""
        return _CHANGE.search(self.text[start:end]) is not None

    def _after(self, mention: MetricMention, limit: int) -> Quantity | None:
        """The first quantity after the metric that is its value, not a change."""
        for quantity in self._unused_within(mention.end, min(limit, mention.end + _REACH)):
            between = self.text[mention.end : quantity.start]
            if _CUT.search(between):
                return None
            is_distance = _DISTANCE.match(self.text, quantity.end)
            if _says_is(between) and _suits(quantity, mention.metric) and not is_distance:
                return quantity
        return None

    def _before(self, mention: MetricMention) -> Quantity | None:
        """The quantity right before the metric: "$5 million of revenue"."""
        for quantity in self._unused_within(0, mention.start):
            is_change = self.changes(quantity.start, start=max(0, quantity.start - _BEFORE_VALUE))
            is_its = _OF_METRIC.fullmatch(self.text, quantity.end, mention.start)
            if is_its and _suits(quantity, mention.metric) and not is_change:
                return quantity
        return None

    def _unused_within(self, first: int, last: int) -> list[Quantity]:
        """The quantities that are no fact yet and begin from one place to another."""
        return [quantity for start, quantity in self._unused.items() if first <= start <= last]


def _first_in(unit: str, quantities: Iterable[Quantity]) -> Quantity | None:
    for quantity in quantities:
        if quantity.unit == unit:
            return quantity
    return None


def _says_is(between: str) -> bool:
    """True for words between a metric and its value, False for those of a change."""
    is_far_of = len(between) > _NEAR and between.rstrip().lower().endswith("of")
    if is_far_of or _CHANGE.search(between):
        return False
    return _IS.search(between) is not None


def _suits(quantity: Quantity, metric: Metric) -> bool:
    """True where the value's unit is one the metric can have; people are counted in whole numbers."""
    if metric.kind == "people" and not quantity.unit:
        return quantity.value == quantity.value.to_integral()
    return _UNITS.get(metric.kind, _MONEY).fullmatch(quantity.unit) is not None
