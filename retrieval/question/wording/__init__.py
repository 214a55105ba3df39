"""How a question is worded: what is asked, what is said around it, which answer is expected, slips of the pen."""
