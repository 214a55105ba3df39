"""A comparison as one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from itertools import chain
from math import log2
from string import Template

from ..core.anchor import at_page
from ..evaluation.benchmark import Report, Row, number
from ..evaluation.compare import COSTS, DECIDING, Comparison, Outcome, Piece
from ..evaluation.questions import Question
from .charts import Bar, Frame, Line, Point, Tick, bar_chart, line_chart, styled, svg
from .page import classes, element, page

_PIECES = 12
"""Pieces of context shown a mode; the rest is counted."""
_TYPE_METRICS = 4
"""Measures shown for each type of question: the deciding ones."""
_MODES_BESIDE = 3
"""With more modes their differences do not fit beside them."""
_TIE = "tie"
_BODY = Template("""<main>
<div class="cards">$cards</div>
<h2>Measures, with 95 % intervals</h2>
<div class="figures">$figures</div>
$curve
<h2>The same as a table</h2>
$table
<p class="soft small">Brackets: 95 % bootstrap intervals over the questions. Differences are paired, question by \
question; ▲ and ▼ mark those whose interval leaves out zero. The rest is noise.</p>
$types
<h2>Question by question</h2>
<div class="bar">$filters<input type="search" placeholder="Find in questions and answers" aria-label="Find"></div>
<div id="questions">$questions</div>
</main>""")
_CURVE = Frame(width=620, height=280, left=44, right=90, top=14, bottom=40, margin=12)


def comparison_html(comparison: Comparison) -> str:
    """The whole page; opens from disk, loads nothing."""
    report = comparison.report()
    notes, verdict = escape(" ".join(comparison.notes())), _verdict(report, comparison.modes)
    settings = "; ".join(f"{key}: {value}" for key, value in comparison.settings.items())
    return page(
        "comparison",
        title="Which retrieval answers better",
        lead=f'<p class="soft">{notes}</p>\n<p class="lead">{verdict}</p>',
        body=_BODY.substitute(
            cards="".join(_card(comparison, mode) for mode in comparison.modes),
            figures="".join(_figures(report, comparison)),
            curve=_recall_over_budget(comparison),
            table=_table(report, comparison.modes, comparison.metrics()),
            types=_types(comparison),
            filters=_filters(comparison.modes),
            questions="".join(_question(comparison, question) for question in comparison.questions),
        ),
        footer=settings,
    )


def _verdict(report: Report, modes: Sequence[str]) -> str:
    """What is beyond noise, a sentence a mode."""
    return " ".join(_sentence(report, mode, modes[0]) for mode in modes[1:])


def _sentence(report: Report, mode: str, first: str) -> str:
    differs: dict[int, list[str]] = {1: [], -1: [], 0: []}
    for row in report.rows:
        if row.system == f"{mode} minus {first}" and row.metric not in COSTS:
            differs[_sign(row)].append(f"{row.metric} ({_signed(row.value)})")
    ahead = f"ahead of {first} in {', '.join(differs[1])}" if differs[1] else ""
    behind = f"behind {first} in {', '.join(differs[-1])}" if differs[-1] else ""
    told = "; ".join(filter(None, (ahead, behind))) or f"not different from {first} beyond noise"
    return f"{element('b', escape(mode))} is {escape(told)}."


def _card(comparison: Comparison, mode: str) -> str:
    return element(
        "div",
        element("span", escape(mode), class_="soft"),
        element("b", str(comparison.wins()[mode])),
        element("span", f"of {len(comparison.questions)} questions won alone", class_="soft small"),
        class_=f"card k{comparison.modes.index(mode)}",
    )


def _figures(report: Report, comparison: Comparison) -> Iterable[str]:
    by_metric: dict[str, list[Row]] = {metric: [] for metric in comparison.metrics()}
    for row in report.rows:
        if row.system in comparison.modes and row.metric not in COSTS:
            by_metric[row.metric].append(row)
    for metric, rows in by_metric.items():
        if rows:
            yield _figure(metric, bar_chart(_bars(rows, comparison.modes), 374, 74))


def _bars(rows: Sequence[Row], modes: Sequence[str]) -> list[Bar]:
    """A bar a mode from 0 to 1, or to the largest end of an interval."""
    top = max(1.0, *(_upper(row) for row in rows))
    bars = []
    for row in rows:
        interval = None if row.low is None else (row.low / top, _upper(row) / top)
        bars.append(Bar(row.system, modes.index(row.system), row.value / top, number(row.value), interval))
    return bars


def _upper(row: Row) -> float:
    return row.value if row.high is None else row.high


def _recall_over_budget(comparison: Comparison) -> str:
    """Mean recall of the gold pages over the tokens of context, a line a mode; "" where no evidence is known.

    Budgets double from tick to tick, so the axis is logarithmic.
    """
    curves = _curves(comparison)
    budgets = sorted(set().union(*curves.values()))
    if not budgets:
        return ""
    span = log2(budgets[-1] / budgets[0]) or 1.0
    places = {budget: log2(budget / budgets[0]) / span for budget in budgets}
    lines = []
    for mode, curve in curves.items():
        points = [Point(places[budget], recall, f"{recall:.1%}, {budget:,} tokens") for budget, recall in curve.items()]
        lines.append(Line(mode, comparison.modes.index(mode), points))
    across = [Tick(place, f"{budget:,}") for budget, place in places.items()]
    up = [Tick(share, f"{share:.0%}") for share in (0, 0.25, 0.5, 0.75, 1)]
    title = "Recall of the evidence over the tokens of context"
    drawn = svg(_CURVE.width, _CURVE.height, line_chart(_CURVE, lines, across, up, styled), title=title)
    return _figure(title, drawn, "wide")


def _figure(caption: str, drawing: str, kind: str | None = None) -> str:
    return element("figure", element("figcaption", escape(caption)), drawing, class_=kind)


def _curves(comparison: Comparison) -> dict[str, dict[int, float]]:
    """Mode -> mean recall at each budget over the questions whose evidence is known."""
    curves: dict[str, dict[int, float]] = {}
    for mode in comparison.modes:
        found = [item.recall for item in comparison.outcomes if item.mode == mode and item.recall]
        if found:
            budgets = sorted(set().union(*found))
            curves[mode] = {budget: sum(recall.get(budget, 0.0) for recall in found) / len(found) for budget in budgets}
    return curves


def _table(report: Report, modes: Sequence[str], metrics: Sequence[str]) -> str:
    """A line a measure; a column a mode, then the differences to the first one; below where both are too wide."""
    cells = {(row.system, row.metric): row for row in report.rows}
    first = modes[0]
    differences = [f"{mode} minus {first}" for mode in modes[1:]]
    means = [[_head(mode, place) for place, mode in enumerate(modes)]]
    others = [[element("th", escape(name)) for name in differences]]
    labels = ["<th>measure</th>"]
    for metric in metrics:
        if (first, metric) in cells:
            column = [cells[mode, metric] for mode in modes]
            labels.append(element("td", escape(metric), element("span", f"n={column[0].n}", class_="range")))
            means.append([_cell(row, column) for row in column])
            others.append([_difference(cells[name, metric], is_cost=metric in COSTS) for name in differences])
    if len(modes) > _MODES_BESIDE:
        return _lines(labels, means) + _lines(labels, others)
    return _lines(labels, means, others)


def _head(mode: str, place: int) -> str:
    return element("th", element("span", class_=f"dot k{place}"), escape(mode))


def _lines(labels: Sequence[str], *blocks: Sequence[Sequence[str]]) -> str:
    """A table: the label of each line, then its cells in each block."""
    rows = [element("tr", label, *chain.from_iterable(cells)) for label, *cells in zip(labels, *blocks, strict=True)]
    return element("div", element("table", *rows), class_="table")


def _cell(row: Row, column: Sequence[Row]) -> str:
    """The value with its interval; the best of a column that differ is marked."""
    values = sorted({other.value for other in column}, reverse=row.lower_is_better)
    is_best = len(values) > 1 and row.value == values[-1]
    interval = element("span", f"[{number(row.low or 0.0)}, {number(row.high or 0.0)}]", class_="range")
    return element("td", number(row.value), interval, class_=classes(best=is_best))


def _difference(row: Row, *, is_cost: bool) -> str:
    """The difference with its interval; beyond noise with an arrow, in the colour of better or worse."""
    sign = _sign(row)
    arrow = {1: "▲ ", -1: "▼ "}.get(sign, "")
    good = -sign if is_cost else sign
    value = element("span", arrow, _signed(row.value), class_=classes(up=good > 0, down=good < 0))
    return element("td", value, element("span", f"[{_signed(row.low)}, {_signed(row.high)}]", class_="range"))


def _types(comparison: Comparison) -> str:
    sections = "".join(_type_section(comparison, kind) for kind in comparison.types())
    return f"<h2>By type of question</h2>{sections}" if sections else ""


def _type_section(comparison: Comparison, kind: str) -> str:
    asked = sum(question.type == kind for question in comparison.questions)
    heading = f"{escape(kind)} {element('span', f'{asked} questions', class_='soft')}"
    table = _table(comparison.report(kind), comparison.modes, comparison.metrics()[:_TYPE_METRICS])
    return element("h3", heading) + table


def _filters(modes: Sequence[str]) -> str:
    """Buttons that show the questions which a mode won alone; the script hides the others."""
    choices = {"": "all", **{mode: f"{mode} won" for mode in modes}, _TIE: "ties"}
    pressed = {"": "true"}
    buttons = []
    for won, label in choices.items():
        buttons.append(element("button", escape(label), data_won=won, aria_pressed=pressed.get(won, "false")))
    return "".join(buttons)


def _question(comparison: Comparison, question: Question) -> str:
    verdict = comparison.verdict(question)
    won = verdict.winners[0] if len(verdict.winners) == 1 else ""
    colour = f"k{comparison.modes.index(won)}" if won else ""
    told = " and ".join(verdict.winners) or "no difference"
    summary = element(
        "summary",
        element("span", escape(question.question)),
        element("span", escape(question.type), class_=classes(chip=question.type)),
        element("span", escape(told), class_=classes("chip", colour, won=won)),
    )
    reason = f"Decided by {verdict.reason}" if verdict.metric else verdict.reason
    columns = [_mode(comparison, item, is_winner=item.mode == won) for item in comparison.of(question)]
    inside = element(
        "div",
        _known(question),
        element("p", escape(reason), class_=classes("reason", colour)),
        element("div", *columns, class_="columns"),
        class_="inside",
    )
    return element("details", summary, inside, data_won=won or _TIE)


def _known(question: Question) -> str:
    """The right answer and where it stands, as far as the question set says."""
    parts = []
    if question.answer:
        parts.append(f"<b>Reference:</b> {escape(question.answer)}")
    if question.source:
        pages = ", ".join(map(str, question.pages))
        parts.append(element("span", escape(at_page(question.source, pages)), class_="soft"))
    return element("p", " &nbsp; ".join(parts)) if parts else ""


def _mode(comparison: Comparison, item: Outcome, *, is_winner: bool) -> str:
    """The answer of a mode, its scores and what it was made from."""
    names = dict.fromkeys(name for name in (*DECIDING, *sorted(item.scores)) if name in item.scores)
    scores = [f"{escape(name)} {element('b', number(item.scores[name]))}" for name in names]
    scores += [f"{item.tokens:,} tokens", f"{item.seconds * 1000:,.0f} ms"]
    chip = element("span", "winner", class_="chip won") if is_winner else ""
    left_out = len(item.context) - _PIECES
    return element(
        "section",
        element("h3", escape(item.mode), chip),
        element("div", escape(item.answer), class_="answer"),
        element("div", *(element("span", score) for score in scores), class_="scores"),
        *map(_piece, item.context[:_PIECES]),
        element("p", f"and {left_out} more", class_="soft small") if left_out > 0 else "",
        class_=classes("mode", f"k{comparison.modes.index(item.mode)}", winner=is_winner),
    )


def _piece(piece: Piece) -> str:
    where = at_page(f"{piece.kind} · {piece.source}", piece.page)
    head = [element("b", escape(piece.leg)), element("span", escape(where))]
    if piece.gold:
        head.append(element("span", "evidence ✓", class_="gold-tag"))
    text = element("div", escape(piece.text))
    return element("div", element("header", *head), text, class_=classes("piece", gold=piece.gold))


def _sign(row: Row) -> int:
    """1 or -1 where the interval leaves out zero, else 0."""
    if row.low is None or row.high is None:
        return 0
    return int(row.low > 0) - int(row.high < 0)


def _signed(value: float | None) -> str:
    if value is None:
        return ""
    return f"+{number(value)}" if value > 0 else number(value)
