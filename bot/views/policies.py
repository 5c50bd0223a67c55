"""The host's terms of service and privacy policy."""

from __future__ import annotations

from typing import NamedTuple

from render.i18n import _


class Policies(NamedTuple):
    """Addresses of the host's texts in the developer portal; empty if there are none."""

    terms: str = ""
    privacy: str = ""

    def lines(self) -> list[str]:
        """Return a line for each text that there is."""
        lines = []
        if self.privacy:
            lines.append(_("**Privacy policy of my host:** {address}").format(address=self.privacy))
        if self.terms:
            lines.append(_("**Terms of service of my host:** {address}").format(address=self.terms))
        return lines
