"""The profile of a player."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import discord

from bot.domain.computer_players import TITLE_OF_LEVEL
from bot.domain.pools import pool_title
from bot.domain.quiet_hours import ActiveHours
from bot.features.profiles.confidence_intervals import Estimate
from bot.features.profiles.service import (
    MIN_SHOWN_ANALYSES,
    Audience,
    FavouriteOpening,
    GameErrors,
    Opponent,
    PoolRating,
    Profile,
    Score,
)
from bot.sanitize import escape
from bot.services.preferences import PREFERENCES, PreferenceKey
from bot.views import ui
from bot.views.clocks import active_hours_line
from bot.views.computers import levels_note
from bot.views.controls import button
from bot.views.custom_ids import PreferencesId
from bot.views.luck import luck_words
from bot.views.message import COLOUR, PAGE_LIMIT, Message, gallery, layout_of
from engine import games
from engine.computer.situation import SCALE
from render import for_game
from render.charts import LuckRange, ProfileCard, ScoreBar
from render.i18n import (
    N_,
    _,
    format_change,
    format_decimal,
    format_list,
    format_percent,
    format_span,
    ngettext,
    titled,
    truncate,
)
from render.renderer import MAX_ALT_CHARACTERS

MAX_OPPONENTS = 5
"""Maximum number of opponents that are listed."""

MAX_BARS = 8
"""Maximum number of scores in the picture."""

PICTURE_FILE = "profile.png"

SETTINGS_GROUP = "others"
"""The group of settings that contains the audience of a profile."""

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
    """Return the sentence that refuses to show a profile.

    Args:
        name: the player's name, with Markdown escaped.
        audience: who may see it.
    """
    return _(_REFUSALS[audience]).format(name=name)


def page(
    name: str,
    profile: Profile,
    preferences: Mapping[str, str] | None = None,
    picture: bytes | None = None,
    active: ActiveHours | None = None,
) -> Message:
    """Return a profile.

    Args:
        profile: the profile as the reader may see it.
        preferences: the reader's preferences, if it is the reader's own profile.
        picture: picture of the profile, as a PNG, if there is one.
        active: the player's active hours, if the reader may see them.
    """
    items: list[ui.Item] = [ui.TextDisplay(f"## {heading(escape(name))}")]
    files = list[discord.File]()
    if picture is not None:
        alt = alt_text(name, profile)
        files.append(discord.File(io.BytesIO(picture), PICTURE_FILE, description=alt))
        items.append(gallery(files[0]))
    parts = ["\n".join((f"**{section.title}**", *section.lines)) for section in sections(profile)]
    text = "\n".join([_summary(profile), *parts, *_notes(profile, is_self=preferences is not None)])
    items.append(ui.TextDisplay(truncate(text, PAGE_LIMIT - 400)))
    if active:
        items.append(ui.TextDisplay(f"-# {active_hours_line(escape(name), active)}"))
    if preferences is not None:
        preference = PREFERENCES[PreferenceKey.PROFILE]
        value = preferences[PreferenceKey.PROFILE]
        words = _("-# {setting}: {value}").format(
            setting=_(preference.about), value=_(preference.values[value])
        )
        items.append(ui.TextDisplay(words))
        items.append(ui.ActionRow(button(_("Change…"), PreferencesId(SETTINGS_GROUP))))
    return Message(layout_of(ui.Container(*items, accent_colour=COLOUR)), tuple(files))


def alt_text(name: str, profile: Profile) -> str:
    """Return the alternative text for the picture of a profile."""
    lines = [heading(name), _summary(profile)]
    for section in sections(profile):
        lines += [section.title, *section.lines]
    return truncate("\n".join(lines).replace("**", ""), MAX_ALT_CHARACTERS)


def card(name: str, profile: Profile) -> ProfileCard | None:
    """Return the data for the picture of a profile; None if there is nothing to draw."""
    if not profile.matches:
        return None
    ratings = {rating.pool: _short_rating(rating) for rating in profile.ratings}
    bars = [
        _bar(pool_title(pool), score, ratings.pop(pool, ""))
        for scores in (profile.people, profile.computers)
        for pool, score in scores.items()
    ]
    facts = [_pace(profile)] if profile.turns else []
    facts += [titled(pool_title(pool), rating) for pool, rating in ratings.items()]
    facts += [_short_errors(error) for error in profile.errors]
    facts += [_opening(opening) for opening in profile.openings]
    return ProfileCard(
        name,
        format_list([*_counts(profile)], style="commas"),
        bars[:MAX_BARS],
        _luck_range(profile.luck),
        facts,
    )


def _bar(title: str, score: Score, rating: str = "") -> ScoreBar:
    return ScoreBar(title, score_words(score), (score.won, score.drawn, score.lost), rating)


def _short_rating(rating: PoolRating) -> str:
    words = _("{number} (provisional)") if rating.rating.is_provisional else "{number}"
    return words.format(number=rating.rating.number)


def _short_errors(errors: GameErrors) -> str:
    """Return the line of the picture about decision losses in a game."""
    words = _("{game}: a decision costs {rate} of 100 points (like the {level})")
    level = _(TITLE_OF_LEVEL[errors.level])
    return words.format(game=games.get(errors.game).title, rate=_rate(errors.rate), level=level)


def _luck_range(luck: Estimate | None) -> LuckRange | None:
    """Return the luck as the picture shows it, with an interval only."""
    if luck is None or luck.margin is None:
        return None
    low, high = luck.mean - luck.margin, luck.mean + luck.margin
    words = _("{change} of 100 points a match ({low} to {high})")
    return LuckRange(
        _("Dice and draws: {luck}").format(luck=_luck_word(luck)),
        words.format(change=_change(luck.mean), low=_change(low), high=_change(high)),
        *(luck.mean, low, high),
    )


def heading(name: str) -> str:
    """Return the title of a profile."""
    return _("Profile of {name}").format(name=name)


def sections(profile: Profile) -> list[Section]:
    """Return the sections of a profile that are not empty."""
    all_sections = [
        Section(_("Matches with people"), tuple(_scores(profile.people))),
        Section(_("Matches with the computer"), tuple(_scores(profile.computers))),
        Section(_("Ratings"), tuple(map(_rating, profile.ratings))),
        Section(_("Opponents"), tuple(map(_opponent, profile.opponents[:MAX_OPPONENTS]))),
        Section(_("Luck and decisions"), tuple(_analysed(profile))),
        Section(
            _("Favourite openings"), tuple(f"- {_opening(opening)}" for opening in profile.openings)
        ),
    ]
    return [section for section in all_sections if section.lines]


def _summary(profile: Profile) -> str:
    """Return the numbers of matches, and the pace."""
    parts = [*_counts(profile), *([_pace(profile)] if profile.turns else [])]
    return format_list(parts, style="commas") or _("No finished matches yet.")


def _counts(profile: Profile) -> Iterator[str]:
    """Yield the numbers of matches and of opponents."""
    if count := profile.matches:
        words = ngettext("{count} finished match", "{count} finished matches", count)
        yield words.format(count=count)
    if count := profile.opponent_count:
        words = ngettext("{count} opponent", "{count} opponents", count)
        yield words.format(count=count)


def _pace(profile: Profile) -> str:
    """Return the mean time of a turn."""
    words = _("a turn takes {time} on average")
    return words.format(time=format_span(profile.seconds / profile.turns))


def _scores(scores: Mapping[str, Score]) -> Iterator[str]:
    for pool, score in scores.items():
        yield f"- {titled(pool_title(pool), score_words(score))}"


def score_words(score: Score) -> str:
    """Return a score in words, with the points as a percentage."""
    words = _("{won} won, {drawn} drawn, {lost} lost ({share})")
    return words.format(
        won=score.won, drawn=score.drawn, lost=score.lost, share=format_percent(score.share)
    )


def _opponent(opponent: Opponent) -> str:
    return f"- {titled(escape(opponent.name), score_words(opponent.score))}"


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
    """Yield the lines derived from analysed matches."""
    if profile.luck:
        yield _luck(profile.luck)
    yield from map(_errors, profile.errors)
    if profile.errors:
        yield levels_note()


def _luck(luck: Estimate) -> str:
    """Return the luck in a match, with its interval and in a word."""
    words = ngettext(
        "- Dice and draws: **{change}** of 100 points a match ({count} analysed match)",
        "- Dice and draws: **{change}** of 100 points a match ({count} analysed matches)",
        luck.size,
    )
    judgement = _("too few for a judgement")
    if luck.margin is not None:
        words = ngettext(
            "- Dice and draws: **{change}** of 100 points a match ({low} to {high} in 19 of 20 "
            "cases; {count} analysed match)",
            "- Dice and draws: **{change}** of 100 points a match ({low} to {high} in 19 of 20 "
            "cases; {count} analysed matches)",
            luck.size,
        )
        judgement = _luck_word(luck)
    margin = luck.margin or 0.0
    figures = words.format(
        change=_change(luck.mean),
        low=_change(luck.mean - margin),
        high=_change(luck.mean + margin),
        count=luck.size,
    )
    return titled(figures, judgement)


def _luck_word(luck: Estimate) -> str:
    return _(luck_words(0 if luck.is_chance else round(luck.mean * SCALE)))


def _errors(errors: GameErrors) -> str:
    """Return the line about decision losses in a game."""
    words = ngettext(
        "- {game}: each decision cost {rate} of 100 points on average ({count} decision, "
        "analysed matches: {matches}; about as good as the computer's {level})",
        "- {game}: each decision cost {rate} of 100 points on average ({count} decisions, "
        "analysed matches: {matches}; about as good as the computer's {level})",
        errors.decisions,
    )
    return words.format(
        game=games.get(errors.game).title,
        rate=_rate(errors.rate),
        count=errors.decisions,
        matches=errors.rate.size,
        level=_(TITLE_OF_LEVEL[errors.level]),
    )


def _opening(opening: FavouriteOpening) -> str:
    words = _("{game}: {opening} ({number} of {total})")
    return words.format(
        game=games.get(opening.game).title,
        opening=for_game(opening.game).opening(opening.words),
        number=opening.played,
        total=opening.matches,
    )


def _notes(profile: Profile, *, is_self: bool) -> Iterator[str]:
    """Yield notes on data missing from a profile, for its player or another reader."""
    if not profile.shows_analyses:
        yield _("-# Luck and decisions are private (`/settings`).")
    elif profile.matches and profile.luck is None and is_self:
        yield _("-# Luck and decisions come from analysed matches (`/analyse`).")
    elif profile.matches and profile.luck is None:
        words = _(
            "-# Luck and decisions come from analysed matches (`/analyse`), from {number} on."
        )
        yield words.format(number=MIN_SHOWN_ANALYSES)
    if profile.left_out:
        words = ngettext(
            "-# {count} older match is not counted yet; ask again in a moment.",
            "-# {count} older matches are not counted yet; ask again in a moment.",
            profile.left_out,
        )
        yield words.format(count=profile.left_out)


def _rate(rate: Estimate) -> str:
    """Return a mean loss in points, with its margin."""
    mean = format_decimal(100 * rate.mean)
    margin = rate.margin
    return mean if margin is None else f"{mean} ± {format_decimal(100 * margin)}"


def _change(part: float) -> str:
    """Return a change in points with its sign."""
    return format_change(100 * part, 1)
