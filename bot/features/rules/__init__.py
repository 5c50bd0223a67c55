"""The rules of the games, and lessons that teach them."""

from itertools import chain

from bot.feature import Feature
from bot.features.rules import commands, lesson_commands

FEATURE = Feature(
    "rules",
    is_required=True,
    commands=lambda context: chain(commands.commands(context), lesson_commands.commands(context)),
    menus=commands.menus,
)
