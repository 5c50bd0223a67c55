"""The card of a challenge: its custom_ids, and what it says."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from bot.domain.clocks import OFFERED_CLOCKS, with_days_off
from bot.domain.computer_players import COMPUTER_NAMES
from bot.domain.days_off import DaysOffRule
from bot.domain.drafts import ChallengeDraft
from bot.domain.ids import UserId
from bot.views.challenge_card import OPTION_PREFIX, Part, card, card_id, draft_of
from bot.views.custom_id_codec import MAX_INTEGER, parse
from bot.views.custom_ids import CardId
from bot.views.images import Cover
from engine import games
from tests.support.harness import walk
from tests.support.limits import check_limits, components

ME, ROW, MAX_BUTTONS_FOR_PHONES = UserId(7), 1, 3


def drafts(game: str) -> Iterator[ChallengeDraft]:
    """Yield drafts with each value of each option, and the longest of everything else."""
    rules = games.get(game)
    most = tuple(MAX_INTEGER - number for number in range(len(rules.sides) - 1))
    clock = with_days_off(max(OFFERED_CLOCKS.values(), key=len), DaysOffRule.OWN)
    series = 9 if rules.in_series else 1
    for values in product(*rules.options.values()):
        options = dict(zip(rules.options, values, strict=True))
        draft = ChallengeDraft(
            game=game,
            level=list(COMPUTER_NAMES)[-1],
            clock=clock,
            rules=max(rules.rules, key=len),
            side=next(iter(rules.sides)),
            rounds=series,
            options=options,
        )
        yield draft.with_opponents(tuple(map(UserId, most))).with_option(
            *next(iter(options.items()), ("", ""))
        )


@pytest.mark.parametrize("game", games.names())
def test_every_challenge_fits_into_a_custom_id(game: str) -> None:
    parts = [*Part, *(f"{OPTION_PREFIX}{name}" for name in games.get(game).options)]
    for draft, part in product(drafts(game), parts):
        custom_id = parse(str(card_id(part, draft, details=True)))
        assert isinstance(custom_id, CardId)
        assert custom_id.part == part
        assert draft_of(custom_id) == draft


@pytest.mark.parametrize(
    "fields",
    [
        {"game": "chess"},
        {"opponents": "x"},
        {"opponents": "1,1"},
        {"opponents": "1,2"},
        {"level": 9},
        {"clock": "x"},
        {"rules": "x"},
        {"side": "x"},
        {"rounds": 2},
        {"options": "x"},
        {"options": "on,on,on,on,on,on,on,on,on"},
    ],
)
def test_a_malformed_card_is_refused(fields: dict[str, Any]) -> None:
    draft_of(CardId("send", "wormholes"))
    with pytest.raises(ValueError, match=r"."):
        draft_of(CardId(**{"part": "send", "game": "wormholes"} | fields))


@pytest.mark.parametrize("game", games.names())
@pytest.mark.parametrize("details", [False, True])
def test_the_card_begins_with_its_picture_and_challenge(game: str, *, details: bool) -> None:
    draft = ChallengeDraft(game=game, rules=games.get(game).rules[0], opponents=(UserId(1),))
    message = card(draft, Cover(b"png", "A board"), bot_id=ME, computers=True, details=details)
    (container,) = components(message)
    picture, text, row, *_ = container["components"]
    assert picture["items"][0]["description"] == "A board"
    assert message.files[0].description == "A board"
    assert games.get(game).title in text["content"]
    assert "<@1>" in text["content"]
    assert row["components"][0]["label"] == "Challenge"
    assert row["components"][0]["style"] == 3
    rows = [part for part in walk(components(message)) if part["type"] == ROW]
    assert max(len(row["components"]) for row in rows) <= MAX_BUTTONS_FOR_PHONES
    check_limits(message)


def test_the_computer_as_opponent_is_played_at_once() -> None:
    draft = ChallengeDraft(game="wormholes", rules="0.6", opponents=(ME,), level="captain")
    (container,) = components(card(draft, None, bot_id=ME, computers=True))
    text, row, *_ = container["components"]
    assert "Against: the computer (Captain)" in text["content"]
    assert row["components"][0]["label"] == "Start"


def test_levels_say_which_is_the_easiest_and_the_hardest() -> None:
    draft = ChallengeDraft(game="wormholes", rules="0.6", opponents=(ME,), level="captain")
    message = card(draft, None, bot_id=ME, computers=True, details=True)
    (levels,) = (
        part["options"]
        for part in walk(components(message))
        if part.get("custom_id", "").startswith("card:level:")
    )
    assert [option.get("description") for option in levels] == [
        "the easiest",
        None,
        None,
        "the hardest",
    ]


@pytest.mark.parametrize(
    ("clock", "selected", "line"),
    [
        ("", None, "Clock: no clock"),
        ("3d", "-", "Clock: 3 days per turn\n"),
        ("3dw", "w", "Clock: 3 days per turn, not on weekends"),
        ("3do", "o", "Clock: 3 days per turn, not on each player's days off"),
    ],
)
def test_days_off_are_chosen_for_a_clock(clock: str, selected: str | None, line: str) -> None:
    draft = ChallengeDraft(game="warp6", rules=games.get("warp6").rules[0], clock=clock)
    (container,) = components(card(draft, None, bot_id=ME, details=True))
    lists = {
        part["custom_id"].split(":")[1]: [
            option["value"] for option in part["options"] if option["default"]
        ]
        for part in walk([container])
        if part.get("options")
    }
    assert lists.get("off") == (selected and [selected])
    assert lists["clock"] == [clock[:2] or "-"], "the clock is listed without the rule"
    assert line in "\n".join(part.get("content", "") for part in walk([container])) + "\n"
