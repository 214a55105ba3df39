"""How a question is worded: what is asked, what is said around it, how the answer is wished, slips of the pen."""
