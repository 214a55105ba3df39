"""What all pages of the desk share: the workspace, what it remembers, how pages are drawn and worded.

Search and ingest write their reasons in English, as a trace is to be read by programs too. A page shows them as
``translations.toml`` has them; what stands there in no form is shown as it was written.
"""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

from ..core.anchor import at_page
from ..core.errors import CliqueRAGError, UsageError
from ..core.language import Language
from ..core.names import strip_legal_form
from ..core.rules import load_rules
from .asking import Asking
from .drawing import PageDrawer
from .library import Library
from .notebook import Notebook
from .reading import as_line
from .sheets import Place, SheetReader
from .understanding import readable_name

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup
    from starlette.requests import Request
    from starlette.responses import Response

    from ..core.fact import Fact
    from ..kg.store import DocumentRecord
    from ..serving.processes import Answering
    from ..workspace import Workspace

    FormHandler = Callable[[Request, "Form"], Response]

_FILE = "translations.toml"
_HOLE = re.compile(r"\{[012]\}")
_LONGEST = 2_000
"""Characters of a text that sentences are looked for in: no reason is as long."""


def in_words(text: str, language: Language) -> str:
    """A kind of document, a source of metadata or a reason of the search in a language.

    >>> in_words("annual report", "zh"), in_words("cover page, file name", "zh"), in_words("10-K", "zh")
    ('年度报告', '封面、文件名', '10-K')
    >>> in_words("companies named: 清源精密", "zh"), in_words("companies named: Acme", "en")
    ('提到的公司：清源精密', 'companies named: Acme')
    """
    if language == "en" or len(text) > _LONGEST:
        return text
    words: dict[str, str] = load_rules(__package__, _FILE)[language]["words"]
    if text in words:
        return words[text]
    parts = text.split(", ")
    if words.keys() >= set(parts):
        return "、".join(map(words.__getitem__, parts))
    return _as_sentence(text, language)


def _as_sentence(text: str, language: Language) -> str:
    """A sentence with what it names in its place; a text that is none as it is."""
    for pattern, written in _sentences(language):
        found = pattern.fullmatch(text)
        if found:
            return written.format(*[in_words(part, language) for part in found.groups()])
    return text


def error_in_words(error: CliqueRAGError, language: Language) -> str:
    """What was wrong and what to do; where it was wrong, the page shows beside it."""
    return ". ".join(in_words(part, language) for part in (error.what, error.hint) if part)


