"""What else a document calls a company (its ticker, the short names of the firm that it is from), and which
entity is meant by a name that somebody types.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import filterfalse

from ..core.errors import UsageError
from ..core.names import is_chinese, name_key
from ..ingest.chunk import Chunk
from ..ingest.document import Metadata
from .graph import Entity
from .resolution.matching import conflict, key_of
from .store import Store
from .triple import Extraction

SHORT_NAME = "short name of the filer"
TICKER = "ticker"
_LEAST_LETTERS = 3


def ticker_name(ticker: str) -> str:
    """How a ticker is called in the graph: "MGM" alone may be another firm's name.

    >>> ticker_name("mgm")
    'MGM (ticker)'
    """
    return f"{ticker.upper()} (ticker)"


def tickers_of(metadata: Metadata, extractions: Iterable[Extraction]) -> Mapping[str, str]:
    """Ticker -> company: what the text says, and the tickers of the one firm that the document is from."""
    found: dict[str, str] = {}
    if metadata.filer:
        own = filterfalse(is_chinese, metadata.tickers)
        found.update(dict.fromkeys(own, metadata.filer))
    for extraction in extractions:
        found.update(extraction.tickers)
    return found


def stated_names(metadata: Metadata) -> tuple[str, ...]:
    """What the one firm that the document is from is also called, as the document states it: 四方科技.

    >>> stated_names(Metadata(companies=("四方科技集团股份有限公司",), tickers=("603339", "四方科技")))
    ('四方科技',)
    """
    return tuple(filter(is_chinese, metadata.tickers)) if metadata.filer else ()


def first_place(word: str, chunks: Sequence[Chunk]) -> tuple[Chunk, int] | None:
    """The first chunk that has the word, as it is written, and where in the document it stands."""
    pattern = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")
    for chunk in chunks:
        match = pattern.search(chunk.text)
        if match:
            return chunk, chunk.start + match.start()
    return None


def short_names(filer: Entity, entities: Iterable[Entity]) -> Iterator[Entity]:
    """Companies called by the first words of the filer's name: in its own report "Costco" is Costco Wholesale.

    >>> filer = Entity("1", "Costco Wholesale Corporation", "company")
    >>> others = [Entity("2", "Costco", "company"), Entity("3", "Costco Travel", "company")]
    >>> [entity.name for entity in short_names(filer, others)]
    ['Costco']
    """
    full = key_of(filer)
    for entity in entities:
        key = name_key(entity.name)
        begins_so = len(key) >= _LEAST_LETTERS and full.startswith(key + " ")
        if entity.type != "company" or not begins_so or is_chinese(key):
            continue
        if not conflict(entity, filer):
            yield entity


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
