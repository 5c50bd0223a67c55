"""Scorecards made to be shared: a picture of a finished match, private first."""

from bot.feature import Feature
from bot.features.scorecards import commands as _handlers  # noqa: F401 - registers its components
from bot.features.scorecards.ids import PostScorecardId, ScorecardId
from bot.features.scorecards.service import Scorecards
from bot.features.scorecards.views import end_button

FEATURE = Feature(
    "scorecards",
    services=lambda foundation: [Scorecards(foundation.database)],
    components=(ScorecardId, PostScorecardId),
    end_button=end_button,
)
