"""Plans after a match: kept for their players, who may publish them."""

from bot.feature import Feature
from bot.features.published_plans import commands
from bot.features.published_plans.ids import OwnPlanId, SeatPlanId
from bot.features.published_plans.service import PERSONAL, PublishedPlans

FEATURE = Feature(
    "published_plans",
    is_required=True,
    services=lambda foundation: [PublishedPlans(foundation.database, foundation.clock)],
    components=(OwnPlanId, SeatPlanId),
    story_buttons=commands.story_buttons,
    personal=(PERSONAL,),
)
"""*Publish my plan…* beside the story of a finished match."""
