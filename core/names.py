"""Names of companies, people and things in one comparable form."""
