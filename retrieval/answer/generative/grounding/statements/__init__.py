"""Does a sentence say what its source says, figures aside: its names, causes, comparisons, denials and opposites."""