@cache
def _sentences(language: Language) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Sentences with holes for names and figures: {0}, {1}, {2} in this order."""
    rows: dict[str, str] = load_rules(__package__, _FILE)[language]["sentences"]
    return tuple((_as_pattern(sentence), written) for sentence, written in rows.items())


def _as_pattern(sentence: str) -> re.Pattern[str]:
    return re.compile("(.{1,600}?)".join(map(re.escape, _HOLE.split(sentence))))


_log = logging.getLogger(__name__)
HERE = Path(__file__).parent
Form = Mapping[str, list[str]]
"""The fields of a form with all their values."""
LANGUAGE_COOKIE, THEME_COOKIE = "cliquerag_language", "cliquerag_theme"
LANGUAGES: tuple[Language, ...] = ("en", "zh")
_SCALES = {1_000: "scale.thousand", 10_000: "scale.wan", 1_000_000: "scale.million", 1_000_000_000: "scale.billion"}
_MOST_FORM = 200_000
"""Bytes of a form: a question, a note; files come on their own way."""


class Desk:
    """One desk on one workspace, for any number of windows and people.

    ``answering`` answers in place of the workspace: several processes.
    """

    def __init__(self, workspace: Workspace, answering: Answering | None = None) -> None:
        # Made here, by one thread, and not by the first two questions at once.
        _ = (workspace.store, workspace.embedder, workspace.vocabulary, workspace.components.language_model)
        self.workspace = workspace
        workspace.feedback.turn_on()
        self.answering = answering or workspace
        self.is_open = True
        self.notebook = Notebook.of(workspace)
        self.drawer = PageDrawer()
        self.sheets = SheetReader(workspace, self.drawer)
        self.asking = Asking(workspace, self.notebook, self.answering)
        self.library = Library(workspace)

    def warm(self) -> None:
        """Load in the background what the first question and the first page would wait for."""
        if not self.is_open:
            return
        self.drawer.warm()
        try:
            if self.workspace.documents():
                self.workspace.search("revenue", k=1)
        except Exception:  # the first question will say what is wrong; a desk that is closed by then asks nothing
            _log.debug("not warmed", exc_info=True)

    def close(self) -> None:
        """Finish what is under way and close the files; the workspace stays open."""
        self.is_open = False
        self.asking.close()
        self.library.close()
        self.drawer.close()
        self.notebook.close()

    def page(self, request: Request, template: str, /, status: int = 200, **values: Any) -> Response:
        """A page or a part of one, in the language of the reader."""
        from starlette.responses import HTMLResponse

        language = language_of_request(request)
        shared = {
            "t": Wording(language),
            "language": language,
            "theme": request.cookies.get(THEME_COOKIE, ""),
            "path": request.url.path,
            "desk": self,
            "short": self.short_name,
        }
        html = _environment().get_template(template).render({**shared, **values})
        headers = {"cache-control": "no-store", "vary": "HX-Request, Accept-Language, Cookie"}
        return HTMLResponse(html, status, headers)

    def failure(self, request: Request, error: CliqueRAGError, status: int = 400) -> Response:
        """An error of the user's, said in place of what was asked for."""
        is_part = request.headers.get("hx-request") == "true"
        return self.page(request, "error.html" if is_part else "error_page.html", status, error=error)

    def gone(self, request: Request, key: str = "gone.page") -> Response:
        """What was asked for is not there, or not any more."""
        error = CliqueRAGError(Wording(language_of_request(request))(key))
        return self.failure(request, error, 404)

    def short_name(self, source: str) -> str:
        """A document by the name that people give it."""
        return self.workspace.sources.short_names([source])[source]

    @property
    def companies(self) -> list[str]:
        """The companies that documents are about, each once, as people write them: the names of their pages."""
        return sorted(self.company_names.values(), key=str.lower)

    @property
    def company_names(self) -> dict[str, str]:
        """Key of a company -> its name as people write it; as printed where two would be written alike."""
        from ..retrieval.search.index.corpus import corpus_of

        printed = corpus_of(self.workspace.store).catalogue.companies.names
        bearers = Counter(map(readable_name, printed.values()))
        readable = {key: readable_name(name) for key, name in printed.items()}
        return {key: name if bearers[name] == 1 else printed[key] for key, name in readable.items()}

    def about(self, source: str, language: Language) -> str:
        """Whose and what a document is, where its name does not tell: "Acme · 10-K · FY2023"."""
        from ..core.period import label_of
        from ..retrieval.search.index.corpus import corpus_of

        record = corpus_of(self.workspace.store).catalogue.by_source.get(source)
        if record is None:
            return ""
        parts = (*self.names_of(record)[:1], in_words(record.kind, language), label_of(record.period))
        return " · ".join(filter(None, parts))

    def names_of(self, record: DocumentRecord) -> list[str]:
        """The companies of a document as :attr:`companies` has them: the names of their pages."""
        from ..retrieval.search.index.corpus import corpus_of

        names = self.company_names
        return [names[key] for key in corpus_of(self.workspace.store).catalogue.companies.keys(record) if key in names]

    @property
    def metrics(self) -> list[str]:
        """The names of metrics and formulas."""
        return sorted(self.workspace.components.metrics.metrics)

    def metric_name(self, name: str, language: Language) -> str:
        """A metric as a reader of a language calls it: "Revenue", "营业收入"; one of the reader's own by its name."""
        from ..ingest.facts import metrics

        rules = load_rules(metrics.__package__, "metrics.toml")["metrics"].get(name, {})
        called = rules.get(language, ()) if language == "zh" else ()
        return next(iter(called), name[:1].upper() + name[1:])

    @property
    def judges(self) -> list[str]:
        """Who may judge a model's sentences, the one of the settings first; nobody where no model writes."""
        if self.workspace.components.language_model is None:
            return []
        return list(dict.fromkeys((self.workspace.settings.checked_by, "rules", "model")))

    @property
    def kinds(self) -> list[str]:
        """The kinds of document there are."""
        return sorted({record.kind for record in self.workspace.documents() if record.kind})

    @property
    def periods(self) -> list[str]:
        """The periods that documents are about, the latest first."""
        found = {record.period.label: record.period for record in self.workspace.documents() if record.period}
        return sorted(found, key=lambda label: found[label].sort_key, reverse=True)


# --- words


class Wording:
    """The texts of the interface in one language.

    >>> Wording("zh")("nav.ask")
    '提问'
    """

    def __init__(self, language: Language) -> None:
        self._texts: Mapping[str, str] = load_rules(__package__, "words.toml")[language]

    def __call__(self, key: str, **values: object) -> str:
        """A text with its values filled in."""
        text = self._texts[key]
        return text.format(**values) if values else text


