"""Which file a document of a workspace is, and which document a name means."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from pathlib import Path

from .components import Parts
from .core.scope import Scope
from .sources import source_of


class Places(Parts):
    """The part of :class:`cliquerag.Workspace` that knows where its documents lie."""

    def source_of(self, path: str | Path) -> str:
        """A file's key: its path relative to the workspace's folder where it lies inside, else the whole path."""
        return source_of(path, self.folder)

    def path_of(self, source: str) -> Path:
        """Where the file of a source lies."""
        return Path(self.folder or ".") / source

    def source_named(self, name: str) -> str | None:
        """The document that a name means: its source, a path to its file, or an end of its path that no other has."""
        known = [record.source for record in self.store.documents()]
        exact = next((source for source in (name, self.source_of(name)) if source in known), None)
        ends = [source for source in known if source.endswith(f"/{name}")]
        return exact or (ends[0] if len(ends) == 1 else None)

    def meant(self, scope: Scope | None) -> Scope | None:
        """The scope with the documents that its sources name, which may be the ends of their paths."""
        if scope is None or not scope.sources:
            return scope
        return replace(scope, sources=tuple(self.source_named(name) or name for name in scope.sources))

    @cached_property
    def folder(self) -> Path | None:
        """The folder of an embedded workspace's file; None for a server or memory."""
        from .kg.engines.opening import sqlite_path

        path = sqlite_path(self.settings.workspace)
        return path.absolute().parent if path else None
