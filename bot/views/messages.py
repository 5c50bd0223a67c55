"""What the bot says, as Discord shows it: one function a message, made from views and plain values.

All messages are layouts (components v2). Each is built anew for each sending and stopped at once:
clicks are found by their custom_id alone (bot.interactions.router), so they outlive any restart.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any, NamedTuple

import discord
from discord import ui

from bot.i18n import sides
from bot.rulebook.lessons import steps
from bot.services.clocks import OFFERED
from bot.services.luck import LUCK_LIMIT
from bot.services.models import CHALLENGE, CLOSED, FINISHED, GONE, RUNNING, Match, Table
from bot.services.preferences import NO_DM, PREFERENCES, ZONE, blocked_by
from bot.text import escape
from bot.views.choices import Menu, panel
from bot.views.controls import button, controls, menu_of
from bot.views.images import NO_SIGNS, Drawn, Signs
from engine import games
from engine.exits import DEPARTURES
from engine.game import Action, View
from engine.record import Record
from render import for_game
from render.i18n import _, later, listed, plural, shortened
from render.renderer import ALT_LIMIT

COLOUR = 0x6C7BD9
PICTURE = "board.png"
STORY_LIMIT = 1500
DIGEST_LIMIT = 3000
HANDICAP_NAME_LIMIT = 30
"""Characters of a name on a button that offers a rematch with a handicap."""

WINDOW_LIMIT = 45
"""Characters of a window's title."""

LINE_LIMIT = 100
"""Characters of a choice as it is typed."""

PAGE_LIMIT = 3800
"""Characters in one message, below Discord's 4,000."""

Layout = ui.LayoutView
Buttons = Sequence[ui.Button[Any]]


class Message(NamedTuple):
    """A layout, its files, and whom it pings."""

    layout: Layout
    files: tuple[discord.File, ...] = ()
    pings: tuple[int, ...] = ()

    @property
    def mentions(self) -> discord.AllowedMentions:
        """The pings in Discord's terms; nobody else is ever pinged."""
        return discord.AllowedMentions(
            everyone=False,
            roles=False,
            replied_user=False,
            users=[discord.Object(user_id) for user_id in self.pings],
        )


def _layout(*items: ui.Item[Any]) -> Layout:
    """A layout that the client forgets as soon as it is sent."""
    layout = Layout(timeout=None)
    for item in items:
        layout.add_item(item)
    layout.stop()
    return layout


def note(text: str, *more: ui.Item[Any]) -> Message:
    """A few sentences, perhaps with buttons or a picture."""
    return Message(_layout(ui.TextDisplay(shortened(text, PAGE_LIMIT)), *more))


def challenge(match: Match, closed_by: int = 0) -> Message:
    """A challenge with its buttons, or what has become of it.

    Args:
        match: which challenge.
        closed_by: the user who has declined or withdrawn it; 0 if nobody has.
    """
    game, names = games.get(match.game), _escaped(match)
    seated = _seated(match)
    if match.status != CHALLENGE:
        end = _SETTLED.get(match.status, later("**{game}** #{match}: the match is over."))
        if match.status == CLOSED and closed_by:
            end = settlement(match, closed_by)
        closer = names.get(match.seat_of(closed_by), "")
        settled = _(end).format(game=game.title, match=match.id, name=closer)
        told = (settled, seated, _commitment(match))
        return note("\n".join(told))
    called = [match.players[seat] for seat in match.waiting]
    asked = ", ".join(f"<@{each.user_id}>" for each in called if each.user_id)
    call = _("{players}: **{name}** challenges you to **{game}** ({terms}).")
    call = call if asked else _("**{name}** looks for players of **{game}** ({terms}).")
    challenger = names[match.seat_of(match.challenger_id)]
    lines = [
        call.format(players=asked, name=challenger, game=game.title, terms=_terms(match)),
        seated,
    ]
    if match.standing:
        lines.append(_series(match))
    if for_game(match.game).hand_name:
        lines.append(
            _("I send each player by DM what only they may see; `/settings` changes that.")
        )
    if match.expires:
        lines.append(_("Open until {time}.").format(time=f"<t:{int(match.expires)}:f>"))
    lines.append(_commitment(match))
    join = ui.ActionRow[Any](
        button(
            _("Accept") if asked else _("Join"), accept_id(match.id), discord.ButtonStyle.success
        ),
        button(_("Accept with my luck") if asked else _("Join with my luck"), f"luck:{match.id}"),
        *([button(_("How it works"), f"howto:{match.game}")] if steps(match.game) else []),
    )
    close = ui.ActionRow[Any](
        *([button(_("Decline"), f"decline:{match.id}")] if asked else []),
        button(_("Withdraw"), f"withdraw:{match.id}"),
        *([button(_("Decline and block"), f"block:{match.id}")] if asked else []),
    )
    layout = _layout(ui.TextDisplay("\n".join(lines)), join, close)
    return Message(layout, pings=tuple(each.user_id for each in called if each.user_id))


