"""What every engine shares: encodings, counts of terms, scope filters, what is prepared before a write."""
