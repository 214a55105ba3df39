"""Formulas as data: complete, consistent, and open to a user's own."""

import pytest
from cliquerag.core.errors import UsageError
from cliquerag.ingest.facts.metrics import default_metrics
from cliquerag.retrieval.calculation import default_formulas, load_formulas
from cliquerag.retrieval.question.vocabulary.expression import components

USUAL = [
    "gross margin", "operating margin", "net margin", "EBITDA", "EBITDA margin", "effective tax rate", "current ratio",
    "quick ratio", "cash ratio", "working capital", "operating cash flow ratio", "debt to equity", "interest coverage",
    "inventory turnover", "asset turnover", "fixed asset turnover", "DSO", "DIO", "DPO", "cash conversion cycle", "ROA",
    "ROE", "free cash flow", "FCF conversion", "capex to revenue", "dividend payout ratio", "net debt",
]  # fmt: skip
CHINESE = [
    "资产负债比率", "企业研发经费与利润比值", "营业利润率", "速动比率", "现金比率",
    "毛利率", "三费比重", "财务费用率", "营业成本率", "企业研发经费与营业收入比值",
    "净利润率", "企业研发经费占费用比例", "流动负债比率", "管理费用率", "投资收益占营业收入比率",
    "流动比率", "非流动负债比率", "研发人员占职工人数比例", "企业硕士及以上人员占职工人数比例", "存货周转率",
    "应收账款周转天数",
]  # fmt: skip


@pytest.mark.parametrize("name", USUAL + CHINESE)
def test_the_usual_ones_are_known_by_their_names(name):
    assert default_formulas().find(name) is not None


def test_every_component_is_a_metric_or_a_formula():
    known = default_metrics().metrics
    formulas = default_formulas().formulas
    parts = {name for formula in formulas.values() for way in formula.ways for name, _ in components(way)}
    assert {part for part in parts if part not in known and part not in formulas} == set()


def test_no_formula_needs_itself_unless_it_may_be_stated():
    formulas = default_formulas()
    for formula in formulas.formulas.values():
        needed = set().union(
            *(formulas.metrics(formulas.formulas[p]) for p in formula.inputs() if p in formulas.formulas)
        )
        assert formula.name not in needed


def test_names_are_not_taken_twice():
    formulas = default_formulas()
    assert {formulas.names[name] for name in formulas.names} == set(formulas.formulas)


def test_a_users_file_extends_and_replaces(tmp_path):
    path = tmp_path / "own.toml"
    path.write_text(
        '[formulas."quick ratio"]\ncompute = ["[cash and cash equivalents] / [total current liabilities]"]\n'
        '[formulas."rule of forty"]\nen = ["rule of 40"]\n'
        'compute = ["([revenue] - before([revenue])) / before([revenue]) + [operating margin]"]\nunit = "%"\n',
        encoding="utf-8",
    )
    formulas = load_formulas(path)
    assert formulas.find("quick ratio").inputs() == {"cash and cash equivalents", "total current liabilities"}
    assert formulas.find("Rule of 40").unit == "%"
    assert formulas.find("current ratio") is not None


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ('compute = ["[revenue] / [lucky number]"]', "lucky number"),
        ('compute = ["[revenue] /"]', "breaks off"),
        ('compute = ["[revenue]"]\nunit = "bananas"', "bananas"),
        ("balance = true", "compute"),
    ],
)
def test_a_wrong_file_says_what_is_wrong(tmp_path, rule, said):
    path = tmp_path / "own.toml"
    path.write_text(f'[formulas."x"]\n{rule}\n', encoding="utf-8")
    with pytest.raises(UsageError, match=said):
        load_formulas(path)
