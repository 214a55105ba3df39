"""Relation patterns: TOML with named slots, compiled to expressions over a sentence whose names are replaced by
placeholders, so that one pattern fits all names of a type.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial
from itertools import chain, product
from typing import Any

from ....core.records import dataclass
from ....core.rules import load_rules
from ....core.sequences import among, without
from ....core.triggers import Forms, holds_form, trigger_forms
from ...triple import Name
from .lexicon import lexicon

LETTERS = {
    "company": "C",
    "person": "P",
    "role": "R",
    "product": "D",
    "segment": "S",
    "place": "L",
    "facility": "F",
    "industry": "I",
    "regulator": "G",
    "regulation": "W",
    "event": "E",
    "risk": "K",
    "metric": "M",
    "instrument": "N",
    "market": "Q",
    "technology": "T",
    "organization": "O",
    "thing": "X",
}
"""Type -> letter of its placeholder: the third name, if a company, is ‹C2›."""

_BRACKETS = re.compile(r"(?<!\s)\s*[(（\[][^()（）\[\]]*[)）\]]")
_QUOTES = re.compile(r"[\"“”®™]")
_BETWEEN_QUOTED = re.compile("(?<=›)”“(?=‹)")
"""Names in quotation marks that follow each other are a list: “东岭”“晶锐”."""
_BLANKS = re.compile(r"\s{2,}")
_REPORTS = re.compile(
    r"(‹[CX]\d+›)(?:[^‹›,，;；。]{0,14}(?:公告|披露|宣布|透露)(?:称|显示|说)?[,，:：]|[:：])(?:公司|该公司|其)?"
)
"""A company announces what it does itself: "X今日公告,公司拟收购Y" reads as "X拟收购Y"."""
_PRONOUNS = {
    "en": (
        (
            re.compile(
                r"\b(?:(?:the (?:Company|Registrant|Corporation|Group|Bank|Trust|Partnership|Firm)|our company)"
                r"(?:'s|’s)|our(?! company\b))\b",
                re.IGNORECASE,
            ),
            "‹our›",
        ),
        (
            re.compile(
                r"\b(?:[Tt]he (?:[Cc]ompany|Registrant|Corporation|[Gg]roup|Bank|Trust|Partnership|[Ff]irm)"
                r"|[Oo]ur [Cc]ompany|[Ww]e)\b"
            ),
            "‹we›",
        ),
        (re.compile(r"\bus\b"), "‹us›"),
    ),
    "zh": (
        (
            re.compile(
                r"(?:本公司|我公司|该公司|我司|(?<![\u4e00-\u9fff子母分])公司)(?=的|所|旗下|全资|控股|董事|总经理|总部|主要|合并|子公司|客户|供应商)"
            ),
            "‹our›",
        ),
        (
            re.compile(
                r"本公司|我公司|我司|(?<![\u4e00-\u9fff])公司|(?<=[为是系向由给与和对])公司(?![债法章治制股财内规管员运经名])"
                r"|(?<=起诉|辞去|担任|收购|代表|加入|出任|授予|委托|要求)公司(?![债法章治制股财内规管员运经名])"
            ),
            "‹we›",
        ),
    ),
}


@dataclass(frozen=True, slots=True)
class Shadow:
    """The text with placeholders, the letters in it, and the names that the placeholders number."""

    text: str
    letters: frozenset[str]
    names: Sequence[Name]

    def name(self, placeholder: str) -> Name | None:
        """The name behind "C2"; None for a pronoun or words."""
        if len(placeholder) > 1 and placeholder[0] in "CPRDSLFIGWEKMNQTOX" and placeholder[1:].isdigit():
            return self.names[int(placeholder[1:])]
        return None


def cast_shadow(sentence: str, offset: int, names: Sequence[Name], language: str, subject: bool) -> Shadow:
    """Replace names, then "we" and "our" where the subject is known; drop brackets.

    >>> name = Name("Acme", "company", 0, 4)
    >>> cast_shadow("Acme (the seller) sold our unit.", 0, [name], "en", True).text
    '‹C0› sold ‹our› unit.'
    """
    parts, last = [], 0
    for number, name in enumerate(names):
        start, end = name.start - offset, name.end - offset
        if start < last:
            continue
        parts += [sentence[last:start], f"‹{LETTERS.get(name.type, 'X')}{number}›"]
        last = end
    text = _BETWEEN_QUOTED.sub("、", "".join([*parts, sentence[last:]]))
    text = _BLANKS.sub(" ", _QUOTES.sub("", _BRACKETS.sub("", text)))
    if language == "zh":
        text = _REPORTS.sub(r"\1", text)
    if subject:
        for pattern, placeholder in _PRONOUNS[language]:
            text = pattern.sub(placeholder, text)
    letters = frozenset(match if match.isalpha() else match[0] for match in re.findall(r"‹(\w+)›", text))
    return Shadow(text, letters, names)


_MACRO = re.compile(r"\{(?P<name>[a-z]\w*)(?P<list>\*?)(?::(?P<types>[a-z|]+))?(?::(?P<words>[^{}]*))?\}")
_OUR = re.compile(r"(?<![:\w])our(?![\w}])")
"""The word in a pattern, not the slot {head:our}: in a shadow it may be a placeholder."""
_OF_THE_SPEAKER = ("we", "our", "us")
_CERTAIN = {"firm": "company", "goods": "product"}
"""Slots that take names of a type, but none of unknown type."""
_OPTIONAL = ("?", ")?")
"""Behind a slot that a sentence need not fill."""
_OF_WORDS = ("metric", "role")
"""Types of slots that take words, not names."""
_MOST_ROLES = 8
_LONGEST_LIST = 60
"""Names; a list is looked for from each of its names on."""
_BESIDE_ITEM = r"(?:['’]s?)?(?: (?:of|in) ‹L\d+›)?"
"""What may stand beside a name of a list: "Shaw's, Bolt of Texas, and Crux"."""
_BASED = r"(?:‹L\d+›-(?:based|headquartered) )?"
"""What may stand before a company: "sold to Denver-based Bolt"."""
_UNKNOWN = rf"‹{LETTERS['thing']}\d+›"
_MOST_BEFORE = 12
"""Names of unknown type before the first of a list that shows what they are."""
_PLACEHOLDER = re.compile(r"‹(\w+)›")


@dataclass(frozen=True, slots=True)
class Pattern:
    """One pattern; ``needs`` are the sets of placeholder letters of which each must occur in the sentence."""

    source: str
    needs: tuple[frozenset[str], ...]
    head_type: str
    tail_type: str
    is_open: bool = False
    """It has no slot for the head, which is the subject."""


@dataclass(frozen=True, slots=True)
class Rule:
    """The patterns of a relation and the words that make it worth trying them."""

    relation: str
    triggers: tuple[str, ...]
    patterns: tuple[Pattern, ...]
    by_role: bool = False
    """The role in the match decides between leading, directing and working for."""


@dataclass(frozen=True, slots=True)
class Found:
    """A match: placeholders or words in the two slots, and where in the shadow it was."""

    rule: Rule
    pattern: Pattern
    head: str
    tail: str
    role: str
    start: int
    end: int


def find_relations(sentence: str, shadow: Shadow, language: str) -> Iterator[Found]:
    """Every match of every rule whose triggers occur in the sentence and whose types occur in its shadow."""
    possible, triggers = _possible(language, shadow.letters)
    told = frozenset(filter(sentence.lower().__contains__, triggers))
    if not told:
        return
    for rule, patterns in possible:
        if not told.isdisjoint(rule.triggers):
            for pattern in patterns:
                if holds_form(_forms(pattern.source), shadow.text):
                    yield from _matches(rule, pattern, shadow.text)


@lru_cache(maxsize=1024)
def _possible(
    language: str, letters: frozenset[str]
) -> tuple[tuple[tuple[Rule, tuple[Pattern, ...]], ...], tuple[str, ...]]:
    """The rules that can match a sentence with these placeholders, each with the patterns that can; their triggers."""
    rules = _rules(language)
    fitting = ((r, tuple(p for p in r.patterns if all(map(letters.intersection, p.needs)))) for r in rules)
    possible = tuple((rule, patterns) for rule, patterns in fitting if patterns)
    return possible, tuple({trigger for rule, _ in possible for trigger in rule.triggers})


def _matches(rule: Rule, pattern: Pattern, text: str) -> Iterator[Found]:
    for match in _regex(pattern.source).finditer(text):
        groups = match.groupdict()
        heads, tails = _slot(groups.get("head")), _slot(groups.get("tail"))
        for head, tail in product(heads, tails):
            yield Found(rule, pattern, head, tail, groups.get("role") or "", match.start(), match.end())


def _slot(text: str | None) -> Sequence[str]:
    """Placeholders of a slot, or its words where it takes words; the subject where a pattern leaves a slot open."""
    if text is None:
        return ("we",)
    return _PLACEHOLDER.findall(text) or list(filter(None, re.split(r",? and |, | and |、|和|及", text)))


@cache
def _rules(language: str) -> tuple[Rule, ...]:
    data = load_rules(__package__, f"patterns_{language}.toml")
    macros = {name: _OUR.sub("(?:our|‹our›)", macro) for name, macro in data["macros"].items()}
    return tuple(
        Rule(
            rule["relation"],
            tuple(rule["triggers"]),
            tuple(_read(pattern, macros, language) for pattern in rule["patterns"]),
            bool(rule.get("by_role", False)),
        )
        for rule in chain(data["rules"], map(partial(_of_noun, data["forms"]), data["nouns"]))
    )


def _of_noun(forms: Mapping[str, Sequence[str]], noun: Mapping[str, str]) -> Mapping[str, Any]:
    """The rule of a noun that relates two, in each form of its kind ("role", "act"): "Acme's rival Bolt"."""
    patterns: list[str] = []
    for form in forms[noun["kind"]]:
        for name, default in (
            ("noun", ""),
            ("with", ""),
            ("firm", noun.get("head", "firm")),
            ("head", "company"),
            ("tail", "company"),
        ):
            form = form.replace(f"<{name}>", noun.get(name, default))
        patterns.append(form)
    return {"relation": noun["relation"], "triggers": noun["noun"].split("|"), "patterns": patterns}


def _read(pattern: str, macros: dict[str, str], language: str) -> Pattern:
    types: dict[str, str] = {"head": "company", "tail": "company"}
    needs: list[frozenset[str]] = []

    def expand(match: re.Match[str]) -> str:
        name, kinds = match["name"], match["types"]
        if name in macros:
            return macros[name]
        if name == "role":
            return f"(?P<role>{_role(language)})"
        if name == "more_roles":
            return f"(?:,? (?:and )?{_role(language)}){{0,{_MOST_ROLES}}}"
        if kinds in _OF_WORDS:
            item = (
                "(?:" + match["words"] + ")"
                if match["words"]
                else (_metric() if kinds == "metric" else _role(language))
            )
        else:
            letters = _letters(kinds.split("|"), language, is_object=name == "tail")
            item = _placeholder(letters)
            if not pattern.startswith(_OPTIONAL, match.end()):
                needs.append(letters)
        first = kinds.split("|")[0]
        types[name] = "company" if first in _OF_THE_SPEAKER else _CERTAIN.get(first, first)
        if match["list"]:
            item = _list(item, language, beside_unknown=first in _CERTAIN)
        based = _BASED if "company" in kinds or "firm" in kinds else ""
        return f"{based}(?P<{name}>{item})"

    source = _MACRO.sub(expand, _OUR.sub("(?:our|‹our›)", pattern))
    return Pattern(source, tuple(needs), types["head"], types["tail"], is_open="(?P<head>" not in source)


@cache
def _forms(source: str) -> Forms:
    """Texts that a match holds: a rule's trigger stands in many a sentence that is of none of its forms."""
    return trigger_forms(source)


