"""Whether a sentence asserts a relation, denies it, or only thinks of it."""

from __future__ import annotations

import re

from ...triple import Modality

_CUES: dict[str, tuple[tuple[Modality, re.Pattern[str]], ...]] = {
    "en": (
        (
            "negated",
            re.compile(
                r"\b(?:not|never|no longer|neither|nor|without|fail(?:ed|s|ure)?|declined|refused|terminat\w+"
                r"|abandon\w+|cancel\w+|called off|den(?:ied|ies|y)|reject\w*|withdr[ae]wn?|blocked|suspended"
                r"|ceas(?:ed|es|ing)|exit(?:ed|ing)|discontinu\w+"
                r"|closed (?:our|its|‹our›) (?:operations|facilities|stores|offices|plants))\b|n['’]t\b"
            ),
        ),
        (
            "possible",
            re.compile(
                r"\b(?:may|might|could|can|would|should|if|whether|unless|potential\w*|possibl[ey]|possibility|consider\w*"
                r"|(?:seek(?:s|ing)?|sought) to|attempt\w*|rumou?r\w*|reportedly|explor(?:e|ed|ing)|offer(?:ed|s)? to"
                r"|in talks|negotiat\w+|propos\w+|alleged(?:ly)?)\b"
            ),
        ),
        (
            "planned",
            re.compile(
                r"\b(?:will|shall|plan(?:s|ned|ning)?|intend\w*|expect(?:s|ed)? to|expected|agree(?:s|d)? to"
                r"|agreement to|(?<!patent.)pending|going to|scheduled|about to|to be|to acquire"
                r"|to buy|to sell|wants? to|future)\b"
            ),
        ),
    ),
    "zh": (
        ("negated", re.compile(r"未|没有|不再|并非|不存在|终止|取消|放弃|否认|不会|拒绝|撤回|并无|无意|不属于|不构成")),
        ("possible", re.compile(r"可能|或将|或|有望|考虑|洽谈|传闻|据传|如果|若|倘|假设|疑似")),
        ("planned", re.compile(r"拟|将(?!其)|计划|打算|准备|预计|意向|欲|即将")),
    ),
}


def modality(text: str, language: str = "en") -> Modality:
    """The strongest reservation in a stretch of text: denied, then possible, then planned, else asserted.

    >>> modality("‹C0› may acquire ‹C1›"), modality("‹C0› did not acquire ‹C1›"), modality("In May ‹C0› acquired ‹C1›")
    ('possible', 'negated', 'asserted')
    """
    return next((kind for kind, cue in _CUES[language] if cue.search(text)), "asserted")


_NOT = {"en": re.compile(r"\b(?:not|never|no longer)\b|n['’]t\b"), "zh": re.compile(r"未|没有|不会|并未|无意")}


def denies(text: str, language: str = "en") -> bool:
    """True where the text has a plain "not"; for verbs that are themselves denials ("withdrew its guidance").

    >>> denies("we withdrew our guidance"), denies("we did not cut the dividend")
    (False, True)
    """
    return _NOT[language].search(text) is not None
