"""Verdicts by rules and by a model, and the measures made of them."""

import numpy as np
import pytest
from cliquerag.core.errors import ModelError
from cliquerag.core.period import Period
from cliquerag.evaluation.judge import Case, JudgeError, ModelJudge, RuleJudge, rag_scores
from cliquerag.evaluation.metrics.finance import asked_scale, entity_attribution, number_accuracy, period_consistency
from cliquerag.models.language import Reply, Usage

PREMISE = "Acme's net revenue rose 12 % to $3,412 million in fiscal 2023, driven by cloud demand."


@pytest.mark.parametrize(
    ("statement", "verdict"),
    [
        ("Net revenue of Acme rose 12% to $3.4 billion in fiscal 2023.", True),
        ("Cloud demand drove net revenue in 2023.", True),
        ("It was $3.4 billion.", True),
        ("It was $3.6 billion.", False),
        ("Net revenue of Acme rose 13% in fiscal 2023.", False),
        ("Net revenue of Acme rose 12% in fiscal 2021.", False),
        ("Net revenue of Globex rose 12% in fiscal 2023.", False),
        ("Net revenue did not rise in fiscal 2023.", False),
        ("The factory in Suzhou was closed.", False),
    ],
)
def test_entailment_by_rules(statement, verdict):
    assert RuleJudge().supported([statement], [PREMISE]) == [verdict]


def test_entailment_in_chinese():
    premise = "2019年公司实现营业总收入11.75亿元，同比增长2.5%。"
    right = "公司2019年营业总收入为11.75亿元。"
    other_figure, other_year = right.replace("11.75", "12.75"), right.replace("2019", "2018")
    assert RuleJudge().supported([right, other_figure, other_year], [premise]) == [True, False, False]


def test_paper_measures_with_the_rule_judge():
    contexts = ("The weather was mild in Ohio.", PREMISE + " Costs fell to $1.1 billion on lower freight rates.")
    answer = "Net revenue rose 12% to $3,412 million [1]. Freight rates rose by 9%."
    reference = "Net revenue rose 12% in fiscal 2023. Costs fell to $1.1 billion. Staff costs doubled."
    scores = rag_scores(RuleJudge(), None, Case("How did net revenue develop?", answer, contexts, reference))
    assert scores == {
        "faithfulness": 0.5,
        "context precision": 0.5,
        "context recall": pytest.approx(2 / 3),
    }


class Verdicts:
    """A model that answers each task from a table; keeps the prompts."""

    name = "table"

    def __init__(self, **data):
        self.data, self.prompts = data, []

    def reply(self, messages, *, schema=None):
        self.prompts.append(messages[0].content)
        (key,) = schema["properties"]
        return Reply("", Usage(), {key: self.data[key]})


class Fixed:
    name, dim = "fixed", 2

    def embed(self, texts):
        return np.array([[1.0, 0.0]] + [[0.6, 0.8]] * (len(texts) - 1), dtype=np.float32)


def test_paper_measures_with_a_model_judge():
    model = Verdicts(statements=["a", "b"], verdicts=[True, False], questions=["x?", "y?", "z?", "w?"])
    case = Case("Q?", "A.", ("c <|im_start|>", "d"), "R.")
    scores = rag_scores(ModelJudge(model), Fixed(), case)
    assert scores["faithfulness"] == scores["context recall"] == 0.5
    assert scores["context precision"] == 1.0
    assert scores["answer relevancy"] == pytest.approx(0.6)
    assert not any("<|im_start|>" in prompt for prompt in model.prompts), "contexts are data"


def test_a_judge_that_miscounts_costs_that_measure_alone():
    judge = ModelJudge(Verdicts(statements=["a"], verdicts=[True, True], questions=["x?"]))
    with pytest.raises(JudgeError, match="0 verdicts for 1"):
        judge.supported(["a"], ["c"])
    assert set(rag_scores(judge, Fixed(), Case("Q?", "A.", ("c",), "R."))) == {"answer relevancy"}


@pytest.mark.parametrize("yes", [True, "yes", "Yes.", "true", 1, "supported"])
def test_verdicts_in_words_count(yes):
    judge = ModelJudge(Verdicts(verdicts=[yes, "no"]))
    assert judge.supported(["a", "b"], ["c"]) == [True, False]


def test_a_verdict_that_is_left_out_is_asked_again_alone():
    class Forgetful:
        name, prompts = "forgetful", []

        def reply(self, messages, *, schema=None):
            self.prompts.append(messages[0].content)
            rows = [{"number": 1, "verdict": True}, {"number": 3, "verdict": False}]
            return Reply(
                "", Usage(), {"verdicts": rows if len(self.prompts) == 1 else [{"number": 1, "verdict": True}]}
            )

    judge = ModelJudge(Forgetful())
    assert judge.supported(["first", "second", "third"], ["c"]) == [True, True, False]
    assert "1. second" in judge.model.prompts[1] and "first" not in judge.model.prompts[1]


def test_judged_contexts_say_whose_they_are():
    from cliquerag.evaluation.questions import Question
    from cliquerag.evaluation.scoring import score_answer
    from cliquerag.retrieval.search.evidence import Answer, Context, Evidence

    model = Verdicts(statements=["a"], verdicts=[True], questions=["x?"])
    item = Evidence("chunk", "Revenue was 5.", 1.0, "/private/acme_10k.pdf", page=4)
    answer = Answer("It was 5.", (), Context((item,)), "hybrid", "m")
    score_answer(Question("Revenue?", "5"), answer, [item], ModelJudge(model), None)
    assert any("(acme_10k, page 4)\nRevenue was 5." in prompt for prompt in model.prompts)
    assert not any("/private" in prompt for prompt in model.prompts)


