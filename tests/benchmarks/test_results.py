"""Tables, kept results and the regression guard."""

from cliquerag.evaluation.benchmark import Report, Row, as_markdown, as_text

from benchmarks import results

REPORT = Report(
    "toy",
    (
        Row.mean("BM25", "hit@5", [1, 0, 0, 1]),
        Row.mean("CliqueRAG", "hit@5", [1, 1, 0, 1]),
        Row("BM25", "seconds", 2.5),
        Row("CliqueRAG", "seconds", 1.25),
        Row.difference("CliqueRAG", "hit@5", [1, 1, 0, 1], [1, 0, 0, 1]),
    ),
    notes=('Four questions with "rows": [] in the note.',),
    settings={"embedder": "none"},
)


def test_markdown_marks_the_best_of_each_column_in_its_direction():
    head, rule, bm25, ours, difference = as_markdown(REPORT).splitlines()
    assert head == "| system | hit@5 (n=4) | seconds |"
    assert rule == "| --- | ---: | ---: |"
    assert "**" not in bm25
    assert ours.count("**") == 4
    assert difference.startswith("| CliqueRAG minus RRF | +0.250 [0.000, ")


def test_text_columns_are_aligned_also_with_chinese():
    report = Report("x", (Row("公司", "n", 3), Row("abcd", "n", 1234)))
    assert as_text(report).splitlines()[2:] == ["公司        3", "abcd    1,234*"]


def test_columns_that_do_not_fit_go_into_a_table_below():
    rows = [Row(system, metric, 0.5) for system in ("a", "b") for metric in ("first measure", "second measure")]
    text = as_text(Report("x", tuple(rows)), width=24)
    one, other = text.split("\n\n")
    assert one.splitlines()[0] == "system  first measure" and other.splitlines()[0] == "system  second measure"
    assert max(map(len, text.splitlines())) <= 24
    assert len(as_text(Report("x", tuple(rows))).split("\n\n")) == 1


def test_many_metrics_go_down_and_their_differences_into_a_table_of_their_own():
    rows = [Row(system, f"m{i}", i / 10) for system in ("BM25", "CliqueRAG") for i in range(7)]
    report = Report("x", (*rows, Row.difference("CliqueRAG", "m3", [1, 1], [0, 1])))
    values, differences = as_markdown(report).split("\n\n")
    assert values.splitlines()[0] == "| system | BM25 | CliqueRAG |" and len(values.splitlines()) == 9
    assert differences.splitlines()[0] == "| system | CliqueRAG minus RRF |" and len(differences.splitlines()) == 3


def test_kept_reports_come_back_and_make_the_page(tmp_path):
    results.write_report(REPORT, tmp_path)
    kept = results.kept_reports(tmp_path)["toy"]
    assert kept.report.rows == REPORT.rows, "also an interval that begins at 0"
    assert kept.report.notes == REPORT.notes
    page = (tmp_path / "benchmarks.md").read_text(encoding="utf-8")
    assert "## toy" in page and kept.date in page and kept.machine in page
    assert results.regressions(kept.report, REPORT) == []


def worse(old, new):
    return results.regressions(Report("toy", (old,)), Report("toy", (new,)))


def test_pairs_find_a_small_steady_loss_that_intervals_would_hide():
    old = Row.mean("CliqueRAG", "recall", [0.2, 0.9, 0.4, 0.8] * 10)
    new = Row.mean("CliqueRAG", "recall", [v - 0.05 for v in old.values])
    assert old.low < new.value
    assert worse(old, new) == ["toy: recall of CliqueRAG fell from 0.575 to 0.525"]
    assert worse(new, old) == []


def test_noise_is_not_a_regression():
    old = Row.mean("CliqueRAG", "hit", [1, 0] * 20)
    new = Row.mean("CliqueRAG", "hit", [1, 0] * 19 + [0, 0])
    assert worse(old, new) == []


def test_costs_may_grow_by_a_quarter_and_go_the_other_way():
    assert worse(Row("x", "seconds", 2.0), Row("x", "seconds", 2.4)) == []
    assert worse(Row("x", "seconds", 2.0), Row("x", "seconds", 2.6)) == ["toy: seconds of x rose from 2 to 2.600"]
    assert worse(Row("x", "seconds", 2.0), Row("x", "seconds", 0.1)) == []


def test_lost_figures_are_named():
    assert results.regressions(Report("toy", (Row("x", "hit", 1.0),)), Report("toy", ())) == [
        "toy: hit of x is no longer measured"
    ]
