"""Matches written down with each event, position, legal list and refusal: nothing has changed.

After a change of the rules that is meant, write them again: `python -m tests.support.playthroughs`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import games
from engine.game import Action
from tests.support.playthroughs import FOLDER, lines


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_a_playthrough_is_as_it_was_written_down(path: Path) -> None:
    head, *written = path.read_text(encoding="utf-8").splitlines()
    rules, *options = head.split()
    game = games.get(path.name.partition("-")[0])
    actions = [Action.parse(line.partition(" | ")[0]) for line in written]
    played = lines(game, rules, dict(option.split("=") for option in options), actions)
    for before, now in zip(written, played, strict=True):
        assert now == before
