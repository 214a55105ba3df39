"""HTML pages and EDGAR filings with inline XBRL: what is seen, in order; tables as tables."""

from __future__ import annotations

import re
from html import unescape

from .registry import Content, FileContent, Reader
from .text import read_plain

_HTML = re.compile(
    r"^\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--(?:(?!-->).)*-->\s*)*<(?:!doctype\s+html|html|head|body|div|table|p|document|sec-document)\b",
    re.IGNORECASE | re.DOTALL,
)
_HTML_TAG = re.compile(r"<html\b", re.IGNORECASE)
_UNSEEN = re.compile(r"<(script|style|head)\b|<!--", re.IGNORECASE)
_UNSEEN_ENDS = {
    "script": re.compile(r"</script\s*>", re.IGNORECASE),
    "style": re.compile(r"</style\s*>", re.IGNORECASE),
    "head": re.compile(r"</head\s*>", re.IGNORECASE),
    "comment": re.compile("-->"),
}


def is_html(text: str) -> bool:
    """True where the text begins like HTML, or like an EDGAR submission that wraps HTML."""
    head = text[:5_000]
    return bool(_HTML.match(head) or _HTML_TAG.search(head))


def read_html(text: str) -> Content:
    """The visible text as paragraphs, headings, lists and tables."""
    from ..reading.html.content import html_content

    content: Content = html_content(text)
    if content.text.strip():
        return content
    return _without_tags(text)


def _without_tags(text: str) -> Content:
    """The bare text, for pages that the parser gives up on: they nest thousands of elements."""
    words = unescape(_lines_without_tags(_without_unseen(text)))
    return read_plain("\n".join(line for line in words.splitlines() if line.strip()))


def _without_unseen(text: str) -> str:
    """Without scripts, styles, heads and comments; one that never ends is left."""
    kept: list[str] = []
    endless: set[str] = set()
    at = 0
    for opening in _UNSEEN.finditer(text):
        kind = (opening[1] or "comment").lower()
        if opening.start() < at or kind in endless:
            continue
        end = _UNSEEN_ENDS[kind].search(text, opening.end())
        if end is None:
            endless.add(kind)
            continue
        kept.append(text[at : opening.start()])
        at = end.end()
    kept.append(text[at:])
    return " ".join(kept)


def _lines_without_tags(text: str) -> str:
    """A line end in place of every tag."""
    kept: list[str] = []
    at = 0
    start = text.find("<")
    end = text.find(">", start)
    while 0 <= start < end:
        kept.append(text[at:start])
        at = end + 1
        start = text.find("<", at)
        end = text.find(">", start)
    kept.append(text[at:])
    return "\n".join(kept)


_SUFFIXES = (".html", ".htm", ".xhtml")


def _recognises(file: FileContent) -> bool:
    return file.suffix in _SUFFIXES or is_html(file.text)


HTML = Reader("HTML", _SUFFIXES, _recognises, lambda file: read_html(file.text), rank=35)
