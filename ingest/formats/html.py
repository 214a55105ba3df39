"""HTML pages and EDGAR filings with inline XBRL: what is seen, in order; tables as tables."""

from __future__ import annotations

import re
from html import unescape

from .content import Content
from .text import read_plain

_HTML = re.compile(
    r"^\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body|div|table|p|document|sec-document)\b",
    re.IGNORECASE | re.DOTALL,
)
_HTML_TAG = re.compile(r"<html\b", re.IGNORECASE)
_UNSEEN = re.compile(r"<(script|style|head)\b.*?</\1\s*>|<!--.*?-->", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<[^>]*>")


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
    visible = _UNSEEN.sub(" ", text)
    words = unescape(_TAG.sub("\n", visible))
    return read_plain("\n".join(line for line in words.splitlines() if line.strip()))
