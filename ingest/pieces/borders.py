"""Headings of a text at hand as hard borders: what stands under another title is not similar because it is near."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from ...core.errors import DocumentError
from ..chunk import Break, Sentence
from ..sentences import split_text


def sentences_under_headings(text: str) -> list[Sentence]:
    """The sentences of a text, ``Break.HARD`` before its headings, of several in a row before the first.

    Headings are those that the reader of the text finds: Markdown titles, numbered items, lines in capitals. In a text
    that its reader would rewrite (HTML, subtitles) there are none.
    """
    sentences: list[Sentence] = []
    for start, end in pairwise([0, *_headings(text), len(text)]):
        part = split_text(text[start:end])  # apart, so that no short heading joins the text above it
        for at, sentence in enumerate(part):
            is_border = at == 0 and bool(sentences)
            before = Break.HARD if is_border else sentence.before
            moved = replace(sentence, start=start + sentence.start, end=start + sentence.end, before=before)
            sentences.append(moved)
    return sentences


def _headings(text: str) -> list[int]:
    """Where headings begin that no heading stands right before."""
    from ..formats.registry import FileContent, reader_of

    file = FileContent(b"", Path(), given_text=text)
    try:
        content = reader_of(file).read(file)
    except DocumentError:  # no text in it, or a format that cannot be read: there are no headings
        return []
    if content.text != text:
        return []
    found: list[int] = []
    after_heading = False
    for segment in content.segments:
        is_heading = segment.kind == "heading"
        if is_heading and not after_heading:
            found.append(text.rfind("\n", 0, segment.start) + 1)  # with the signs of a title before it
        after_heading = is_heading
    return found