def _seated(match: Match) -> str:
    """Who has which side, and whose sides are still to be drawn."""
    names, all_sides = _escaped(match), sides(match.game)
    if match.status == CLOSED and match.undrawn:
        return listed(list(names.values()))
    fixed = ", ".join(f"{n}: {all_sides[s]}" for s, n in names.items() if s not in match.undrawn)
    drawn = listed([name for seat, name in names.items() if seat in match.undrawn])
    words = _("{players}: the dice draw the sides when the last player joins.")
    return "\n".join(filter(None, (fixed, drawn and words.format(players=drawn))))


_SETTLED = {
    RUNNING: later("**{game}** #{match}: the match has begun."),
    CLOSED: later("**{game}** #{match}: nobody took up the challenge."),
}
"""What has become of a challenge."""


def settlement(match: Match, closed_by: int) -> str:
    """Return what to say of a challenge that a user has declined or withdrawn."""
    if closed_by == GONE.user_id or not match.seat_of(closed_by):
        return later("**{game}** #{match}: the challenge was withdrawn.")
    if closed_by == match.challenger_id:
        return later("**{game}** #{match}: {name} withdrew the challenge.")
    return later("**{game}** #{match}: {name} declined the challenge.")


def thread_name(match: Match) -> str:
    """The name of a match's own thread (≤ 100 characters)."""
    return f"{games.get(match.game).title} #{match.id}: {' – '.join(match.names.values())}"[:100]


def verified(match: Match, record: Record, rolls: int) -> Message:
    """All dice of a finished match were drawn again from its seed."""
    text = plural(
        "The {count} roll of match {match} follows from the seed that was sealed before it began.",
        "All {count} rolls of match {match} follow from the seed that was sealed before it began.",
        rolls,
    ).format(count=rolls, match=match.id)
    if match.seal_late:
        late = _(
            "-# This match is older than my records of commitments: its own was stored at an "
            "upgrade. Compare it with the one in the challenge, if you noted that."
        )
        text = f"{text}\n{late}"
    return _proof(match, record, text)


def unverified(match: Match, record: Record, reason: str) -> Message:
    """The dice of a finished match do not follow from what was published before it."""
    head = _("**The dice of match {match} do not verify.**").format(match=match.id)
    return _proof(match, record, f"{head}\n{escape(reason)}")


def _proof(match: Match, record: Record, text: str) -> Message:
    """What was found, and all that is needed to check it without this bot."""
    name = f"{match.game}-{match.id}.match"
    proof = _("-# Commitment: {seal}\n-# Seed: {seed}\nCheck it yourself: {command}").format(
        seal=record.headers["Dice"],
        seed=record.headers["Seed"],
        command=f"`starpost engine verify {name} --commitment …`",
    )
    data = _record(record, name)
    shown = ui.TextDisplay[Any](f"{text}\n{proof}")
    return Message(_layout(shown, ui.File[Any](f"attachment://{name}")), (data,))


def _commitment(match: Match) -> str:
    """The match's number and its dice commitment, as players may want to note them."""
    line = _("-# Match {match}. Dice commitment: {seal}")
    said = line.format(match=match.id, seal=match.seal)
    return said if match.seal_holds else f"{said}\n{_(_BROKEN)}"


