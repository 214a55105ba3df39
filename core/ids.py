"""Public identifiers: stable hashes of what a thing is, the same on every machine and in every run."""

from __future__ import annotations

import hashlib

_SEPARATOR = b"\x1f"


def stable_id(*parts: object) -> str:
    """Hash the parts, in order, to 20 hexadecimal digits (80 bits).

    >>> stable_id("acme/10-K.pdf", "chunk-1", 0) == stable_id("acme/10-K.pdf", "chunk-1", 0)
    True
    >>> stable_id("ab", "c") == stable_id("a", "bc")
    False
    """
    data = _SEPARATOR.join(str(part).encode("utf-8", "surrogatepass") for part in parts)
    return hashlib.blake2b(data, digest_size=10).hexdigest()


def content_hash(data: bytes) -> str:
    """SHA-256 of a file's bytes, in hexadecimal: tells whether a source has changed."""
    return hashlib.sha256(data).hexdigest()
