"""English names: what the whole document says about a capitalised run decides whether it is a name, and of what."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from ....core.names import company_key, forms_differ, has_legal_form, is_company_like, name_key
from ....core.patterns import PatternTable
from ....core.sequences import without
from ...triple import Name
from .aliases import find_definitions, may_abbreviate
from .lexicon import lexicon
from .runs import Run, find_runs, is_heading
from .surroundings import Surroundings, abbreviations, is_described, own_words, with_types_of_lists

THING = "thing"
_OWN = re.compile(r"\b(?:[Oo]ur|its|their|['’]s) (?:[a-z-]{1,14} ){0,2}$")
_LOWER = re.compile(r"(?<![\w.@/])[a-z][a-z'-]+\b(?![@/]|\.\w)")
"""A word written small, which is no part of an address on the web."""
_PERSON_SHAPE = re.compile(
    r"(?:[A-Z]\.\s){0,2}[A-Z][\w'’-]+(?:\s(?:[A-Z]\.?|[A-Z][\w'’-]+|de|van|von|der|la|del)){0,3}\s[A-Z][\w'’-]+(?:,?\s(?:Jr|Sr|II|III|IV)\.?)?"
)
_SEGMENT_AFTER = re.compile(
    r"\s(?:business\s|operating\s|reportable\s|reporting\s)?"
    r"(?:segment|division|business\sunit|operating\sunit|business(?!\s(?:day|combination|unit|segment)))s?\b"
    r"(?!\s(?:reporting|information|margins?))"
)
_ACTS = re.compile(
    r"\s(?:has\s|will\s|may\s|also\s|recently\s|did\snot\s|was\s|were\s|is\s)*"
    r"(?:acquire[ds]?|announced|sued|competes|launched|supplies|agreed\sto|partnered|appointed|bought|founded|headquartered)\b"
)
_OFFICE_BEFORE = re.compile(
    r"\b(?:[Oo]fficer|[Pp]resident|[Cc]hair(?:man|woman)?|[Cc]ounsel|C[EFOT]O|[Tt]reasurer) (?:of|at|with) $"
)
_CODE = re.compile(
    r"[A-Z]{1,2}-?\d{1,3}[A-Z]?|[A-Z]{2,5}s|FY\d{2,4}|\d+[A-Z]?(?:-\d+)?|(?:January|February|March|April|May|June|July|August"
    r"|September|October|November|December)\b.*"
)
_MONTH = re.compile(
    r"Jan(?:uary)?|Feb(?:ruary)?|Apr|Jun|July?|Aug|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?"
)
"""Months that are no family names."""
_BEFORE = 40
"""Characters before a name that show it to be a firm."""
_PRODUCT_MARK = ("®", "™")
_INITIALS = re.compile(r"(?:[A-Z]\.\s?){1,2}")
_SUFFIX = re.compile(r"(?:,?\s(?:Jr|Sr|II|III|IV)\.?)$")
_MOST_WORDS_OF_A_PERSON = 5
_MOST_WORDS_OF_FULL_NAME = 3
_WITHIN = PatternTable(__package__, "names_en.toml", "within")
_HAVE_SHORT_NAMES = frozenset({"company", "product", "organization", "regulator", "person"})
_JOINING = frozenset({"of", "and", "&", "the", "for"})


class _Sentence(NamedTuple):
    """What a sentence shows by itself: whether it is a heading, its candidate names, and the types that show there."""

    heading: bool
    runs: list[Run]
    kinds: list[str]


class EnglishNames:
    """The names of one document. Build it from all sentences, then ask for the names of each.

    >>> names = EnglishNames(["Acme Corp. hired Jane Smith.", "Ms. Smith left Acme."], {})
    >>> [(n.name, n.type, n.entity) for n in names.find("Ms. Smith left Acme.")]
    [('Smith', 'person', 'Jane Smith'), ('Acme', 'company', 'Acme Corp.')]
    """

    def __init__(self, sentences: Sequence[str], given: Mapping[str, str]) -> None:
        self._lexicon = lexicon("en")
        self._given = dict(given)
        self._lower: set[str] = set()
        self._runs: Counter[str] = Counter()
        self._types: dict[str, str] = {}
        self._keys: dict[str, str] = {}
        self._surnames: dict[str, set[str]] = {}
        self._titled: set[str] = set()
        """Family names that stand behind "Mr." or "Ms."."""
        self._shaped: dict[str, set[str]] = {}
        """Family name -> what is written like the full name of a person, also in headings."""
        self._sentences: dict[str, _Sentence] = {}
        self.aliases: dict[str, str] = {}
        """Short name -> full name, as the text defines them."""
        self.tickers: dict[str, str] = {}
        self._shouted: dict[str, str] = {}
        """Name in capitals -> the person, as a signature writes it."""
        self._surroundings = Surroundings()
        self._abbreviations: set[str] = set()
        """Capitals that stand for words, which name nobody unless those words do."""
        for name, kind in self._given.items():
            self._learn(name, kind)
        self._read(sentences)

    def find(self, sentence: str, offset: int = 0) -> list[Name]:
        """Names in a sentence whose line breaks are blanks, in order; offsets count from ``offset``."""
        heading, runs, kinds = self._seen(sentence)
        names = []
        for run, shown in zip(runs, kinds, strict=True):
            kind = self._type(run, sentence, heading, shown)
            if not kind:
                continue
            full = self._full_name(run.text, kind, has_title=run.title)
            short_for = "" if full == run.text else full
            names.append(Name(run.text, kind, run.start + offset, run.end + offset, short_for))
        return with_types_of_lists(names, sentence, offset, THING, _PERSON_SHAPE)

    def _read(self, sentences: Sequence[str]) -> None:
        """Learn what runs show by themselves, then the short names that are defined by them."""
        definitions = []
        for sentence in sentences:  # before any run is read: "Equity Securities" stands among the contents, at the top
            self._lower.update(_LOWER.findall(sentence))
        for sentence in sentences:
            self._read_runs(sentence)
            if "(" in sentence or ", or " in sentence:
                self._abbreviations |= abbreviations(sentence)
            if "(" in sentence:
                definitions.append(sentence)
        self._learn_titled()
        for sentence in definitions:
            self._define(sentence, self._seen(sentence).runs)
        self._shouted = {name.upper(): name for name, kind in self._types.items() if kind == "person" and " " in name}
        for word, firm in own_words(self._given, self._runs, self._lower).items():
            self.aliases.setdefault(word, firm)
            self._types[word] = "company"

    def _seen(self, sentence: str) -> _Sentence:
        """What a sentence shows by itself; it is asked when its names are learned and again when they are wanted."""
        seen = self._sentences.get(sentence)
        if seen is None:
            heading, runs = is_heading(sentence), list(find_runs(sentence))
            kinds = [self._certain_type(run, sentence, heading) for run in runs]
            seen = self._sentences[sentence] = _Sentence(heading, runs, kinds)
        return seen

    def _read_runs(self, sentence: str) -> None:
        heading, runs, kinds = self._seen(sentence)
        for run, kind in zip(runs, kinds, strict=True):
            if run.title and " " not in run.text:
                self._titled.add(run.text)
            elif " " in run.text and _PERSON_SHAPE.fullmatch(run.text):
                self._shaped.setdefault(_family_name(run.text), set()).add(run.text)
            if not heading:
                self._runs[run.text] += not run.opens
            if kind:
                self._learn(run.text, kind)
            elif not heading:
                self._surroundings.see(run.text, sentence, run.start, run.end)

    def _learn_titled(self) -> None:
        """Whoever is called "Mr. Zhang" is the John Z. Zhang whom a heading names, if it names but one."""
        for family in self._titled:
            if family in self._surnames:
                continue
            shaped = set(without(self._shaped.get(family, ()), self._types))
            full = set(filter(self._has_given_name, shaped)) or set(filter(_is_one_person, shaped))
            if len(full) == 1:
                self._learn(full.pop(), "person")

    def _has_given_name(self, name: str) -> bool:
        """True for a name that begins with a given name, or has an initial in its middle."""
        words = name.split()
        is_initial = len(words) > 2 and len(words[1].rstrip(".")) == 1
        return is_initial or words[0] in self._lexicon.words["given_names"]

    def _learn(self, name: str, kind: str) -> None:
        self._types.setdefault(name, kind)
        if kind == "company":
            for key in (name_key(name), company_key(name)):
                best = self._keys.get(key, "")
                if best not in self._given and len(name) > len(best):
                    self._keys[key] = name
        elif kind == "person" and " " in name:
            self._surnames.setdefault(_family_name(name), set()).add(name)
            self._surnames.setdefault(name.split()[0], set()).add(name)

    def _define(self, sentence: str, runs: Iterable[Run]) -> None:
        """Take the short names and tickers that a sentence defines in brackets behind a full name."""
        by_end = {run.end: run.text for run in runs}
        for definition in find_definitions(sentence):
            end = definition.end_of_name
            full = by_end.get(end) or by_end.get(end - 1)
            is_term = definition.alias.lower() in self._lexicon.words["terms"]
            if full is None or is_term or definition.alias == full:
                continue
            if definition.kind == "ticker":
                self._learn(full, "company")
                self.tickers.setdefault(definition.alias, full)
            else:
                self._define_short(definition.alias, full)

    def _define_short(self, alias: str, full: str) -> None:
        kind = self._types.get(full) or self._lexicon.known.get(full, "")
        if kind in _HAVE_SHORT_NAMES and may_abbreviate(alias, full):
            self.aliases.setdefault(alias, full)
            self._types[alias] = kind

    def _is_term(self, name: str) -> bool:
        """Several words that the document also writes small: a defined term ("Eligible Employee"), not a name."""
        words = [word.strip(".,").lower() for word in name.split() if word not in _JOINING]
        return len(words) > 1 and self._lower.issuperset(words)

    def _is_made_of_words(self, name: str) -> bool:
        """True for words that the document writes small, also in the singular, and what tells nothing beside them:
        "Board Committees", "Signatures", "Stage 1"."""
        words = [word.strip(".,") for word in name.split() if word not in _JOINING]
        return all(self._is_small(word.lower()) or self._tells_nothing(word) for word in words)

    def _is_small(self, word: str) -> bool:
        return word in self._lower or word.removesuffix("s") in self._lower

    def _full_name(self, name: str, kind: str, *, has_title: bool = False) -> str:
        """The full name behind a short one; behind "Mr." a single word is a family name, never a given one."""
        if name in self._given:
            return name
        name = self._shouted.get(name) or self.aliases.get(name, name)
        if kind == "company":
            longest = self._keys.get(name_key(name), name)
            return name if forms_differ(name, longest) else longest
        if kind == "person" and " " not in name:
            people = self._surnames.get(name, set())
            if has_title:
                people = {person for person in people if _family_name(person) == name}
            return next(iter(people)) if len(people) == 1 else name
        return name

    def _certain_type(self, run: Run, sentence: str, heading: bool) -> str:
        """A type that the run shows by itself, or its neighbourhood by a clear sign."""
        name = run.text
        known = self._given.get(name) or self._lexicon.known.get(name.replace("’", "'"))
        if known:
            return known
        if _is_no_name(name):
            return ""
        if has_legal_form(name):
            return "company"
        if heading:
            return "person" if self._is_person(name) and _has_initial(name) else ""
        return self._shape_type(run, sentence)

    def _shape_type(self, run: Run, sentence: str) -> str:
        """A type by the words that a run is made of, or by what stands around it."""
        name = run.text
        if run.title:
            return "person" if name.count(" ") < _MOST_WORDS_OF_A_PERSON else ""
        if name.rpartition(" ")[2] in self._lexicon.words["paper_endings"]:
            return ""
        if _SEGMENT_AFTER.match(sentence, run.end):
            return "" if _is_first_word(run) or _is_any_business(run, sentence) else "segment"
        if self._is_person(name):
            return "person"
        return self._type_by_word(name) or self._type_by_surroundings(run, sentence)

    def _type_by_surroundings(self, run: Run, sentence: str) -> str:
        """A type by what follows a run: "Springfield, Illinois", "Zolimab®"; or a company by the words around it."""
        name = run.text
        if _state_after().match(sentence, run.end):
            return "place"
        if is_company_like(name) and not self._is_term(name) and not is_described(run, sentence):
            return "company"
        return "product" if sentence[run.end : run.end + 1] in _PRODUCT_MARK else ""

    def _is_person(self, name: str) -> bool:
        """True for a given name with what may follow it."""
        begins_so = _INITIALS.sub("", name).partition(" ")[0] in self._lexicon.words["given_names"]
        last = name.rpartition(" ")[2]
        is_other = last in self._lexicon.endings or _MONTH.fullmatch(last) is not None
        return begins_so and not is_other and _PERSON_SHAPE.fullmatch(name) is not None and not is_company_like(name)

    def _type_by_word(self, name: str) -> str:
        """A type by the first words or the last: "University of ...", "... Airport"; "" where they tell none."""
        for words, kind in self._lexicon.openings.items():
            if name.startswith(words + " "):
                return kind
        if name.endswith("N.A."):
            return "company"
        before, _, last = name.rpartition(" ")
        if last == "Manager" and not self._lexicon.words["departments"].isdisjoint(before.lower().split()):
            return ""
        return self._lexicon.endings.get(last, "") if before else ""

    def _type(self, run: Run, sentence: str, heading: bool, shown: str) -> str:
        """What a run is in the light of the whole document, ``shown`` by itself; empty for no name."""
        name = run.text
        if name in self.aliases:
            return self._types[name]
        if name in self._shouted:
            return "person"
        if shown:
            return shown if shown == "role" else self._types.get(name, shown)
        if _is_no_name(name):
            return ""
        learned = self._types.get(name)
        if learned:
            return learned
        if heading or name.rpartition(" ")[2] in self._lexicon.words["paper_endings"]:
            return ""
        if name_key(name) in self._keys:
            return "company"
        if " " not in name and name in self._surnames:
            return "person"
        return self._weak_type(run, sentence)

    def _weak_type(self, run: Run, sentence: str) -> str:
        """A type of what is a name by its capitals alone, most often a thing."""
        name = run.text
        if " " not in name:
            if len(name) < 3 or self._is_word(name):
                return ""
            if name in self._lexicon.words["given_names"]:
                return "person"
        if self._holds_office(name, sentence[max(0, run.start - _BEFORE) : run.start]):
            return "company"
        if run.opens and self._runs[name] == 0:
            return "company" if _ACTS.match(sentence, run.end) else ""
        if self._is_term(name) or all(map(self._tells_nothing, name.split())):
            return ""
        shown = "company" if self._is_branch(name) else self._surroundings.type_of(name)
        if shown:
            return shown
        following = sentence[run.end + 1 : run.end + 40].split(" ", 1)[0].rstrip(".,;")
        if following in self._lexicon.words["product_nouns"]:
            return "product"
        return "" if self._is_made_of_words(name) else THING

    def _is_word(self, name: str) -> bool:
        """True for one word that is written small elsewhere, stands for words, or is a word by its form."""
        return name.lower() in self._lower or name in self._abbreviations or self._is_spelt_as_word(name)

    def _is_spelt_as_word(self, name: str) -> bool:
        """True for a word by its ending ("Purchasing"), unless what stands beside it shows a company."""
        return _WITHIN.any("word", name) and self._surroundings.type_of(name) != "company"

    def _is_branch(self, name: str) -> bool:
        """True for a known company with a place behind its name: "MGM China"."""
        firm, _, place = name.rpartition(" ")
        known = self._lexicon.known
        is_company = known.get(firm) == "company" or self._types.get(firm) == "company"
        return is_company and known.get(place) == "place"

    def _holds_office(self, name: str, before: str) -> bool:
        """True for several words behind "CFO of" that are no department: "Applied Materials", not "Human Resources"."""
        words = name.split()
        if len(words) == 1 or not _OFFICE_BEFORE.search(before):
            return False
        return self._lexicon.words["departments"].isdisjoint(word.lower().strip(",") for word in words)

    def _tells_nothing(self, word: str) -> bool:
        return _CODE.fullmatch(word) is not None or _is_filler(word)


def _is_filler(word: str) -> bool:
    words = lexicon("en").words
    return word.lower() in words["terms"] or word in words["fillers"]


@lru_cache(maxsize=1 << 14)
def _is_no_name(name: str) -> bool:
    """True for a filler, for what only ends names, and for a body, a class of shares, a word with an adjective."""
    return _is_filler(name) or _is_end_of_name(name) or _WITHIN.any("nobody", name)


def _is_end_of_name(name: str) -> bool:
    """True for what only ends names: "Development, LLC", "Bank, N.A."."""
    if not has_legal_form(name) and not name.endswith("N.A."):
        return False
    words = lexicon("en").words
    stem = name_key(name).removesuffix(" na")
    is_part = stem in words["generic_stems"] or not stem
    return is_part or len(name.split()) == 1 or _only_terms(name, words["terms"])


@cache
def _state_after() -> re.Pattern[str]:
    """ ", California" after a name: the name is a town."""
    words = lexicon("en").words
    return re.compile(r",\s(?:" + "|".join(map(re.escape, sorted(words["states"] | words["countries"]))) + r")\b")


def _is_one_person(name: str) -> bool:
    """True for two or three words that are neither in capitals nor repeated: "MATT ROE Matt Roe" is two lines."""
    words = name.split()
    return len(words) <= _MOST_WORDS_OF_FULL_NAME and not any(word.isupper() and len(word) > 2 for word in words)


def _is_any_business(run: Run, sentence: str) -> bool:
    """True for capitals before "business" that are not said to be the firm's own: "on the LDC business"."""
    is_plain = sentence.startswith(" business", run.end) and not sentence.startswith(" business unit", run.end)
    return is_plain and run.text.isupper() and _OWN.search(sentence, 0, run.start) is None


def _has_initial(name: str) -> bool:
    """True for "Ann B. Roe", "A. Ben Roe": no heading is written so."""
    return any(len(word) == 2 and word.endswith(".") for word in name.split())


def _family_name(name: str) -> str:
    """ "Tookes" of "Hansel E. Tookes II"."""
    return _SUFFIX.sub("", name).split()[-1]


def _only_terms(name: str, terms: frozenset[str]) -> bool:
    return all(word.strip(",.").lower() in terms for word in name.split())


def _is_first_word(run: Run) -> bool:
    """True for one word that opens a sentence, which has a capital whatever it is: "Reportable segments ..."."""
    is_one_word = " " not in run.text and run.text.isalpha()
    return run.opens and is_one_word and not run.text.isupper()