_BROKEN = later("⚠️ **The seed of the dice is not the one behind this commitment.**")


def _terms(match: Match) -> str:
    """Rules, options, clock and series in a few words."""
    parts = [_("rules {rules}").format(rules=_(match.rules))]
    parts += [f"{_(name)} {_(value)}" for name, value in match.options.items()]
    if match.clock:
        parts.append(next((_(w) for w, c in OFFERED.items() if c == match.clock), match.clock))
    if match.rounds > 1:
        place = _("match {number} of {total}")
        parts.append(place.format(number=match.round, total=match.rounds))
    return ", ".join(parts)


def _series(match: Match) -> str:
    """How a series stands; the lowest total wins it."""
    names = _distinct_names(match)
    table = ", ".join(f"{names[seat]} {total}" for seat, total in match.standing.items())
    if match.status != FINISHED or match.round < match.rounds:
        stands = _("The series of {total} stands, in penalty points: {table}.")
        return stands.format(total=match.rounds, table=table)
    least = min(match.standing.values())
    best = [names[seat] for seat, total in match.standing.items() if total == least]
    over = _("The series is over: {table} penalty points. **{winner}** wins it with the fewest.")
    return over.format(table=table, winner=listed(best))


def _distinct_names(match: Match) -> dict[str, str]:
    """Return seat → name; players of the same name are told apart by their sides."""
    names, sides = _escaped(match), games.get(match.game).sides
    return {
        seat: name if list(names.values()).count(name) == 1 else f"{name} ({_(sides[seat])})"
        for seat, name in names.items()
    }


def notice(
    table: Table,
    drawn: Drawn,
    legal: Mapping[str, View],
    moment: int,
    *,
    live: bool,
    reminder: bool = False,
    left: str = "",
) -> Message:
    """The public board of a match: whose decision it is, the picture, the story, the controls.

    Args:
        table: the match as the public sees it.
        drawn: its picture.
        legal: the views of the seats that must decide; only their lists of actions are used.
        moment: how many actions led here; it stands in the buttons, so the message can be found.
        live: this is how the match stands now; only then it pings and has controls.
        reminder: it is posted once more, because somebody takes long.
        left: the seats of those who are not in this server any more.
    """
    more = [button(_("Remind me in a day"), f"snooze:{table.match.id}")] if reminder else []
    layout, pings = _notice(table, legal, moment, *more, live=live, left=left, signs=drawn.signs)
    return Message(layout, (_file(table, drawn),), pings)


def former(table: Table, moment: int) -> Message:
    """What becomes of a notice when there is a newer one: its picture stays, its controls go."""
    return Message(_notice(table, {}, moment, live=False)[0])


def _notice(
    table: Table,
    legal: Mapping[str, View],
    moment: int,
    *more: ui.Button[Any],
    live: bool,
    left: str = "",
    signs: Signs = NO_SIGNS,
) -> tuple[Layout, tuple[int, ...]]:
    match, view = table.match, table.view
    asked = view.pending if live else ""
    called = view.seats.replace(view.offer, "") if view.offer else ""
    late = "".join(seat for seat, time in match.times.items() if live and time.over)
    called += "".join(seat for seat in view.seats if late and seat not in late)
    pings = tuple(match.people[s].user_id for s in match.people if s in asked + called)
    names = _escaped(match) | {s: f"<@{match.players[s].user_id}>" for s in asked}
    renderer = for_game(match.game)
    head = f"**{renderer.prompt(view, names)}**"
    if view.offer and not live:
        offered = _("-# {name} offered a draw.").format(name=_escaped(match)[view.offer[0]])
        head += f"\n{offered}"
    elif view.offer:
        answer = ", ".join(f"<@{match.people[s].user_id}>" for s in called if s in match.people)
        offered = _("{name} offers a draw. {players} may accept, decline, or just play on.")
        head += f"\n{offered.format(name=_escaped(match)[view.offer[0]], players=answer)}"
    if live:
        head += _time(match, asked) + _away(match) + _left(match, left)
    items: list[ui.Item[Any]] = [ui.TextDisplay(head), _gallery(table)]
    story = renderer.story(view, _escaped(match))
    title = f"-# {games.get(match.game).title} #{match.id}"
    items.append(ui.TextDisplay(f"{shortened(story, STORY_LIMIT)}\n{title}".strip()))
    if live:
        panels = {seat: panel(replace(view, seat=seat, legal=legal[seat].legal)) for seat in asked}
        if all(shown.open for shown in panels.values()):
            for seat, shown in panels.items():
                items += controls(match, seat, shown, signs=signs)
        else:
            choose = button(_("Choose"), f"menu:{match.id}", discord.ButtonStyle.primary)
            items.append(ui.ActionRow[Any](choose))
        items += _answers(match, view)
        items += _claims(match, late)
    since = button(_("Since my last turn"), f"since:{match.id}")
    items.append(
        _tools(match, moment, more, (*_asking(table), since)) if live else _tools(match, moment)
    )
    return _layout(ui.Container[Any](*items, accent_colour=COLOUR)), pings


