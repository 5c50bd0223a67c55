"""The introduction to the game, and the rules about each decision."""

from __future__ import annotations

from render.i18n import N_
from render.invitation import Invitation, Setting

INVITATION = Invitation(
    summary=N_("Race your dice down a spiral; landing on other dice warps you ahead."),
    turns=60,
    options={
        "seats": Setting(N_("Players"), {"2": N_("two"), "3": N_("three")}),
        "setup": Setting(
            N_("Dice at the start"),
            {"rolled": N_("rolled"), "secret": N_("each player sets them in secret")},
        ),
    },
)

DECISION_RULES = {
    "set": "X2.4",
    "roll": "X2.2",
    "lot": "X2.2",
    "place": "X2.3",
    "play": "X3",
    "reroll": "X4.1",
    "over": "X5.1",
}
"""Phase → number of the rule about the decision."""