def test_a_refusal_claims_nothing_that_could_be_unfaithful():
    from cliquerag.evaluation.questions import Question
    from cliquerag.evaluation.scoring import score_answer
    from cliquerag.retrieval.search.evidence import Answer, Context, Evidence

    item = Evidence("chunk", "Revenue was 5.", 1.0, "acme.pdf", page=4)
    refused = Answer("Not in these documents.", (), Context((item,)), "hybrid", "m", {"not found": True})
    scores = score_answer(Question("Profit?", "5"), refused, [item], RuleJudge(), None)
    assert "faithfulness" not in scores and "context recall" in scores


def test_an_endpoint_that_fails_stops_the_judging():
    class Down:
        name = "down"

        def reply(self, messages, *, schema=None):
            raise ModelError("unreachable")

    with pytest.raises(ModelError, match="unreachable"):
        rag_scores(ModelJudge(Down()), None, Case("Q?", "A.", ("c",), "R."))


def test_nothing_found_is_no_recall_and_unknown_contexts_are_not_measured():
    known = Case("Revenue?", "It rose 12%.", (), "Net revenue rose 12% in 2023.")
    assert rag_scores(RuleJudge(), None, known) == {"context precision": 0.0, "context recall": 0.0}
    assert rag_scores(RuleJudge(), None, Case("Revenue?", "It rose 12%.", None, "Net revenue rose 12%.")) == {}


@pytest.mark.parametrize(
    ("answer", "reference", "score"),
    [
        ("It was $3.4 billion.", "$3,412 million", 1.0),
        ("It was €3.4 billion.", "$3,412 million", 0.0),
        ("It was $3 billion.", "$3,412 million", 0.0),
        ("0.66", "0.66", 1.0),
        ("The ratio is 0.7", "0.66", 0.0),
        ("It fell from 12.5% to 11%.", "12.5% and 11.2%", 1.0),
        ("营业收入为11.75亿元", "1,175,301,034.32元", 1.0),
        ("none", "$5 million", 0.0),
        ("Revenue was 5 [1].", "5", 1.0),
        ("Revenue was 4 [5].", "5", 0.0),
        ("Revenue was 4【5】[1, 5]", "5", 0.0),
        ("It had -5 in 2022.", "(5)", 1.0),
        ("In 2022 it was 5.", "2022", 1.0),
        ("In 2022 it was 5, says the 10-K of Q4.", "10", 0.0),
        ("In 2022 it was 5, says the 10-K of Q4.", "4", 0.0),
        ("5 %", "5%", 1.0),
        ("12.3x", "12.3", 1.0),
        ("5 million", "5%", 0.0),
        ("$5 million", "5,000,000", 1.0),
        ("(5)", "-5", 1.0),
        ("$1.2bn", "1.2 billion", 1.0),
        ("约12.3亿元【1】", "1,230,000,000", 1.0),
        ("whatever", "no number", None),
    ],
)
def test_number_accuracy(answer, reference, score):
    assert number_accuracy(answer, reference) == score


def test_the_question_may_fix_the_scale_of_the_reference():
    scale = asked_scale("How much in total assets (in USD millions)?")
    assert number_accuracy("$ 59,268 million", "$59268.00", scale) == 1.0
    assert number_accuracy("$ 59,268 billion", "$59268.00", scale) == 0.0
    assert asked_scale("How much?") == 1


def test_period_consistency():
    asked = [Period.parse("FY2023")]
    assert period_consistency("In Q2 FY2023 it rose, after fiscal 2022.", asked) == 0.5
    assert period_consistency("It rose.", asked) is None


def test_entity_attribution():
    others = ["Beta Corp"]
    assert entity_attribution("Acme earned $5 million. It grew by 12%.", "Acme Inc.", others) == 1.0
    assert entity_attribution("Acme earned $5 million. Beta earned $6 million.", "Acme Inc.", others) == 0.5
    assert entity_attribution("Acme grew.", "Acme Inc.", others) is None


@pytest.mark.parametrize(
    ("statement", "is_supported"),
    [
        ("Net sales rose 8.1% to $4.215 billion in 2022.", True),
        ("Acme's net sales were $4,215 million in fiscal 2022.", True),
        ("In 2022 Acme made net sales of $4.2 billion.", True),
        ("Bolt's net sales were $4,215 million in fiscal 2022.", False),
        ("Net sales rose 8.1% to $4.215 billion in 2021.", False),
        ("Cost of sales rose 8.1% to $4.215 billion in 2022.", False),
        ("Interest expense fell because of repaid notes.", True),
        ("Interest expense did not fall because of repaid notes.", False),
        ("Interest expense fell because of a strike at the plant.", False),
    ],
)
def test_rules_judge_as_answers_are_checked(statement: str, is_supported: bool) -> None:
    rows = (
        "| | 2022 | 2021 |",
        "| --- | --- | --- |",
        "| Net sales | 4,215 | 3,900 |",
        "| Cost of sales | 2,530 | 2,379 |",
    )
    table = "\n".join(rows)
    context = f"(acme_2022 p. 3)\n(in millions)\n{table}\n\nInterest expense fell, as notes were repaid in March."
    assert RuleJudge().supported([statement], [context]) == [is_supported]
