"""The card for preparing a challenge in private."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType

import discord

from bot.domain.client_seed import MAX_CLIENT_SEED_CHARACTERS
from bot.domain.clocks import OFFERED_CLOCKS, days_off_rule, with_days_off
from bot.domain.computer_players import COMPUTER_NAMES, DEFAULT_LEVEL, TITLE_OF_LEVEL
from bot.domain.days_off import DaysOffRule
from bot.domain.drafts import MAX_ROUNDS, ChallengeDraft
from bot.domain.ids import MatchId, UserId
from bot.domain.models import Player, Switch
from bot.i18n import sides
from bot.sanitize import escape
from bot.services.challenges import OPEN_SEAT
from bot.views import ui
from bot.views.computers import play_computer
from bot.views.controls import button, stable_id
from bot.views.custom_ids import CardId
from bot.views.images import Cover
from bot.views.invitations import (
    CLOCK,
    RATED,
    SERIES,
    about,
    cover_files,
    cover_items,
    phrase,
    setting,
    terms,
)
from bot.views.message import COLOUR, Message, layout_of, note
from bot.views.ratings import solo_terms
from engine import games
from render import for_game
from render.i18n import N_, NC_, _, format_list, ngettext, truncate
from render.invitation import Setting

LABEL_LIMIT = 100
"""Maximum length of an entry of a list."""

GAME, SIDE = Setting(N_("Game")), Setting(N_("Your side"))
DAYS_OFF = Setting(
    N_("Days off"),
    {
        DaysOffRule.NONE: NC_("days off", "none"),
        DaysOffRule.WEEKENDS: N_("the weekend"),
        DaysOffRule.OWN: N_("each player's own, from /settings"),
    },
)
LEVEL, FREE_SEATS = Setting(N_("Level")), Setting(N_("Free seats"))

NONE_CHOSEN = "-"
"""Stands for an empty value in a list, such as a side that is drawn, or no clock."""

NO_NOTES: Mapping[str, str] = MappingProxyType({})

OPTION_PREFIX = "="
"""Prefix of the part of a list for an option, followed by the option's name."""


class Part(StrEnum):
    """The purpose of a component of the card, unless it is a list for an option."""

    SEND = "send"
    LUCK = "luck"
    WORDS = "words"
    DETAILS = "more"
    GAME = "game"
    OPPONENTS = "who"
    COMPUTER = "bot"
    LEVEL = "level"
    CLOCK = "clock"
    DAYS_OFF = "off"
    RULES = "rules"
    SIDE = "side"
    ROUNDS = "rounds"
    RATED = "rated"


def card_id(part: str, draft: ChallengeDraft, *, details: bool = False) -> CardId:
    """Return the custom_id of a component of the card."""
    game = games.get(draft.game)
    values = ",".join(draft.options.get(name, "") for name in game.options)
    return CardId(
        part=part,
        game=draft.game,
        opponents=",".join(f"{user_id:x}" for user_id in draft.opponents),
        level=list(COMPUTER_NAMES).index(draft.level) + 1 if draft.level else 0,
        clock=draft.clock,
        rules="" if draft.rules == game.rules[0] else draft.rules,
        side=draft.side,
        rounds=draft.rounds,
        options=values.rstrip(","),
        details=int(details),
        rated=int(draft.rated),
    )


def draft_of(written: CardId) -> ChallengeDraft:
    """Return the challenge on a card.

    Raises:
        ValueError: the challenge is not possible, at least not in this version of the bot.
    """
    if written.game not in games.names():
        raise ValueError(written.game)
    game = games.get(written.game)
    levels, values = ("", *COMPUTER_NAMES), written.options.split(",") if written.options else []
    if written.level >= len(levels) or len(values) > len(game.options):
        raise ValueError(written)
    draft = ChallengeDraft(
        game=written.game,
        opponents=tuple(
            UserId(int(digits, 16)) for digits in written.opponents.split(",") if digits
        ),
        level=levels[written.level],
        clock=written.clock,
        rules=written.rules or game.rules[0],
        side=written.side,
        rounds=written.rounds,
        options={n: value for n, value in zip(game.options, values, strict=False) if value},
        rated=bool(written.rated),
    )
    draft.check()
    return draft