def ending(
    table: Table, drawn: Drawn, record: Record, moment: int, *, rematch: bool = True
) -> Message:
    """The end of a match: everything is open, the record is a file, the seed is in it.

    Args:
        table: the match as the public sees it.
        drawn: its picture.
        record: the whole record.
        moment: how many actions led here.
        rematch: offer a rematch, because none has begun.
    """
    match, view = table.match, table.view
    name = f"{match.game}-{match.id}.match"
    head = f"**{for_game(match.game).prompt(view, _escaped(match))}**"
    users = tuple(player.user_id for player in match.people.values())
    if users:
        over = _("{players}: the match is over.")
        head += f"\n-# {over.format(players=', '.join(f'<@{user_id}>' for user_id in users))}"
    story = shortened(for_game(match.game).story(view, _escaped(match)), STORY_LIMIT)
    if match.standing:
        story += f"\n{_series(match)}"
    seed = _("-# Seed: {seed}. `/verify` draws all dice again.").format(seed=record.headers["Seed"])
    seed = f"{_commitment(match)}\n{seed}"
    again = (
        button(_("Rematch"), f"rematch:{match.id}", discord.ButtonStyle.success),
        *_handicaps(match, view),
    )
    container = ui.Container[Any](
        ui.TextDisplay(head),
        _gallery(table),
        ui.TextDisplay(f"{story}\n{seed}"),
        ui.File[Any](f"attachment://{name}"),
        _tools(
            match,
            moment,
            (*(again if rematch else ()), button(_("Replay"), f"replay:{match.id}:0")),
        ),
        accent_colour=COLOUR,
    )
    data = _record(record, name)
    return Message(_layout(container), (_file(table, drawn), data), users)


def _handicaps(match: Match, view: View) -> list[ui.Button[Any]]:
    """Return a button for each change of the options that the rules offer for a rematch."""
    game, renderer = games.get(match.game), for_game(match.game)
    names = {seat: shortened(name, HANDICAP_NAME_LIMIT) for seat, name in match.names.items()}
    return [
        button(
            _("Rematch: {change}").format(change=renderer.handicap(match.options, offer, names)),
            f"rematch:{match.id}:{number}",
        )
        for number, offer in enumerate(game.handicaps(match.options, view.result))
    ]


def replay(table: Table, drawn: Drawn, turn: int, turns: int) -> Message:
    """One turn of a finished match, with buttons to the others.

    Args:
        table: the match as it stood after this turn.
        drawn: its picture.
        turn: which turn, from 0.
        turns: how many there are.
    """
    match, view = table.match, table.view
    renderer = for_game(match.game)
    title = _("**{game} #{match}**: {number} of {total}").format(
        game=games.get(match.game).title, match=match.id, number=turn + 1, total=turns
    )
    end = renderer.prompt(view, _escaped(match)) if view.result else ""
    told = filter(None, (renderer.story(view, _escaped(match)), end))
    story = shortened("\n".join(told), STORY_LIMIT)
    steps = {
        later("First"): 0,
        later("Back"): turn - 1,
        later("Next"): turn + 1,
        later("Last"): turns - 1,
    }
    buttons = [
        button(_(label), f"replay:{match.id}:{place}:{label}") for label, place in steps.items()
    ]
    for step, place in zip(buttons, steps.values(), strict=True):
        step.disabled = place == turn or not 0 <= place < turns
    film = button(_("Animation"), f"film:{match.id}", discord.ButtonStyle.primary)
    container = ui.Container[Any](
        ui.TextDisplay(title),
        _gallery(table),
        *([ui.TextDisplay(story)] if story else []),
        ui.ActionRow[Any](*buttons, film),
        accent_colour=COLOUR,
    )
    return Message(_layout(container), (_file(table, drawn),))


