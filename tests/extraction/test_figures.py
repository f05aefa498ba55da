"""Measured values in notes."""

from __future__ import annotations

import pytest

from hitherto.extraction.figures import figures
from hitherto.kg.model import Mention, Value


def noted(text: str) -> list[str]:
    lines = []
    for s in figures(text, "HAS_VALUE"):
        assert isinstance(s.subject, Mention)
        assert isinstance(s.object, Value)
        lines.append(f"{s.subject.name}={s.object.text}")
    return lines


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("P95 = 1.35s, throughput +18%.", ["P95=1.35s"]),
        ("offline NDCG@10=0.84。", ["NDCG@10=0.84"]),
        ("Hit rate 0.86, hallucination 4.1%, topK=6", ["Hit rate=0.86", "hallucination=4.1%", "topK=6"]),
        (
            "最终指标：注入覆盖率 68%，误注入率 2.3%（✅），延迟 P95 = 66ms。",
            ["注入覆盖率=68%", "误注入率=2.3%", "P95=66ms"],
        ),
        ("误注入降到了 2.6%，基本到线。", ["误注入=2.6%"]),
        ("延迟再次抖动到1.6s。", ["延迟=1.6s"]),
    ],
)
def test_values(text: str, values: list[str]) -> None:
    assert noted(text) == values


@pytest.mark.parametrize(
    "text",
    [
        "P95 ≤ 1.5s",
        "The target is P95 = 1.2s",
        "If P95 = 1.2s we ship",
        "x = 5",
        "触雷事件下降42%",
        "但召回下降了 1.5%",
        "仍有抖动到1.7s。",
        "目标：命中率0.9",
        "version 1.2",
        "released on 2024.05.01",
        "P95=1.2.3.4",
    ],
)
def test_no_values(text: str) -> None:
    assert noted(text) == []
