"""The public board of a match, and the end of a match."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import discord

from bot.domain.ids import UserId
from bot.domain.models import Match, MatchStatus, Perspective
from bot.domain.waiting import NO_ONE_ABSENT, Absent
from bot.rulebook.lessons import steps
from bot.services.rated_results import RatingChange
from bot.views import silence, ui
from bot.views.attachments import attached_gallery, picture_file, record_file
from bot.views.challenges import HANDICAP_NAME_LIMIT, series_line
from bot.views.choices import panel
from bot.views.clocks import absences, time_left, who_left
from bot.views.computers import (
    end_button,
    hint_button,
    next_level,
    paused_line,
    rematch_label,
    suggest_button,
    waits_for_computer,
)
from bot.views.controls import (
    button,
    controls,
    draw_answers,
    hand_buttons,
    match_button,
    overlay_buttons,
    plan_button,
    rows_of,
    text_button,
    tools,
    turn_button,
)
from bot.views.custom_ids import (
    ClaimId,
    HowtoId,
    MenuId,
    RematchId,
    SinceId,
    SnoozeId,
    TextId,
)
from bot.views.images import Drawn
from bot.views.links import board_link
from bot.views.message import (
    COLOUR,
    COMPONENT_LIMIT,
    STORY_LIMIT,
    Layout,
    Message,
    count_components,
    gallery,
    layout_of,
)
from bot.views.names import escaped_names, title_of
from bot.views.origins import origin_lines
from bot.views.ratings import is_rated, is_rated_solo, late_line, rating_lines
from bot.views.stand_ins import come_back_buttons, offers, stand_in_buttons, stand_ins
from bot.views.stories import stories_of
from bot.views.verification import commitment_warnings, dice_button
from engine import games
from engine.endings import ABANDONED
from engine.game import Action, View
from engine.record import Record
from render import for_game
from render.i18n import _, format_list, ngettext, truncate

AIM_TURNS = 2
"""Number of turns of each player, or choices in a set-up, for which the board says the aim,
and offers the lesson."""

STORIES_SHOWN = 6
"""Maximum number of turns that a board tells, so that its buttons stay near the picture."""

FRAME = 1
"""Number of components of the board's frame."""

EndButton = Callable[[Perspective, bool], ui.Button | None]
"""Returns a button at the end of a match, given whether the computer can play; None for none."""


class BoardState(NamedTuple):
    """The state of a match around its position.

    Attributes:
        live: whether this is the current position; only then the board pings and has controls.
        reminder: whether it is posted again to remind the players who have to decide.
        absent: the players who have to decide and may no longer be there.
        taken_back: the seats whose choices were just taken back; the choices of all but the first
            one had answered that seat's.
        computers: whether the computer can play.
    """

    live: bool
    reminder: bool = False
    absent: Absent = NO_ONE_ABSENT
    taken_back: Sequence[str] = ()
    computers: bool = False


def board(
    perspective: Perspective,
    drawn: Drawn,
    legal: Mapping[str, View],
    action_count: int,
    state: BoardState,
) -> Message:
    """Return the public board of a match: the players who decide, picture, story and controls.

    Args:
        perspective: the match as the public sees it.
        legal: the views of the people who must decide; only their lists of actions are used.
        action_count: number of actions; part of the buttons' custom_ids, so the message can be
            found.
    """
    file = picture_file(perspective, drawn)
    picture = gallery(file)
    layout, pings = _board(perspective, picture, legal, action_count, state, drawn=drawn)
    return Message(layout, (file,), pings)


def marks(view: View, legal: Mapping[str, View]) -> tuple[Action, ...]:
    """Return the choices to mark on the public picture: those of the only player who decides.

    Args:
        view: the public view.
        legal: see `board`.
    """
    verbs = for_game(view.game).public_verbs
    deciding = legal.get(view.pending)
    return tuple(action for action in deciding.legal if action.verb in verbs) if deciding else ()


