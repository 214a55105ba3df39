"""Facts: numbers, and short texts such as an address, that a document states about a company and a period."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .extract import VERSION, extract_facts
    from .metrics import load_metrics, metric_of, plain_label

__all__ = ["VERSION", "extract_facts", "load_metrics", "metric_of", "plain_label"]


def __getattr__(name: str) -> Any:
    """Load what is asked for: a question needs the names of metrics, and none of the readers of tables."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name in ("VERSION", "extract_facts"):
        from . import extract

        return getattr(extract, name)
    from . import metrics

    return getattr(metrics, name)
