"""Ideas of cutting, enriching, indexing and searching side by side on every retrieval set, with what each costs.

A row is a named configuration of a workspace (``index_ideas.toml``), a column a data set. What was measured is kept as
JSON, a file a row under ``docs/index_ideas``, and ``docs/index_ideas.md`` is written from all of them, so that rows can
be run one by one and on any day: ``python -m benchmarks.tasks.ideas.index_ideas --rows default,vector --sets tatqa
--limit 200``. Values are kept question by question; rows are compared pair by pair over the questions that both were
asked.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import click
from cliquerag.core.errors import UsageError
from cliquerag.core.rules import read_rules
from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.indexing.pipeline import read_pages, versions
from cliquerag.indexing.report import estimate_document
from cliquerag.ingest.about.given import DocumentHints
from cliquerag.ingest.section_summaries import summary_author
from cliquerag.models.language import Usage
from cliquerag.retrieval.answer.generative.multi_query import imagined_answer, search_each
from cliquerag.retrieval.search.evidence import Evidence, Trace
from cliquerag.retrieval.search.weights import HYDE, extras_named
from cliquerag.settings import resolve_settings
from cliquerag.workspace import Workspace

from ...baselines import baseline_rankings
from ...registry import DATA_VARIABLE
from .._shared import embedder, page_texts
from ._index_kept import BASELINES, Measured, keep, kept_rows
from ._index_page import write_page
from ._index_sets import SETS, Asked, IdeaSet, read_set
from ._recorded_endpoint import recorded_endpoint

FOLDER = "."
MINUTES = 60
DOCS = Path("docs")
_SIZE, _OVERLAP = 1000, 150
"""Characters of a baseline's piece of a page, as everywhere in these benchmarks."""
_SHORT_SIZE, _SHORT_OVERLAP = 100, 15
"""Of a short text, of which passages are asked for: about as long as one of our chunks of Chinese."""
_DEPTH = 40
"""Hits of a question: enough to fill 1,000 tokens, and ten documents."""
_LONGEST = 2_000
"""Characters of a question that a workspace takes."""
_COST_FILINGS, _COST_PAGES = 4, 10
"""The pages on which costs are measured: as many from the middle of as many filings, without any cache."""


@dataclass(frozen=True, slots=True)
class Idea:
    """A row: settings with which a workspace adds and asks."""

    name: str
    says: str
    when: str = ""
    needs: str = ""
    """"model" where adding asks a language model: such a row runs only with an endpoint."""
    add: Mapping[str, Any] = field(default_factory=dict)
    summarise: bool = False
    """Have a language model summarise the sections of what was added."""
    ask: Mapping[str, Any] = field(default_factory=dict)


@cache
def ideas() -> dict[str, Idea]:
    """All rows by name, in the order of the file."""
    rows = read_rules(Path(__file__).with_suffix(".toml"))["rows"]
    return {name: Idea(name, **values) for name, values in rows.items()}


def runnable(has_model: bool = False) -> dict[str, Idea]:
    """The rows that can run here: those that ask a model only where one is set, or ``has_model`` says so."""
    has_model = has_model or bool(resolve_settings().settings.model)
    return {name: idea for name, idea in ideas().items() if idea.needs != "model" or has_model}


def run(folder: Path) -> Report:
    """Every row on a sample of 60 questions of each set that is there; nothing is kept but the report."""
    names = [name for name, (data, _) in SETS.items() if (folder / data).is_dir()]
    if not names:
        raise UsageError("no data set to search", where=str(folder), hint=f"One of {', '.join(SETS)}")
    rows: list[Row] = []
    for name in names:
        found = measure(read_set(name, folder).sample(60, "all"), name, list(runnable().values()))
        for idea, own in found.items():
            rows += [Row.mean(idea, f"{name}: {what}", list(values.values())) for what, values in own.values.items()]
    return Report("index_ideas", tuple(rows), ("60 questions of each set.",))