def former_board(perspective: Perspective, action_count: int, link: str = "") -> Message:
    """Return a board after a newer one is posted: picture and story, with nothing to click.

    Its disabled button holds the position, for the commands in the menu of a message.

    Args:
        perspective: the match as the board shows it to the public.
        action_count: number of actions.
        link: link to the newer board; empty if that is in another place.
    """
    match = perspective.match
    story = "\n".join((story_of(perspective), *origin_lines(match))).strip()
    earlier = button(_("Earlier position"), TextId(match.id, action_count))
    earlier.disabled = True
    container = ui.Container(
        ui.TextDisplay(f"-# {title_of(match)}"),
        attached_gallery(perspective),
        *([ui.TextDisplay(story)] if story else []),
        ui.ActionRow(*([board_link(link)] if link else []), earlier),
        accent_colour=COLOUR,
    )
    return Message(layout_of(container))


def _board(
    perspective: Perspective,
    picture: ui.MediaGallery,
    legal: Mapping[str, View],
    action_count: int,
    state: BoardState,
    *,
    drawn: Drawn | None = None,
) -> tuple[Layout, tuple[UserId, ...]]:
    live, reminder, absent, taken_back, computers = state
    match, view = perspective.match, perspective.view
    people, times = match.acting_people, match.times
    late = "".join(seat for seat in people if live and seat in times and times[seat].over)
    offered = offers(match, view.playing, absent.replaceable) if live and computers else {}
    title = f"-# {title_of(match)}"
    title += " · " + _("rated") if live and is_rated(match) else ""
    head = f"{title}\n{_heading(perspective, live=live)}"
    if live:
        head += who_left(match, absent.gone) + silence.lines(match, absent.endable, view.playing)
        head += stand_ins(match, offered)
    is_paused = live and not computers and waits_for_computer(match, view)
    if is_paused:
        head += f"\n{paused_line(match)}"
    if late and is_rated_solo(match):
        head += f"\n{late_line()}"
    items: list[ui.Item] = [ui.TextDisplay(head), picture]
    story = story_of(perspective)
    if taken_back:
        story = f"{story}\n{_taken_back(match, *taken_back)}".strip()
    is_new = live and (view.turn or action_count) <= AIM_TURNS * len(view.seats)
    if is_new:
        aim = for_game(match.game).aim(view, escaped_names(match))
        story += f"\n-# {aim}" if aim else ""
    if text := "\n".join((story, *origin_lines(match))).strip():
        items.append(ui.TextDisplay(text))
    if live and drawn:
        below = _live_tools(perspective, legal, action_count, state)
        replaced = [*stand_in_buttons(match, offered), *come_back_buttons(match, match.people)]
        others = rows_of([*replaced, *silence.buttons(match, absent.endable)])
        others += rows_of([end_button(match)] if is_paused else [])
        room = COMPONENT_LIMIT - FRAME - count_components([*items, *others, *rows_of(below)])
        items += _live_controls(perspective, legal, late, drawn, room) + others
        with_lesson = rows_of([*below, *(_lesson(match) if is_new else [])])
        has_room = count_components([*items, *with_lesson]) <= COMPONENT_LIMIT - FRAME
        items += with_lesson if has_room else rows_of(below)
    else:
        items += tools(match, action_count)
    silent = absent.gone + absent.endable
    pinged = (view.pending if live else "") + view.answering
    if silent and not reminder:  # it tells the others
        pinged = "".join(seat for seat in pinged if seat not in silent)
    if late or silent or is_paused:
        pinged += "".join(seat for seat in view.playing if seat not in late + silent)
    pings = tuple(player.user_id for seat, player in people.items() if seat in pinged)
    return layout_of(ui.Container(*items, accent_colour=COLOUR)), pings


def _taken_back(match: Match, seat: str, *answering: str) -> str:
    """Return the line about a takeback; see `BoardState`."""
    names = escaped_names(match)
    if not answering:
        return _("{name} took back the last move.").format(name=names[seat])
    words = _("{name} took back their last move, and with it the answer by {others}.")
    others = format_list([names[other] for other in answering])
    return words.format(name=names[seat], others=others)


