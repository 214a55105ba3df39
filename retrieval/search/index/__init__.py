"""What is searched: corpus statistics, BM25, dense vectors, ranking units."""
