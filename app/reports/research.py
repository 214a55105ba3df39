"""A report on a question by DM-RAG: plan, menu, sub-questions on the menu, relevance, digests, text with sources.

Without a model the road is the same, with quotations and tables in place of prose.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, field
from typing import TYPE_CHECKING, Any

from ..core.records import dataclass
from ..core.tokens import estimate_tokens
from ..models.address import split_setting
from ..models.language import CountedModel, LanguageModel, Message, Usage, price
from ..querying import check_question, check_range
from ..retrieval.answer.citations import Citations
from ..retrieval.answer.generative.grounding.checked_writer import CheckedWriter
from ..retrieval.answer.generative.grounding.model_check import SentenceCheck, settled
from ..retrieval.answer.generative.prompts import defuse, document_head, fill, order_by_meaning
from ..retrieval.answer.multi_part import JointCitations
from .menu import Menu, MenuRow, evidence_of, gather
from .parts import Paragraph, Report, Section, word
from .planning import ReportPlan, plan_report
from .quoting import quoted_section
from .reading import MOST_RELEVANT, Digest, Reader, Wanted, calls_for, holds_words
from .web_pages import store_pages

if TYPE_CHECKING:
    from ..core.scope import Scope
    from ..retrieval.search.evidence import Evidence
    from ..workspace import Workspace
    from .sections import Progress

ROWS = 8
"""Rows of the menu that are looked at for a sub-question."""
WORDS, _MOST_WORDS = 900, 5_000
"""Words of a report: 800 to 1,000."""
_DIGEST_TOKENS, _REPORT_TOKENS, _VERDICT_TOKENS = 280, 1_400, 40
"""What a model writes for a digest, a report and a verdict, for the estimate."""
_PROMPT_TOKENS = 250
_JUDGED_TOKENS = 1_600
"""Of the verdicts on the sentences of a report."""
_STEPS = 5
_Found = Sequence[tuple[str, list[MenuRow]]]
"""Each sub-question with the rows of the menu that were found for it."""


@dataclass(slots=True)
class _Research:
    """One report on its way."""

    workspace: Workspace
    question: str
    scope: Scope | None
    menu: Menu
    progress: Progress | None
    model: CountedModel | None
    words: int
    web: str = ""
    judge: CountedModel | None = None
    """Who judges the sentences; None: the rules. The model itself where that writes, so that it counts once."""
    trace: dict[str, Any] = field(default_factory=dict)

    def tell(self, step: int, text: str) -> None:
        if self.progress:
            self.progress(text, step, _STEPS)


def research(
    workspace: Workspace,
    question: str,
    scope: Scope | None,
    progress: Progress | None = None,
    words: int = WORDS,
    web: str = "",
    checked_by: str | None = None,
) -> Report:
    """A report on a question, from the workspace alone, or also from what a search endpoint (``web``) finds.

    Where no document covers it the report says so in one line. What is read and judged is kept in the menu: a report
    that was broken off goes on where it stopped. ``checked_by`` says who judges its sentences, as of an answer's.

    Raises:
        UsageError: there is no question, ``words`` is out of range, or nobody is called ``checked_by``.
        ModelError: the model cannot be reached; what it has digested is kept.
    """
    check_question(question)
    words = check_range("words", words, _MOST_WORDS)
    model = workspace.components.language_model
    judge = workspace.components.checker(checked_by or workspace.settings.checked_by)
    counted = _counted(model)
    menu = Menu.of(workspace)
    try:
        judging = counted if judge is model else _counted(judge)
        return _report(_Research(workspace, question, scope, menu, progress, counted, words, web, judging))
    finally:
        menu.close()


def _counted(model: LanguageModel | None) -> CountedModel | None:
    return CountedModel(model) if model is not None else None


def _report(task: _Research) -> Report:
    plan = plan_report(task.workspace, task.question, task.scope, task.model)
    language = plan.language
    task.tell(0, word("stage_plan", language, keywords=len(plan.keywords), questions=len(plan.questions)))
    if task.web:
        _read_web(task, plan)
    ids = gather(task.workspace, plan, task.scope, task.menu, None)
    task.tell(1, word("stage_menu", language, rows=len(ids)))
    found = [(question, _looked_up(task, question, ids)) for question in plan.questions]
    task.trace["keywords"] = [{"aspect": aspect, "keyword": keyword} for aspect, keyword in plan.keywords]
    task.trace["menu rows"] = len(ids)
    if task.model is None:
        return _quoted(task, plan, found)
    return _written(task, plan, found)


def _read_web(task: _Research, plan: ReportPlan) -> None:
    """Store the pages that the endpoint finds: they are documents then, and found as any other."""

    def told(done: int, of: int) -> None:
        task.tell(0, word("stage_web", plan.language, done=done + 1, all=of))

    keywords = [keyword for _, keyword in plan.keywords]
    notes = store_pages(task.workspace, task.web, keywords, plan.subject, told)
    task.trace["web"] = asdict(notes)


def _looked_up(task: _Research, question: str, ids: Sequence[str]) -> list[MenuRow]:
    embedder = task.workspace.components.embedder_for_search
    vector = embedder.embed([question])[0] if embedder is not None else None
    return task.menu.search(question, vector, ids, ROWS)


# --- without a model


def _quoted(task: _Research, plan: ReportPlan, found: _Found) -> Report:
    """A section a sub-question: its answer in quotations, and the tables of the sections that are relevant."""
    numbers = JointCitations()
    sections: list[Section] = []
    missing: list[str] = []
    synonyms = task.workspace.vocabulary.synonyms
    words = task.words // max(1, len(found))
    for question, rows in found:
        read = [item for row in rows if (item := evidence_of(task.workspace, row))]
        kept = [item for item in read if holds_words(question, plan.subject, item, synonyms)]
        task.tell(2, word("stage_read", plan.language, question=question, kept=len(kept), found=len(rows)))
        section = quoted_section(task.workspace, question, plan.subject, task.scope, kept, numbers, words)
        _note(task, question, rows, kept, [])
        if section is None:
            missing.append(question)
        else:
            sections.append(section)
    return _finished(task, plan, sections, missing, numbers, "extractive")


# --- with a model


def _written(task: _Research, plan: ReportPlan, found: _Found) -> Report:
    model = task.model
    assert model is not None, "called with a model"
    _tell_costs(task, plan, found)
    reader = Reader(task.menu, model, plan.language)
    kept = reader.relevant(found)
    wanted = _wanted(task, plan, found, kept)

    def told(done: int, of: int) -> None:
        task.tell(3, word("stage_digest", plan.language, done=done, all=of, spent=_spent(model.usage)))

    digests = [digest for digest in reader.digests(wanted, told) if digest.text]
    for (question, rows), own in zip(found, kept, strict=True):
        _note(task, question, rows, own, [one for one in digests if one.question == question])
    answered = {digest.question for digest in digests}
    missing = [question for question in plan.questions if question not in answered]
    if not digests:
        return _finished(task, plan, [], missing, JointCitations(), model.name)
    task.tell(4, task.question)
    sections = {one.row.section: one.section for one in wanted}
    return _grounded(task, plan, digests, sections, missing)


def _wanted(task: _Research, plan: ReportPlan, found: _Found, kept: Sequence[Sequence[MenuRow]]) -> list[Wanted]:
    """What is to be digested: the relevant rows of each sub-question with their sections."""
    wanted: list[Wanted] = []
    for (question, rows), own in zip(found, kept, strict=True):
        task.tell(2, word("stage_read", plan.language, question=question, kept=len(own), found=len(rows)))
        for row in own:
            section = evidence_of(task.workspace, row)
            if section is not None:
                wanted.append(Wanted(question, row, section))
    return wanted


def _tell_costs(task: _Research, plan: ReportPlan, found: _Found) -> None:
    """The most that is still to come, before it is spent: relevance checks, digests, the report."""
    kept = [rows[:MOST_RELEVANT] for _, rows in found]
    pairs = [
        Wanted(question, row, section)
        for (question, _), rows in zip(found, kept, strict=True)
        for row in rows
        if (section := evidence_of(task.workspace, row))
    ]
    checks, readings = calls_for(found, pairs)
    calls = checks + readings + 1
    sections = {one.row.section: estimate_tokens(one.section.text) for one in pairs}
    summaries = sum(len(row.summary) // 4 for _, rows in found for row in rows)
    asked = sum(sections.values()) + summaries + calls * _PROMPT_TOKENS + len(pairs) * _DIGEST_TOKENS
    answered = len(found) * _VERDICT_TOKENS + len(pairs) * _DIGEST_TOKENS + _REPORT_TOKENS
    if task.judge is not None:
        calls += 1
        asked += sum(sections.values()) + _REPORT_TOKENS
        answered += _JUDGED_TOKENS
    cost = price(split_setting(task.workspace.settings.model)[0], asked, answered)
    task.trace["estimate"] = {"calls": calls, "input_tokens": asked, "output_tokens": answered, "cost": cost}
    money = f", ${cost:.3f}" if cost is not None else ""
    task.tell(1, word("stage_costs", plan.language, calls=calls, tokens=f"{asked + answered:,}", money=money))


def _spent(usage: Usage) -> str:
    money = f", ${usage.cost:.3f}" if usage.cost is not None else ""
    return f" ({usage.calls} calls, {usage.input_tokens + usage.output_tokens:,} tokens{money})"


def _grounded(
    task: _Research,
    plan: ReportPlan,
    digests: Sequence[Digest],
    sections: dict[str, Evidence],
    missing: Sequence[str],
) -> Report:
    """The report as the model writes it from the digests, each sentence held against the sections themselves."""
    model = task.model
    assert model is not None, "called with a model"
    evidence = [sections[digest.row.section] for digest in digests]
    reply = model.reply(_messages(task, plan, digests))
    citations = Citations(task.workspace.store)
    records = {record.source: record for record in task.workspace.documents()}
    about = [document_head(records.get(item.source), item.source) for item in evidence]
    judged = task.judge is not None
    means = order_by_meaning(task.workspace.components.embedder_for_search)
    writer = CheckedWriter(evidence, citations, plan.language, task.question, about, judged=judged, means_order=means)
    parts: list[Section] = []
    for title, body in sections_of(reply.text):
        text = writer.write(body)
        if text:
            parts.append(Section(title or word("summary", plan.language), (Paragraph(text),)))
    if task.judge is not None and writer.cited:
        heads = [" | ".join((head, *item.headings)) for head, item in zip(about, evidence, strict=True)]
        check = SentenceCheck.of([item.text for item in evidence], heads, plan.language)
        told = settled(writer, task.judge, check, task.trace)
        parts += [Section(word("checked", plan.language), (Paragraph(told),))] if told else []
    task.trace.setdefault("checked_by", "rules")
    task.trace |= {"dropped": writer.dropped, "unverified": writer.unverified, "unsupported": writer.unsupported}
    numbers = JointCitations()
    numbers.citations.extend(citations.all())
    if not writer.cited:
        return _finished(task, plan, [], [*plan.questions], JointCitations(), model.name)
    return _finished(task, plan, parts, missing, numbers, model.name)


def _messages(task: _Research, plan: ReportPlan, digests: Sequence[Digest]) -> list[Message]:
    tag = f"digest-{digests[0].row.section[:10]}"
    rules = fill(
        "report",
        plan.language,
        words=task.words,
        tag=tag,
        disagree=word("disagree", plan.language),
        uncertain=word("uncertain", plan.language),
    )
    lines = [task.question]
    for question in plan.questions:
        own = [(number, one) for number, one in enumerate(digests, 1) if one.question == question]
        if not own:
            continue
        lines.append(f"\n{question}")
        for number, digest in own:
            about = " | ".join(filter(None, (digest.row.company, digest.row.period, digest.row.title)))
            lines.append(f"[{number}] {defuse(about)}\n<{tag}>\n{defuse(digest.text)}\n</{tag}>")
    return [Message("system", rules), Message("user", "\n".join(lines))]


def sections_of(text: str) -> list[tuple[str, str]]:
    """A text with "## " headings as (heading, body); what stands before the first has none.

    >>> sections_of("## Debt\\nIt fell [1].\\n\\n## Outlook\\nIt rises [2].")
    [('Debt', 'It fell [1].'), ('Outlook', 'It rises [2].')]
    """
    found: list[tuple[str, str]] = []
    title, body = "", list[str]()
    for line in text.splitlines():
        if line.startswith("#"):
            found.append((title, "\n".join(body).strip()))
            title, body = line.lstrip("# ").strip(), []
        else:
            body.append(line)
    found.append((title, "\n".join(body).strip()))
    return [(heading, said) for heading, said in found if said]


# --- the end of both roads


def _note(
    task: _Research, question: str, rows: Sequence[MenuRow], kept: Sequence[object], digests: Sequence[Digest]
) -> None:
    entry = {"question": question, "rows": len(rows), "relevant": len(kept), "digests": [d.text for d in digests]}
    task.trace.setdefault("sub-questions", []).append(entry)


def _finished(
    task: _Research,
    plan: ReportPlan,
    sections: Sequence[Section],
    missing: Sequence[str],
    numbers: JointCitations,
    model: str,
) -> Report:
    """The report; in one line that no document covers it where nothing was found."""
    if task.model is not None:
        used = {id(one): one.usage for one in (task.model, task.judge) if one is not None}
        task.trace["usage"] = asdict(sum(used.values(), Usage()))
    kept = tuple(sections)
    if not kept:
        task.trace["not found"] = True
        line = Paragraph(word("nothing", plan.language, question=task.question))
        kept, missing = (Section("", (line,)),), ()
    return Report(task.question, plan.language, kept, tuple(numbers.citations), tuple(missing), model, task.trace)
