"""Private notes of players on their matches and opponents."""

from bot.feature import Feature
from bot.features.notes import commands
from bot.features.notes.ids import NotesCopyId, NotesId, NotesWrittenId
from bot.features.notes.service import PERSONAL, Notes
from bot.features.notes.views import card_buttons

FEATURE = Feature(
    "notes",
    is_required=True,
    services=lambda foundation: [Notes(foundation.database)],
    components=(NotesId, NotesWrittenId, NotesCopyId),
    card_buttons=card_buttons,
    memory_button=commands.memory_button,
    private_lines=commands.lines_of,
    personal=(PERSONAL,),
)
