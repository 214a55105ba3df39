"""An entity by the name that somebody types."""

from __future__ import annotations

from ..core.errors import UsageError
from ..core.names import name_key
from .extraction.filer_names import ticker_name
from .graph import Entity
from .store import Store


def look_up(store: Store, name: str) -> Entity:
    """The entity of that name, alias or ticker, or the only one whose name goes on ("Acme" for "Acme Group").

    Raises UsageError with the nearest names where there is none.
    """
    found = store.find_entities([name_key(name), name_key(ticker_name(name))])
    if found:
        return max(found, key=lambda entity: (entity.mentions, entity.id))
    near = store.similar_entities(name, 5)
    longer = [entity for entity in near if _is_longer_form(entity, name)]
    if len(longer) == 1:
        return longer[0]
    hint = f"Near: {', '.join(entity.name for entity in near)}" if near else "`cliquerag docs` lists what was read"
    raise UsageError(f"no entity named {name!r}", hint=hint)


def _is_longer_form(entity: Entity, name: str) -> bool:
    """ "Meridian Freight" for "Meridian Freight Group": every word of the short form stands at the beginning."""
    return any(name_key(written).startswith(name_key(name) + " ") for written in (entity.name, *entity.aliases))
