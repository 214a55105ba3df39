"""Learning an order of evidence from what people open. Plain arithmetic on arrays: it knows no log and no store."""
