"""Speed, memory and cost, and how they grow."""
