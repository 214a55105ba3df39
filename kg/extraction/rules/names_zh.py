"""Chinese names: no blanks mark their borders, so suffixes, word lists and the document's own short names do."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache

from ....core.names import has_legal_form, name_key
from ....core.patterns import one_of
from ....core.sequences import grouped
from ...triple import Name
from .aliases import Definition, find_definitions
from .lexicon import lexicon

_SUFFIX_REACH = 24
_LIST_MARKS = tuple("、")
_HAN = r"[\u4e00-\u9fffA-Za-z0-9*·（）()]"
_ROLE_HINT = r"(?=先生|女士|表示|认为|指出|称|介绍|透露|说|担任|任|辞|为|[,，、。)）]|$)"
_WEAK_LONGEST = 6
"""Characters of a name that only a word like "科技" makes one."""
_REPEATED = 2
"""Occurrences that make a company of what only ends in "集团", "银行" and the like."""
_SHORT_STEM = 8
"""Characters before "集团", "银行" and the like."""


_LATIN_NAME = re.compile(r"(?<=[\u4e00-\u9fff])[(（]\s*(?P<latin>[A-Z][\w.&,'’\- ]{2,60}?)\s*[)）]")
"""A name in Latin letters behind its Chinese form: "维赛自动化（Vexel Automation SE）"."""
_LONGEST_BOTH = 12
_DAY = r"(?:(?:今日|昨日|日前|近日|今天|昨天|昨晚|当日|当晚|\d+日|<N>日)(?:晚间|晚)?|晚间)"
_REPORTER = re.compile(
    rf"(?:^|[,，;；。:：“”、])(?:\*?ST)?(?P<name>[\u4e00-\u9fff]{{3,5}}){_DAY}?(?:发布)?(?:公告|披露|发布公告)(?=[,，:：称显]|$)"
)
"""Who announces is a listed company: "小天鹅今日公告"."""
_CODED = re.compile(
    r"(?<![\u4e00-\u9fff])(?P<name>[\u4e00-\u9fff]{3,4}[AB]?)[(（](?:\d{6}|<N>)(?:\.(?:SH|SZ|HK|BJ))?[)）]"
)
"""A short name and its code: "小天鹅(000418)"."""
_COUNTED = re.compile(
    r"(?:客户|供应商|竞争对手|合作伙伴|合作方|投资方|厂商)(?:主要|群体)?(?:包括|包含|有|为|如|涵盖|覆盖)(?:了)?"
    r"(?P<names>[^，,；;。：:（）()]{5,120}?)等[^，,；;。]{0,8}(?:知名|著名|龙头|头部|一线|优质|领先|大型)[^，,；;。]{0,6}"
    r"(?:企业|公司|客户|厂商|品牌|集团)"
)
"""Companies by what they are counted up as: "客户包括甲、乙和丙等知名企业"."""
_LENGTHS_COUNTED = range(2, 10)
_COUNTED_APART = re.compile("、|以及|和|及|与")
_QUOTED = re.compile(
    r"(?:推出|发布|上线|研发|开发|研制)[^“”，,。；;]{0,16}“(?P<made>[^“”，,。；;]{2,12})”"
    r"(?!的?(?:活动|政策|计划|行动|战略|模式|服务|理念|工程|专项|方案|报告|公告|式))"
    r"|“(?P<brand>[^“”，,。；;]{2,12})”(?=(?:[、和及]?“[^“”]{2,12}”){0,8}(?:等)?(?:系列|品牌|商标|牌))"
)
"""Goods in quotation marks: "推出新一代机器人“灵犀3号”", "“东岭”“晶锐”等品牌"."""
_GENERAL = re.compile(
    one_of(
        "公司|集团|交易所|证监|法院",
        "董事|股东|记者",
        "上市|报告|年报|财报|业绩|预案|方案|数据|官网|网站",
        "此前|最新|以来|分别|对外|本次|相关",
    )
)
"""Words that no company's short name holds."""


