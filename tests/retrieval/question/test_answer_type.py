"""Which kind of answer a question expects."""

import pytest
from cliquerag.retrieval.question.question import read_question
from cliquerag.retrieval.question.wording.answer_type import expected_answer, only_points


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Who sued Acme and over what?", "name"),
        ("Which companies compete with Acme?", "name"),
        ("What are three main companies acquired by Acme?", "name"),
        ("Were there nominees who had more votes than others?", ""),
        ("What is the company paid on a cost-plus contract?", ""),
        ("When does the second plant open?", "time"),
        ("When will Acme open its second plant?", "future"),
        ("When is the merger expected to close?", "future"),
        ("二期工厂预计什么时候投产？", "future"),
        ("Where is the headquarters of Acme?", "place"),
        ("Where is the ratio defined?", "meaning"),
        ("Why did the margin fall?", "reason"),
        ("How many stores does Acme run?", "count"),
        ("By how many percentage points did it grow?", ""),
        ("How is the discount rate determined?", "meaning"),
        ("Were there any acquisitions in 2023?", "existence"),
        ("谁是公司的法定代表人？", "name"),
        ("公司有多少员工？", "count"),
        ("毛利率为什么下降？", "reason"),
        ("工厂什么时候投产？", "time"),
    ],
)
def test_the_kind_is_read_from_the_question(question, kind):
    found = expected_answer(read_question(question)).kind
    assert ("" if found == "amount" else found) == kind


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("Please refer to Note 12 for details.", True),
        ("The costs incurred were as follows:", True),
        ("Net income was hit by the items affecting operating income discussed above.", True),
        ("10.6 Supply Agreement between Bolt and Acme (Exhibit (10)(vi) to the Form 10-K for 2006)", True),
        ("Thank you. Can you comment on prices?", True),
        ("详见财务报表附注。", True),
        ("For patent litigation, see Note 12A1.", True),
        ("Copyright 2024 Acme Inc.", True),
        ("We use patent, trademark and copyright laws to protect what we make.", False),
        ("Acme refers customers to its dealers.", False),
        ("The shareholder proposal on a report about emissions policies was defeated:", False),
    ],
)
def test_what_only_points_elsewhere(text, points):
    assert only_points(text) is points


def test_what_is_counted_may_go_by_another_name():
    asked = expected_answer(read_question("How many people did Acme employ?"))
    assert asked.is_held("Its total workforce was 156,000.") and not asked.is_held("It has 12 plants.")
    assert not asked.is_held("Its workforce grew.")


@pytest.mark.parametrize(
    ("sentence", "counts"),
    [
        ("At August 29, 2021, we operated 815 membership warehouses worldwide.", True),
        ("Warehouses in operation at year end: 815 in 12 countries.", True),
        ("We opened 22 new warehouses and closed three.", True),
        ("The number of warehouses was 815.", True),
        ("Our warehouses contained approximately 118.9 million square feet of floor space.", False),
        ("A warehouse carries 4,000 products on average.", False),
    ],
)
def test_a_number_counts_what_stands_behind_it(sentence, counts):
    assert expected_answer(read_question("How many warehouses does Acme operate?")).is_held(sentence) is counts


@pytest.mark.parametrize(
    "sentence",
    [
        "Employees: 5,200 worldwide.",
        "The number of employees was approximately 5,000 globally.",
        "At year end we had 4,500 highly skilled and motivated employees.",
        "We had 10,200 full- and part-time employees.",
        "Our employees totaled 6,100 across 30 countries.",
        "Its workforce of 156,000 includes 50,000 members of unions.",
    ],
)
def test_employees_are_counted_in_many_words(sentence):
    assert expected_answer(read_question("How many employees does Acme have?")).is_held(sentence)


def test_a_day_without_a_year_and_a_weekday_say_when():
    expected = expected_answer(read_question("When does Acme's fiscal year end?"))
    assert expected.is_held("Our fiscal year ends on the Friday closest to November 30.")
    assert expected.is_held("The fiscal year ends on the last Saturday of September.")
    assert not expected.is_held("Our fiscal year has 52 or 53 weeks.")


def test_what_happened_does_not_say_when_something_will():
    asked = expected_answer(read_question("When will Acme launch a cheaper plan?"))
    assert asked.is_held("The plan is expected to launch in 2026.") and not asked.is_held("We launched it in 2007.")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("When does Acme expect sales to peak?", "Our best expectation is that sales should peak in mid-2022."),
        ("Why does Acme buy small firms?", "We do so with the intent of learning from them."),
        ("Why does Acme hedge?", "Our hedges are designed to keep costs level."),
    ],
)
def test_an_expectation_and_a_purpose_are_told_in_these_words_too(question, told):
    assert expected_answer(read_question(question)).is_held(told)


def test_what_is_owed_to_somebody_is_no_reason() -> None:
    asked = expected_answer(read_question("Why did Acme's marketing expense change?"))
    assert not asked.is_held("Amounts that marketing partners owe are due to us in 30 days.")
    assert not asked.is_held("Receivables include marketing funds due to the Company.")
    assert asked.is_held("Marketing expense rose due to the launch of two brands.")