def measure(
    asked: IdeaSet,
    name: str,
    rows: Sequence[Idea],
    stores: Path | None = None,
    say: Callable[[str], None] = lambda text: None,
    reader: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, Measured]:
    """Row -> what it scored on a set. ``stores`` keeps the workspaces for the next run; they are scratch without it.

    ``reader`` are the settings of the endpoint that rows which ask a model ask; those of the environment without it.
    """
    found: dict[str, Measured] = {}
    with tempfile.TemporaryDirectory(prefix="cliquerag-bench-") as scratch:
        for idea in rows:
            say(f"{name}: {idea.name}")
            model = reader if idea.needs == "model" else {}
            folder = stores or Path(scratch)
            with _workspace(asked, idea, folder, name, model) as workspace:
                one = _asked(workspace, asked.questions)
            if idea.needs == "model":
                one = replace(one, costs={**one.costs, "calls": _calls(asked, idea, folder, name, model)})
            found[idea.name] = one
    return found


def _calls(asked: IdeaSet, idea: Idea, folder: Path, name: str, model: Mapping[str, str]) -> int:
    """Chats with a model: those of adding, kept beside the store, and one a question where it imagines answers."""
    kept = _store(asked, idea, folder, name, model).with_suffix(".calls")
    return int(kept.read_text()) + (len(asked.questions) if HYDE in str(idea.ask.get("extras", "")) else 0)


@contextmanager
def _workspace(asked: IdeaSet, idea: Idea, folder: Path, name: str, model: Mapping[str, str]) -> Iterator[Workspace]:
    """A workspace of the documents as this row adds them, open with the settings with which it asks."""
    folder.mkdir(parents=True, exist_ok=True)
    path = _store(asked, idea, folder, name, model)
    if not path.exists():
        unfinished = path.with_suffix(f".{os.getpid()}")  # another run may make the same one
        with _opened(unfinished, {**idea.add, **model}) as adding:
            usage = sum(_added(adding, asked), Usage())
            if idea.summarise:
                usage += sum((report.usage for report in adding.enrich(summaries=True)), Usage())
        path.with_suffix(".calls").write_text(str(usage.calls))
        unfinished.replace(path)
    with _opened(path, {**idea.add, **idea.ask, **model}) as workspace:
        yield workspace


def _store(asked: IdeaSet, idea: Idea, folder: Path, name: str, model: Mapping[str, str]) -> Path:
    """Where the store is; sets of the same documents share it."""
    return folder / f"{SETS[name][0]}-{_digest(asked, idea, model)}.db"


def _opened(path: Path, settings: Mapping[str, Any]) -> Workspace:
    return Workspace(f"sqlite:///{path}", **{"feedback": "off", **settings})


def _digest(asked: IdeaSet, idea: Idea, model: Mapping[str, str]) -> str:
    """Changes with the documents, with the settings for adding and with the version of every step."""
    with Workspace("sqlite://", **{**idea.add, **model}) as workspace:
        steps = versions(workspace.components.tools)
    parts = [
        dict(idea.add),
        steps,
        dict(asked.texts),
        list(map(str, asked.files)),
        *filter(None, [_enriched(idea, model)]),
    ]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]


def _enriched(idea: Idea, model: Mapping[str, str]) -> str:
    """Who summarises the sections of a store; "" where nobody does."""
    name = model.get("model", resolve_settings().settings.model)
    return summary_author(name) if idea.summarise else ""


def _added(workspace: Workspace, asked: IdeaSet) -> Iterator[Usage]:
    """Add every document that has words; what the models used for each."""
    for source, text in asked.texts.items():
        if (text if isinstance(text, str) else "".join(text)).strip():
            yield workspace.add_text(text, source).usage
    for path in asked.files:
        yield workspace.add(path).usage


def _asked(workspace: Workspace, questions: Sequence[Asked]) -> Measured:
    values: dict[str, dict[int, float]] = {}
    began = time.process_time()
    for asked in questions:
        found = _found(workspace, asked)
        for what, value in asked.score(found).items():
            values.setdefault(what, {})[asked.number] = value
    spent = (time.process_time() - began) / max(1, len(questions))
    return Measured(values, {"ms a question": round(1000 * spent, 1)})


def _found(workspace: Workspace, asked: Asked) -> list[Evidence]:
    """The hits of a question; with ``hyde`` also those of the answer that a model imagines, as an answer has them."""

    def search(wording: str) -> list[Evidence]:
        return workspace.search(wording[:_LONGEST], k=_DEPTH, scope=asked.scope)

    if HYDE not in extras_named(workspace.settings.extras):
        return search(asked.text)
    imagined = imagined_answer(workspace.components.language_model, asked.text, Trace())
    return search_each(search, asked.text, [imagined] if imagined else [])


