"""What is embedded and searched of a document where that is not the printed text; what is cited always is."""

from __future__ import annotations

from .options import PLAIN, IndexOptions

__all__ = ["PLAIN", "IndexOptions"]
