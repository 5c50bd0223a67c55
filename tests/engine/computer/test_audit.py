"""Whatever a computer player chose in a match is chosen again from the revealed seed."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.__main__ import main
from engine.computer.audit import audit
from engine.computer.choosers import Audit, choosers_of, choosers_text
from engine.computer.players import VERSION, ComputerPlayer, names
from engine.computer.protocol import seed_of, serve
from engine.dice import Dice, commitment, computer_seed
from engine.endings import draw_answers
from engine.game import CHANCE, Action, AnyGame
from engine.games import get
from engine.record import Record, RecordError
from tests.support.tiers import by_tier, examples

TERMS = [
    ("wormholes", "0.6", {"notes": "off"}),
    ("wormholes", "0.6-long", {"notes": "on"}),
    ("warp6", "standard", {"seats": "2"}),
    ("warp6", "standard", {"seats": "3", "setup": "secret"}),
    ("tomtube", "standard", {}),
]
SEEDS = st.integers(0, 10**6)
Match = tuple[Record, list[str | None]]


def audited_match(
    terms: tuple[str, str, dict[str, str]], seed: int, limit: int, computer: float
) -> Match:
    """Return a match of a number of actions, and which player chose each of them.

    Some decisions are made by people, the others by levels that change during the match.

    Args:
        terms: game, rules and options.
        limit: number of actions.
        computer: how likely a decision is one of the computer.
    """
    name, rules, options = terms
    game, random = get(name), Random(seed)
    secret = hashlib.sha256(f"{seed}".encode()).digest()
    words = " ".join(f"{key}={value}" for key, value in options.items())
    head = {"Game": name, "Rules": rules, "Options": words, "Dice": commitment(secret), "Salt": "7"}
    dice, rolls = Dice(secret, "7"), 0
    state = game.start(rules, options)
    actions: tuple[Action, ...] = ()
    players: list[str | None] = []
    while (pending := game.pending(state)) and len(actions) < limit:
        player = None
        if pending == CHANCE:
            action, rolls = game.chance(state, dice.draw(rolls)), rolls + 1
        else:
            seat = next((s for s in game.seats(options) if draw_answers(game, state, s)), "")
            seat = seat or random.choice(pending)
            if random.random() < computer:
                level = random.choice(names())
                chooser = ComputerPlayer(level, computer_seed(secret))
                player = chooser.name
                recalled = Record(head, game.redact_for_infostate(state, seat, actions))
                action = chooser.choose(recalled, seat).action
            elif not state.offer and random.random() < 0.05:
                action = Action(seat, "draw", ("offer",))
            else:
                action = person(game, state, seat, random)
        state, _ = game.apply(state, action)
        actions, players = (*actions, action), [*players, player]
    head |= {"Seed": secret.hex(), "Computer": choosers_text(actions, players)}
    return Record(head, actions), players


def person(game: AnyGame, state: object, seat: str, random: Random) -> Action:
    """Return any legal action of a seat, which may be its answer to a draw offer."""
    answers = draw_answers(game, state, seat)
    listed = [action for action in game.legal(state) if action.actor == seat]
    return game.fill(random.choice(list(answers) or listed), random.randrange)


def share() -> float:
    """Return the share of a sample's decisions that are the computer's."""
    return by_tier(1, 2, 5) / 10


@pytest.mark.parametrize("terms", TERMS)
@examples(1, 3, 300)
@given(seed=SEEDS)
def test_a_match_passes_its_audit(terms: tuple[str, str, dict[str, str]], seed: int) -> None:
    record, players = audited_match(terms, seed, 20 + seed % 100, share())
    count = len(players) - players.count(None)
    assert record.verify() == sum(action.actor == CHANCE for action in record.actions)
    assert audit(record) == Audit(count, 0)
    assert audit(Record.parse(str(record))) == Audit(count, 0)


@pytest.mark.parametrize("terms", TERMS)
@examples(1, 3, 300)
@given(seed=SEEDS)
def test_any_other_choice_is_found(terms: tuple[str, str, dict[str, str]], seed: int) -> None:
    record, players = audited_match(terms, seed, 20 + seed % 60, share())
    random, game = Random(seed), record.game()
    audited = [place for place, player in enumerate(players) if player]
    assume(audited)
    place = random.choice(audited)
    before, action = record.actions[:place], record.actions[place]
    record_before = Record({**record.headers, "Computer": ""}, before)
    other = person(game, record_before.replay().state, action.actor, random)
    assume(other != action)
    with pytest.raises(RecordError):
        audit(Record(record.headers, (*before, other, *record.actions[place + 1 :])))
    text = choosers_text((*before, other), players[: place + 1])
    with pytest.raises(RecordError, match=f"^line {place + 1}: .*{players[place]} chooses"):
        audit(Record({**record.headers, "Computer": text}, (*before, other)))


@pytest.fixture(scope="module")
def record() -> Record:
    """A match of Warp 6 in which the computer chose some actions of both seats."""
    match, players = audited_match(TERMS[2], 4, 60, 0.5)
    assert {f"{name}/{VERSION}" for name in names()} <= set(players)
    return match


def renamed(record: Record, players: str) -> Record:
    return Record({**record.headers, "Computer": players}, record.actions)


def test_players_of_another_version_are_unknown(record: Record) -> None:
    text = record.headers["Computer"]
    count = len(choosers_of(record))
    assert audit(renamed(record, text.replace(f"/{VERSION}", "/0"))) == Audit(0, count)
    admiral = text.count("admiral/")
    some = audit(renamed(record, text.replace(f"admiral/{VERSION}", "admiral/999")))
    assert 0 < admiral <= some.unknown < count == some.checked + some.unknown


@pytest.mark.parametrize("end", [0, 1, 7, 30, None])
@pytest.mark.parametrize("first", [0, 1, 6, 7, 8])
def test_part_of_a_match_is_audited(record: Record, first: int, end: int | None) -> None:
    places = sorted(choosers_of(record))[first:end]
    last = places[-1] + 1 if end is not None and places else end
    start = places[0] if places else 0
    if end == 0 or not places:
        last = 0
    assert audit(record, start, last) == Audit(len(places), 0)


def test_difference_counts_only_in_the_part_that_is_audited(record: Record) -> None:
    false = renamed(record, record.headers["Computer"].replace("random/", "admiral/"))
    with pytest.raises(RecordError) as caught:
        audit(false)
    line = int(str(caught.value).partition(":")[0].removeprefix("line "))
    place = line - record.line_number(0)
    assert place
    checked = sum(number < place for number in choosers_of(record))
    assert audit(false, 0, place) == Audit(checked, 0)
    with pytest.raises(RecordError, match=rf"^line {line}: "):
        audit(false, place, place + 1)


def test_whole_audit_checks_what_follows_the_choices(record: Record) -> None:
    false = Record({**record.headers, "Result": "B won"}, record.actions)
    assert audit(false, 0, len(record.actions)) == audit(record)
    with pytest.raises(RecordError, match=r"^Result: "):
        audit(false)


def test_another_player_chooses_differently(record: Record) -> None:
    text = record.headers["Computer"]
    with pytest.raises(RecordError, match=rf"^line \d+: .* random/{VERSION} chooses "):
        audit(renamed(record, text.replace("admiral/", "random/")))


def test_another_seed_chooses_differently(record: Record) -> None:
    headers = {**record.headers, "Seed": bytes(32).hex(), "Dice": commitment(bytes(32))}
    with pytest.raises(RecordError, match=r"^line \d+: .* chooses "):
        audit(Record(headers, record.actions))


def test_names_and_other_headers_change_no_choice(record: Record) -> None:
    headers = {**record.headers, "Seat B": "Bo", "Salt": "8", "Date": "2026-11-20T18:00:00Z"}
    assert audit(Record(headers, record.actions)) == audit(record)


def test_an_audit_needs_the_seed_where_a_computer_played(record: Record) -> None:
    headers = {key: value for key, value in record.headers.items() if key != "Seed"}
    with pytest.raises(RecordError, match="no Seed"):
        audit(Record(headers, record.actions))
    assert audit(Record({**headers, "Computer": ""}, record.actions)) == Audit(0, 0)


def test_an_action_that_the_seat_could_not_choose_is_named() -> None:
    headers = {"Game": "wormholes", "Seed": "00" * 32, "Dice": commitment(bytes(32))}
    actions = tuple(map(Action.parse, ("* rolloff S5 M5 C0 A0", "D resign")))
    text = choosers_text(actions, [None, f"admiral/{VERSION}"])
    with pytest.raises(
        RecordError, match=rf"^line 2: D resign: admiral/{VERSION} cannot choose here: "
    ):
        audit(Record({**headers, "Computer": text}, actions))


def test_a_redacted_record_names_the_players_but_no_seed(record: Record) -> None:
    for redacted in (record.redact(), record.redact("B"), record.redact_for_infostate("B")):
        assert redacted.headers["Computer"] == record.headers["Computer"]
        assert "Seed" not in redacted.headers


def test_the_protocol_audits(record: Record) -> None:
    broken = renamed(record, record.headers["Computer"].replace("admiral", "cadet"))
    whole, altered = (
        {"do": "audit", "record": str(request_record)} for request_record in (record, broken)
    )
    places = sorted(choosers_of(record))
    part = whole | {"first": places[2], "end": places[6]}
    numbers: list[dict[str, Any]] = [{"first": -1}, {"first": True}, {"end": "1"}]
    wrong: list[dict[str, Any]] = [{"do": "audit"}, {"do": "audit", "record": 1}]
    wrong += [{**whole, **fields} for fields in numbers]
    asked = [whole, altered, *wrong, part]
    lines = map(json.dumps, asked)
    answers = [json.loads(line) for line in serve(lines, ComputerPlayer("random", seed_of(1)))]
    assert answers[0] == {"checked": len(choosers_of(record)), "unknown": 0}
    assert answers[-1] == {"checked": 4, "unknown": 0}
    assert [list(answer) for answer in answers[1:-1]] == [["error"]] * 6


def test_verify_chooses_again_as_well(
    record: Record, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "computer.match"
    text = record.headers["Computer"]
    count = len(choosers_of(record))
    path.write_text(str(record), "utf-8")
    assert main(["verify", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1:] == [f"All {count} choices of the computer were chosen again."]
    path.write_text(str(renamed(record, text.replace(f"/{VERSION}", "/0"))), "utf-8")
    assert main(["verify", str(path)]) == 0
    assert f"; {count} by other versions cannot be chosen again." in capsys.readouterr().out
    path.write_text(str(renamed(record, text.replace("admiral", "random"))), "utf-8")
    assert main(["verify", str(path)]) == 1
    assert f" random/{VERSION} chooses " in capsys.readouterr().err
