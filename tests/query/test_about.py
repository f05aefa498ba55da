import pytest

from hitherto.query.about import Named, names_in, share_held, whole_names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who is the employer of Kate Green?", [("kate", "green")]),
        ("Where did Ann's friend Ben go?", [("ann",), ("ben",)]),
        ("Who is Troy E. Black's boss?", [("troy", "e", "black")]),
        ("What team does Alan Soñora play for?", [("alan", "sonora")]),
        ("Does Jean-Luc know Ann, Ben and Zoe?", [("jean-luc",), ("ann",), ("ben",), ("zoe",)]),
        ("where is it?", []),
        ("他在哪?", []),
    ],
)
def test_names_are_runs_of_capitals(question: str, names: list[tuple[str, ...]]) -> None:
    assert [name.words for name in names_in(question)] == names


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("Then Kate Green spoke.", 1.0),
        ("Green, who had asked Kate, spoke.", 1.0),
        ("Green spoke.", 0.9),
        ("Dr. Green spoke.", 0.9),
        ("with kate, as ever", 0.9),
        ("Josh Green spoke.", 0.25),
        ("Kate Ross spoke.", 0.25),
        ("Somebody spoke.", 0.0),
    ],
)
def test_a_surname_beside_another_first_name_is_somebody_else(text: str, share: float) -> None:
    assert share_held(text, [Named(("kate", "green"))], ()) == share


def test_accents_do_not_tell_people_apart() -> None:
    assert share_held("SOÑORA and Alan Sonora", names_in("and Alan Soñora?"), ()) == 1.0


def test_a_known_name_holds_anywhere_unless_it_is_part_of_a_longer_one() -> None:
    assert share_held("with dr. lee", (), whole_names(["Lee"], ())) == 1.0
    assert whole_names(["Lee", "Ann Lee"], [Named(("ann", "lee"))]) == {"ann lee"}
