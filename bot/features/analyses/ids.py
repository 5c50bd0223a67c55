"""The custom_id of analyses."""

from __future__ import annotations

from bot.domain.ids import MatchId
from bot.views.custom_id_codec import CustomId


class AnalyseId(CustomId, prefix="analyse"):
    """Analyse a finished match."""

    match_id: MatchId
