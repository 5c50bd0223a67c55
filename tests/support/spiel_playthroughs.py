"""Playthroughs of OpenSpiel: one of each game with each value of each parameter, in files.

    PYTHONPATH=$(echo build/openspiel/lib/python3*/site-packages) \
        .venv/bin/python -m tests.support.spiel_playthroughs

writes them again, after a change of the rules that is meant, or of OpenSpiel's version.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "engine" / "openspiel" / "playthroughs"

GAMES = (
    "starpost_wormholes",
    "starpost_wormholes(notes=on)",
    "starpost_wormholes(placing=three)",
    "starpost_wormholes(placing=secret)",
    "starpost_wormholes(placing=random)",
    "starpost_wormholes(rules=v0.5.2,max_choices=200)",
    "starpost_wormholes(rules=v0.6-long,max_choices=200)",
    "starpost_warp6",
    "starpost_warp6(setup=secret)",
    "starpost_warp6(seats=3)",
    "starpost_warp6(seats=3,setup=secret)",
    "starpost_tomtube",
    "starpost_tomtube(rules=basic)",
    "starpost_tomtube(launch_T=3,launch_D=6)",
)
"""Each game with each value of each parameter; random matches of two rule sets are very long."""

CHOICES = 12
"""Number of choices in a playthrough; with `placing=random`, Wormholes begins to move at once."""

SEED = 1


def limited(text: str, choices: int) -> str:
    """Return the text of a game that ends as a draw after so many choices, with short tensors.

    Example:
        >>> limited("starpost_warp6(seats=3,max_choices=200)", 9)
        'starpost_warp6(seats=3,max_choices=9,recall=16)'
    """
    name, _, given = text.rstrip(")").partition("(")
    options = [part for part in given.split(",") if part and not part.startswith("max_choices")]
    return f"{name}({','.join([*options, f'max_choices={choices}', 'recall=16'])})"


def file_of(text: str) -> Path:
    """Return the file with the playthrough of a game."""
    name = re.sub(r",?max_choices=\d+", "", text)
    return FOLDER / f"{re.sub(r'[^a-zA-Z0-9]+', '-', name).strip('-')}.txt"


def playthroughs() -> Any:
    """Return OpenSpiel's module of playthroughs, with the games registered."""
    from absl import flags  # noqa: PLC0415 - it comes with OpenSpiel
    from open_spiel.python.algorithms import generate_playthrough  # noqa: PLC0415

    import engine.openspiel.games  # noqa: F401, PLC0415 - it needs OpenSpiel

    flags.FLAGS.mark_as_parsed()
    return generate_playthrough


def write() -> None:
    """Write all playthroughs."""
    FOLDER.mkdir(exist_ok=True)
    for text in GAMES:
        playthrough = playthroughs().playthrough(limited(text, CHOICES), None, seed=SEED)
        file_of(text).write_text(playthrough, encoding="utf-8")


if __name__ == "__main__":
    write()
