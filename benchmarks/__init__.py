"""Measurements of the whole and its parts; run from a clone with ``python -m benchmarks``, not installed."""
