"""Sentences about events: templates whose fields are the names of an event's facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from engine.game import Event, View
from render.i18n import _, format_list, full_stop, translated

Templates = Mapping[str, str | Mapping[str, str]]
"""Kind of event → its sentence; where it has several, by the event's last fact, `` for any."""

EventText = Callable[[Event], str]
"""Returns the sentence of an event; empty if it has none."""

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
    return translated(template, fields)


def marked(words: str, view: View, place: int) -> str:
    """Return the sentence about an event, with the reason if the bot has made the choice.

    Args:
        words: the sentence; it may continue.
        view: the view whose story it belongs to.
        place: of the event in the story.
    """
    if place in view.forced:
        template = _("{choice} (the only move)")
    elif place in view.foreseen:
        template = _("{choice} (foreseen in a plan)")
    else:
        return words
    end = full_stop() if words.endswith(full_stop()) else ""
    return template.format(choice=words.removesuffix(end)) + end


def setup_sentences(
    views: Sequence[View],
    event_text: EventText,
    counted: Callable[[Event], str],
    total: str,
    complete: str,
) -> str:
    """Return the stories of a set-up with one sentence for all that was placed.

    Args:
        views: views of the set-up, each with its whole story.
        event_text: see `EventText`.
        counted: returns the name of the player who placed something; empty for other events.
        total: the sentence, with the field `players` for names and numbers.
        complete: the sentence instead of it, if the last view is after the set-up.
    """
    events = [event for view in views for event in view.story]
    counts = Counter(name for event in events if (name := counted(event)))
    sentences = ["" if counted(event) else event_text(event) for event in events]
    if counts:
        last = max(place for place, event in enumerate(events) if counted(event))
        numbers = [f"{name} {count}" for name, count in counts.items()]
        players = format_list(numbers, style="commas")
        sentences[last] = _(complete if views[-1].turn else total).format(players=players)
    return " ".join(filter(None, sentences))
