"""The host's terms and privacy policy, from the application in the developer portal."""

from __future__ import annotations

from bot.interactions.replies import Interaction
from bot.views.policies import Policies


def policies_of(interaction: Interaction) -> Policies:
    """Return the addresses that the developer portal had when the bot logged in."""
    application = interaction.client.application
    if application is None:
        return Policies()
    return Policies(application.terms_of_service_url or "", application.privacy_policy_url or "")