# --- what everybody has


def baselines(asked: IdeaSet) -> dict[str, Measured]:
    """BM25, vectors, and both fused by reciprocal ranks, over pieces of 1,000 characters of the same texts.

    Of 100 where each question is asked of a document of its own that is one such piece: it would be found always.
    """
    pieces = list(_pieces(asked, _SIZE, _OVERLAP))
    if asked.own_documents and len(pieces) <= len(asked.texts):
        pieces = list(_pieces(asked, _SHORT_SIZE, _SHORT_OVERLAP))
    texts = [piece.text for piece in pieces]
    rankings = baseline_rankings(texts, [question.text for question in asked.questions], embedder())
    found: dict[str, Measured] = {}
    for name, orders in rankings.items():
        values: dict[str, dict[int, float]] = {}
        for question, order in zip(asked.questions, orders, strict=True):
            within = question.scope.sources if question.scope else ()
            hits = [pieces[i] for i in order.tolist() if not within or pieces[i].source in within]
            for what, value in question.score(hits[: 4 * _DEPTH]).items():
                values.setdefault(what, {})[question.number] = value
        found[name] = Measured(values, {})
    return found


def _pieces(asked: IdeaSet, size: int, overlap: int) -> Iterator[Evidence]:
    """Overlapping pieces, cut at a blank where there is one; ``start`` counts in the whole text."""
    for source, text in {**asked.texts, **{path.name: page_texts(path) for path in asked.files}}.items():
        at = 0
        for number, page in enumerate([text] if isinstance(text, str) else text, 1):
            start = 0
            while start < len(page):
                end = start + size
                blank = page.rfind(" ", start + size // 2, end) if end < len(page) else -1
                if blank > 0:
                    end = blank
                piece = page[start:end]
                if piece.strip():
                    yield Evidence("chunk", piece, 0.0, source, page=number, start=at + start, end=at + end)
                start = len(page) if end >= len(page) else end - overlap
            at += len(page) + 2


# --- what a row costs


def costs(idea: Idea, root: Path) -> dict[str, float]:
    """CPU seconds, bytes, model calls and tokens a page, on 40 pages of filings; nothing comes from a cache.

    Of a row that asks a model while it adds only calls and tokens, as ``--dry-run`` counts them.
    """
    filings = _filings(root)
    pages = sum(map(len, filings.texts.values()))
    if idea.needs == "model" and (idea.add or idea.summarise):
        return _counted_costs(idea, filings, pages)
    with tempfile.TemporaryDirectory(prefix="cliquerag-bench-") as folder:
        with _opened(Path(folder) / "cost.db", {**idea.add, "cache": folder}) as workspace:
            _ = workspace.embedder and workspace.embedder.embed(["loaded before it is measured"])
            began = time.process_time()
            usage = sum(_added(workspace, filings), Usage())
            seconds = time.process_time() - began
        size = sum(path.stat().st_size for path in Path(folder).glob("cost.db*"))
    used = {"calls a page": usage.calls, "tokens a page": usage.input_tokens + usage.output_tokens}
    return {
        "CPU s a page": round(seconds / pages, 3),
        "KB a page": round(size / 1024 / pages, 1),
        **{what: round(count / pages, 2) for what, count in used.items()},
    }


def _counted_costs(idea: Idea, filings: IdeaSet, pages: int) -> dict[str, float]:
    with Workspace("sqlite://", **idea.add, model="counted", base_url="http://127.0.0.1:9/v1") as workspace:
        tools = workspace.components.tools
        documents = (read_pages(text, source, DocumentHints()) for source, text in filings.texts.items())
        found = [estimate_document(document, tools, "counted") for document in documents]
        if idea.summarise:
            list(_added(workspace, filings))
            found += workspace.estimate_summaries()
    tokens = sum(one.input_tokens + one.output_tokens for one in found)
    calls = sum(one.calls for one in found)
    return {"calls a page": round(calls / pages, 2), "tokens a page": round(tokens / pages)}


def _filings(root: Path) -> IdeaSet:
    whole = read_set("financebench_known", root)
    texts: dict[str, Sequence[str]] = {}
    for source, pages in list(whole.texts.items())[:: len(whole.texts) // _COST_FILINGS][:_COST_FILINGS]:
        middle = max(0, len(pages) // 2 - _COST_PAGES // 2)
        texts[source] = list(pages[middle : middle + _COST_PAGES])
    return IdeaSet(texts, ())


# --- running it


@click.command()
@click.option("--rows", default="", help="Names of rows, with commas; default: all. Also BM25, dense, RRF.")
@click.option("--sets", default="", help="Names of sets, with commas, or none; default: all there.")
@click.option("--limit", type=click.IntRange(min=1), help="Questions of each set, evenly spread.")
@click.option(
    "--part", type=click.Choice(["all", "read", "unread"]), default="all", help="Without, or only, every third."
)
@click.option("--data", type=click.Path(path_type=Path, file_okay=False), envvar=DATA_VARIABLE, required=True)
@click.option("--stores", type=click.Path(path_type=Path, file_okay=False), help="Keep the workspaces here.")
@click.option("--docs", type=click.Path(path_type=Path, file_okay=False), default=DOCS, show_default=True)
@click.option("--cost", is_flag=True, help="Measure the costs of the rows too.")
@click.option("--reader", is_flag=True, help="Rows that ask a model get the recorded answers of a reader.")
@click.option("--page", "page_only", is_flag=True, help="Only write the page anew.")
def main(
    rows: str,
    sets: str,
    limit: int | None,
    part: str,
    data: Path,
    stores: Path | None,
    docs: Path,
    cost: bool,
    reader: bool,
    page_only: bool,
) -> None:
    """Measure rows on sets, keep what was found, and write docs/index_ideas.md from all that is kept.

    ``--cost`` alone (``--sets none``) measures no set.
    """
    wanted = _named(rows, [*runnable(reader), *BASELINES], "row")
    own = [ideas()[name] for name in wanted if name in ideas()]
    if not page_only:
        for name in _sets_named(sets, data):
            asked = read_set(name, data).sample(limit, part)
            _keep_scores(_scores(asked, name, own, wanted, stores, reader), name, docs)
    if cost and not page_only:
        _keep_costs(own, data, docs)
    told = {name: (idea.says, idea.when) for name, idea in ideas().items()}
    write_page(docs, kept_rows(docs), told, list(SETS))


def _sets_named(given: str, data: Path) -> list[str]:
    if given == "none":
        return []
    return _named(given, [name for name, (folder, _) in SETS.items() if (data / folder).is_dir()], "set")


def _scores(
    asked: IdeaSet, name: str, own: Sequence[Idea], wanted: Sequence[str], stores: Path | None, reader: bool
) -> dict[str, Measured]:
    """Our rows on a set, and those of the baselines that are wanted."""
    endpoint: AbstractContextManager[Mapping[str, str]] = recorded_endpoint() if reader else nullcontext({})
    with endpoint as model:
        found = measure(asked, name, own, stores, lambda text: click.echo(text, err=True), model)
    if not set(wanted).isdisjoint(BASELINES):
        found |= {row: one for row, one in baselines(asked).items() if row in wanted}
    return found


def _keep_scores(found: Mapping[str, Measured], name: str, docs: Path) -> None:
    for row, measured in found.items():
        keep(docs, row, name, measured)
        click.echo(f"{name}: {row}: {measured.summary}")


def _keep_costs(rows: Sequence[Idea], data: Path, docs: Path) -> None:
    """Measured once for all rows that add alike: those that only search otherwise add as the default."""
    spent: dict[str, dict[str, float]] = {}
    for idea in rows:
        added = json.dumps([dict(idea.add), idea.summarise], sort_keys=True)
        if added not in spent:
            spent[added] = costs(idea, data)
        keep(docs, idea.name, "", Measured({}, spent[added]))
        click.echo(f"{idea.name}: {spent[added]}")


def _named(given: str, known: Sequence[str], kind: str) -> list[str]:
    names = [name.strip() for name in given.split(",") if name.strip()] or list(known)
    unknown = [name for name in names if name not in known]
    if unknown:
        raise click.UsageError(f"no {kind} {', '.join(unknown)}; there are: {', '.join(known)}")
    return names


if __name__ == "__main__":
    main()