def film(table: Table, gif: bytes) -> Message:
    """A whole match as an animation."""
    match = table.match
    result = for_game(match.game).prompt(table.view, _escaped(match))
    name = f"{match.game}-{match.id}.gif"
    alt = _("{game} #{match} from the first turn to the last").format(
        game=games.get(match.game).title, match=match.id
    )
    file = discord.File(io.BytesIO(gif), name, description=alt)
    gallery = ui.MediaGallery[Any](
        discord.MediaGalleryItem(f"attachment://{name}", description=alt)
    )
    return Message(_layout(ui.TextDisplay(result), gallery), (file,))


def choice(table: Table, drawn: Drawn) -> Message:
    """What is left to choose after a beginning, for that player's eyes only, with a way back.

    Args:
        table: whose legal actions are those that begin so.
        drawn: the picture, with only these marked.
    """
    match, seat, view = table
    renderer = for_game(match.game)
    verb, *args = _common(view.legal) or [""]
    lines = [renderer.prompt(view, _escaped(match))]
    if args and view.legal[1:]:
        lines.append(_("Chosen: {step}").format(step=renderer.step(view, verb, args)))
    head = "\n".join(lines)
    back = ui.ActionRow[Any](button(_("Back"), f"part:{match.id}:{match.decisions[seat]}:"))
    chosen = controls(match, seat, panel(view, style=drawn.style), signs=drawn.signs)
    items = (ui.TextDisplay[Any](head), _gallery(table), *chosen, back)
    container = ui.Container[Any](*items, accent_colour=COLOUR)
    return Message(_layout(container), (_file(table, drawn),))


def _common(actions: Sequence[Action]) -> list[str]:
    """The words with which all these actions begin."""
    columns = zip(*(action.notation.split() for action in actions), strict=False)
    same = takewhile(lambda column: len(set(column)) == 1, columns)
    return [column[0] for column in same]


def board(table: Table, drawn: Drawn, above: str = "", path: str = "", filled: str = "") -> Message:
    """The board as one person may see it, for that person's eyes only.

    Args:
        table: as that person sees the match.
        drawn: the picture, as that person wants it.
        above: a sentence to begin with.
        path: of parts that has led to the choices in the table's view, if they are not all.
        filled: a form as its player has filled it in so far.
    """
    match, seat, view = table
    head = "\n".join(filter(None, (above, for_game(match.game).prompt(view, _escaped(match)))))
    items: list[ui.Item[Any]] = [ui.TextDisplay(head), _gallery(table)]
    if view.legal:
        shown = panel(view, style=drawn.style, path=path)
        items += controls(match, seat, shown, path, signs=drawn.signs, filled=filled)
    if asking := _asking(table):
        items.append(ui.ActionRow[Any](*asking))
    container = ui.Container[Any](*items, accent_colour=COLOUR)
    return Message(_layout(container), (_file(table, drawn),))


def overlay(table: Table, drawn: Drawn, name: str = "") -> Message:
    """What can be asked of the board, and the answer on it.

    Args:
        table: as the reader sees the match.
        drawn: the board, with the overlay if there is one.
        name: of the overlay; empty for none yet.
    """
    match, seat, view = table
    renderer = for_game(match.game)
    asks = renderer.asks
    meaning = _(asks.meaning) if asks else ""
    items: list[ui.Item[Any]] = [
        ui.TextDisplay(renderer.overlay(view, name) if name else f"**{meaning}**"),
        _gallery(table, name),
    ]
    if entries := tuple((each.name, each.label) for each in renderer.overlays(view)):
        items.append(menu_of(f"overlay:{match.id}", Menu(meaning, entries)))
    if view.legal:
        back = button(_("Back"), f"part:{match.id}:{match.decisions[seat]}:")
        items.append(ui.ActionRow[Any](back))
    container = ui.Container[Any](*items, accent_colour=COLOUR)
    return Message(_layout(container), (_file(table, drawn, name),))