@cache
def _regex(source: str) -> re.Pattern[str]:
    """Compiled when a sentence first needs it: a short text needs few of the patterns."""
    return re.compile(source, re.IGNORECASE)


def _list(item: str, language: str, *, beside_unknown: bool) -> str:
    """Several items; ``beside_unknown``: names of unknown type may stand among them, and are of their kind."""
    joint = (
        r"\s?(?:、|和|与|及|以及|,|，)\s?"
        if language == "zh"
        else r"(?:, and |, or |; and |; |, | and | or |/|, as well as | as well as )"
        r"(?:(?<=and )(?:to|with|from|by) )?(?:the )?"
    )
    beside = "(?:先生|女士)?" if language == "zh" else _BESIDE_ITEM
    if not beside_unknown:
        return f"{item}(?:{beside}{joint}{item}){{0,{_LONGEST_LIST}}}"
    first = f"(?:{_UNKNOWN}{beside}{joint}){{0,{_MOST_BEFORE}}}{item}"
    return f"{first}(?:{beside}{joint}(?:{item}|{_UNKNOWN})){{0,{_LONGEST_LIST}}}"


def _letters(kinds: Sequence[str], language: str, *, is_object: bool) -> frozenset[str]:
    """Letters of the placeholders that a slot takes: its types, unknown things for companies and products, pronouns.

    In Chinese "we" and "our" are one word: 公司. "Us" is whom something is done to: "Bolt sued us".
    """
    letters = {kind if kind in _OF_THE_SPEAKER else LETTERS[_CERTAIN.get(kind, kind)] for kind in kinds}
    if "company" in kinds:
        letters |= {LETTERS["thing"], "we"} | ({"our"} if language == "zh" else {"us"} if is_object else set())
    elif "product" in kinds:
        letters.add(LETTERS["thing"])
    return frozenset(letters)


def _placeholder(letters: frozenset[str]) -> str:
    names = "".join(sorted(without(letters, _OF_THE_SPEAKER)))
    options = [rf"[{names}]\d+"] if names else []
    options += sorted(among(letters, _OF_THE_SPEAKER))
    return f"‹(?:{'|'.join(options)})›"


@cache
def _metric() -> str:
    phrases = sorted(lexicon("en").words["metrics"], key=len, reverse=True)
    return r"(?:\b(?:" + "|".join(map(re.escape, phrases)) + r")\b)"


@cache
def _role(language: str) -> str:
    phrases = sorted(lexicon(language).words["roles"], key=len, reverse=True)
    words = "|".join(map(re.escape, phrases))
    return rf"(?:‹R\d+›|{words})" if language == "zh" else rf"(?:‹R\d+›|\b(?:{words})\b)"
