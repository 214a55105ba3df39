"""By which words a question asks for a relation of the schema, and at which end of it the one that it names stands.

Every relation can be asked for by construction: its name, its inverse, its label and the ``asked`` phrases of the
schema say how ("depends_on", "needed_by", "depends on"), a user's own relations among them. Grammar says the rest: who
stands before the verb does it, who stands behind it is the one it is done to ("Whom did Acme sue?", "Who sued Acme?").
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from operator import attrgetter
from typing import Any

from ....core.names import is_chinese
from ....core.patterns import LazyPattern, on_demand
from ....core.records import dataclass
from ....core.rules import load_rules
from ....core.sequences import without
from ....core.words import search_words
from ....kg.schema import RelationType, Schema

SOMEBODY = "Acme"
"""Stands for a name while a question is read for relations."""
_TOKEN = on_demand(r"[A-Za-z][\w’'-]{0,40}|\d[\w.,]{0,20}|[^\w\s]")
_ALTERNATIVE = on_demand(r", | or ")
_POSSESSIVE = on_demand(r"['’]s?$")
_CLAUSE = on_demand(r"[，。；？！,;?!]")
_SHORT = 4
"""Letters below which a stem begins too many other words: "sue"."""
_OTHER_END = {"head": "tail", "tail": "head", "either": "either"}


@dataclass(frozen=True, slots=True)
class Phrase:
    """A way to say a relation: its search terms, all of which a question has to hold."""

    relation: str
    terms: tuple[str, ...]
    adverb: str = ""
    """What makes another verb of its verb, and has to be said too: "over" of "takes over"."""
    particle: str = ""
    """The preposition that leads to the object of its verb: "on" of "depends on"."""
    subject: str = ""
    """The end at which the subject of its verb stands, "head" or "tail"; "" for a noun, which shows no direction."""
    chinese: str = ""
    """The phrase itself where it is Chinese, which is looked for as it is written."""
    is_shared: bool = False
    """Another relation is said so too ("sells"), so it alone asks for none."""

    @property
    def stem(self) -> str:
        """What the words of a sentence that speaks of the relation begin with, a pattern: its longest term."""
        if self.chinese:
            return re.escape(self.chinese)
        telling = [term for term in self.terms if term not in _words("general")] or self.terms
        longest = max(telling, key=len)
        past = "".join(rf"|\b{form}\b" for form, verb in _past().items() if _stem(verb) == longest)
        if len(longest) < _SHORT:
            return rf"\b{re.escape(longest)}(?:s|d|es|ed|ing)?\b{past}"
        return rf"\b{re.escape(longest.rstrip('iey'))}\w{{0,6}}{past}"

    def is_said(self, words: Collection[str], terms: Collection[str]) -> bool:
        """True where a question with these words and search terms says it."""
        return set(self.terms).issubset(terms) and (not self.adverb or self.adverb in words)


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    term: str


def phrases_said(text: str, schema: Schema) -> dict[Phrase, str]:
    """The phrases that a question says, each with the end at which the one named stands: "head", "tail", "either".

    The question has :data:`SOMEBODY` where it names somebody. The direction is told only where it names one.

    >>> from cliquerag.kg.schema import load_schema
    >>> said = phrases_said("Which companies does Acme depend on?", load_schema())
    >>> {phrase.relation: end for phrase, end in said.items()}
    {'depends_on': 'head'}
    """
    words = _words_of(text)
    written, terms = set(map(attrgetter("text"), words)), set(map(attrgetter("term"), words))
    chinese = is_chinese(text)
    text = _chinese_nouns().sub(" ", text)
    said: dict[Phrase, str] = {}
    for phrase in _phrases(schema):
        if phrase.chinese:
            if chinese and phrase.chinese in text:
                said[phrase] = _chinese_end(text, phrase)
        elif phrase.is_said(written, terms):
            said[phrase] = _end(words, phrase)
    return {phrase: end for phrase, end in said.items() if not _is_part_of_another(phrase, said)}


@cache
def _chinese_nouns() -> re.Pattern[str]:
    return re.compile("|".join(sorted(map(re.escape, _words("chinese_nouns")))))


def _is_part_of_another(phrase: Phrase, said: Iterable[Phrase]) -> bool:
    """True for "audit" where the question says "critical audit matter"."""
    return any(set(phrase.terms) < set(other.terms) and other.relation != phrase.relation for other in said)


@lru_cache(maxsize=256)
def words_of(relations: frozenset[str], known: tuple[RelationType, ...]) -> LazyPattern:
    """How sentences speak of some of the known relations: a pattern of what their phrases begin with."""
    phrases = [phrase for phrase in _phrases_of(known) if phrase.relation in relations]
    stems = sorted(set(map(attrgetter("stem"), phrases)))
    return LazyPattern("|".join(stems) or r"(?!)")


# --- the phrases of a schema


@lru_cache(maxsize=8)
def _phrases_of(key: tuple[RelationType, ...]) -> tuple[Phrase, ...]:
    """The phrases of relations; one that is the name of a relation belongs to it alone."""
    phrases: dict[Phrase, None] = {}
    for relation in key:
        phrases.update(dict.fromkeys(_phrases_of_relation(relation)))
    owner = {terms: relation.name for relation in key for terms in [_terms_of(relation.name.replace("_", " "))]}
    relations_saying = {(phrase.relation, phrase.terms, phrase.chinese) for phrase in phrases}
    sayings = Counter((terms, chinese) for _, terms, chinese in relations_saying)
    told_apart: list[Phrase] = []
    for phrase in phrases:
        is_shared = sayings[phrase.terms, phrase.chinese] > 1
        if phrase.terms in owner:
            is_shared = owner[phrase.terms] != phrase.relation
        told_apart.append(replace(phrase, is_shared=is_shared))
    return tuple(told_apart)


def _terms_of(phrase: str) -> tuple[str, ...]:
    """Its search terms without prepositions and what opens it."""
    beside = _words("prepositions") | _words("adverbs") | _words("auxiliary")
    return tuple(filter(None, (_term(word) for word in phrase.lower().split() if word not in beside)))


def _phrases(schema: Schema) -> tuple[Phrase, ...]:
    return _phrases_of(tuple(schema.relations.values()))


def _phrases_of_relation(relation: RelationType) -> Iterable[Phrase]:
    """The ways in which its name, its inverse, its labels and its ``asked`` phrases say a relation."""
    subject, other = ("", "") if relation.symmetric else ("head", "tail")
    yield from _read(relation.name, relation.name.replace("_", " "), subject)
    inverse = relation.inverse.replace("_", " ")
    if inverse.endswith(" by"):  # "backed by": whoever backs is the head
        yield from _read(relation.name, inverse, subject, is_verb=True)
    else:
        yield from _read(relation.name, inverse, other)
    for label in _ALTERNATIVE.split(relation.en):
        yield from _read(relation.name, label, subject)
    for phrase in relation.asked:
        yield from _read(relation.name, phrase, "" if is_chinese(phrase) else subject)
    is_verb = _is_verb(relation.name.split("_"))
    yield from _read(relation.name, relation.zh, subject if is_verb else "")


def _is_verb(words: Sequence[str]) -> bool:
    """True for "depends on", False for "trustee of" and "stake"."""
    return words[0].endswith("s") and words[-1] != "of"


def _read_chinese(relation: str, phrase: str, subject: str) -> Iterable[Phrase]:
    for part in phrase.split("…"):
        core = part.strip("是为的给自")
        if len(core) > 1:
            yield Phrase(relation, (), subject=subject, chinese=core)


def _read(relation: str, phrase: str, subject: str, *, is_verb: bool | None = None) -> Iterable[Phrase]:
    """One way to say a relation; none where only words are left that say too little ("plan", "is in")."""
    if is_chinese(phrase):
        yield from _read_chinese(relation, phrase, subject)
        return
    words = [word for word in phrase.lower().split() if word not in _words("auxiliary")]
    terms = _terms_of(phrase)
    if not terms:
        return
    if is_verb is None:
        is_verb = _is_verb(words)
    adverb = _adverb(words, is_verb=is_verb)
    if _words("general").issuperset(without(words, _words("prepositions"))) and adverb not in _words("adverbs"):
        return
    particles = (word for word in words[1:] if word in _words("prepositions") and word != "by")
    if is_verb:
        yield Phrase(relation, terms, adverb, next(particles, ""), subject)
    else:
        yield Phrase(relation, terms, adverb)


def _adverb(words: Sequence[str], *, is_verb: bool) -> str:
    """What has to be said beside the words of a phrase: "over" of "takes over", "to" of "subject to"."""
    ends_in_preposition = words[-1] in _words("prepositions") - {"of"}
    if not is_verb and ends_in_preposition:
        return words[-1]
    return next((word for word in words if word in _words("adverbs")), "")


@lru_cache(maxsize=4_000)
def _term(word: str) -> str:
    """The search term of a word, of a past form that of its verb."""
    bare = _POSSESSIVE.sub("", word).lower()
    return _stem(_past().get(bare, bare))


def _stem(word: str) -> str:
    return next(iter(search_words(word)), "")


@lru_cache(maxsize=1)
def _past() -> Mapping[str, str]:
    """Past form -> verb."""
    verbs: Mapping[str, str] = load_rules(__package__, "relation_words.toml")["past"]
    return {form: verb for verb, forms in verbs.items() for form in forms.split()}


# --- who does it


def ends_told(text: str, relation: str, known: tuple[RelationType, ...]) -> set[str]:
    """The ends of a relation at which a sentence puts :data:`SOMEBODY`; empty where its grammar does not show any.

    >>> from cliquerag.kg.schema import load_schema
    >>> ends_told("In 2020 Acme acquired Bolt.", "acquires", tuple(load_schema().relations.values()))
    {'head'}
    """
    words = _words_of(text)
    ends: set[str] = set()
    for phrase in _phrases_of(known):
        if phrase.relation != relation or not phrase.subject:
            continue
        if phrase.chinese:
            ends.update(_chinese_ends_told(text, phrase))
            continue
        names, verbs = _places(words, phrase)
        for verb in verbs:
            ends.update(_end_of(words, name, verb, phrase) for name in names)
    return ends - {"either"}


def _words_of(text: str) -> list[_Word]:
    return [_Word(found[0].lower(), _term(found[0])) for found in _TOKEN.finditer(text)]


def _places(words: Sequence[_Word], phrase: Phrase) -> tuple[list[int], list[int]]:
    """Where somebody is named, and where the verb of a phrase stands."""
    names = [place for place, word in enumerate(words) if _POSSESSIVE.sub("", word.text) == SOMEBODY.lower()]
    return names, [place for place, word in enumerate(words) if word.term == phrase.terms[0]]


def _end(words: Sequence[_Word], phrase: Phrase) -> str:
    """The end at which the one named stands, by the place of the verb; "either" where it shows none."""
    names, verbs = _places(words, phrase)
    if not phrase.subject or len(names) != 1 or len(verbs) != 1:
        return "either"
    return _end_of(words, names[0], verbs[0], phrase)


def _end_of(words: Sequence[_Word], name: int, verb: int, phrase: Phrase) -> str:
    does_it = _is_subject(words, name, verb, phrase.particle)
    if does_it is None:
        return "either"
    return phrase.subject if does_it else _OTHER_END[phrase.subject]


def _is_subject(words: Sequence[_Word], name: int, verb: int, particle: str) -> bool | None:
    """True where the one named does what the verb says, False where it is done to it; None where neither is shown."""
    if words[name].text != SOMEBODY.lower():  # "Acme's mills"
        return None
    if name < verb:
        return _is_subject_before(words, name, verb)
    if _is_part_of_name(words, name):
        return None
    between = [word.text for word in words[verb + 1 : name]]
    if between and between[-1] == "by":
        return True
    led = [word for word in between if word in _words("prepositions")]
    if led:
        return False if between[-1] == particle else None
    is_object = not particle and _words("between").issuperset(between)
    return False if is_object else None


def _is_part_of_name(words: Sequence[_Word], name: int) -> bool:
    """True for "the Acme brand", behind a verb: what is named is something else."""
    behind = words[name + 1].text if name + 1 < len(words) else "?"
    return behind[0].isalpha() and behind not in _words("behind")


def _is_subject_before(words: Sequence[_Word], name: int, verb: int) -> bool | None:
    """As :func:`_is_subject`, for a name before the verb: "does Acme sue", "was Acme sued", "Acme was sued by"."""
    before = words[name - 1].text if name else ""
    between = [word.text for word in words[name + 1 : verb]]
    if not (_words("between") | _words("auxiliary") | _words("leading")).issuperset(between):
        return None
    is_continuous = words[verb].text.endswith("ing")
    is_been = not _words("being").isdisjoint(between)
    if is_been or before in _words("being"):
        return is_continuous
    return True


def _chinese_end(text: str, phrase: Phrase) -> str:
    """As :func:`_end`: whoever is asked for before the name does it, unless it says 被 or 由."""
    if not phrase.subject or text.count(SOMEBODY) != 1:
        return "either"
    text = next(clause for clause in _CLAUSE.split(text) if SOMEBODY in clause)
    asking = re.search(r"谁|哪|什么", text)
    name = text.find(SOMEBODY)
    if phrase.chinese not in text:
        return "either"
    behind = text[name + len(SOMEBODY) :].lstrip()
    if asking is None or behind.startswith(("的", "之")):
        return "either"
    passive = re.search(r"被|由", text)
    does_it = name < asking.start()
    if passive is not None:
        does_it = not does_it
    return phrase.subject if does_it else _OTHER_END[phrase.subject]


def _chinese_ends_told(text: str, phrase: Phrase) -> set[str]:
    """Of a sentence: whoever stands before the verb does it, unless behind 为 or 向, or where it says 被 or 由."""
    verb = text.find(phrase.chinese)
    before = text[: max(verb, 0)]
    name = before.rfind(SOMEBODY)
    behind = before[name + len(SOMEBODY) :].lstrip()
    if name < 0 or behind.startswith(("的", "之")) or _CLAUSE.search(behind):
        return set()
    is_object = before[:name].rstrip().endswith(("为", "向", "对", "给", "与", "和"))
    is_passive = re.search("被|由", before) is not None
    return {phrase.subject if is_object == is_passive else _OTHER_END[phrase.subject]}


@lru_cache(maxsize=16)
def _words(kind: str) -> frozenset[str]:
    rows: Mapping[str, Any] = load_rules(__package__, "relation_words.toml")
    return frozenset(str(rows[kind]).split())
