"""Profiles: statistics of a player's finished matches."""

from bot.feature import Feature
from bot.features.profiles import commands
from bot.features.profiles.service import Profiles
from render.i18n import N_

FEATURE = Feature(
    "profiles",
    services=lambda foundation: [Profiles(foundation.database)],
    commands=commands.commands,
    help_line=N_("**Statistics:** `/profile` shows yours."),
    menus=commands.menus,
)
