"""The reader as a judge: places in documents are found in any context that holds them, and in no other."""

from cliquerag.cli.comparing import cut_as_preset, preset_settings
from cliquerag.evaluation.compare import PRESETS
from cliquerag.evaluation.judge import Case, rag_scores
from cliquerag.models.language import Message
from cliquerag.workspace import Workspace

from benchmarks.tasks._shared import read_lines
from benchmarks.tasks.reader.paper_measures import _ROWS as RECORDED
from benchmarks.tasks.reader.paper_measures import CitingReader, Place, ReaderJudge, reference_of, sentences_of

ROW = {
    "question": "What were sales?",
    "reference": [
        {"text": "Sales were 4,215 million.", "stands": [["Acme_2022", ["4,215"]]]},
        {"text": "They rose.", "stands": [["call", 6, 20]]},
    ],
    "helps": [["Acme_2022", ["Net sales"]]],
}
REPLY = {
    "reply": "Sales were $4.2 billion. They doubled.",
    "unsupported": [1],
    "questions": ["How high were sales?"],
}


def judge(tmp_path):
    (tmp_path / "call.txt").write_text("Hello sales\nwent up. Bye.", encoding="utf-8")
    return ReaderJudge(ROW, REPLY, tmp_path)


def test_a_place_is_of_its_document_and_all_of_it_has_to_stand_there():
    place = Place("Acme_2022", ("net sales", "4,215"))
    assert place.is_in("(acme_2022_10k p. 3)\nNet\nsales | 4,215")
    assert not place.is_in("(acme_2022_10k p. 3)\nNet sales | 3,900")
    assert not place.is_in("(bolt_2022_10k p. 3)\nNet sales | 4,215")


def test_the_four_measures_by_the_reader(tmp_path):
    contexts = ("(bolt p. 1)\nNothing.", "(acme_2022 p. 2)\nNet sales | 4,215", "(call)\nHello sales went up.")
    case = Case(ROW["question"], REPLY["reply"], contexts, reference_of(ROW))
    scores = rag_scores(judge(tmp_path), None, case)
    assert scores["faithfulness"] == 0.5
    assert scores["context recall"] == 1.0
    assert round(scores["context precision"], 3) == round((1 / 2 + 2 / 3) / 2, 3)
    without = Case(ROW["question"], REPLY["reply"], contexts[:2], reference_of(ROW))
    assert rag_scores(judge(tmp_path), None, without)["context recall"] == 0.5


def test_sentences_cite_the_evidence_that_holds_a_place(tmp_path):
    pieces = ("[1] Bolt\n<evidence-ab>\nNothing.", "[2] Acme\n<evidence-ab>\nNet sales | 4,215")
    asked = "\n\n".join(f"{piece}\n</evidence-ab>" for piece in pieces)
    reader = CitingReader(REPLY["reply"], judge(tmp_path).places)
    assert reader.reply([Message("user", asked)]).text == "Sales were $4.2 billion [2]. They doubled [2]."


def test_every_question_has_one_reply_for_each_way_of_searching_and_a_right_answer():
    rows = read_lines(RECORDED)
    assert [sum(row["set"] == name for row in rows) for name in ("calls", "calls, blind", "financebench")] == [
        22,
        20,
        20,
    ]
    ways = sorted(f"{preset}{mode}" for preset in ("", "preset ") for mode in ("vector", "graph", "hybrid"))
    for row in rows:
        assert sorted(mode for reply in row["replies"] for mode in reply["modes"]) == ways
        assert row["reference"]
        for reply in row["replies"]:
            assert len(reply["questions"]) == (0 if reply["verdict"] == "refused" else 3) or row["id"].endswith("01290")
            assert all(place < len(sentences_of(reply["reply"])) for place in reply.get("unsupported", ()))


def test_a_preset_cuts_and_reads_as_the_paper_does(tmp_path):
    preset = PRESETS["hybridrag-paper"]
    with Workspace(f"sqlite:///{tmp_path / 'w.db'}", embedder="none", **preset_settings(preset)) as workspace:
        cut_as_preset(workspace, preset)
        assert workspace.settings.parent == "none"
        assert workspace.components.tools.chunker_name == "characters(size=2024,overlap=204)"
        workspace.add_text(" ".join(f"Sentence number {n} tells of sales." for n in range(200)), source="a.txt")
        (document,) = workspace.documents()
        lengths = [chunk.end - chunk.start for chunk in workspace.store.chunks_of(document.source)]
    assert max(lengths) <= 2024
    assert max(lengths) > 1900
