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


_UNSEEN = re.compile(r"<(script|style|head)\b.*?</\1\s*>|<!--.*?-->", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<[^>]*>")


def is_html(text: str) -> bool:
    """True where the text begins like HTML, or like an EDGAR submission that wraps HTML."""
    head = text[:5_000]
    return bool(_HTML.match(head)) or bool(re.search(r"<html\b", head, re.IGNORECASE))


def read_html(text: str) -> Content:
    """The visible text as paragraphs, headings, lists and tables."""
    from ..reading.html.content import html_content

    content: Content = html_content(text)
    return content if content.text.strip() else _without_tags(text)


def _without_tags(text: str) -> Content:
    """The bare text, for pages that the parser gives up on: they nest thousands of elements."""
    visible = _UNSEEN.sub(" ", text)
    return read_plain("\n".join(line for line in unescape(_TAG.sub("\n", visible)).splitlines() if line.strip()))
