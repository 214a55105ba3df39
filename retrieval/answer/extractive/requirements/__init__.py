"""What a quotation must meet: subject, relation, period, what a figure is of."""
