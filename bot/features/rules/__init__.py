"""The rules of the games, and lessons that teach them."""

from itertools import chain

from bot.feature import Feature
from bot.features.rules import commands, lesson_commands
from bot.features.rules import puzzle_commands as _handlers  # noqa: F401 - of components

FEATURE = Feature(
    "rules",
    is_required=True,
    commands=lambda context: chain(commands.commands(context), lesson_commands.commands(context)),
    menus=commands.menus,
)
