"""The console of the commands: its own colours are the only commands that reach the terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.console import Console
from rich.segment import Segment

from .common import for_terminal


class SafeConsole(Console):
    """A console that prints texts of documents as letters."""

    def render(self, renderable: Any, options: Any = None) -> Iterable[Segment]:
        """The parts to print, in order."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=for_terminal(segment.text))
