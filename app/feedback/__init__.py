"""Learning from use: a log of what people do with answers, on this machine alone, and what is made of it."""
