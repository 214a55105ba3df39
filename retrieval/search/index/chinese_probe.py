"""Whether an embedding model reads Chinese, found out by asking it: an English one gives vectors that mean nothing."""

from __future__ import annotations

from functools import lru_cache

from ....models.embedder import Embedder

_PROBES = (
    ("公司盈利大幅增长", "企业赚了更多钱", "昨夜山里下雪"),
    ("董事长辞职", "主席离任", "豆腐很好吃"),
    ("银行贷款利率上调", "借钱更贵", "小猫正睡觉"),
    ("汽车销量下滑", "卖出车辆减少", "音乐非常动听"),
    ("法院判决赔偿", "官司败诉须支付罚金", "樱花已经盛开"),
    ("工厂停产检修", "生产线暂停", "孩子爱读诗"),
)
"""A sentence, one that means nearly the same in other characters, and one about something else."""
_ENOUGH, _MARGIN = 5, 0.05


def reads_chinese(embedder: Embedder) -> bool:
    """True where sentences of like meaning are nearer to each other than to others; asked once a model."""
    return _probe(_Named(embedder))


class _Named:
    """An embedder that is cached by its name."""

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Named) and other.embedder.name == self.embedder.name

    def __hash__(self) -> int:
        return len(self.embedder.name)


@lru_cache(maxsize=8)
def _probe(named: _Named) -> bool:
    vectors = named.embedder.embed([text for probe in _PROBES for text in probe])
    nearer = sum(
        float(vectors[at] @ vectors[at + 1]) > float(vectors[at] @ vectors[at + 2]) + _MARGIN
        for at in range(0, len(vectors), 3)
    )
    return nearer >= _ENOUGH
