"""A comparison as one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from string import Template

from .benchmark import Report, Row
from .comparison import COSTS, DECIDING, Comparison, Outcome, Piece
from .pictures import bars, recall_over_budget
from .questions import Question
from .tables import number

_PIECES = 12
"""Pieces of context shown a mode; the rest is counted."""
_TYPE_METRICS = 4
"""Measures shown for each type of question: the deciding ones."""
_MODES_BESIDE = 3
"""With more modes their differences do not fit beside them."""
_TIE = "tie"


def as_html(comparison: Comparison) -> str:
    """The whole page; opens from disk, loads nothing."""
    report = comparison.report()
    return _template().substitute(
        notes=escape(" ".join(comparison.notes())),
        verdict=_verdict(report, comparison.modes),
        cards="".join(_card(comparison, mode) for mode in comparison.modes),
        figures="".join(_figures(report, comparison)),
        curve=recall_over_budget(_curves(comparison), comparison.modes),
        table=_table(report, comparison.modes, comparison.metrics()),
        types=_types(comparison),
        filters="".join(_filters(comparison)),
        questions="".join(_question(comparison, question) for question in comparison.questions),
        settings=escape("; ".join(f"{key}: {value}" for key, value in comparison.settings.items())),
    )


@cache
def _template() -> Template:
    return Template(files(__package__).joinpath("comparison.html").read_text(encoding="utf-8"))


def _verdict(report: Report, modes: Sequence[str]) -> str:
    """What is beyond noise, a sentence a mode."""
    sentences = [_told(mode, modes[0], [row for row in report.rows if row.system == f"{mode} minus {modes[0]}"])
                 for mode in modes[1:]]  # fmt: skip
    return " ".join(sentences)


def _told(mode: str, first: str, rows: Sequence[Row]) -> str:
    said = []
    for way, sign in (("ahead of", 1), ("behind", -1)):
        found = [row for row in rows if _sign(row) == sign and row.metric not in COSTS]
        if found:
            listed = ", ".join(f"{escape(row.metric)} ({_signed(row.value)})" for row in found)
            said.append(f"{way} {escape(first)} in {listed}")
    told = "; ".join(said) or f"not different from {escape(first)} beyond noise"
    return f"<b>{escape(mode)}</b> is {told}."


def _card(comparison: Comparison, mode: str) -> str:
    won, of = comparison.wins()[mode], len(comparison.questions)
    return (
        f'<div class="card k{comparison.modes.index(mode)}"><span class="soft">{escape(mode)}</span>'
        f'<b>{won}</b><span class="soft small">of {of} questions won alone</span></div>'
    )


def _figures(report: Report, comparison: Comparison) -> Iterable[str]:
    for metric in comparison.metrics():
        rows = [row for row in report.rows if row.metric == metric and not _is_difference(row)]
        if rows and metric not in COSTS:
            yield bars(metric, rows, comparison.modes)


def _curves(comparison: Comparison) -> dict[str, dict[int, float]]:
    """Mode -> mean recall at each budget over the questions whose evidence is known."""
    curves: dict[str, dict[int, float]] = {}
    for mode in comparison.modes:
        found = [item.recall for item in comparison.outcomes if item.mode == mode and item.recall]
        budgets = sorted({budget for recall in found for budget in recall})
        curves[mode] = {budget: sum(r.get(budget, 0.0) for r in found) / len(found) for budget in budgets}
    return curves


def _table(report: Report, modes: Sequence[str], metrics: Sequence[str]) -> str:
    """A line a measure; a column a mode, then the differences to the first one; below where both are too wide."""
    cells = {(row.system, row.metric): row for row in report.rows}
    measured = [name for name in metrics if (modes[0], name) in cells]
    names = [f'<span class="dot k{i}"></span>{escape(mode)}' for i, mode in enumerate(modes)]
    values = [_values([cells[mode, metric] for mode in modes]) for metric in measured]
    columns = [f"{mode} minus {modes[0]}" for mode in modes[1:]]
    more = [[_difference(cells[name, metric], metric in COSTS) for name in columns] for metric in measured]
    labels = [f'{escape(metric)}<span class="range">n={cells[modes[0], metric].n}</span>' for metric in measured]
    heads = [escape(name) for name in columns]
    if len(modes) > _MODES_BESIDE:
        return _lines(names, labels, values) + _lines(heads, labels, more)
    return _lines([*names, *heads], labels, [one + other for one, other in zip(values, more, strict=True)])


def _lines(heads: Sequence[str], labels: Sequence[str], cells: Sequence[Sequence[str]]) -> str:
    head = f"<tr><th>measure</th>{''.join(f'<th>{name}</th>' for name in heads)}</tr>"
    body = (f"<tr><td>{label}</td>{''.join(line)}</tr>" for label, line in zip(labels, cells, strict=True))
    return f'<div class="table"><table>{head}{"".join(body)}</table></div>'


def _values(column: Sequence[Row]) -> list[str]:
    return [_cell(row, column) for row in column]


def _cell(row: Row, column: Sequence[Row]) -> str:
    values = [other.value for other in column]
    best = row.value == (min if row.lower_is_better else max)(values) and len(set(values)) > 1
    low, high = number(row.low or 0.0), number(row.high or 0.0)
    return f'<td{" class=best" if best else ""}>{number(row.value)}<span class="range">[{low}, {high}]</span></td>'


def _difference(row: Row, cost: bool) -> str:
    sign = _sign(row)
    good = (sign > 0) != cost
    mark = {1: "▲ ", -1: "▼ ", 0: ""}[sign]
    kind = f' class="{"up" if good else "down"}"' if sign else ""
    return (
        f"<td><span{kind}>{mark}{_signed(row.value)}</span>"
        f'<span class="range">[{_signed(row.low)}, {_signed(row.high)}]</span></td>'
    )


def _types(comparison: Comparison) -> str:
    sections = "".join(_type_section(comparison, kind) for kind in comparison.types())
    return f"<h2>By type of question</h2>{sections}" if sections else ""


def _type_section(comparison: Comparison, kind: str) -> str:
    asked = sum(question.type == kind for question in comparison.questions)
    table = _table(comparison.report(kind), comparison.modes, comparison.metrics()[:_TYPE_METRICS])
    return f'<h3>{escape(kind)} <span class="soft">{asked} questions</span></h3>{table}'


def _filters(comparison: Comparison) -> Iterable[str]:
    yield '<button data-won="" aria-pressed="true">all</button>'
    for mode in comparison.modes:
        yield f'<button data-won="{escape(mode)}" aria-pressed="false">{escape(mode)} won</button>'
    yield f'<button data-won="{_TIE}" aria-pressed="false">ties</button>'


def _question(comparison: Comparison, question: Question) -> str:
    verdict = comparison.verdict(question)
    single = verdict.winners[0] if len(verdict.winners) == 1 else ""
    color = f" k{comparison.modes.index(single)}" if single else ""
    told = " and ".join(verdict.winners) if verdict.winners else "no difference"
    chip = f'<span class="chip{" won" if single else ""}{color}">{escape(told)}</span>'
    kind = f'<span class="chip">{escape(question.type)}</span>' if question.type else "<span></span>"
    columns = "".join(_mode(comparison, item, verdict.winners) for item in comparison.of(question))
    return (
        f'<details data-won="{escape(single or _TIE)}"><summary><span>{escape(question.question)}</span>{kind}{chip}'
        f'</summary><div class="inside">{_known(question)}'
        f'<p class="reason{color}">{"Decided by " if verdict.metric else ""}{escape(verdict.reason)}</p>'
        f'<div class="columns">{columns}</div></div></details>'
    )


def _known(question: Question) -> str:
    """The right answer and where it stands, as far as the question set says."""
    parts = [f"<b>Reference:</b> {escape(question.answer)}"] if question.answer else []
    if question.source:
        pages = f", page {', '.join(map(str, question.pages))}" if question.pages else ""
        parts.append(f'<span class="soft">{escape(question.source)}{pages}</span>')
    return f"<p>{' &nbsp; '.join(parts)}</p>" if parts else ""


def _mode(comparison: Comparison, item: Outcome, winners: Sequence[str]) -> str:
    place = comparison.modes.index(item.mode)
    names = [name for name in (*DECIDING, *sorted(item.scores)) if name in item.scores]
    scores = "".join(f"<span>{escape(n)} <b>{number(item.scores[n])}</b></span>" for n in dict.fromkeys(names))
    shown = "".join(map(_piece, item.context[:_PIECES]))
    rest = len(item.context) - _PIECES
    more = f'<p class="soft small">and {rest} more</p>' if rest > 0 else ""
    trophy = '<span class="chip won">winner</span>' if item.mode in winners and len(winners) == 1 else ""
    return (
        f'<section class="mode k{place}{" winner" if trophy else ""}"><h3>{escape(item.mode)}{trophy}</h3>'
        f'<div class="answer">{escape(item.answer)}</div><div class="scores">{scores}'
        f"<span>{item.tokens:,} tokens</span><span>{item.seconds * 1000:,.0f} ms</span></div>{shown}{more}</section>"
    )


def _piece(piece: Piece) -> str:
    page = f", page {piece.page}" if piece.page else ""
    tag = '<span class="gold-tag">evidence ✓</span>' if piece.gold else ""
    return (
        f'<div class="piece{" gold" if piece.gold else ""}"><header><b>{escape(piece.leg)}</b>'
        f"<span>{escape(piece.kind)} · {escape(piece.source)}{page}</span>{tag}</header>"
        f"<div>{escape(piece.text)}</div></div>"
    )


def _is_difference(row: Row) -> bool:
    return row.better == "neither"


def _sign(row: Row) -> int:
    """1 or -1 where the interval leaves out zero, else 0."""
    if row.low is None or row.high is None:
        return 0
    return 1 if row.low > 0 else -1 if row.high < 0 else 0


def _signed(value: float | None) -> str:
    return "" if value is None else ("+" if value > 0 else "") + number(value)
