"""The bot's entry in Discord's developer portal and App Directory: texts, tags and pictures.

The pictures are drawn by `make listing`; `starpost portal` sends them to Discord.
"""

from __future__ import annotations

from pathlib import Path

from engine import games
from render.i18n import format_list

FOLDER = Path(__file__).parent

ICON, COVER = FOLDER / "icon.png", FOLDER / "cover.png"
"""The application's icon, a square, and its cover, 16:9."""

DESCRIPTION_LIMIT, SUMMARY_LIMIT = 400, 200
"""Maximum number of characters."""

TAGS_LIMIT, TAG_LIMIT = 5, 20
"""Maximum number of tags, and of characters of a tag."""

SUMMARY = (
    "Board games in space, played by buttons over days: against friends or the computer, with "
    "clocks, replays and fair dice."
)
"""Text of the App Directory below the name."""

TAGS = ("board games", "games", "strategy", "multiplayer", "turn-based")


def description() -> str:
    """Return the description of the application, which names the installed games."""
    titles = [games.get(name).title for name in games.names()]
    text = (
        f"{format_list(titles)}: board games in space that are played over days, a move at a time. "
        "Challenge a friend or the computer with /play, and move with the buttons below the "
        "board. /howto teaches a game in minutes. Boards come as pictures and as text, and the "
        "dice can be verified."
    )
    return text if len(text) <= DESCRIPTION_LIMIT else SUMMARY
