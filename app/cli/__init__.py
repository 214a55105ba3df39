"""The command line: thin commands over :class:`cliquerag.Workspace`."""

from __future__ import annotations

import atexit
import gc
import io
import sys
import warnings
from typing import Any

import click

from .. import __version__
from ..core.errors import CliqueRAGError
from . import adding, asking, comparing, facts, feedback, graph, inspecting, keeping, reporting, serving, setting_up
from .common import FAILED, echo_error, report_error

COMMANDS: tuple[click.Command, ...] = (
    adding.add,
    adding.read,
    adding.load,
    asking.ask,
    asking.chat,
    asking.search,
    reporting.report,
    facts.facts,
    facts.calc,
    facts.sql,
    inspecting.chunk,
    inspecting.extract,
    inspecting.tables,
    keeping.docs,
    keeping.remove,
    keeping.enrich,
    keeping.status,
    graph.graph,
    comparing.compare,
    comparing.evaluate,
    serving.web,
    feedback.feedback,
    serving.serve,
    serving.mcp,
    setting_up.setup,
    keeping.doctor,
    keeping.config,
    setting_up.demo,
)


_OBJECTS_A_COLLECTION = 50_000
"""Containers made before Python looks for garbage that refers to itself, of which we make little: at its own 700 that
took a tenth of a question's processor time."""


class CommandLine(click.Group):
    """Lists commands in the order of a day's work, and reports wrong use as any other error."""

    def list_commands(self, context: click.Context) -> list[str]:
        """Names as registered."""
        return list(self.commands)

    def main(self, *arguments: Any, **options: Any) -> Any:
        """Run and exit: 0 done, 1 failed, 2 wrong use."""
        warnings.showwarning = _show_warning  # type: ignore[assignment]
        gc.set_threshold(_OBJECTS_A_COLLECTION)
        atexit.register(gc.freeze)  # else Python looks for garbage in all that was loaded, .05 s, as it ends
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")  # of a letter that a terminal does not have, a "?"
        try:
            sys.exit(super().main(*arguments, **{**options, "standalone_mode": False}) or 0)
        except click.UsageError as error:
            if "--json" in sys.argv:
                echo_error(CliqueRAGError(error.format_message()))
            error.show()
            sys.exit(error.exit_code)
        except click.Abort:
            report_error(CliqueRAGError("interrupted"), "--json" in sys.argv)
            sys.exit(FAILED)


def _show_warning(message: Warning | str, *_: Any) -> None:
    """What is wrong, without the line of code that noticed it."""
    click.echo(f"Warning: {message}", err=True)


@click.group(cls=CommandLine, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="cliquerag")
def main() -> None:
    """Ask questions of financial documents; every sentence of an answer points to a page.

    Start with `cliquerag demo`, or with `cliquerag add FOLDER` and `cliquerag ask "QUESTION"`.
    """


for _command in COMMANDS:
    main.add_command(_command)
