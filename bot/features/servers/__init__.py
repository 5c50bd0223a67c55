"""The settings of servers, and the check of the bot's setup."""

from bot.feature import Feature
from bot.features.servers import commands
from bot.features.servers.ids import CheckServerId
from bot.features.servers.options import OPTIONS

FEATURE = Feature(
    "servers",
    is_required=True,
    commands=commands.commands,
    components=(CheckServerId,),
    server_options=OPTIONS,
)
