"""HTML pages and EDGAR filings with inline XBRL: what is seen, in order; tables as tables."""

from __future__ import annotations

import re

from .content import Content

_HTML = re.compile(
    r"^\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body|div|table|p|document|sec-document)\b",
    re.IGNORECASE | re.DOTALL,
)


def is_html(text: str) -> bool:
    """True where the text begins like HTML, or like an EDGAR submission that wraps HTML."""
    head = text[:5_000]
    return bool(_HTML.match(head)) or bool(re.search(r"<html\b", head, re.IGNORECASE))


def read_html(text: str) -> Content:
    """The visible text as paragraphs, headings, lists and tables."""
    from .reading.html_blocks import html_content

    return html_content(text)
