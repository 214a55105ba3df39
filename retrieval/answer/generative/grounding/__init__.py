"""What a model wrote, sentence by sentence, held against the evidence that it cites."""
