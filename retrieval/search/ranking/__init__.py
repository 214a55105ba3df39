"""Scores of candidates, their fusion and diversification."""
