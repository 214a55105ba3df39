"""What a model has answered once is never computed or paid for again: vectors and chat replies in one SQLite file.

The file is shared by all workspaces, processes and threads. It only saves work, so nothing that is wrong with it
(locked, broken, read-only, disk full) ever stops work: one warning, and on without it.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import warnings
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from ..core.private_files import create_private_file, make_private_folder, use_write_ahead_log
from .embedders import Embedder, Multilingual

if TYPE_CHECKING:
    import numpy as np

T = TypeVar("T")
Progress = Callable[[int, int], None]
"""Called with (texts done, texts in all)."""

SCHEMA = """
CREATE TABLE IF NOT EXISTS vectors (key BLOB NOT NULL UNIQUE, vector BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS replies (
    key BLOB PRIMARY KEY, model TEXT NOT NULL, text TEXT NOT NULL, input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL, received TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
) WITHOUT ROWID;
"""
BUSY_SECONDS = 5.0
"""How long a write waits for another process before the cache is given up."""

LOOKUPS = 500
"""Keys a query: SQLite allowed 999 parameters before version 3.32."""

COMMIT_TEXTS = 512
"""Texts embedded between two commits: a second or three of work, which is all that ``kill -9`` loses."""


def default_folder() -> Path:
    """``CLIQUERAG_CACHE``, else the user's cache folder."""
    import platformdirs

    return Path(os.environ.get("CLIQUERAG_CACHE") or platformdirs.user_cache_dir("cliquerag", appauthor=False))


class Cache:
    """Vectors and replies by the hash of what was asked. Safe for several processes and threads.

    The file is ``models.db`` in ``folder``, which is made when something is stored.
    """

    def __init__(self, folder: str | Path | None = None) -> None:
        self.path = Path(folder or default_folder()).expanduser() / "models.db"
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._process = 0
        self._reads = self._writes = True

    def vectors(self, model: str, texts: Sequence[str]) -> list[np.ndarray | None]:
        """The float16 vector of each text, None where it is not known."""
        import numpy as np

        keys = [text_key(model, text) for text in texts]
        unknown: dict[bytes, bytes] = {}
        found = self._read(lambda connection: _lookup(connection, keys), unknown)
        return [np.frombuffer(found[key], dtype="<f2") if key in found else None for key in keys]

    def put_vectors(self, model: str, texts: Sequence[str], vectors: np.ndarray) -> None:
        """Stores float (len(texts), dim) in one transaction, as float16."""
        rows = [
            (text_key(model, text), vector.tobytes()) for text, vector in zip(texts, vectors.astype("<f2"), strict=True)
        ]
        self._write("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)

    def reply(self, key: bytes) -> tuple[str, int, int] | None:
        """(text, input tokens, output tokens) of an answer received before."""
        query = "SELECT text, input_tokens, output_tokens FROM replies WHERE key = ?"
        row: tuple[str, int, int] | None = self._read(lambda c: c.execute(query, (key,)).fetchone(), None)
        return row

    def put_reply(self, key: bytes, model: str, text: str, input_tokens: int, output_tokens: int) -> None:
        """Committed on return."""
        statement = (
            "INSERT OR REPLACE INTO replies (key, model, text, input_tokens, output_tokens) VALUES (?, ?, ?, ?, ?)"
        )
        self._write(statement, [(key, model, text, input_tokens, output_tokens)])

    def close(self) -> None:
        with self._lock:
            if self._connection is not None and self._process == os.getpid():
                self._connection.close()
            self._connection = None

    def _read(self, work: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        with self._lock:
            if not self._reads:
                return otherwise
            try:
                return work(self._connect())
            except (sqlite3.Error, OSError) as error:
                self._reads = self._give_up(error)
                return otherwise

    def _write(self, statement: str, rows: Sequence[tuple[object, ...]]) -> None:
        with self._lock:
            if not self._writes:
                return
            try:
                with self._connect() as connection:
                    connection.executemany(statement, rows)
            except (sqlite3.Error, OSError) as error:
                self._writes = self._give_up(error)

    def _connect(self) -> sqlite3.Connection:
        # A connection must not be carried over a fork.
        if self._connection is None or self._process != os.getpid():
            make_private_folder(self.path.parent)
            self._connection = _open(self.path)
            self._process = os.getpid()
        return self._connection

    def _give_up(self, error: Exception) -> bool:
        if self._reads and self._writes:
            hint = "Going on without it; delete the file if it is broken."
            warnings.warn(f"The model cache {self.path} cannot be used ({error}). {hint}", RuntimeWarning, stacklevel=4)
        return False


def _open(path: Path) -> sqlite3.Connection:
    if path.exists() and not os.access(path, os.W_OK):
        return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False)
    create_private_file(path)
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, check_same_thread=False)
    try:
        use_write_ahead_log(connection, BUSY_SECONDS)
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.executescript(SCHEMA)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _lookup(connection: sqlite3.Connection, keys: Sequence[bytes]) -> dict[bytes, bytes]:
    found: dict[bytes, bytes] = {}
    for start in range(0, len(keys), LOOKUPS):
        some = keys[start : start + LOOKUPS]
        query = f"SELECT key, vector FROM vectors WHERE key IN ({','.join('?' * len(some))})"
        with closing(connection.execute(query, some)) as rows:
            found.update(rows)
    return found


def text_key(model: str, text: str) -> bytes:
    """16 bytes that stand for a text as a model reads it."""
    return blake2b(f"{model}\0{text}".encode("utf-8", "surrogatepass"), digest_size=16).digest()


class CachedEmbedder:
    """An embedder that embeds each text once in the life of the cache.

    Vectors are rounded to float16 whether they come from the cache or not, so that both give the same ranking.
    ``multilingual`` is the encoder beside this one, for texts that are not English (:func:`embedder.multilingual_of`).
    """

    def __init__(self, embedder: Embedder, cache: Cache, multilingual: Multilingual | None = None) -> None:
        self.embedder = embedder
        self.cache = cache
        self.multilingual = multilingual

    @property
    def name(self) -> str:
        return self.embedder.name

    @cached_property
    def _key(self) -> str:
        """The name under which the cache keeps its vectors."""
        return str(getattr(self.embedder, "cache_name", None) or self.embedder.name)

    @property
    def dim(self) -> int:
        return self.embedder.dim

    def embed(self, texts: Sequence[str], progress: Progress | None = None) -> np.ndarray:
        """Float32 (len(texts), dim), unit rows, in the order given. Committed every 512 texts."""
        import numpy as np

        known = dict(zip(texts, self.cache.vectors(self._key, texts), strict=True))
        # Longest first: texts of a length share a batch, and progress runs slower than it ends, not faster.
        missing = sorted((text for text, vector in known.items() if vector is None), key=len, reverse=True)
        for start in range(0, len(missing), COMMIT_TEXTS):
            if progress:
                progress(len(known) - len(missing) + start, len(known))
            some = missing[start : start + COMMIT_TEXTS]
            vectors = self.embedder.embed(some)
            self.cache.put_vectors(self._key, some, vectors)
            known.update(zip(some, vectors.astype(np.float16), strict=True))
        if progress:
            progress(len(known), len(known))
        if not texts:
            return np.zeros((0, self.dim), dtype=np.float32)
        rows: np.ndarray = np.array([known[text] for text in texts], dtype=np.float32)
        rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
        return rows
