from cliquerag.evaluation.metrics.retrieval import GoldText, answer_recall, answer_words
from cliquerag.retrieval.search.evidence import Evidence

TEXT = "Sales were $3,412 million. Costs were $ 3,001 million."


def piece(start: int, end: int, source: str = "a") -> Evidence:
    return Evidence("chunk", TEXT[start:end], 1.0, source, start=start, end=end)


def test_a_word_counts_where_the_gold_text_has_it():
    gold = [GoldText("a", 0, 26, answer_words("Sales of 3,412"))]
    assert answer_recall(gold, [piece(0, len(TEXT))]) == 1.0
    assert answer_recall(gold, [piece(0, 10)]) == 0.5
    assert answer_recall(gold, [piece(27, len(TEXT))]) == answer_recall(gold, [piece(0, 26, "b")]) == 0.0
    costs = [GoldText("a", 0, 26, answer_words("Costs"))]
    assert answer_recall(costs, [piece(0, len(TEXT))]) == 0.0, "it stands behind the gold text"


def test_several_gold_texts_count_by_their_words():
    gold = [GoldText("a", 0, 26, answer_words("Sales")), GoldText("a", 27, len(TEXT), answer_words("costs of 3,001"))]
    assert answer_recall(gold, [piece(27, len(TEXT)), piece(27, 40)]) == 2 / 3
    assert answer_recall([], []) == 0.0
