"""Sentences about events: templates whose fields are the names of an event's facts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from engine.game import Event
from render.i18n import _

Templates = Mapping[str, str | Mapping[str, str]]
"""Kind of event → its sentence; where it has several, by the event's last fact, `` for any."""

FactText = Callable[[str, str], str]
"""Name of a fact and the fact → the fact as players call it."""


def sentence(event: Event, facts: Sequence[str], templates: Templates, fact_text: FactText) -> str:
    """Return the sentence about an event in the current language.

    Args:
        event: the event to narrate.
        facts: the names of its facts, see `Game.events`.
        templates: the sentences, by kind of event.
        fact_text: returns a fact as players call it.
    """
    template = templates[event.kind]
    if not isinstance(template, str):
        template = template.get(event.facts[-1]) or template[""]
    fields = {name: fact_text(name, fact) for name, fact in zip(facts, event.facts, strict=True)}
    return _(template).format(**fields)