class ChineseNames:
    """The names of one document. Build it from all sentences, then ask for the names of each.

    >>> names = ChineseNames(["顺丰控股股份有限公司(以下简称“顺丰控股”)成立。"], {})
    >>> [(n.name, n.type, n.entity) for n in names.find("昨日,顺丰控股收购了嘉里物流有限公司。")]
    [('顺丰控股', 'company', '顺丰控股股份有限公司'), ('嘉里物流有限公司', 'company', '')]
    """

    def __init__(self, sentences: Sequence[str], given: Mapping[str, str]) -> None:
        self._types = {**lexicon("zh").known, **{name: kind for name, kind in given.items() if len(name) > 1}}
        self._keys: dict[str, str] = {}
        self._seen: Counter[str] = Counter()
        self.aliases: dict[str, str] = {}
        """Short name -> full name, as the text defines them."""
        self.tickers: dict[str, str] = {}
        for name in (name for name, kind in given.items() if kind == "company"):
            self._learn_company(name)
        for sentence in sentences:
            self._read(sentence)
        self._literal = _longest_first({name for name, kind in self._types.items() if kind != "role"})

    def find(self, sentence: str, offset: int = 0) -> list[Name]:
        """Names in a sentence, in order, without overlaps; offsets count from ``offset``."""
        spans = [*_suffixed(sentence), *self._listed(sentence), *_people(sentence)]
        spans.sort(key=lambda span: (span[0], -span[1], span[2] == "thing"))
        names: list[Name] = []
        last = 0
        for start, end, kind in spans:
            if start >= last:
                name = sentence[start:end]
                entity = self._entity(name, kind)
                names.append(Name(name, kind, start + offset, end + offset, entity if entity != name else ""))
                last = end
        return names

    def _read(self, sentence: str) -> None:
        """Learn the names that a sentence shows, then those that it defines by them."""
        spans = list(_suffixed(sentence))
        for start, end, kind in spans:
            self._learn_suffixed(sentence[start:end], kind)
        for pattern in (_REPORTER, _CODED):
            for match in pattern.finditer(sentence):
                if self._may_be_company(match["name"]):
                    self._types.setdefault(match["name"], "company")
        for match in _LATIN_NAME.finditer(sentence):
            self._learn_latin(sentence, match)
        for match in _COUNTED.finditer(sentence):
            self._learn_counted(_COUNTED_APART.split(match["names"]))
        for match in _QUOTED.finditer(sentence):
            self._types.setdefault(match["made"] or match["brand"], "product")
        for definition in find_definitions(sentence, "zh"):
            before = [*spans, *_listed_at_end(sentence, definition.end_of_name, self._types)]
            self._define(definition, _company_ending_at(definition.end_of_name, sentence, before))

    def _learn_suffixed(self, name: str, kind: str) -> None:
        """A company by its suffix; by one like "集团" only when it is named again."""
        if kind == "company" and name.endswith("公司"):
            self._learn_company(name)
        elif name.endswith(tuple(_words("strong_suffixes"))):
            self._seen[name] += 1
            if self._seen[name] == _REPEATED:
                self._types.setdefault(name, "company")

    def _learn_counted(self, names: Sequence[str]) -> None:
        """The companies of a list, if all of it may be some."""
        new = [name for name in names if self._types.get(name) != "company"]
        if len(names) > 1 and all(len(name) in _LENGTHS_COUNTED and self._may_be_company(name) for name in new):
            self._types.update(dict.fromkeys(new, "company"))

    def _learn_latin(self, sentence: str, match: re.Match[str]) -> None:
        """The Chinese name before a company's name in Latin letters is another name of it."""
        start = _left_border(sentence, match.start(), max(0, match.start() - _LONGEST_BOTH))
        name = sentence[start : match.start()]
        is_new = len(name) > 1 and name not in self._types
        if is_new and has_legal_form(match["latin"]):
            self.aliases.setdefault(name, match["latin"])
            self._types[name] = "company"

    def _define(self, definition: Definition, full: str) -> None:
        """Take a short name or a code for a company, if the text before the definition names one."""
        alias = definition.alias
        if not full or alias == full or alias in _words("terms"):
            return
        if definition.kind == "ticker":
            self.tickers.setdefault(alias, full)
        elif not set(alias).isdisjoint(full):
            self.aliases.setdefault(alias, full)
            self._types.setdefault(alias, "company")

    def _may_be_company(self, name: str) -> bool:
        borders = _words("borders")
        if name in self._types or name in _words("terms") or _GENERAL.search(name):
            return False
        return borders.isdisjoint((name[:1], name[-1:]))

    def _learn_company(self, name: str) -> None:
        key = name_key(name)
        if len(name) > len(self._keys.get(key, "")):
            self._keys[key] = name
        if len(key) >= 3:
            self._types.setdefault(key, "company")

    def _entity(self, name: str, kind: str) -> str:
        if kind != "company":
            return name
        return self.aliases.get(name) or self._keys.get(name_key(name), name)

    def _listed(self, sentence: str) -> list[tuple[int, int, str]]:
        found = self._literal.finditer(sentence)
        return [(m.start(), m.end(), self._types[m[0]]) for m in found if not _across_words(sentence, m)]


