"""What of an HTML tree is seen."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from ....core.rules import load_rules

_HIDDEN = frozenset(
    ("head", "script", "style", "noscript", "template", "ix:header", "ix:hidden", "svg", "iframe", "object")
)
_HIDDEN_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*[01](?:\.\d{1,4})?(?:p[xt])?\s*(?:;|$)"
    r"|opacity\s*:\s*0(?:\.0{1,4})?\s*(?:;|$)|(?:left|top|text-indent)\s*:\s*-\d{4}",
    re.IGNORECASE,
)
"""White letters are not among them: they stand on a coloured ground over many a table."""
_SET_OFF = re.compile(r"(?:padding|margin)-left\s*:\s*(?:[2-9]|\d\d)[\d.]*(?:pt|px)", re.IGNORECASE)
BLANK = re.compile(r"[ \t\r\n\f\v\u00a0]+")


def visible_text(element: Any) -> str:
    """The visible text of an element on one line."""
    return BLANK.sub(" ", typed_text(element)).strip()


def typed_text(element: Any) -> str:
    """The visible text of an element with the blanks and line ends that were typed: what ``<pre>`` shows."""
    from lxml import etree

    parts: list[str] = []
    events = etree.iterwalk(element, events=("start", "end"))
    for event, node in events:
        if event == "start":
            if is_hidden(node):
                events.skip_subtree()
            else:
                parts += _at_start(node)
        elif node is not element:
            parts += _at_end(node)
    return "".join(parts)


def _at_start(node: Any) -> tuple[str, str]:
    """A blank where the element starts a line or stands off, and the text at its start."""
    stands_apart = node.tag in _tags_of_lines() or is_set_off(node)
    return " " if stands_apart else "", node.text or ""


def _at_end(node: Any) -> tuple[str, str]:
    """A blank where the element ends a line, and the text after it."""
    return " " if is_block(node) else "", node.tail or ""


def is_block(element: Any) -> bool:
    """True for elements that start a line of their own."""
    return element.tag in _block_tags()


@cache
def _block_tags() -> frozenset[str]:
    return frozenset(load_rules(__package__, "words.toml")["html"]["blocks"].split())


@cache
def _tags_of_lines() -> frozenset[str]:
    """Tags after which a new line begins."""
    return _block_tags() | {"br"}


def is_hidden(element: Any) -> bool:
    """True for elements that are not shown, comments among them."""
    if not isinstance(element.tag, str):
        return True
    if element.tag in _HIDDEN or element.get("hidden") is not None:
        return True
    return _HIDDEN_STYLE.search(element.get("style", "")) is not None


def is_set_off(element: Any) -> bool:
    """True for text within a line that stands off by its style alone: "Item 1." and "Business" without a blank."""
    if is_block(element):
        return False
    return _SET_OFF.search(element.get("style", "")) is not None
