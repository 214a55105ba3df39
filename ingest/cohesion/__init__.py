"""How strongly neighbouring sentences hold together, and where a row of them is best cut."""
