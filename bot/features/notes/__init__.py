"""Private notes of players on their matches and opponents."""

from bot.feature import Feature
from bot.features.notes import commands
from bot.features.notes.ids import NotesId, NotesWrittenId
from bot.features.notes.service import PERSONAL, Notes
from bot.features.notes.views import card_buttons

FEATURE = Feature(
    "notes",
    is_required=True,
    services=lambda foundation: [Notes(foundation.database)],
    components=(NotesId, NotesWrittenId),
    card_buttons=card_buttons,
    private_lines=commands.lines,
    personal=(PERSONAL,),
)
