"""Languages of the simulated users' Discord."""

from __future__ import annotations

from typing import Any

import pytest
import simcord.interactions

Locales = dict[int, str]
"""Number of a user → the language of their Discord."""


def chosen_locales(monkeypatch: pytest.MonkeyPatch) -> Locales:
    """Return the languages that users have from now on; simcord's own all speak English."""
    locales: Locales = {}
    original = simcord.interactions.base_payload

    def base_payload(backend: Any, **fields: Any) -> Any:
        record, payload = original(backend, **fields)
        payload["locale"] = locales.get(fields["user_id"], "en-US")
        guild = backend.get_guild(fields["guild_id"]) if fields["guild_id"] else None
        if guild:
            payload["guild_locale"] = guild.preferred_locale
        return record, payload

    monkeypatch.setattr(simcord.interactions, "base_payload", base_payload)
    return locales
