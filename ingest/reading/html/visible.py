"""What of an HTML tree is seen."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from ....core.rules import load_rules

_HIDDEN = frozenset(
    ("head", "script", "style", "noscript", "template", "ix:header", "ix:hidden", "svg", "iframe", "object")
)
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_SET_OFF = re.compile(r"(?:padding|margin)-left\s*:\s*(?:[2-9]|\d\d)[\d.]*(?:pt|px)", re.IGNORECASE)
BLANK = re.compile(r"[ \t\r\n\f\v\u00a0]+")


def visible_text(element: Any) -> str:
    """The visible text of an element on one line."""
    parts: list[str] = []
    hidden = 0
    from lxml import etree

    for event, node in etree.iterwalk(element, events=("start", "end")):
        if event == "start":
            hidden += is_hidden(node)
            if not hidden:
                parts.append(" " if node.tag in blocks() or node.tag == "br" or is_set_off(node) else "")
                parts.append(node.text or "")
        else:
            hidden -= is_hidden(node)
            if not hidden and node is not element:
                parts.append(" " if node.tag in blocks() else "")
                parts.append(node.tail or "")
    return BLANK.sub(" ", "".join(parts)).strip()


@cache
def blocks() -> frozenset[str]:
    """Elements that start a line of their own."""
    return frozenset(load_rules(__package__, "words.toml")["html"]["blocks"].split())


def is_hidden(element: Any) -> bool:
    """True for elements that are not shown, comments among them."""
    tag = element.tag
    return not isinstance(tag, str) or tag in _HIDDEN or bool(_HIDDEN_STYLE.search(element.get("style") or ""))


def is_set_off(element: Any) -> bool:
    """True for text within a line that stands off by its style alone: "Item 1." and "Business" without a blank."""
    style = element.get("style")
    return bool(style) and element.tag not in blocks() and _SET_OFF.search(style) is not None
