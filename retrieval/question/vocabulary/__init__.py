"""The words that are known: synonyms, formulas, their arithmetic."""