def _live_tools(
    perspective: Perspective, legal: Mapping[str, View], action_count: int, state: BoardState
) -> list[ui.Button]:
    """Return the buttons under the board of a match in progress; for arguments see `board`.

    In this order they fill the rows of a phone.
    """
    match, view = perspective.match, perspective.view
    more = [button(_("Remind me in a day"), SnoozeId(match.id))] if state.reminder else []
    if len(view.pending) == 1 and view.pending in legal:
        deciding = replace(view, seat=view.pending, legal=legal[view.pending].legal)
        more = [*turn_button(match, view.pending, deciding), *more]
    more = [*suggest_button(match, view, legal.values(), computers=state.computers), *more]
    more += [*hint_button(match, view.pending), *plan_button(match), *hand_buttons(match)]
    more += overlay_buttons(match) if for_game(match.game).has_overlays(view) else []
    since = button(_("What happened?"), SinceId(match.id))
    return [*more, match_button(match), since, text_button(match, action_count)]


def _lesson(match: Match) -> list[ui.Button]:
    """Return the button to the lesson of the game, if it has one."""
    return [button(_("How it works"), HowtoId(match.game))] if steps(match.game) else []


def story_of(perspective: Perspective) -> str:
    """Return the stories of the turns in a change; of many only the newest, and a summary."""
    match = perspective.match
    views = (*perspective.earlier, perspective.view)
    stories = [*filter(None, stories_of(match, views))]
    newest: list[str] = []
    remaining = STORY_LIMIT
    for story in reversed(stories[-STORIES_SHOWN:]):
        remaining -= len(story) + 1
        if newest and remaining < 0:
            break
        newest.insert(0, truncate(story, STORY_LIMIT))
    if count := len(stories) - len(newest):
        newest.insert(0, _left_out(count, live=match.status == MatchStatus.RUNNING))
        if run := for_game(match.game).run_story(views, escaped_names(match)):
            newest.insert(0, run)
    return "\n".join(newest)


def _left_out(count: int, *, live: bool) -> str:
    """Return the line about the turns that a board does not tell."""
    words = ngettext("-# {count} earlier move.", "-# {count} earlier moves.", count)
    if live:
        words = ngettext(
            "-# {count} earlier move: *What happened?*",
            "-# {count} earlier moves: *What happened?*",
            count,
        )
    return words.format(count=count)


def _heading(perspective: Perspective, *, live: bool) -> str:
    """Return the prompt for the players, a draw offer, clocks and absences."""
    match, view = perspective.match, perspective.view
    names, people = escaped_names(match), match.acting_people
    asked = "".join(seat for seat in view.pending if live and seat in people)
    head = f"**{for_game(match.game).prompt(view, names | mentions(match, asked))}**"
    if view.offer:
        answering = [people[seat] for seat in view.answering if seat in people]
        offer = _("{name} offers a draw.") if live else _("-# {name} offered a draw.")
        if live and answering:
            offer = _("{name} offers a draw. {players} can accept or decline.")
            if set(view.answering) & set(view.pending):
                offer = _("{name} offers a draw. {players} can accept, decline, or just play on.")
        players = format_list([f"<@{player.user_id}>" for player in answering])
        head += f"\n{offer.format(name=names[view.offer[0]], players=players)}"
    if live:
        words = _("-# {name} has left the match.")
        head += "".join(f"\n{words.format(name=names[seat])}" for seat in view.departed)
        head += time_left(match, asked, view.playing) + absences(match)
    return head


def mentions(match: Match, seats: Iterable[str]) -> dict[str, str]:
    """Return seat → mention of its player."""
    return {seat: f"<@{match.people[seat].user_id}>" for seat in seats}


