"""The introduction to the game, and the rules about each decision."""

from __future__ import annotations

from render.i18n import N_, NC_
from render.invitation import Invitation, Setting

INVITATION = Invitation(
    summary=N_("Build a space station of tubes, collect what drifts there, and race home."),
    turns=45,
    rules=Setting(
        N_("Rules"),
        {
            "standard": N_("with all counters"),
            "basic": N_("without control and alien counters, for a first match"),
        },
    ),
    options={
        "launch_T": Setting(N_("Extra energy for Tom"), {"0": NC_("energy counters", "none")}),
        "launch_D": Setting(N_("Extra energy for Dave"), {"0": NC_("energy counters", "none")}),
    },
)

AIM = N_(
    "Aim: the most points. Build tubes, fetch your two solar counters and be home first: each turn "
    "your opponent still needs is a point for you. Below each name: counters, triangles to fill "
    "gaps (with tubes, blank), points."
)

DECISION_RULES = {
    "first": "T5.7",
    "turn": "T3",
    "draw": "T3.1",
    "rhomb": "T3.1",
    "fill": "T3.2",
    "help": "T5.3",
    "over": "T5.5",
}
"""Phase → number of the rule about the decision."""
