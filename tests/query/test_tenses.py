import pytest

from hitherto.query.asking import clause_of
from hitherto.query.tenses import looks_back


@pytest.mark.parametrize(
    ("question", "back"),
    [
        ("Where did Alice live before she moved?", True),
        ("Where did Alice live before she finally left Rome?", True),
        ("Where did Alice live before moving to Oslo?", True),
        ("Before moving to Oslo, where did Alice live?", True),
        ("Before moving to Oslo where did Alice live?", True),
        ("Where did she work after she quit?", True),
        ("Where was she after I'd called?", True),
        ("Where does Alice live since she moved?", True),
        ("Where has she lived since she has been at TechCorp?", True),
        ("Where did Alice work before Anthropic?", True),
        ("Where does Alice work after TechCorp?", True),
        ("Where did she live when Bob worked at TechCorp?", True),
        ("What happened before the race?", True),
        ("where did alice work before anthropic?", True),
        ("What did she drink before work?", False),
        ("李明搬家之前住在哪里", True),
        ("What should I know before I call Alice Chen?", False),
        ("Before I call Alice, what should I know?", False),
        ("Before I call Alice what should I know?", False),
        ("What did she ask me to bring when I visit her?", False),
        ("What should I know before calling Alice Chen?", False),
        ("Brief me before calling the one who is new.", False),
        ("What should I know before Alice Chen moves?", False),
        ("Brief me before Anthropic calls.", False),
        ("What should I prepare before Anthropic?", False),
        ("What does Alice drink before work?", False),
        ("What does she like when she works?", False),
        ("What does she like when she's at work?", False),
        ("Where do we meet after I quit?", False),
        ("我给李明打电话之前应该知道什么", False),
    ],
)
def test_whether_a_clause_tells_what_happened(question: str, back: bool) -> None:
    clause = clause_of(question)
    assert clause is not None
    assert looks_back(question, clause) is back


@pytest.mark.parametrize("question", ["When did she move?", "Since when does she work there?"])
def test_a_when_that_asks_is_no_clause(question: str) -> None:
    assert clause_of(question) is None
