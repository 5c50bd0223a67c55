"""The dice of matches: their seeds and their rolls."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.services.chance import dice_of, random_seed, resolve_chance
from bot.services.match_repository import match_with_board
from engine import games
from engine.dice import Dice, commitment
from engine.game import IllegalActionError
from tests.support.matches import MatchFixture

TWO_TIES = "5"
"""A salt with which two rolls for the start of Wormholes are ties, and the third is not."""


def test_each_seed_is_another_one_of_32_bytes() -> None:
    seeds = {random_seed() for _ in range(100)}
    assert {len(seed) for seed in seeds} == {32}
    assert len(seeds) == 100


def test_each_roll_in_a_row_is_a_chance_event_of_its_own() -> None:
    game, dice = games.get("wormholes"), Dice(bytes(32), TWO_TIES)
    start = game.start("0.6", {})
    rolled = resolve_chance(game, start, dice, 0)
    assert (len(rolled.actions), rolled.chance_count) == (3, 3)
    state = start
    for number, action in enumerate(rolled.actions):
        assert action == game.chance(state, dice.draw(number))
        assert resolve_chance(game, state, dice, number, rolled.actions[:number]) == rolled
        state, _ = game.apply(state, action)
    assert state == rolled.state


@pytest.mark.errors_wanted
async def test_a_seed_without_its_commitment_rolls_no_dice(env: MatchFixture) -> None:
    match_id = await env.ask()
    async with env.database.read() as connection:
        row = (await match_with_board(connection, match_id)).match
    assert dice_of(row, "salt").draw(0)(6) == Dice(row.seed, "salt").draw(0)(6)
    for published in (commitment(b"other"), None):
        with pytest.raises(IllegalActionError, match="please tell my host") as refused:
            dice_of(replace(row, commitment=published), "salt")
        assert refused.value.rule == "", "no rule of the game is broken"