@cache
def _words(name: str) -> frozenset[str]:
    return lexicon("zh").words[name]


@cache
def _suffix_pattern() -> re.Pattern[str]:
    kinds = (_words(kind) for kind in ("company_suffixes", "organization_suffixes", "regulator_endings"))
    suffixes = sorted(frozenset().union(*kinds), key=len, reverse=True)
    return re.compile(one_of(*suffixes) + r"(?!业|厂|(?<=控股)(?:股东|子公司|权|方|地位|比例))")


@cache
def _borders_by_end() -> dict[str, tuple[str, ...]]:
    """Border words by their last character, longest first."""
    table = grouped(sorted(_words("borders"), key=len, reverse=True), key=lambda word: word[-1])
    return {last: tuple(words) for last, words in table.items()}


def _suffixed(sentence: str) -> list[tuple[int, int, str]]:
    """Names that end in a company's suffix, from the nearest border on their left."""
    found = []
    for match in _suffix_pattern().finditer(sentence):
        end = match.end()
        low = max(0, match.start() - _SUFFIX_REACH)
        start = _start_of_name(sentence, match, low)
        name = sentence[start:end]
        listed = sentence[start - 1 : start] in _LIST_MARKS or sentence[end : end + 1] in _LIST_MARKS
        kind = _company_or_thing(name, match[0], listed)
        if kind:
            found.append((start, end, kind))
    longest = {start: end for start, end, _ in found}
    return [(start, end, kind) for start, end, kind in found if longest[start] == end]


def _start_of_name(sentence: str, suffix: re.Match[str], low: int) -> int:
    """Where a name begins: at the nearest border, or the one before where a border stands inside the name.

    Behind the 和 of 泰和化工有限公司 stands nothing that tells a company apart from others.
    """
    start = _left_border(sentence, suffix.start(), low)
    while suffix[0] in _words("strong_suffixes") and _is_general(sentence[start : suffix.start()]):
        inside = next((word for word in _words("borders_inside") if sentence.endswith(word, low, start)), "")
        before = _left_border(sentence, start - len(inside), low)
        if not inside or _GENERAL.search(sentence, before, start):
            break
        start = before
    return start


def _is_general(stem: str) -> bool:
    """True for what many companies are called: 投资管理."""
    return len(stem) < 2 or _general_stem().fullmatch(stem) is not None


@cache
def _general_stem() -> re.Pattern[str]:
    return re.compile(one_of(*sorted(_words("general_stems") | _words("borders_inside"))) + "+")


def _left_border(sentence: str, start: int, low: int) -> int:
    """Where a name begins that ends with the suffix at ``start``: after the nearest border, brackets in pairs."""
    position, closed = start, 0
    while position > low:
        char = sentence[position - 1]
        closed += (char in ")）") - (char in "(（")
        if closed < 0 or not re.match(_HAN, char) or _ends_with_border(sentence, position):
            break
        position -= 1
    unpaired = max(sentence.rfind(bracket, position, start) for bracket in ")）") if closed > 0 else -1
    return max(position, unpaired + 1)


def _ends_with_border(sentence: str, position: int) -> bool:
    for word in _borders_by_end().get(sentence[position - 1], ()):
        is_border = len(word) > 1 or not _inside_word(sentence, position - 1)
        if is_border and sentence.endswith(word, 0, position):
            return True
    return False


