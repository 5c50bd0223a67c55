"""Names of the counters of Tom Tube."""

from __future__ import annotations

from render.i18n import N_

COUNTER_NAMES = {
    "energy": N_("energy"),
    "control": N_("control"),
    "alien": N_("alien"),
    "solar": N_("solar"),
}
"""Names of the counters."""