def _live_controls(
    perspective: Perspective, legal: Mapping[str, View], late: str, drawn: Drawn, room: int
) -> list[ui.Item]:
    """Return the controls of the players who must decide, or may answer or claim.

    Args:
        perspective: the match as the public sees it.
        late: the seats whose time is over.
        drawn: the picture, whose style and emojis the buttons have.
        room: maximum number of components; choices that need more are opened in private.
    """
    match, view = perspective.match, perspective.view
    panels = {
        seat: panel(replace(view, seat=seat, legal=legal[seat].legal), style=drawn.style)
        for seat in view.pending
        if seat in match.acting_people
    }
    answers = [*draw_answers(match, view), *_claims(match, late)]
    if len(panels) < 2 and all(seat_panel.open for seat_panel in panels.values()):
        choices: list[ui.Item] = []
        for seat, seat_panel in panels.items():
            choices += controls(match, seat, seat_panel, emojis=drawn.emojis)
        if count_components([*choices, *answers]) <= room:
            return choices + answers
    choose = button(_("Choose"), MenuId(match.id), discord.ButtonStyle.primary)
    return [ui.ActionRow(choose), *answers]


def result(
    perspective: Perspective,
    drawn: Drawn,
    record: Record,
    action_count: int,
    *,
    ratings: Sequence[RatingChange] = (),
    rematch: bool = True,
    buttons: Sequence[ui.Button] = (),
) -> Message:
    """Return the end of a match, with everything revealed and the record attached.

    Args:
        perspective: the match as the public sees it.
        rematch: whether to offer a rematch, because none has begun.
    """
    match, view = perspective.match, perspective.view
    name = f"{match.game}-{match.id}.match"
    head = f"-# {title_of(match)}\n**{for_game(match.game).prompt(view, escaped_names(match))}**"
    users = tuple(player.user_id for player in match.people.values())
    if users:
        words = _("{players}: the match is over.")
        players = format_list([f"<@{user_id}>" for user_id in users])
        head += f"\n-# {words.format(players=players)}"
    rematches = (
        button(_("Rematch"), RematchId(match.id), discord.ButtonStyle.success),
        *_levels(match, view),
        *_handicaps(match, view),
    )
    dice = [dice_button(match)]
    file = picture_file(perspective, drawn)
    container = ui.Container(
        ui.TextDisplay(head),
        gallery(file),
        *([ui.TextDisplay(story)] if (story := _ending_story(perspective, ratings)) else []),
        *([ui.TextDisplay(_next_sides(match))] if rematch else []),
        *tools(match, action_count, (*(rematches if rematch else ()), *buttons), dice),
        ui.File(f"attachment://{name}"),
        accent_colour=COLOUR,
    )
    return Message(layout_of(container), (file, record_file(record, name)), users, informs=True)


def _ending_story(perspective: Perspective, ratings: Sequence[RatingChange]) -> str:
    """Return the story, the standing of a series, the new ratings, and the match's origin."""
    match, view, lines = perspective.match, perspective.view, [story_of(perspective)]
    if match.standing and view.result != ABANDONED:
        lines.append(series_line(match))
    lines += rating_lines(match, view.result, ratings)
    lines += [*origin_lines(match), *commitment_warnings(match)]
    return "\n".join(lines).strip()


def _next_sides(match: Match) -> str:
    """Return the line about the sides of a rematch."""
    if len(match.players) == 2:
        return _("-# A rematch swaps the sides.")
    return _("-# In a rematch, each player takes the next side.")


def _levels(match: Match, view: View) -> list[ui.Button]:
    """Return a button for a rematch against the computer at the next level, if there is one."""
    level = next_level(match, view.result)
    if not level:
        return []
    return [button(rematch_label(match, level), RematchId(match.id, None, level))]


def _handicaps(match: Match, view: View) -> list[ui.Button]:
    """Return a button for each change of the options that the rules offer for a rematch."""
    game, renderer = games.get(match.game), for_game(match.game)
    names = {seat: truncate(name, HANDICAP_NAME_LIMIT) for seat, name in match.names.items()}
    return [
        button(
            _("Rematch: {change}").format(change=renderer.handicap(match.options, offer, names)),
            RematchId(match.id, number),
        )
        for number, offer in enumerate(game.handicaps(match.options, view.result))
    ]


def _claims(match: Match, late: str) -> list[ui.Item]:
    """Return the buttons to claim a match from a player out of time."""
    claim = _("Claim on time: {name}")
    names = match.names
    return rows_of([button(claim.format(name=names[s]), ClaimId(match.id, s)) for s in late])
