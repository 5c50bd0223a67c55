"""The position of the day: posted in a channel, answered in private, and solved."""

from bot.feature import Feature
from bot.features.daily import commands as _handlers  # noqa: F401 - registers its components
from bot.features.daily.ids import DailyAnswerId, DailyId, DailyMonthId, DailyPartId
from bot.features.daily.posts import jobs
from bot.features.daily.server_options import CHANNEL, check_channel
from bot.features.daily.service import DailyPositions
from bot.personal import rows_of_user
from bot.storage.schema import daily_answers
from render.i18n import N_

FEATURE = Feature(
    "daily",
    services=lambda foundation: [DailyPositions(foundation.database, foundation.clock)],
    components=(DailyId, DailyPartId, DailyAnswerId, DailyMonthId),
    jobs=jobs,
    help_line=N_("**Every day:** a position to solve, in a channel that the server chooses."),
    server_options=(CHANNEL,),
    doctor=check_channel,
    personal=(rows_of_user(daily_answers, "answers to positions of the day"),),
)
