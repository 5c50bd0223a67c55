"""The custom_ids of tried lines; the line is in the record attached to the message."""

from __future__ import annotations

from bot.views.custom_id_codec import CustomId


class LineId(CustomId, prefix="tryline"):
    """Show a tried line after some actions; the computer answers if it is next.

    Attributes:
        side: the user's seat; empty to decide for all of them.
    """

    side: str
    action_count: int


class LineActId(CustomId, prefix="trylineact"):
    """Make a choice in a tried line; in a list, the choice is its value.

    Attributes:
        label: distinguishes the lists of a board, and the better choice.
    """

    side: str
    action_count: int
    label: str
    notation: str


class LinePartId(CustomId, prefix="trylinepart"):
    """Show the choices of a tried line below a path."""

    side: str
    action_count: int
    path: str
