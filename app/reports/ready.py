"""Ready reports as data: sections with their questions and tables, from the TOML files beside and from a user's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any, Literal

from ..core.errors import UsageError
from ..core.language import Language
from ..core.rules import load_rules, read_rules
from .wording import CALLS, QUOTES

Needs = Literal["company", "companies", "documents"]
_NEEDS: Mapping[str, Needs] = {"company": "company", "companies": "companies", "documents": "documents"}
_FIELDS = frozenset(
    {"title", "ask", "figures", "chart", "drivers", "relations", "compare", "years", "expected", "quotes", "calls"}
)
_COMPARED = ("risks", "facts", "relations", "guidance")
_PACKAGE = "cliquerag.reports.shipped"


@dataclass(frozen=True, slots=True)
class SectionPlan:
    """What a section holds, in the order in which it is shown: a table of figures, drivers, relations, answers."""

    title: Mapping[str, str]
    ask: Mapping[str, tuple[str, ...]]
    figures: tuple[str, ...] = ()
    """Metrics and formulas by name, a row each."""
    chart: str = ""
    """The metric that is drawn over its years."""
    years: int = 5
    drivers: tuple[str, ...] = ()
    """Metrics whose causes are listed; "*" for all."""
    expected: bool = False
    """Only drivers of guidance."""
    relations: tuple[str, ...] = ()
    compare: tuple[str, ...] = ()
    """What of two filings is held against each other."""
    quotes: tuple[str, ...] = ()
    """Groups of sentences that are quoted ("business", "proceedings"; see ``wording.toml``)."""
    calls: tuple[str, ...] = ()
    """What of earnings calls is shown: their "questions", and the "tone" of these."""


@dataclass(frozen=True, slots=True)
class ReadyReport:
    """A report that can be made of any company: a title, and its sections."""

    name: str
    title: Mapping[str, str]
    about: Mapping[str, str]
    needs: Needs
    sections: tuple[SectionPlan, ...]

    def titled(self, language: Language, values: Mapping[str, str]) -> str:
        """Its title for these companies."""
        return filled(in_language(self.title, language), values)


def filled(text: str, values: Mapping[str, str]) -> str:
    """A text with ``$company`` and ``$period`` replaced; what is not known stays away.

    >>> filled("What did $company earn$in_period?", {"company": "Acme", "in_period": ""})
    'What did Acme earn?'
    """
    return " ".join(Template(text).safe_substitute(values).split())


def in_language(texts: Mapping[str, Any], language: Language) -> Any:
    """The text of a language, else the other's."""
    return texts.get(language) or next(iter(texts.values()), "")


def ready_reports(folder: str = "") -> dict[str, ReadyReport]:
    """All ready reports by name: ours, and those in a user's folder, which go before ours of the same name.

    Raises UsageError for a file that is no report.
    """
    found = dict(_shipped())
    for path in sorted(Path(folder).expanduser().glob("*.toml")) if folder else ():
        own = read_ready(path)
        found[own.name] = own
    return found


def ready_report(name: str, folder: str = "") -> ReadyReport:
    """A ready report by its name, or by the path of its TOML file. Raises UsageError."""
    if name.endswith(".toml"):
        return read_ready(Path(name).expanduser())
    known = ready_reports(folder)
    if name not in known:
        hint = f"There are: {', '.join(known)}; or name a TOML file of your own"
        raise UsageError(f"no ready report {name!r}", where="--ready", hint=hint)
    return known[name]


def read_ready(path: Path) -> ReadyReport:
    """A user's report. Raises UsageError that names the file, the section and what is wrong there."""
    return _report(path.stem, read_rules(path), str(path))


@cache
def _shipped() -> Mapping[str, ReadyReport]:
    names = sorted(file.name for file in files(_PACKAGE).iterdir() if file.name.endswith(".toml"))
    return {name[:-5]: _report(name[:-5], load_rules(_PACKAGE, name), name) for name in names}


def _report(name: str, rules: Mapping[str, Any], where: str) -> ReadyReport:
    sections = rules.get("section")
    if not isinstance(sections, list) or not sections:
        raise UsageError("a report has no [[section]]", where=where, hint="See docs/reports.md for one")
    needs = _NEEDS.get(str(rules.get("needs", "company")))
    if needs is None:
        raise UsageError(f"needs = {rules['needs']!r}", where=where, hint=f"One of: {', '.join(_NEEDS)}")
    title = _texts(rules.get("title", name), where)
    about = _texts(rules.get("about", ""), where)
    return ReadyReport(name, title, about, needs, tuple(_section(one, where) for one in sections))


def _section(rules: Any, where: str) -> SectionPlan:
    if not isinstance(rules, dict) or "title" not in rules:
        raise UsageError("a section has no title", where=where)
    place = f"{where}, section {rules['title']!r}"
    unknown = sorted(rules.keys() - _FIELDS)
    if unknown:
        raise UsageError(f"unknown: {', '.join(unknown)}", where=place, hint=f"Known: {', '.join(sorted(_FIELDS))}")
    compare = _some_of(_COMPARED, "compare", rules, place)
    quotes = _some_of(QUOTES, "quotes", rules, place)
    calls = _some_of(CALLS, "calls", rules, place)
    asked = rules.get("ask", {})
    by_language = asked if isinstance(asked, dict) else {"en": asked}
    return SectionPlan(
        _texts(rules["title"], place),
        {language: _names(texts, place) for language, texts in by_language.items()},
        _names(rules.get("figures", ()), place),
        str(rules.get("chart", "")),
        int(rules.get("years", 5)),
        _names(rules.get("drivers", ()), place),
        bool(rules.get("expected", False)),
        _names(rules.get("relations", ()), place),
        compare,
        quotes,
        calls,
    )


def _some_of(known: Sequence[str], field: str, rules: Mapping[str, Any], place: str) -> tuple[str, ...]:
    """The names in a field. Raises UsageError for one that is not known."""
    given = _names(rules.get(field, ()), place)
    if not set(given) <= set(known):
        raise UsageError(f"{field} = {list(given)}", where=place, hint=f"Of: {', '.join(known)}")
    return given


def _texts(given: Any, where: str) -> Mapping[str, str]:
    """One text for all languages, or one each."""
    if isinstance(given, str):
        return {"en": given}
    if isinstance(given, dict) and all(isinstance(text, str) for text in given.values()):
        return given
    raise UsageError("a title is a text, or a table with a text a language", where=where)


def _names(given: Any, where: str) -> tuple[str, ...]:
    texts: Sequence[Any] = [given] if isinstance(given, str) else given
    if not isinstance(texts, (list, tuple)) or not all(isinstance(text, str) for text in texts):
        raise UsageError(f"a list of texts is needed, not {given!r}", where=where)
    return tuple(texts)