def _inside_word(sentence: str, index: int) -> bool:
    """A border character that belongs to a longer word is none: "中" in "中信", "上" in "上海"."""
    common = _common_words()
    return sentence[max(0, index - 1) : index + 1] in common or sentence[index : index + 2] in common


@cache
def _common_words() -> frozenset[str]:
    """Words of two characters that hold a border word without being one."""
    known = lexicon("zh").known
    return frozenset(name for name, kind in known.items() if kind == "place" and len(name) == 2) | _words("whole_words")


def _company_or_thing(name: str, suffix: str, listed: bool) -> str:
    """A company by a strong suffix, a thing by a weak one in a name of usual length, else nothing.

    "公司" alone makes a name only within a list: "四方香港公司、四方星公司".
    """
    stem = name[: len(name) - len(suffix)]
    if not _may_be_stem(stem) or name in _words("terms") or name.endswith(tuple(_words("term_endings"))):
        return ""
    if suffix in _words("organization_suffixes"):
        return "organization" if len(stem) <= _SHORT_STEM else ""
    if suffix in _words("regulator_endings"):
        return "regulator"
    if suffix in _words("strong_suffixes") and len(suffix) > 2:
        return "company"
    longest = _SHORT_STEM + 2 if suffix in _words("strong_suffixes") else _WEAK_LONGEST
    return "thing" if (suffix != "公司" or listed) and len(name) <= longest else ""


def _may_be_stem(stem: str) -> bool:
    """True for what can stand before a suffix in a name."""
    if len(stem) < 2 or stem in _words("terms"):
        return False
    return not stem[0].isdigit() and stem[0] not in "()（）"


def _company_ending_at(end: int, sentence: str, spans: Sequence[tuple[int, int, str]]) -> str:
    """The first company among the spans that ends there; "" for none."""
    for start, stop, kind in spans:
        if stop == end and kind == "company":
            return sentence[start:stop]
    return ""


def _listed_at_end(sentence: str, end: int, types: Mapping[str, str]) -> list[tuple[int, int, str]]:
    for length in range(12, 1, -1):
        name = sentence[max(0, end - length) : end]
        if types.get(name) == "company":
            return [(end - length, end, "company")]
    return []


@cache
def _person_pattern() -> re.Pattern[str]:
    roles = "|".join(sorted(_words("roles"), key=len, reverse=True))
    surname = f"[{next(iter(_words('surnames')))}]"
    return re.compile(
        rf"(?:{roles}|负责人)[:：]\s?(?P<labelled>{surname}[\u4e00-\u9fff]{{1,2}})(?=[\s,，;；。、]|$)"
        rf"|(?P<role>{roles})(?:、(?:{roles})){{0,6}}(?P<after>{surname}[\u4e00-\u9fff]{{1,2}}?){_ROLE_HINT}"
        rf"|(?P<polite>{surname}[\u4e00-\u9fff]{{1,2}}?)(?=先生|女士)"
        rf"|(?P<before>{surname}[\u4e00-\u9fff]{{1,2}}?)(?=(?:担任|任)(?:公司|本公司)?(?:{roles}))"
        rf"|(?P<alone>{roles})"
    )


_GROUPS = {
    "labelled": "person",
    "role": "role",
    "alone": "role",
    "after": "person",
    "polite": "person",
    "before": "person",
}
"""What the groups of the pattern hold."""


def _across_words(sentence: str, match: re.Match[str]) -> bool:
    """True for a name made of the ends of two words: the 美国 of 欧美国家."""
    return match[0] == "美国" and sentence[match.start() - 1 : match.start()] == "欧"


def _people(sentence: str) -> list[tuple[int, int, str]]:
    found = []
    for match in _person_pattern().finditer(sentence):
        for group, kind in _GROUPS.items():
            if match[group]:
                found.append((match.start(group), match.end(group), kind))
    return found


def _longest_first(names: set[str]) -> re.Pattern[str]:
    ordered = sorted(names, key=lambda name: (-len(name), name))
    return re.compile("|".join(map(re.escape, ordered)) or r"(?!)")