def card(
    draft: ChallengeDraft,
    cover: Cover | None,
    *,
    bot_id: UserId | None = None,
    computers: bool = False,
    details: bool = False,
) -> Message:
    """Return the card, with the lists that change it.

    Args:
        cover: the picture of the game.
        computers: whether the computer can play.
        details: whether to show the lists for all terms.
    """
    game = games.get(draft.game)
    lines = [f"### {game.title}", *about(draft.game), _against(draft, bot_id)]
    series = (1, draft.rounds)
    lines += terms(draft.game, draft.rules, draft.completed_options, draft.clock, series)
    lines += [phrase(SIDE, _side(draft)), *_rating(draft, bot_id)]
    main = [
        button(
            _("Start") if draft.is_solo(bot_id) else _("Challenge"),
            card_id(Part.SEND, draft),
            discord.ButtonStyle.success,
        ),
        *_other_side(draft, bot_id, computers=computers, details=details),
        button(
            _("Fewer settings") if details else _("More settings"),
            card_id(Part.DETAILS, draft, details=details),
        ),
    ]
    container = ui.Container(
        *cover_items(cover),
        ui.TextDisplay("\n".join(lines)),
        ui.ActionRow(*main),
        _games(draft, details=details),
        *(
            _details(draft, bot_id, computers=computers)
            if details
            else _visible(draft, bot_id, computers=computers)
        ),
        accent_colour=COLOUR,
    )
    return Message(layout_of(container), cover_files(cover))


def sent(
    game: str, match_id: MatchId, players: Sequence[Player], *, computers: bool, url: str = ""
) -> Message:
    """Return the message that replaces the card when its challenge is sent.

    Args:
        players: the challenger first.
        computers: whether the computer may take open seats, which it may not in a rated match.
        url: URL of the match's place, if the card is in another one.
    """
    title = games.get(game).title
    link = [ui.ActionRow(ui.Button(label=_("To the match"), url=url))] if url else []
    names = format_list([escape(player.name) for player in players[1:] if player.is_person])
    if OPEN_SEAT in players and not names:
        open_to_all = _("{game} #{match} is open to anyone.").format(game=title, match=match_id)
        row = [ui.ActionRow(play_computer(match_id))] if computers else []
        return note(open_to_all, *row, *link)
    sentence = _("{game} #{match}: challenge sent to {players}.")
    sentence = sentence if names else _("{game} #{match} has started.")
    return note(sentence.format(game=title, match=match_id, players=names), *link)


def window(draft: ChallengeDraft) -> ui.Modal:
    """Return a window for the challenger's own words, which become part of the salt."""
    custom_id = card_id(Part.WORDS, draft)
    window = ui.Modal(title=games.get(draft.game).title, custom_id=str(custom_id), timeout=None)
    about = _(
        "Your words become part of the salt for all dice of this match, and stay in its record."
    )
    window.add_item(ui.TextDisplay(about))
    words = ui.TextInput(custom_id="words", max_length=MAX_CLIENT_SEED_CHARACTERS)
    return window.add_item(ui.Label(text=_("Any words you like"), component=words))


def _against(draft: ChallengeDraft, bot_id: UserId | None) -> str:
    """Return the words for the invited players and the free seats."""
    invited = [
        _("the computer ({level})").format(level=_level_words(draft.level or DEFAULT_LEVEL))
        if user_id == bot_id
        else f"<@{user_id}>"
        for user_id in draft.opponents
    ]
    if draft.free_seats:
        level = draft.level if bot_id not in draft.opponents else ""
        computer = level and _("the computer ({level})").format(level=_level_words(level))
        invited.append(computer or _("anyone here who joins"))
    return _("Against: {players}").format(players=format_list(invited))


def _level_words(level: str) -> str:
    """Return the title of a level; that of the weakest says that it is."""
    title = _(TITLE_OF_LEVEL[level])
    if level != next(iter(TITLE_OF_LEVEL)):
        return title
    return _("{level}, the easiest level").format(level=title)


def _side(draft: ChallengeDraft) -> str:
    return sides(draft.game)[draft.side] if draft.side else _("drawn at random")


def _rating(draft: ChallengeDraft, bot_id: UserId | None) -> list[str]:
    """Return whether the match is rated, or why it is not; nothing if it is not to be."""
    refusal = draft.rating_refusal(bot_id)
    if refusal:
        return [_("Rated: no. {reason}").format(reason=refusal)]
    if not draft.rated:
        return []
    solo = [solo_terms()] if draft.is_solo(bot_id) else []
    return [phrase(RATED, Switch.ON), *solo]


def _games(draft: ChallengeDraft, *, details: bool) -> ui.ActionRow:
    titles = {name: games.get(name).title for name in games.names()}
    return _list(Part.GAME, GAME, titles, draft.game, draft, details=details)


def _other_side(
    draft: ChallengeDraft, bot_id: UserId | None, *, computers: bool, details: bool
) -> list[ui.Button]:
    """Return the button to play the computer, or people again; none if people are invited."""
    if not computers or set(draft.opponents) - {bot_id}:
        return []
    label = _("Against people") if draft.is_solo(bot_id) else _("Against the computer")
    return [button(label, card_id(Part.COMPUTER, draft, details=details))]


def _visible(draft: ChallengeDraft, bot_id: UserId | None, *, computers: bool) -> list[ui.Item]:
    """Return the lists below that of the games at first sight."""
    is_solo = computers and draft.is_solo(bot_id)
    levels = _levels(draft, bot_id, details=False) if is_solo else []
    options = for_game(draft.game).invitation.visible_options
    return [*levels, *_options(draft, options, details=False)]


