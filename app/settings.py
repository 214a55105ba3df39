"""Every setting with its default, and where a value comes from: argument, environment, file or default."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from .core.errors import UsageError
from .core.records import dataclass
from .core.rules import read_rules

SETTINGS_FILE = "cliquerag.toml"
PREFIX = "CLIQUERAG_"


@dataclass(frozen=True, slots=True)
class Settings:
    """All defaults. An environment variable is ``CLIQUERAG_`` and the name in capitals; keys are not here."""

    workspace: str = "sqlite:///cliquerag.db"
    """One file in the current folder: no server, easy to copy and to delete."""
    embedder: str = "auto"
    """The installed MiniLM; "int8" (the same in whole numbers), "none", a folder, "local:NAME" or "endpoint:MODEL@URL".

    float32 by default: int8 is twice as fast, but loses .020 of the recall of Chroma's first five, [-.039, -.005].
    """
    multilingual: str = "auto"
    """Vectors of documents that are not English: "auto" where the extra is installed and the embedder is the default;
    "all": of English documents too, for questions in other languages; "none"."""
    model: str = ""
    """Language model of the endpoint; empty: extractive answers, rules for the graph."""
    base_url: str = ""
    """Any OpenAI-compatible endpoint; empty: OPENAI_BASE_URL, then OpenAI's own."""
    chunker: str = "auto"
    """By the kind of document: cliques between hard borders (headings, tables, speakers), shorter ones for calls."""
    index_text: str = "plain"
    """What is put into the text that is embedded and searched: "names", "context", "propositions", "tables", joined by
    "+", the latter three also as ":model"; plain: the printed text. What is cited is always the printed text."""
    chunk_vectors: str = "mean"
    """What a chunk's vector is made of: the mean of its sentences', which costs nothing; mixed with "text", "meta" or
    "late" (as "late:0.3": three tenths), at two to three times the encoder's work."""
    extractor: str = "rules"
    """"rules" costs nothing; "llm" asks the model once for about 3,000 tokens."""
    mode: str = "hybrid"
    """Vector and graph evidence: never much worse than the better of the two."""
    rerank: str = ""
    """A cross-encoder that orders the first passages: "endpoint:MODEL@URL" or "local:NAME"; empty: none."""
    checked_by: str = "rules"
    """Who judges whether what the sentences of a model's answer cite supports them: "rules"; "model" or "model:NAME"
    of the endpoint, by one more call an answer. Figures are held against cells by the rules in any case."""
    queries: int = 1
    """Wordings of a question that are searched, the others by the model; 1 spares its call."""
    extras: str = ""
    """Further parts of a search, with commas: "tokens", "summaries", "hyde", "keywords", "value", "all_text"
    (``retrieval/search/weights.py`` says what each does); none is worth its cost for everybody."""
    bridges: bool = False
    """Queries of its own for each name that leads from the first passages on: finds more of what stands in several
    passages, for a tenth of a second a question."""
    parent: str = "auto"
    """What is read for the first hits: "section", "page", "none" (as found); auto: section if a model reads it."""
    order: str = "vector-first"
    """The order of the HybridRAG paper."""
    k: int = 10
    """Pieces of evidence that a search gives."""
    vector_tokens: int = 4000
    """Budget of the vector context: about ten pages, small against any model's window."""
    graph_tokens: int = 2000
    """Budget of the graph context: relations are short."""
    workers: int = 1
    """Processes that read documents; the embedder already uses every core."""
    max_file_mb: float = 200.0
    """Megabytes of a file that is read, far above any report (the largest of our test data has 4); 0: no limit."""
    max_file_seconds: float = 300.0
    """Seconds that reading a file may take, without models; a filing of 190 pages takes 2. 0: no limit."""
    max_characters: int = 10_000_000
    """Characters of a file's text, some 2,500 pages; a 10-K of 143 pages has .7 million. 0: no limit."""
    timeout: float = 300.0
    """Seconds that a call to a model may take, attempts and waits included; a search waits 20 for its reranker."""
    max_reply_mb: float = 32.0
    """Megabytes that a model's endpoint may send: several times what is asked for."""
    concurrency: int = 8
    """Calls to the language model at once: what hosted endpoints bear; 1 for a server that answers one by one."""
    max_cost: float = 0.0
    """US dollars that a command may spend at the endpoint; 0: no limit."""
    cache: str = ""
    """Folder of the vector and answer cache; empty: the system's cache folder."""
    schema: str = ""
    """A TOML file of your own that replaces or extends the relation schema."""
    synonyms: str = ""
    """A TOML file of your own query synonyms."""
    metrics: str = ""
    """A TOML file of your own metric names."""
    formulas: str = ""
    """A TOML file of your own formulas."""
    feedback: str = "auto"
    """What people do with answers is noted beside the workspace, on this machine alone: "on", "off"; auto: by the desk
    alone, which says so."""
    feedback_days: int = 90
    """Days that answers' traces and clicks are kept: three months' questions of a team; thumbs, notes and pins stay. 0:
    for ever."""
    flags: str = ""
    """Parts of the search turned on or off, for all or for a share of sessions: "graph_leg=off, multi_query=20%"."""
    reports: str = ""
    """A folder with ready reports of your own, a TOML file each."""
    names: str = ""
    """A TOML file of your own short names and brands of companies: [names] "Google" = "Alphabet"."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """Settings and the origin of each value: "argument", "environment", a file's path or "default"."""

    settings: Settings
    origins: Mapping[str, str]


def resolve_settings(
    arguments: Mapping[str, Any] | None = None,
    *,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> Resolved:
    """Arguments win over the environment, that over ``cliquerag.toml`` in the folder, that over the defaults.

    Raises UsageError for an unknown name or a value of the wrong type.

    >>> resolve_settings({"k": 5}, environment={"CLIQUERAG_MODE": "graph"}, folder=Path("/nowhere")).origins["mode"]
    'environment'
    """
    path = (folder or Path.cwd()) / SETTINGS_FILE
    layers: list[tuple[str, Mapping[str, Any]]] = [
        (str(path), read_rules(path) if path.is_file() else {}),
        ("environment", _from_environment(os.environ if environment is None else environment)),
        ("argument", {name: value for name, value in (arguments or {}).items() if value is not None}),
    ]
    types = {field.name: type(field.default) for field in fields(Settings)}
    values: dict[str, Any] = {}
    origins = dict.fromkeys(types, "default")
    for origin, layer in layers:
        for name, value in layer.items():
            if name not in types:
                raise UsageError(f"unknown setting {name!r}", where=origin, hint=f"Known: {', '.join(types)}")
            values[name] = _convert(name, value, types[name], origin)
            origins[name] = origin
    return Resolved(Settings(**values), origins)


def _from_environment(environment: Mapping[str, str]) -> dict[str, str]:
    found = {field.name: environment.get(PREFIX + field.name.upper(), "") for field in fields(Settings)}
    return {name: value for name, value in found.items() if value != ""}


def _convert(name: str, value: Any, wanted: type, origin: str) -> Any:
    try:
        return wanted(value)
    except (TypeError, ValueError) as error:
        raise UsageError(
            f"{name} must be a {'text' if wanted is str else 'number'}, not {value!r}", where=origin
        ) from error
