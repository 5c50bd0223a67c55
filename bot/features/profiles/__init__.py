"""Profiles: statistics of a player's finished matches."""

from bot.feature import Feature
from bot.features.profiles import commands
from bot.features.profiles.service import Profiles

FEATURE = Feature(
    "profiles",
    services=lambda foundation: [Profiles(foundation.database)],
    commands=commands.commands,
    menus=commands.menus,
)
