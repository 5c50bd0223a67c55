"""The header `Computer`."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.computer.audit import audit
from engine.computer.choosers import choosers_of, choosers_text
from engine.computer.players import VERSION
from engine.dice import commitment
from engine.game import Action
from engine.record import Record, RecordError

PLAYERS = st.sampled_from([None, "admiral/1", "random/1", "cadet/12"])


def record(actors: str, text: str) -> Record:
    actions = tuple(Action(actor, "null", ("S",)) for actor in actors)
    return Record({"Game": "wormholes", "Computer": text}, actions)


@pytest.mark.slow
@given(st.lists(st.tuples(st.sampled_from("OD"), PLAYERS)))
def test_what_is_written_is_read(moves: list[tuple[str, str | None]]) -> None:
    actors, players = "".join(actor for actor, _ in moves), [player for _, player in moves]
    text = choosers_text(record(actors, "").actions, players)
    expected = {place: player for place, player in enumerate(players) if player}
    assert choosers_of(record(actors, text)) == expected


def test_a_run_names_the_actions_of_its_seat_only() -> None:
    choosers = choosers_of(record("*ODDOD", "2-5 O admiral/1, 4 D random/1"))
    assert choosers == {1: "admiral/1", 3: "random/1", 4: "admiral/1"}


def test_a_run_ends_where_a_person_or_another_player_chooses() -> None:
    players = ["admiral/1", None, "admiral/1", "random/1", "admiral/1", None, "admiral/1"]
    text = choosers_text(record("OOODDOO", "").actions, players)
    assert text == "1 O admiral/1, 3 O admiral/1, 4 D random/1, 5 D admiral/1, 7 O admiral/1"


def test_a_match_of_people_has_no_runs() -> None:
    assert choosers_text(record("OD", "").actions, [None, None]) == ""
    assert choosers_of(record("OD", "")) == {}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("nonsense", "the form"),
        ("1 O admiral/1,", "the form"),
        ("1 O admiral", "the form"),
        ("1-2-3 O admiral/1", "the form"),
        ("-1 O admiral/1", "the form"),
        ("1 OD admiral/1", "the form"),
        ("\u0661 O admiral/1", "the form"),
        ("1 X admiral/1", "the seats are O, D"),
        ("1 * admiral/1", "the seats are O, D"),
        ("0 O admiral/1", "from 1 to 4"),
        ("1-9 O admiral/1", "from 1 to 4"),
        ("3-1 O admiral/1", "from 1 to 4"),
        ("1-2 O admiral/1", "action 2 is not one of seat O"),
        ("2-3 O admiral/1", "action 2 is not one of seat O"),
        ("1-3 O admiral/1, 3 O random/1", "action 3 is named twice"),
    ],
)
def test_a_header_that_does_not_fit_is_refused(text: str, reason: str) -> None:
    with pytest.raises(RecordError, match=f"^Computer: .*: .*{reason}"):
        choosers_of(record("ODOD", text))


def test_an_unknown_player_of_this_version_is_refused() -> None:
    unknown = record("OD", f"1 O commodore/{VERSION}")
    seeded = {"Seed": "00", "Dice": commitment(bytes(1))}
    with pytest.raises(RecordError, match=rf"^Computer: commodore/{VERSION}: There is no player"):
        audit(Record({**unknown.headers, **seeded}, unknown.actions))