def hand(table: Table, above: str = "") -> Message:
    """What only this player may know."""
    text = for_game(table.match.game).hand(table.view) or _("There is nothing hidden for you here.")
    title = f"**{games.get(table.match.game).title} #{table.match.id}**"
    return note("\n".join(filter(None, (title, text, above))))


def text_board(table: Table) -> Message:
    """The position in sentences."""
    renderer, names = for_game(table.match.game), _escaped(table.match)
    return note(
        "\n".join(
            filter(
                None,
                (
                    renderer.story(table.view, names),
                    renderer.prompt(table.view, names),
                    renderer.text_board(table.view, names),
                ),
            )
        )
    )


def digest(table: Table, told: Sequence[View]) -> Message:
    """What has happened since a player's last turn, or lately for who does not play.

    Args:
        table: the match as the reader sees it now.
        told: views that tell of a turn each, see `bot.services.digest`.
    """
    renderer, names = for_game(table.match.game), _escaped(table.match)
    title = _("**Since your last turn**") if table.seat else _("**The last turns**")
    lines = [f"- {shortened(renderer.story(view, names), STORY_LIMIT)}" for view in told]
    while sum(len(line) + 1 for line in lines) > DIGEST_LIMIT:
        lines = ["- …", *lines[2:]]
    said = "\n".join(lines) or _("Nothing has happened.")
    return note("\n".join((title, said, renderer.prompt(table.view, names))))


def nudge(table: Table) -> Message:
    """A DM that it is somebody's turn, with what only they may know."""
    match, view = table.match, table.view
    renderer = for_game(match.game)
    head = f"**{games.get(match.game).title} #{match.id}**"
    turn = f"{head} {renderer.prompt(view, _escaped(match))} {link(match)}"
    return note("\n".join(filter(None, (turn, renderer.hand(view)))))


def inbox(matches: Iterable[Match], user_id: int) -> Message:
    """All matches of a user, their own turns first."""
    mine = sorted(matches, key=lambda each: each.seat_of(user_id) not in each.decisions)
    return note("\n".join(_entry(each, user_id) for each in mine) or _("You play no match now."))


def _entry(match: Match, user_id: int) -> str:
    own = match.seat_of(user_id)
    others = ", ".join(name for seat, name in _escaped(match).items() if seat != own)
    turn = ", ".join(_escaped(match)[seat] for seat in match.decisions)
    words = _("#{match} {game} with {others}: {player}'s turn {link}")
    if own in match.decisions:
        words = _("#{match} {game} with {others}: **your turn** {link}")
    elif match.status == CHALLENGE:
        words = _("#{match} {game} with {others}: challenge {link}")
    title = games.get(match.game).title
    return words.format(match=match.id, game=title, others=others, player=turn, link=link(match))


def link(match: Match) -> str:
    """Where the match's live notice is, or at least its channel."""
    if match.link is None:
        return f"<#{match.channel_id}>"
    return link_to(None if match.linked_by_dm else match.guild_id, *match.link)


def link_to(guild_id: int | None, channel_id: int, message_id: int) -> str:
    """Return Discord's link to a message; without a server it is a DM."""
    return f"https://discord.com/channels/{guild_id or '@me'}/{channel_id}/{message_id}"


