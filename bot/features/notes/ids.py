"""The custom_ids of private notes."""

from __future__ import annotations

from bot.domain.ids import MatchId
from bot.views.custom_id_codec import CustomId


class NotesId(CustomId, prefix="notes"):
    """Open the window with this user's notes on a match and its opponents."""

    match_id: MatchId


class NotesWrittenId(CustomId, prefix="noted"):
    """Store the notes from the window."""

    match_id: MatchId


class NotesCopyId(CustomId, prefix="notecopy"):
    """Add what this user has to remember to the notes on the match.

    Attributes:
        path: the path to the choices on the board with the button, which are shown again.
    """

    match_id: MatchId
    path: str = ""