def language_of_request(request: Request) -> Language:
    """The language that the reader chose, else the browser's first of ours."""
    chosen = request.cookies.get(LANGUAGE_COOKIE, "")
    if chosen in LANGUAGES:
        return chosen
    for part in request.headers.get("accept-language", "").split(","):
        code = part.strip()[:2].lower()
        if code in LANGUAGES:
            return code
    return "en"


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    from ..ingest.formats.registry import suffixes

    made = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.globals.update(Place=Place)
    made.globals["endings"] = ",".join(sorted(suffixes()))
    made.filters.update(at_page=at_page, at_place=place_in_document, place_name=name_of_place, said=in_words)
    made.filters.update(amount=amount_in_column, unit=unit_in_column, whose=short_company, line=as_line)
    return made


def name_of_place(item: Any) -> str:
    """The name of the place of whatever a page shows, an object or a row; "" where a page number says it."""
    anchors = item.get("anchors", ()) if isinstance(item, Mapping) else getattr(item, "anchors", ())
    page = item.get("page") if isinstance(item, Mapping) else getattr(item, "page", None)
    return next((anchor.place for anchor in anchors if anchor.page == page), "")


def place_in_document(name: str, item: Any) -> str:
    """A document with the place of what a page shows."""
    page = item.get("page") if isinstance(item, Mapping) else getattr(item, "page", None)
    place = name_of_place(item)
    return f"{name}, {place}" if place else at_page(name, page)


def scale_word(scale: Decimal, t: Wording) -> str:
    """What a figure is to be multiplied by, as people say it.

    >>> scale_word(Decimal(1_000_000), Wording("en")), scale_word(Decimal(7), Wording("en"))
    ('million', '× 7')
    """

    key = _SCALES.get(int(scale), "")
    return t(key) if key else t("facts.times", n=f"{scale:,}")


def short_company(name: str) -> str:
    """A company without its legal form, as people write it.

    >>> short_company("THE BOEING COMPANY")
    'Boeing'
    """
    return readable_name(strip_legal_form(name))


_SIGNS = re.compile(r"(?:(?:US|HK|NT|[AC])?[$€£¥]|RMB|USD|%)\s{0,4}")


def amount_in_column(fact: Fact) -> Markup:
    """A figure as printed, without the signs of currency and percent that the column of units says.

    A closing bracket hangs over the edge, so that digits stand below digits.
    """
    from markupsafe import Markup

    text = _SIGNS.sub("", fact.text).strip()
    if not text.endswith(")"):
        return Markup.escape(text)
    return Markup('{}<span class="hang">)</span>').format(text[:-1].rstrip())


def unit_in_column(fact: Fact, t: Wording) -> str:
    """The unit of a figure with what it is to be multiplied by: "USD million"."""
    if fact.scale == 1 or fact.source_kind == "prose":
        return fact.unit
    return f"{fact.unit} {scale_word(fact.scale, t)}".strip()


# --- forms


def with_form(desk: Desk, handler: FormHandler) -> Callable[[Request], Awaitable[Response]]:
    """An endpoint that reads a form and answers in a thread; the user's errors become a part of the page."""
    from starlette.concurrency import run_in_threadpool

    async def endpoint(request: Request) -> Response:
        try:
            form = await _read_form(request)
            return await run_in_threadpool(handler, request, form)
        except CliqueRAGError as error:
            return await run_in_threadpool(desk.failure, request, error)

    return endpoint


def with_errors(desk: Desk, handler: Callable[[Request], Response]) -> Callable[[Request], Response]:
    """The same for an endpoint without a form."""

    def endpoint(request: Request) -> Response:
        try:
            return handler(request)
        except CliqueRAGError as error:
            return desk.failure(request, error)

    return endpoint


async def _read_form(request: Request) -> Form:
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > _MOST_FORM:
            raise UsageError(f"is longer than {_MOST_FORM:,} bytes", where="the form")
    return parse_qs(body.decode("utf-8", "replace"), keep_blank_values=False, max_num_fields=500)


def first(form: Form, name: str) -> str:
    """The first value of a field; "" without one."""
    return next(iter(form.get(name, ())), "").strip()


def several(form: Form, name: str) -> tuple[str, ...]:
    """All values of a field, each once."""
    return tuple(dict.fromkeys(value.strip() for value in form.get(name, ()) if value.strip()))


def number(given: Mapping[str, str], name: str) -> int | None:
    """A whole number of a query; None where it is none."""
    text = given.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 12 else None


def place_in(given: Mapping[str, str]) -> Place:
    """The place that a query names."""
    return Place(given.get("source", ""), number(given, "page"), number(given, "start") or 0, number(given, "end") or 0)
