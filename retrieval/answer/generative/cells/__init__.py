"""Figures of evidence as cells: value, scale, unit, and the row and the period that they are of."""
