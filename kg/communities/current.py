"""Communities as they are now: derived when first needed, kept in the store, derived anew after a write."""

from __future__ import annotations

from dataclasses import replace

from ...core.errors import StoreError
from ..graph import Communities, Community
from ..schema import Schema
from ..store import Store
from .detection import available_method, find_communities
from .reports import AUTHOR, write_reports
from .sources import known_of_companies

VERSION = "1"
"""Of groups and reports by rules; those of another version are derived anew."""


def current_communities(store: Store, schema: Schema) -> Communities:
    """The communities of the store's present version, with reports.

    What is stored of this version is read; else they are found anew and stored, and a report that a model wrote is
    kept where its community and all that it rests on are the same. Never part of an add.
    """
    stored, version = store.communities(), store.version()
    if stored is not None and _is_fresh(stored, version):
        return stored
    written = {c.digest: c for c in stored.groups if c.author != AUTHOR} if stored else {}
    groups = tuple(_with_report_of(community, written.get(community.digest)) for community in derive(store, schema))
    found = Communities(version, groups, _method())
    keep(store, found)
    return found


def is_current(store: Store) -> bool:
    """True where :func:`current_communities` only reads."""
    stored = store.communities()
    return stored is not None and _is_fresh(stored, store.version())


def keep(store: Store, found: Communities) -> None:
    """Store what was derived; a store that cannot be written is only read."""
    try:
        store.put_communities(found)
    except StoreError:
        if store.communities() is not None and store.version() != found.version:
            raise


def derive(store: Store, schema: Schema) -> list[Community]:
    """Communities of the graph as it is, with reports by rules."""
    relations = list(store.all_relations())
    known = known_of_companies(store)
    return write_reports(find_communities(relations), relations, schema, known)


def _is_fresh(stored: Communities, version: int) -> bool:
    return stored.version == version and stored.method == _method()


def _method() -> str:
    """ "leiden-1": how groups are found here, and the version of what is written about them."""
    return f"{available_method()}-{VERSION}"


def _with_report_of(community: Community, before: Community | None) -> Community:
    if before is None:
        return community
    return replace(community, title=before.title, report=before.report, findings=before.findings, author=before.author)
