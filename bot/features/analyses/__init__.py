"""Analyses of finished matches: their luck, and their most costly decisions."""

from bot.feature import Delivery, Feature, Foundation, ScheduledJob
from bot.features.analyses import commands
from bot.features.analyses.analyst import Analyst
from bot.features.analyses.ids import AnalyseId
from bot.features.analyses.service import ANALYSES_DUE, TOPIC, Analyses
from bot.features.analyses.views import card_buttons, end_button
from render.i18n import N_


def _services(foundation: Foundation) -> list[object]:
    analyses = Analyses(
        foundation.database,
        foundation.queries,
        foundation.leases,
        foundation.clock,
        foundation.workers.wait_for,
    )
    return [analyses, Analyst(analyses, foundation.workers.of_one())]


def _jobs(delivery: Delivery) -> list[ScheduledJob]:
    analyst = delivery.context.of(Analyst)
    return [
        ScheduledJob("analysing a match", analyst.run, ANALYSES_DUE, TOPIC, close=analyst.close)
    ]


FEATURE = Feature(
    "analyses",
    services=_services,
    commands=commands.commands,
    components=(AnalyseId,),
    jobs=_jobs,
    help_line=N_(
        "**Luck and play:** `/analyse` shows what decided a match, and your costliest moves."
    ),
    end_button=end_button,
    card_buttons=card_buttons,
)
