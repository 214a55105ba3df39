import pytest
from cliquerag.core.errors import UsageError
from cliquerag.ingest.facts.metric_mentions import find_metrics
from cliquerag.ingest.facts.metrics import default_metrics, load_metrics, metric_of, plain_label

NAMES = {
    "Total net revenues(1)": "revenue", "Net sales": "revenue", "一、营业总收入": "revenue",
    "其中：营业收入": "revenue",
    "PP&E, net": "property plant and equipment", "Property, plant and equipment, net": "property plant and equipment",
    "capex": "capital expenditures", "Purchases of property and equipment": "capital expenditures",
    "D&A": "depreciation and amortization", "DPO": "days payable outstanding", "EBITDA": "ebitda",
    "Net income (loss)": "net income", "Net loss": "net income", "净利润（净亏损以“－”号填列）": "net income",
    "Net income attributable to Acme Inc.": "net income attributable to shareholders",
    "Net income attributable to noncontrolling interests": "net income attributable to noncontrolling interests",
    "Net income per common share attributable to Acme basic": "basic earnings per share",
    "Diluted earnings per share attributable to owners of the parent": "diluted earnings per share",
    "归属于上市公司股东的净利润": "net income attributable to shareholders",
    "Net cash provided by/(used in) operating activities": "cash from operations",
    "Net cash (used)/provided by financing activities": "cash from financing",
    "Total stockholders’ equity": "total equity", "所有者权益（或股东权益）合计": "total equity",
    "Total Acme Inc. shareholders’ equity": "equity attributable to shareholders",
    "Trade accounts receivable, less allowance for doubtful accounts: 2021—$492": "accounts receivable",
    "基本每股收益（元／股）": "basic earnings per share", "减：营业成本": "cost of revenue",
    "GAAP operating income": "operating income", "Non-GAAP EBITDA": "adjusted ebitda",
    "1. Revenue from operations": "revenue", "(a) Tax expense": "income tax",
    "V. Profit before tax": "income before tax",
    "Cash & cash equivalents, including restricted, at beginning of year": (
        "cash and cash equivalents at beginning of period"
    ),
    "公司的法定代表人": "legal representative", "在职员工的数量合计": "employees", "Weather": "", "": "",
}  # fmt: skip


@pytest.mark.parametrize(("label", "metric"), NAMES.items())
def test_labels_have_one_canonical_name(label, metric):
    assert metric_of(label) == metric


def test_every_listed_name_leads_to_a_metric_and_a_canonical_name_to_itself():
    metrics = default_metrics()
    assert all(metric_of(name) == name for name in metrics.metrics)
    assert all(name in metrics.metrics for name in metrics.names.values())


def test_plain_labels_lose_marks_and_numbering():
    assert plain_label("（一）基本每股收益(元/股)") == "基本每股收益"
    assert plain_label("Less: Treasury stock, at cost (139 shares)*") == "treasury stock at cost"


def test_a_users_own_names_go_first(tmp_path):
    path = tmp_path / "own.toml"
    path.write_text('[metrics."gross merchandise value"]\nen = ["gmv"]\nzh = ["成交额"]\n', encoding="utf-8")
    own = load_metrics(path)
    assert own.find("GMV").name == "gross merchandise value"
    assert own.find("成交额").name == "gross merchandise value"
    assert own.find("Net sales").name == "revenue"


def test_a_broken_list_is_a_clear_error(tmp_path):
    path = tmp_path / "own.toml"
    path.write_text("[metrics", encoding="utf-8")
    with pytest.raises(UsageError, match=r"own\.toml"):
        load_metrics(path)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Cloud revenue rose and net income fell", [("revenue", "Cloud"), ("net income", "")]),
        ("our deferred revenue", [("deferred revenue", "")]),
        ("revenue growth was 5%", []),
        ("royalties recorded in our cost of revenue", []),
        ("实现营业收入11亿元，净利润2亿元", [("revenue", ""), ("net income", "")]),
    ],
)
def test_metrics_in_sentences(text, found):
    assert [(m.metric.name, m.narrowed) for m in find_metrics(text)] == found


def test_a_users_list_extends_the_shipped_one(tmp_path):
    path = tmp_path / "own.toml"
    path.write_text('[metrics.revenue]\nen = ["takings"]\n[metrics."arr"]\nen = ["arr"]\n', encoding="utf-8")
    own = load_metrics(path)
    assert [found.name for label in ("Takings", "Net sales") if (found := own.find(label))] == ["revenue", "revenue"]
    assert own.version and not default_metrics().version
    assert [m.metric.name for m in find_metrics("ARR was $5 million", own)] == ["arr"]
    assert find_metrics("ARR was $5 million") == []


LOSSES = {
    "Net loss": True, "Net Loss (Note 5)": True, "Operating loss": True, "净亏损": True, "五、净亏损（元）": True,
    "Basic loss per share": True, "Net loss per share, diluted": True, "Accumulated deficit": True,
    "Net loss attributable to Acme Inc.": True, "Net loss attributable to Acme per common share - diluted": True,
    "Net income (loss)": False, "Net (loss) income": False, "Net loss (income)": False, "Net income": False,
    "Net loss (income) attributable to Acme Inc.": False, "Impairment loss": False,
    "净利润（净亏损以“－”号填列）": False,
    "Earnings (loss) per share": False, "Weather loss": False,
}  # fmt: skip


@pytest.mark.parametrize(("label", "is_loss"), LOSSES.items())
def test_labels_that_name_only_a_loss_are_told_from_those_that_name_both(label, is_loss):
    assert default_metrics().names_loss(label) is is_loss
