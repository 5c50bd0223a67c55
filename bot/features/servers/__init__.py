"""The settings of servers, and `/admin doctor`."""

from bot.feature import Feature
from bot.features.servers import commands
from bot.features.servers.options import OPTIONS

FEATURE = Feature(
    "servers",
    is_required=True,
    commands=commands.commands,
    server_options=OPTIONS,
)