def settings(preferences: Mapping[str, str]) -> Message:
    """A player's own settings, each with its list."""
    items: list[ui.Item[Any]] = [ui.TextDisplay(_("**Your settings**, in all servers."))]
    for name, (about, values) in PREFERENCES.items():
        options = [
            discord.SelectOption(label=_(words), value=value, default=value == preferences[name])
            for value, words in values.items()
        ]
        select = ui.Select[Any](custom_id=f"prefer:{name}", options=options)
        items += [ui.TextDisplay(_(about)), ui.ActionRow[Any](select)]
    zone = _("-# Your hours are those of {zone}; `/settings zone:` changes that.")
    items.append(ui.TextDisplay(zone.format(zone=preferences[ZONE])))
    if count := len(blocked_by(preferences)):
        words = plural(
            "You have blocked {count} player.", "You have blocked {count} players.", count
        )
        items.append(ui.TextDisplay(f"-# {words.format(count=count)}"))
        items.append(ui.ActionRow[Any](button(_("Unblock all"), "block:none")))
    if preferences[NO_DM] == "yes":
        closed = _("-# My last DM did not reach you: your DMs seem to be closed for me.")
        items.append(ui.TextDisplay(closed))
    return Message(_layout(*items))


def _file(table: Table, drawn: Drawn, overlay: str = "") -> discord.File:
    """A picture as a file with its alt text."""
    return discord.File(io.BytesIO(drawn.png), PICTURE, description=_alt(table, overlay))


def _gallery(table: Table, overlay: str = "") -> ui.MediaGallery[Any]:
    alt = _alt(table, overlay)
    return ui.MediaGallery[Any](
        discord.MediaGalleryItem(f"attachment://{PICTURE}", description=alt)
    )


def _alt(table: Table, overlay: str) -> str:
    """A picture's alt text; what was asked for comes first."""
    renderer = for_game(table.match.game)
    alt = renderer.alt_text(table.view, table.match.names)
    if overlay:
        alt = f"{renderer.overlay(table.view, overlay)}\n{alt}"
    return shortened(alt, ALT_LIMIT)


def window(table: Table) -> ui.Modal:
    """A window to type a choice into, with an example of what could be typed."""
    match, view = table.match, table.view
    example = next((each.notation for each in view.legal if not each.is_form), "")
    return ui.Modal(
        title=f"{games.get(match.game).title} #{match.id}"[:WINDOW_LIMIT],
        custom_id=f"typed:{match.id}:{match.decisions.get(table.seat, '-')}",
        timeout=None,
    ).add_item(
        ui.Label[Any](
            text=_("Your choice"),
            description=_("As in a record of the match; a beginning is enough."),
            component=ui.TextInput[Any](
                custom_id="line", placeholder=example[:100] or None, max_length=LINE_LIMIT
            ),
        )
    )


def luck(match: Match, number: int) -> ui.Modal:
    """A window for words of a player's own, which shows the salt that they complete.

    Args:
        match: a challenge.
        number: what will stand before the words.
    """
    salt = escape(f"{match.salt},{number}:…")
    about = _(
        "Your words become part of the salt, from which all dice of the match follow, and stay in "
        "its record.\n-# The salt with your part: {salt}\n-# Dice commitment: {seal}"
    )
    title = f"{games.get(match.game).title} #{match.id}"[:WINDOW_LIMIT]
    custom_id = f"lucky:{match.id}:{match.version}:{number}"
    window = ui.Modal(title=title, custom_id=custom_id, timeout=None)
    window.add_item(ui.TextDisplay[Any](about.format(salt=salt, seal=match.seal)))
    words = ui.TextInput[Any](custom_id="words", max_length=LUCK_LIMIT)
    return window.add_item(ui.Label[Any](text=_("Any words of your own"), component=words))


def _time(match: Match, asked: str) -> str:
    """Until when those who have to decide have time, as Discord shows it to each reader."""
    parts: list[str] = []
    for seat, time in match.times.items():
        if time.over and seat in asked:
            parts.append(f"\n{_over(match, seat, asked)}")
        elif time.since is not None and seat in asked:
            end = int(time.since + time.left)
            until = _("-# Time until {time}, {rest}")
            parts.append(f"\n{until.format(time=f'<t:{end}:f>', rest=f'<t:{end}:R>')}")
    return "".join(parts)


