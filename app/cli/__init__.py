"""The command line: thin commands over :class:`cliquerag.Workspace`."""

from __future__ import annotations

import click

from .. import __version__
from . import adding, asking, comparing, demo, facts, graph, inspecting, keeping, numbers, system

COMMANDS: tuple[click.Command, ...] = (
    adding.add,
    asking.ask,
    asking.search,
    facts.facts,
    numbers.calc,
    numbers.sql,
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
    comparing.bench,
    comparing.bench_check,
    system.doctor,
    system.config,
    demo.demo,
)


class InOrder(click.Group):
    """Lists commands in the order of a day's work, not of the alphabet."""

    def list_commands(self, context: click.Context) -> list[str]:
        """Names as registered."""
        return list(self.commands)


@click.group(cls=InOrder, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="cliquerag")
def main() -> None:
    """Ask questions of financial documents; every sentence of an answer points to a page.

    Start with `cliquerag demo`, or with `cliquerag add FOLDER` and `cliquerag ask "QUESTION"`.
    """


for _command in COMMANDS:
    main.add_command(_command)
