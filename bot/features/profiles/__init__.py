"""Profiles: what the finished matches of a player tell."""

from bot.feature import Feature
from bot.features.profiles.commands import commands, menus
from bot.features.profiles.service import Profiles

FEATURE = Feature(
    "profiles",
    services=lambda foundation: [Profiles(foundation.database)],
    commands=commands,
    menus=menus,
)
