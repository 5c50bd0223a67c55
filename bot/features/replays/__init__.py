"""Replays, animations and records of finished matches, and playing on from a position."""

from bot.feature import Feature, Foundation
from bot.features.replays import commands
from bot.features.replays import continuation_commands as _handlers  # noqa: F401 - of components
from bot.features.replays import line_commands as _line_handlers  # noqa: F401 - of components
from bot.features.replays.animations import Animations
from bot.features.replays.ids import LineActId, LineId, LinePartId
from bot.features.replays.imports import Imports
from bot.features.replays.views import card_buttons, end_button


def _services(foundation: Foundation) -> list[object]:
    animations = Animations(foundation.boards_idle)
    foundation.cache_clearers.append(animations.clear_cache)
    foundation.closers.append(animations.close)
    return [Imports(foundation.database), animations]


FEATURE = Feature(
    "replays",
    is_required=True,
    services=_services,
    commands=commands.commands,
    components=(LineId, LineActId, LinePartId),
    menus=commands.menus,
    end_button=end_button,
    card_buttons=card_buttons,
)
