"""The settings of servers, and `/admin doctor`."""

from bot.feature import Feature
from bot.features.servers import commands
from bot.features.servers.options import OPTIONS
from bot.outbox.refusals import Refusals

FEATURE = Feature(
    "servers",
    is_required=True,
    services=lambda foundation: [Refusals(foundation.database)],
    commands=commands.commands,
    server_options=OPTIONS,
)
