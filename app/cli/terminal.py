"""Texts that documents may have written, without what would command a terminal."""

from __future__ import annotations

import re

COMMANDS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters but tabs and line ends, and those that turn the direction of writing round."""


def for_terminal(text: str) -> str:
    """The text as it may be printed: an escape sequence in it would rename the window, colour or clear the rest.

    >>> for_terminal("Acme\\x1b[2J rose")
    'Acme�[2J rose'
    """
    return COMMANDS.sub("\N{REPLACEMENT CHARACTER}", text)
