-- The terms of a document counted once, so that a question reads only its own: the part named "terms" beside "words".

INSERT INTO part_of_document (document, name, data)
SELECT document, 'terms', count_words(data) FROM part_of_document WHERE name = 'words';