def _details(draft: ChallengeDraft, bot_id: UserId | None, *, computers: bool) -> list[ui.Item]:
    """Return the lists for all terms, and the button to add words to the salt."""
    game, invitation = games.get(draft.game), for_game(draft.game).invitation
    clocks = {clock: _(words) for words, clock in OFFERED_CLOCKS.items()}
    all_sides = {seat: side for seat, side in sides(draft.game).items() if seat in draft.seats}
    items: list[ui.Item] = [_opponents(draft)]
    if computers:
        items += _levels(draft, bot_id)
    plain, rule = with_days_off(draft.clock, DaysOffRule.NONE), days_off_rule(draft.clock)
    items.append(_list(Part.CLOCK, CLOCK, clocks, plain, draft))
    if draft.clock:
        items.append(_list(Part.DAYS_OFF, DAYS_OFF, DAYS_OFF.values, rule, draft))
    all_sides = {"": _("drawn at random")} | all_sides
    items.append(_list(Part.SIDE, SIDE, all_sides, draft.side, draft))
    rated = Switch.ON if draft.rated else Switch.OFF
    items.append(_list(Part.RATED, RATED, RATED.values, rated, draft))
    if len(game.rules) > 1:
        words = {rule: invitation.rules.values.get(rule, rule) for rule in game.rules}
        items.append(_list(Part.RULES, invitation.rules, words, draft.rules, draft))
    if game.in_series:
        items.append(_list(Part.ROUNDS, SERIES, _rounds(), f"{draft.rounds}", draft))
    items += _options(draft, list(game.options), details=True)
    lucky = button(_("Add my own words to the dice…"), card_id(Part.LUCK, draft))
    return [*items, ui.ActionRow(lucky)]


def _options(draft: ChallengeDraft, names: Sequence[str], *, details: bool) -> list[ui.Item]:
    """Return a list for each of some options."""
    game, completed = games.get(draft.game), draft.completed_options
    items: list[ui.Item] = []
    for name in names:
        values, words = game.options[name], setting(draft.game, name)
        entries = {value: words.values.get(value, value) for value in values}
        current, part = completed.get(name, values[0]), f"{OPTION_PREFIX}{name}"
        items.append(_list(part, words, entries, current, draft, details=details))
    return items


def _opponents(draft: ChallengeDraft) -> ui.ActionRow:
    """Return the list of people; without any, anyone can join."""
    most = len(games.get(draft.game).sides) - 1
    words = ngettext("Opponent (none: anyone can join)", "Opponents (none: anyone can join)", most)
    select = ui.UserSelect(
        custom_id=str(card_id(Part.OPPONENTS, draft, details=True)),
        placeholder=words,
        min_values=0,
        max_values=most,
        default_values=[
            discord.SelectDefaultValue(id=opponent, type=discord.SelectDefaultValueType.user)
            for opponent in draft.opponents
        ],
        id=stable_id(CardId(Part.OPPONENTS, ""), [str(user_id) for user_id in draft.opponents]),
    )
    return ui.ActionRow(select)


def _levels(draft: ChallengeDraft, bot_id: UserId | None, *, details: bool = True) -> list[ui.Item]:
    """Return the list of levels, if the computer plays or could play."""
    weakest, *_between, strongest = COMPUTER_NAMES
    notes = {weakest: _("the easiest"), strongest: _("the hardest")}
    words, names, level = LEVEL, TITLE_OF_LEVEL, draft.level or DEFAULT_LEVEL
    if bot_id not in draft.opponents:
        if not draft.free_seats:
            return []
        words, level = FREE_SEATS, draft.level
        names = {"": N_("anyone here who joins")} | COMPUTER_NAMES
    return [_list(Part.LEVEL, words, names, level, draft, details=details, notes=notes)]


def _rounds() -> dict[str, str]:
    words = [
        ngettext("one match", "{count} matches", count).format(count=count)
        for count in range(1, MAX_ROUNDS + 1)
    ]
    return {f"{count}": label for count, label in enumerate(words, 1)}


def _list(
    part: str,
    words: Setting,
    entries: Mapping[str, str],
    selected: str,
    draft: ChallengeDraft,
    *,
    details: bool = True,
    notes: Mapping[str, str] = NO_NOTES,
) -> ui.ActionRow:
    """Return a menu that changes one of the terms; each entry names that term.

    Args:
        notes: value → the text below its entry.
    """
    options: Sequence[discord.SelectOption] = [
        discord.SelectOption(
            label=truncate(phrase(Setting(words.title), label), LABEL_LIMIT),
            value=value or NONE_CHOSEN,
            description=notes.get(value),
            default=value == selected,
        )
        for value, label in entries.items()
    ]
    select = ui.Select(
        custom_id=str(card_id(part, draft, details=details)),
        options=list(options),
        id=stable_id(CardId(part, ""), (selected,)),
    )
    return ui.ActionRow(select)