def _over(match: Match, seat: str, asked: str) -> str:
    """Return that a time is over, and which players may claim the match."""
    ends = {s: time.since or 0.0 for s, time in match.times.items() if time.over and s in asked}
    others = [
        player.user_id
        for s, player in match.people.items()
        if s != seat and (s not in ends or ends[s] > ends[seat])
    ]
    may = ", ".join(f"<@{user_id}>" for user_id in others)
    over = _("The time of {name} is over: {players} may claim the match, or wait.")
    if not may:
        over = _("The time of {name} is over, but a choice still counts.")
    return over.format(name=_escaped(match)[seat], players=may)


def _away(match: Match) -> str:
    """Who is away, and for how long."""
    names = _escaped(match)
    words = _("-# {name} is away until {date}.")
    if match.clock:
        words = _("-# {name} is away until {date}; their clock stands still.")
    return "".join(
        f"\n{words.format(name=names[seat], date=f'<t:{int(until)}:D>')}"
        for seat, until in match.away.items()
    )


def _left(match: Match, seats: str) -> str:
    """Who has left the server, and what can be done."""
    names = _escaped(match)
    says = _("{name} has left this server; `/move-here` takes the match to where you both are.")
    return "".join(f"\n{says.format(name=names[seat])}" for seat in seats)


def _claims(match: Match, late: str) -> list[ui.Item[Any]]:
    """Buttons with which others end a match that somebody has let run out of time."""
    names = _escaped(match)
    buttons = [
        button(_("Claim against {name}").format(name=names[seat]), f"claim:{match.id}:{seat}")
        for seat in late
    ]
    return [ui.ActionRow[Any](*buttons)] if buttons else []


def plea(table: Table, actions: Sequence[Action], version: int) -> Message:
    """Ask the other players to agree that the last choice is taken back.

    Args:
        table: the match as the public sees it.
        actions: of the match; the actor of the last one asks.
        version: of the match.
    """
    match, asking = table.match, actions[-1].actor
    gone = {action.actor for action in actions if action.verb in DEPARTURES}
    others = [p.user_id for s, p in match.people.items() if s not in {asking, *gone}]
    called = ", ".join(f"<@{user_id}>" for user_id in others)
    row = ui.ActionRow[Any](button(_("Agree"), agree_id(match.id, version)))
    text = _("**{name}** asks to take back the last choice. {players}: do you agree?").format(
        name=_escaped(match)[asking], players=called
    )
    return Message(note(text, row).layout, pings=tuple(others))


def _answers(match: Match, view: View) -> list[ui.Item[Any]]:
    """Buttons for those who may answer a draw offer."""
    if not view.offer:
        return []
    return [
        ui.ActionRow[Any](
            button(_("Accept the draw"), f"act:{match.id}:-:draw accept"),
            button(_("Decline the draw"), f"act:{match.id}:-:draw decline"),
        )
    ]


def _tools(
    match: Match, moment: int, before: Buttons = (), between: Buttons = ()
) -> ui.ActionRow[Any]:
    """What works under every board, always, and what is not there each time."""
    name = for_game(match.game).hand_name
    hand = [button(_("My {hand}").format(hand=_(name)), f"hand:{match.id}")] if name else []
    words = button(_("Board in words"), moment_id(match.id, moment))
    return ui.ActionRow[Any](*before, *hand, *between, words)


def _asking(table: Table) -> list[ui.Button[Any]]:
    """A button to what can be asked of the board, if there is something."""
    renderer = for_game(table.match.game)
    if not (renderer.asks and renderer.overlays(table.view)):
        return []
    return [button(_(renderer.asks.name).capitalize(), f"overlay:{table.match.id}")]


def _record(record: Record, name: str) -> discord.File:
    """A match's record as a file."""
    data = io.BytesIO(str(record).encode())
    return discord.File(data, name, description=_("The match's record"))


def accept_id(match_id: int) -> str:
    """The custom_id by which an open challenge is recognised."""
    return f"accept:{match_id}"


def agree_id(match_id: int, version: int) -> str:
    """The custom_id by which a question about a takeback is recognised."""
    return f"agree:{match_id}:{version}"


def moment_id(match_id: int, moment: int) -> str:
    """The custom_id by which a message about a moment of a match is recognised."""
    return f"text:{match_id}:{moment}"


def _escaped(match: Match) -> dict[str, str]:
    return {seat: escape(name) for seat, name in match.names.items()}
