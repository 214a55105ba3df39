"""Facts: numbers, and short texts such as an address, that a document states about a company and a period."""

from __future__ import annotations

from .extract import VERSION, extract_facts
from .metrics import load_metrics, metric_of, plain_label

__all__ = ["VERSION", "extract_facts", "load_metrics", "metric_of", "plain_label"]
