"""The introduction to the game, and the rules about each decision."""

from __future__ import annotations

from render.i18n import N_
from render.invitation import Invitation, Setting

INVITATION = Invitation(
    summary=N_("Hide coins in a small galaxy, then jump through them to land on a base."),
    turns=25,
    rules=Setting(
        N_("Rules"),
        {
            "0.6": N_("standard: one ship on a base wins"),
            "0.6-long": N_("long: both ships must land"),
            "0.5.2": N_("first edition: both ships, no resting"),
        },
    ),
    options={
        "notes": Setting(
            N_("Memory"),
            {
                "off": N_("from memory, as the rules say"),
                "on": N_("the coins that you've seen are shown"),
            },
        ),
        "placing": Setting(
            N_("Setup"),
            {
                "one": N_("one coin each in turn"),
                "three": N_("three coins each in turn"),
                "secret": N_("all coins at once, in secret"),
                "random": N_("at random: you look at your coins"),
            },
        ),
    },
    visible_options=("notes",),
)

DECISION_RULES = {
    "rolloff": "W3.1",
    "first": "W3.2",
    "place": "W3.3",
    "lay": "W3.7",
    "lot": "W3.7",
    "deal": "W3.8",
    "study": "W3.8",
    "declare": "W8.2",
    "roll": "W4.1",
    "act": "W4.2",
    "jump": "W5.3",
    "send": "W7.1",
    "over": "W8.1",
}
"""Phase → number of the rule about the decision."""
