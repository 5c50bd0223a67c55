"""The custom_ids of scorecards."""

from __future__ import annotations

from bot.domain.ids import MatchId
from bot.views.custom_id_codec import CustomId


class ScorecardId(CustomId, prefix="scorecard"):
    """Show the picture of a finished match in private."""

    match_id: MatchId


class PostScorecardId(CustomId, prefix="postscorecard"):
    """Post the picture in the channel of the match."""

    match_id: MatchId
