"""The profile of a player."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from discord import ui

from bot.sanitize import escape
from bot.services.estimates import Estimate
from bot.services.pools import pool_title
from bot.services.preferences import PREFERENCES, PreferenceKey
from bot.services.profiles import (
    MIN_SHOWN_ANALYSES,
    Audience,
    GameErrors,
    Opening,
    Opponent,
    PoolRating,
    Profile,
    Score,
)
from bot.views.analyses import TITLES, luck_words
from bot.views.controls import button
from bot.views.custom_ids import PreferencesId
from bot.views.message import COLOUR, PAGE_LIMIT, Message, layout_of
from engine import games
from engine.computer.situation import SCALE
from render import for_game
from render.i18n import N_, _, ngettext, truncate

MAX_OPPONENTS = 5
"""Maximum number of opponents that are listed."""

SETTINGS_GROUP = "others"
"""The group of settings with the one of who can see a profile."""

_REFUSALS = {
    Audience.NO_ONE: N_("{name}'s profile is private: players choose in `/settings` who sees it."),
    Audience.MET: N_(
        "{name} shows their profile to players they have finished a match with, and on servers "
        "that you share."
    ),
}


class Section(NamedTuple):
    """A part of a profile: its title and its lines."""

    title: str
    lines: tuple[str, ...]


def refusal(name: str, audience: Audience) -> str:
    """Return why a profile is not shown.

    Args:
        name: of the player, with Markdown escaped.
        audience: who may see it.
    """
    return _(_REFUSALS[audience]).format(name=name)


def page(name: str, profile: Profile, preferences: Mapping[str, str] | None) -> Message:
    """Return a profile.

    Args:
        name: of the player, with Markdown escaped.
        profile: as the reader may see it.
        preferences: those of the reader, if it is the reader's own profile.
    """
    items: list[ui.Item[Any]] = [ui.TextDisplay(f"## {heading(name)}")]
    parts = ["\n".join((f"**{section.title}**", *section.lines)) for section in sections(profile)]
    text = "\n".join([_summary(profile), *parts, *_notes(profile)])
    items.append(ui.TextDisplay(truncate(text, PAGE_LIMIT - 400)))
    if preferences is not None:
        chosen = PREFERENCES[PreferenceKey.PROFILE]
        value = preferences[PreferenceKey.PROFILE]
        words = _("-# {setting}: {value}").format(
            setting=_(chosen.about), value=_(chosen.values[value])
        )
        items.append(ui.TextDisplay(words))
        items.append(ui.ActionRow[Any](button(_("Change…"), PreferencesId(SETTINGS_GROUP))))
    return Message(layout_of(ui.Container[Any](*items, accent_colour=COLOUR)))


def heading(name: str) -> str:
    """Return the title of a profile."""
    return _("Profile of {name}").format(name=name)


def sections(profile: Profile) -> list[Section]:
    """Return the parts of a profile that have something to tell."""
    found = [
        Section(_("Matches with people"), tuple(_scores(profile.people))),
        Section(_("Matches with the computer"), tuple(_scores(profile.computers))),
        Section(_("Ratings"), tuple(map(_rating, profile.ratings))),
        Section(_("Opponents"), tuple(map(_opponent, profile.opponents[:MAX_OPPONENTS]))),
        Section(_("Luck and decisions"), tuple(_analysed(profile))),
        Section(_("Favourite openings"), tuple(map(_opening, profile.openings))),
    ]
    return [each for each in found if each.lines]


def _summary(profile: Profile) -> str:
    """Return how much was played, and how fast."""
    if not profile.matches:
        return _("No finished matches yet.")
    words = ngettext("{count} finished match", "{count} finished matches", profile.matches)
    parts = [words.format(count=profile.matches)]
    if count := profile.opponent_count:
        words = ngettext("{count} opponent", "{count} opponents", count)
        parts.append(words.format(count=count))
    if profile.turns:
        words = _("a turn takes {time} on average")
        parts.append(words.format(time=span(profile.seconds / profile.turns)))
    return ", ".join(parts)


def span(seconds: float) -> str:
    """Return a time in its two largest units.

    Example:
        >>> [span(seconds) for seconds in (41.7, 95, 7260, 90_000 * 3)]
        ['42 s', '2 min', '2 h 1 min', '3 d 3 h']
    """
    minutes = round(seconds / 60)
    if seconds < 60:
        return f"{round(seconds)} s"
    hours, rest = divmod(minutes, 60)
    if not hours:
        return f"{rest} min"
    days, left = divmod(hours, 24)
    return f"{days} d {left} h" if days else f"{hours} h {rest} min"


def _scores(scores: Mapping[str, Score]) -> Iterator[str]:
    for pool, score in scores.items():
        yield f"- {pool_title(pool)}: {score_words(score)}"


def score_words(score: Score) -> str:
    """Return a score in words, with the points as a percentage."""
    words = _("{won} won, {drawn} drawn, {lost} lost ({share} %)")
    return words.format(
        won=score.won, drawn=score.drawn, lost=score.lost, share=round(100 * score.share)
    )


def _opponent(opponent: Opponent) -> str:
    return f"- {escape(opponent.name)}: {score_words(opponent.score)}"


def _rating(rating: PoolRating) -> str:
    words = ngettext(
        "- {pool}: **{number}** after {count} result",
        "- {pool}: **{number}** after {count} results",
        rating.results,
    )
    if rating.rating.is_provisional:
        words = ngettext(
            "- {pool}: **{number}**, provisional, after {count} result",
            "- {pool}: **{number}**, provisional, after {count} results",
            rating.results,
        )
    return words.format(
        pool=pool_title(rating.pool), number=rating.rating.number, count=rating.results
    )


def _analysed(profile: Profile) -> Iterator[str]:
    """Yield what the analyses of matches tell."""
    if profile.luck:
        yield _luck(profile.luck)
    yield from map(_errors, profile.errors)


def _luck(luck: Estimate) -> str:
    """Return the luck in a match, with its interval and in a word."""
    words = ngettext(
        "- Dice and draws: **{change}** of a win a match ({count} analysed match)",
        "- Dice and draws: **{change}** of a win a match ({count} analysed matches)",
        luck.size,
    )
    told = _("too few for a judgement")
    if luck.margin is not None:
        words = _(
            "- Dice and draws: **{change}** of a win a match ({low} to {high} in 19 of 20 cases; "
            "{count} analysed matches)"
        )
        told = _(luck_words(0 if luck.is_chance else round(luck.mean * SCALE)))
    margin = luck.margin or 0.0
    shown = words.format(
        change=_change(luck.mean),
        low=_change(luck.mean - margin),
        high=_change(luck.mean + margin),
        count=luck.size,
    )
    return f"{shown}: {told}"


def _errors(errors: GameErrors) -> str:
    """Return what the decisions in a game lost."""
    words = _(
        "- {game}: each decision lost {rate} of a win on average ({decisions} decisions, analysed "
        "matches: {count}), like a {level}"
    )
    rate = _percent(errors.rate.mean)
    if errors.rate.margin is not None:
        rate = f"{rate} ± {_percent(errors.rate.margin)}"
    return words.format(
        game=games.get(errors.game).title,
        rate=rate,
        decisions=errors.decisions,
        count=errors.rate.size,
        level=_(TITLES[errors.level]),
    )


def _opening(opening: Opening) -> str:
    words = _("- {game}: {opening} ({count} of {matches})")
    return words.format(
        game=games.get(opening.game).title,
        opening=for_game(opening.game).opening(opening.words),
        count=opening.played,
        matches=opening.matches,
    )


def _notes(profile: Profile) -> Iterator[str]:
    """Yield what a profile does not show."""
    if not profile.shows_analyses:
        yield _("-# Luck and decisions are private (`/settings`).")
    elif profile.matches and profile.luck is None:
        words = _(
            "-# Luck and decisions follow from analysed matches (`/analyse`), from {count} on."
        )
        yield words.format(count=MIN_SHOWN_ANALYSES)
    if profile.left_out:
        words = _("-# {count} older matches are not counted yet; ask again in a moment.")
        yield words.format(count=profile.left_out)


def _percent(part: float) -> str:
    return f"{100 * part:.1f} %"


def _change(part: float) -> str:
    """Return a change with its sign.

    Example:
        >>> _change(-0.031), _change(0.0002)
        ('−3.1 %', '0.0 %')
    """
    percent = round(100 * part, 1)
    sign = {True: "+", False: "−"}[percent > 0] if percent else ""
    return f"{sign}{abs(percent):.1f} %"
