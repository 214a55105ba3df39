"""Metrics, comparisons of modes and engines, benchmarks and reports."""
