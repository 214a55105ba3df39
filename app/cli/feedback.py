"""cliquerag feedback: what people did with answers, and what is made of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..core.anchor import at_page
from ..core.errors import UsageError
from .common import Face, command, counted, lines

if TYPE_CHECKING:
    from rich.console import Console

    from ..evaluation.learning.policy import Method
    from ..feedback.learning import Replay, Taught
    from ..feedback.measures import Rate
    from ..feedback.steering import Trial
    from ..workspace import Workspace

_MOVED = 20
"""Candidates that stand elsewhere, shown for people."""


@click.group()
def feedback() -> None:
    """What people did with answers, and what is made of it.

    It is noted beside the workspace, on this machine alone: by the desk (`cliquerag web`), elsewhere with
    CLIQUERAG_FEEDBACK=on. Nothing of it is ever sent.
    """


@contextmanager
def logged(face: Face, **settings: Any) -> Iterator[Workspace]:
    """The workspace of the command. Raises UsageError where nothing was noted."""
    with face.workspace(**settings) as workspace:
        if not workspace.feedback.has_log:
            hint = "Ask at the desk (`cliquerag web`), or set CLIQUERAG_FEEDBACK=on"
            raise UsageError("nothing was noted yet", hint=hint)
        yield workspace


@command(name="report")
def report(face: Face) -> None:
    """How answers are used: clicks, thumbs, questions asked again, with intervals."""
    from ..feedback.measures import report_of, uses_of

    with logged(face) as workspace:
        log = workspace.feedback.log
        found = report_of(uses_of(log), log.counts())

    def render(out: Console) -> None:
        asked = counted(found["answers"], "answers") or "no answers"
        out.print(f"{asked}, {counted(found['sessions'], 'sessions') or 'no sessions'}")
        out.print(", ".join(f"{kind} {count}" for kind, count in found["events"].items()), style="dim")
        print_rates(out, found["rates"])
        if found["median dwell, seconds"]:
            out.print(f"A page was open for {found['median dwell, seconds']:g} seconds (median)")
        if found["too few"]:
            out.print(found["too few"], style="yellow")
        for row in found["latest"]:
            out.print(f"{row['answer'][:8]}  {row['at'][:16]}  {row['verdict']:4}  {row['question']}", markup=False)

    face.show(found, render)


def print_rates(out: Console, rates: Sequence[Rate]) -> None:
    """A line a measure: mean, interval, answers and sessions."""
    from rich.table import Table

    table = Table("measure", "mean", "95 %", "answers", "sessions", box=None)
    for rate in rates:
        interval = f"{rate.low:.3f} to {rate.high:.3f}"
        table.add_row(rate.name, f"{rate.value:.3f}", interval, str(rate.answers), str(rate.sessions))
    out.print(table)


@command(
    click.argument("answer"),
    click.argument("what", type=click.Choice(["up", "down", "pin", "unpin", "note", "opened"])),
    click.option("--citation", "-n", type=click.IntRange(min=1), help="What [N] of it cites, not the whole answer."),
    click.option("--note", default="", help="Why."),
    name="say",
)
def say(face: Face, answer: str, what: str, citation: int | None, note: str) -> None:
    """Say of an answer that it was good or bad, or that a page answers its question.

    ANSWER is the id that `ask` prints (its beginning is enough).
    """
    kind, verdict = ("thumb", what) if what in ("up", "down") else (what, "")
    with face.workspace(feedback="on") as workspace:
        noted = workspace.feedback.signal(kind, answer, citation=citation, verdict=verdict, note=note)
    if not noted:
        face.failed = True
    face.show({"noted": noted}, lines(["Noted" if noted else "It could not be written"]))


@command(
    click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Write them as CSV for `compare`."),
    name="cases",
)
def cases(face: Face, out: Path | None) -> None:
    """Questions whose answers were found bad, with the pages that are known to answer them.

    `cliquerag compare --cases` asks them again.
    """
    from ..feedback.cases import as_csv, cases_of

    with logged(face) as workspace:
        found = cases_of(workspace.feedback.log)
    if out:
        out.write_text(as_csv(found), encoding="utf-8")
        face.say(f"Written: {out}")

    def render(shown: Console) -> None:
        for case in found:
            shown.print(f"{case.question}  {case.note}", markup=False)
            for word, places in (("answered by", case.right), ("not by", case.wrong)):
                for source, page in places:
                    shown.print(f"    {word} {at_page(source, page)}", markup=False, style="dim")
        if not found:
            shown.print("No answer was found bad.")

    face.show(found, render)


@command(
    click.option("--remove", type=int, metavar="ID", help="Take this pin off."),
    name="pins",
)
def pins(face: Face, remove: int | None) -> None:
    """Pages that somebody pinned for a question; they come first where it is asked again."""
    from ..feedback.cases import pins_of

    with logged(face) as workspace:
        if remove is not None:
            workspace.feedback.take_off(remove)
        standing = pins_of(workspace.feedback.log)
    told = [f"{pin.id:>4}  {at_page(pin.source, pin.page)}  {pin.question}" for pin in standing]
    face.show(standing, lines(told or ["No page is pinned."]))


@command(
    click.argument("answer"),
    name="replay",
)
def replay(face: Face, answer: str) -> None:
    """Search again as an answer was searched: the same ranking, or which version differs.

    With the flags, pins and weights of then. Exit code 1 where the ranking is another.
    """
    from ..feedback.learning import replay as search_again

    with logged(face) as workspace:
        found = search_again(workspace, answer)
    face.failed = not found.is_same
    face.show(found, lambda out: print_replay(out, found))


def print_replay(out: Console, found: Replay) -> None:
    """What a replay found, in words."""
    out.print(f"{found.question}  ({found.at[:16]}, {found.answer[:8]})", markup=False)
    if found.is_same:
        out.print(f"The same ranking: {counted(found.candidates, 'candidates') or 'no candidates'}")
    else:
        out.print("The ranking is another.", style="yellow")
    for part, (then, now) in (found.versions or {}).items():
        out.print(f"  {part}: {then} then, {now} now", markup=False)
    if not found.is_same and not found.versions:
        out.print("  No version differs: a setting or a file of your own words was changed in place.")
    for moved in found.moved[:_MOVED]:
        where = f"{moved.then or 'not there'} -> {moved.now or 'gone'}"
        scores = f"{moved.score_then:.4f} -> {moved.score_now:.4f}"
        out.print(f"  {where:16} {scores:20} {moved.source}", markup=False)


@command(
    click.argument("file", type=click.Path(path_type=Path, dir_okay=False)),
    click.option("--with-text", is_flag=True, help="Answers and notes too, which may quote documents."),
    name="export",
)
def export(face: Face, file: Path, with_text: bool) -> None:
    """Write the log as JSON lines, without what documents say, answers and notes."""
    from ..feedback.log import exported_lines

    count = 0
    with logged(face) as workspace, file.open("w", encoding="utf-8") as out:
        for line in exported_lines(workspace.feedback.log, with_text=with_text):
            out.write(line + "\n")
            count += 1
    face.show({"file": file, "events": count}, lines([f"{counted(count, 'events') or 'No events'}: {file}"]))


def _delete_from_desk(workspace: Workspace) -> int:
    """Delete the thumbs, notes and pins that the desk keeps in a table of its own; conversations stay."""
    from ..side_files import file_beside
    from ..web.notebook import Notebook

    path = file_beside(workspace.settings.workspace, "desk")
    if path is None or not path.is_file():
        return 0
    notebook = Notebook(path)
    try:
        return notebook.delete_feedback()
    finally:
        notebook.close()


@command(
    click.option("--session", default="", help="Only what this session did."),
    click.option("--answer", default="", help="Only this answer and what was said of it (its whole id)."),
    click.option("--all", "everything", is_flag=True, help="All of it, pins and learned weights too."),
    click.option("--yes", is_flag=True, help="Do not ask."),
    name="delete",
)
def delete(face: Face, session: str, answer: str, everything: bool, yes: bool) -> None:
    """Delete what was noted; it is overwritten in the file."""
    if sum(map(bool, (session, answer, everything))) != 1:
        raise UsageError("what is to be deleted?", hint="Give one of --session, --answer and --all")
    with logged(face) as workspace:
        if not yes and not face.as_json:
            click.confirm("Delete it for good?", abort=True)
        count = workspace.feedback.log.delete(session=session, answer=answer)
        if everything:
            count += _delete_from_desk(workspace)
    face.show({"deleted": count}, lines([f"Deleted: {counted(count, 'events') or 'nothing'}"]))


@command(
    click.option("--policy", type=click.Choice(["reinforce", "ppo"]), help="Train the experimental policy instead."),
    click.option("--dry-run", is_flag=True, help="Say what would be learned, and change nothing."),
    click.option("--undo", is_flag=True, help="Take back the last weights that were learned."),
    name="learn",
)
def learn(face: Face, policy: Method | None, dry_run: bool, undo: bool) -> None:
    """Learn from what was opened how much each share of a score should count.

    Kept only where an interval over sessions held back leaves out harm; run it nightly. The policy counts only where
    its flag is on (CLIQUERAG_FLAGS="policy=on").
    """
    from ..feedback.learning import teach
    from ..feedback.log import undo_weights

    if undo and (policy or dry_run):
        raise UsageError("--undo stands alone", where="--undo")
    with logged(face) as workspace:
        log = workspace.feedback.log
        if undo:
            undone = undo_weights(log)
            said = "The weights before them count again." if undone else "Nothing was learned that could be taken back."
            face.show({"undone": undone}, lines([said]))
            return
        taught = teach(log, policy, keep=not dry_run)
    found = [{**asdict(one), "accepted": one.is_accepted, "said": one.said} for one in taught]
    face.show(found, lambda out: print_lessons(out, taught))


def print_lessons(out: Console, taught: Sequence[Taught]) -> None:
    """What was learned for each kind of search: old and new weights, and whether they count."""
    from rich.table import Table

    if not taught:
        out.print("No answer was noted that could be learned from.")
    for one in taught:
        out.print(f"{one.kind}: {one.said}", markup=False)
        if one.old is None or one.new is None:
            continue
        table = Table("weight", "old", "new", box=None)
        for name, value in one.old.items():
            table.add_row(name, f"{value:g}", f"{one.new[name]:g}")
        out.print(table)


@command(
    click.argument("flag"),
    name="ab",
)
def ab(face: Face, flag: str) -> None:
    """Compare sessions, or interleaved answers, with a flag and without it.

    Flags are tried by CLIQUERAG_FLAGS: "graph_leg=50%" for half of the sessions, "graph_leg=interleave" to mix both
    rankings in each answer.
    """
    from ..feedback.measures import uses_of
    from ..feedback.steering import trial_of

    with logged(face) as workspace:
        found = trial_of(flag, uses_of(workspace.feedback.log))
    face.show(found, lambda out: print_trial(out, found))


def print_trial(out: Console, found: Trial) -> None:
    """Both ways of comparing, and what they tell."""
    from rich.table import Table

    table = Table("measure", "on", "off", "difference", "95 %", "answers", "sessions", "", box=None)
    for row in found.by_sessions:
        interval = f"{row.low:+.3f} to {row.high:+.3f}"
        counts = [f"{pair[0]} / {pair[1]}" for pair in (row.answers, row.sessions)]
        table.add_row(
            row.name, f"{row.on:.3f}", f"{row.off:.3f}", f"{row.difference:+.3f}", interval, *counts, row.said
        )
    if found.by_sessions:
        out.print(table)
    if found.mixed:
        mixed = found.mixed
        told = f"Interleaved: preferred with it {mixed.won}, without it {mixed.lost}, both {mixed.tied}"
        out.print(f"{told}; {mixed.preference:+.3f} ({mixed.low:+.3f} to {mixed.high:+.3f})")
    out.print(found.said, style="yellow" if found.is_thin else None)


for _command in (report, say, cases, pins, replay, learn, ab, export, delete):
    feedback.add_command(_command)
