"""The analysis of a finished match: its luck, and its most costly decisions.

Chances are points: a sure win is 100.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import discord

from bot.domain.ids import MatchId
from bot.domain.models import Match, MatchStatus, Perspective
from bot.features.analyses.ids import AnalyseId
from bot.features.analyses.service import Progress
from bot.views import ui
from bot.views.attachments import alt_text
from bot.views.computers import advice_note, levels_note
from bot.views.controls import button, rows_of
from bot.views.custom_ids import ReplayId
from bot.views.images import Drawn
from bot.views.luck import luck_words
from bot.views.message import COLOUR, Message, gallery, layout_of, note
from bot.views.names import escaped_names
from bot.views.origins import can_play_on, try_button
from engine import games
from engine.computer.analysis import Analysis, Decision
from engine.computer.situation import SCALE
from engine.endings import ABANDONED
from engine.game import Action, View
from render import for_game
from render.charts import Curve, DecisionMark, RollMark
from render.hints import reasons_text
from render.i18n import N_, _, format_change, format_list, ngettext, truncate

MAX_DECISIONS = 3
"""Maximum number of costly decisions that are shown."""

MIN_LOSS = SCALE // 100
"""Minimum loss of a decision of the reader that is shown before those of others: a point."""

MAX_ROLLS = 6
"""Maximum number of rolls that are marked on the curve."""

MIN_LUCK = SCALE * 3 // 100
"""Minimum luck of a roll that is marked."""

MAX_STORY = 300
"""Maximum length of the story of an answer to a mistake."""

CURVE_FILE = "curve.png"


ENDINGS = {
    "resign": N_("- {player} resigned: **{change}**"),
    "leave": N_("- {player} left the match: **{change}**"),
    "flag": N_("- {player} lost on time: **{change}**"),
    "draw": N_("- {player} agreed to a draw: **{change}**"),
}
"""Verb that ended the match, or a seat's part in it → the text about the change."""


AS_GOOD_AS = {
    "cadet": N_("about as good as a Cadet"),
    "navigator": N_("about as good as a Navigator"),
    "captain": N_("about as good as a Captain"),
    "admiral": N_("about as good as an Admiral"),
}
"""Level of the computer → the words for decisions that lose about as much."""


class DecisionWithBoard(NamedTuple):
    """A costly decision.

    Attributes:
        decision: the choice made, and the one that looked better.
        view: the seat's view before the decision.
        drawn: the picture of the view, with the better choice and the arrows of the answer.
        is_foreseen: whether the player's plan made the choice.
        answer: the seat's view after the next turn of another seat; None if it is not drawn.
        is_order: whether the better choice was made later in the same turn.
    """

    decision: Decision
    view: View
    drawn: Drawn
    is_foreseen: bool = False
    answer: View | None = None
    is_order: bool = False


def is_order(decision: Decision, actions: Sequence[Action], turns: Sequence[int]) -> bool:
    """Return whether the better choice was made, too, but later in the same turn.

    Args:
        actions: all actions of the match.
        turns: number of the turn in each of its positions; 0 in the setup.
    """
    turn, later = turns[decision.place], decision.place + 1
    rest = zip(actions[later:], turns[later:], strict=False)
    return bool(turn) and (decision.best, turn) in rest


def with_answer(decision: Decision, view: View, answer: View | None) -> tuple[View, View | None]:
    """Return the view of a decision with the story of the answer, and the answer if it is drawn.

    It is not if the better choice follows from the story, such as a jump by a coin just turned.

    Args:
        decision: the decision.
        view: the seat's view before it.
        answer: the seat's view after the next turn of another seat, if there is one.
    """
    if answer is None or not view.turn:
        return view, None
    board, label = replace(view, story=answer.story), for_game(view.game).label
    if label(board, decision.best) != label(view, decision.best):
        return view, None
    return board, answer


def end_button(perspective: Perspective, computers: bool) -> ui.Button | None:
    """Return the button to analyse a match at its end; none without computers or a result."""
    if not computers or perspective.view.result == ABANDONED:
        return None
    return button(_("Analysis"), AnalyseId(perspective.match.id))


def working(progress: Progress) -> Message:
    """Return the reply until an analysis is ready, which edits it, see `unfinished`."""
    sentence = _("Still working – I'll update this message when it's ready.")
    if progress.attempt > 1:
        sentence = _(
            "This takes longer than usual. I'm trying again, and I'll update this message when "
            "it's ready."
        )
    late = _("-# If it doesn't come within 15 minutes, ask again with `/analyse`.")
    moves = _("Analysing: {done} of {total} moves …").format(
        done=progress.done, total=progress.moves
    )
    return note("\n".join([*[moves] * (progress.moves > 0), sentence, late]))


def unfinished(match_id: MatchId, progress: Progress) -> Message:
    """Return the reply if an analysis takes longer than its message can be edited."""
    sentence = _("This takes longer than usual. Press *Show it* in a few minutes.")
    if progress.done:
        words = _(
            "This takes longer than usual: I've analysed {done} of {total} moves. Press *Show it* "
            "in a few minutes."
        )
        sentence = words.format(done=progress.done, total=progress.moves)
    return note(sentence, _show_row(_("Show it"), match_id))


def replaced() -> Message:
    """Return the reply if its reader has asked again, so that a newer reply waits."""
    return note(_("You've asked again: the analysis comes where you clicked last."))


def failed(match_id: MatchId, progress: Progress) -> Message:
    """Return the reply if all attempts at an analysis have failed."""
    sentence = _(
        "I've given up: I couldn't analyse this match, most likely because I have too much else "
        "to do. Another attempt in a while usually helps."
    )
    if progress.done:
        words = _(
            "I've given up after {done} of {total} moves, most likely because I have too much else "
            "to do. *Try again* goes on from there."
        )
        sentence = words.format(done=progress.done, total=progress.moves)
    return note(sentence, _show_row(_("Try again"), match_id))


def _show_row(label: str, match_id: MatchId) -> ui.ActionRow:
    return ui.ActionRow(button(label, AnalyseId(match_id)))


def card_buttons(match: Match, _seat: str, computers: bool) -> list[ui.Button]:
    """Return the button to analyse a finished match in its card."""
    if match.status != MatchStatus.FINISHED or not computers:
        return []
    return [button(_("Analysis"), AnalyseId(match.id))]


def costly_decisions(analysis: Analysis, seats: str, reader: str) -> tuple[Decision, ...]:
    """Return the decisions to show: the reader's most costly ones, then those of others.

    Args:
        seats: the seats whose decisions the reader may see.
        reader: the reader's seat; empty if the reader did not play.
    """
    mistakes = [
        decision for decision in analysis.worst(reader, MAX_DECISIONS) if decision.loss >= MIN_LOSS
    ]
    others = [
        decision
        for decision in analysis.worst(seats.replace(reader, ""), MAX_DECISIONS)
        if _points(decision.loss) != _points(0)
    ]
    return (*mistakes, *others)[:MAX_DECISIONS]


def seat_shown(perspective: Perspective, analysis: Analysis) -> str:
    """Return the seat whose chances are shown: the reader's; for others, the winner's."""
    seat = perspective.seat or perspective.view.result[0]
    return seat if seat in analysis.seats else analysis.seats[0]


def curve_of(
    analysis: Analysis,
    turns: Sequence[int],
    worst: Sequence[Decision],
    first: str,
    *,
    draws_rhombs: bool = False,
) -> Curve:
    """Return the data for the picture of the curve.

    Args:
        turns: number of the turn in each position.
        worst: the decisions to mark.
        first: the seat for which the curve goes up.
        draws_rhombs: whether luck is in drawn rhombs, not in dice.
    """
    seats = first + analysis.seats.replace(first, "")
    order = [analysis.seats.index(seat) for seat in seats]
    lucky = [roll for roll in analysis.rolls if max(roll.luck) >= MIN_LUCK]
    lucky.sort(key=lambda roll: -max(roll.luck))
    return Curve(
        seats,
        [[shares[place] / SCALE for place in order] for shares in analysis.curve],
        turns,
        [
            RollMark(roll.place, analysis.seats[roll.luck.index(max(roll.luck))])
            for roll in lucky[:MAX_ROLLS]
        ],
        [
            DecisionMark(decision.place, decision.seat, number)
            for number, decision in enumerate(worst, 1)
        ],
        draws_rhombs=draws_rhombs,
    )


def page(
    perspective: Perspective,
    analysis: Analysis,
    curve: bytes,
    decisions: Sequence[DecisionWithBoard],
    seats: str,
    *,
    beside: Sequence[ui.Button] = (),
) -> Message:
    """Return an analysis.

    Args:
        perspective: the match as its viewer sees it; without a seat, the winner's part is shown.
        curve: the picture of the expected scores.
        decisions: the most costly decisions of the seats in `seats`.
        seats: the seats whose decisions the viewer may see.
        beside: buttons of features.
    """
    match = perspective.match
    seat = seat_shown(perspective, analysis)
    title = _("**{game} #{match}**: luck and play").format(
        game=games.get(match.game).title, match=match.id
    )
    parts = [*_parts(match, analysis, seat, seats)]
    alt = "\n".join(parts).replace("**", "")
    strengths = _strengths(match, analysis, seats)
    files = [discord.File(io.BytesIO(curve), CURVE_FILE, description=alt)]
    items: list[ui.Item] = [
        ui.TextDisplay(title),
        gallery(files[0]),
        ui.TextDisplay("\n".join([*parts, *strengths])),
    ]
    deciding = {row.decision.seat for row in decisions}
    if perspective.seat in deciding and len(deciding) > 1:
        items.append(ui.TextDisplay(_("-# The choices that cost most, your own first:")))
    for number, decision in enumerate(decisions, 1):
        files.append(_board_file(match, number, decision))
        items += _decision(perspective, number, decision, files[-1])
    items += rows_of([button(_("Replay"), ReplayId(match.id, 0)), *beside])
    container = ui.Container(*items, accent_colour=COLOUR)
    return Message(layout_of(container), tuple(files))


def _parts(match: Match, analysis: Analysis, seat: str, visible: str) -> Iterator[str]:
    """Yield the parts of the change of a seat's expected score from start to end."""
    number, names = analysis.seats.index(seat), escaped_names(match)
    parts = analysis.parts[number]
    before, after = analysis.curve[0][number], analysis.curve[-1][number]
    yield _("{player}'s chances: **{before} → {after}** of 100").format(
        player=names[seat], before=_points(before), after=_points(after)
    )
    luck = parts.dice + parts.unknown
    luck_points, *changes = _whole_points([luck, *parts.errors, *parts.endings])
    count = len(analysis.seats)
    errors, endings = changes[:count], changes[count:]
    yield _("- Luck: **{change}** ({luck})").format(
        change=format_change(luck_points), luck=_(luck_words(luck))
    )
    by_seat = dict(zip(analysis.seats, errors, strict=True))
    if mistakes := _mistakes(by_seat, names, visible):
        words = _("- Play: **{change}** for {player} ({mistakes})")
        yield words.format(change=format_change(sum(errors)), player=names[seat], mistakes=mistakes)
    else:
        yield _("- Play: **{change}**").format(change=format_change(sum(errors)))
    for other, verb, change in zip(analysis.seats, analysis.endings, endings, strict=True):
        if verb:
            yield _(ENDINGS[verb]).format(player=names[other], change=format_change(change))
    words = _("-# + raised {player}'s chances, − lowered them. Mistakes of others raise them.")
    yield words.format(player=names[seat])


def _mistakes(errors: Mapping[str, int], names: Mapping[str, str], visible: str) -> str:
    """Return the sums of the players' mistakes in words; empty if the viewer may see none.

    Those that the viewer may not see are one sum, which follows from the others.
    """
    hidden = [seat for seat in errors if seat not in visible]
    if len(hidden) == len(errors):
        return ""
    sums = [(names[seat], points) for seat, points in errors.items() if seat in visible]
    if hidden:
        others = format_list([names[seat] for seat in hidden])
        sums.append((others, sum(errors[seat] for seat in hidden)))
    entries = [
        _("{change} from mistakes by {player}").format(player=player, change=format_change(points))
        for player, points in sums
    ]
    return format_list(entries, style="commas")


def _strengths(match: Match, analysis: Analysis, visible: str) -> Iterator[str]:
    """Yield for each seat how well it decided, or that its decisions are private.

    The level of a computer player is known, and a match has few decisions.
    """
    names = escaped_names(match)
    compared = {seat for seat, player in match.players.items() if not player.is_computer}
    for number, seat in enumerate(analysis.seats):
        count = len(analysis.of(seat))
        if not count or seat not in compared:
            continue
        if seat not in visible:
            private = _(
                "-# {player}'s mistakes are shown to {player} alone; each player chooses that in "
                "`/settings`."
            )
            yield private.format(player=names[seat])
            continue
        words = ngettext(
            "-# {player}: {level} ({count} decision)",
            "-# {player}: {level} ({count} decisions)",
            count,
        )
        level = _(AS_GOOD_AS[analysis.levels[number]])
        yield words.format(player=names[seat], level=level, count=count)
    if compared & set(visible) & {decision.seat for decision in analysis.decisions}:
        yield levels_note()
        if advice := advice_note(match):
            yield advice


def _decision(
    perspective: Perspective, number: int, row: DecisionWithBoard, board: discord.File
) -> list[ui.Item]:
    """Return a costly decision: the choice made, the better one, and the board."""
    text = _decision_text(perspective, number, row)
    items: list[ui.Item] = [ui.TextDisplay(text), gallery(board)]
    if can_play_on(row.view):
        place = row.decision.place
        items.append(ui.ActionRow(try_button(perspective.match.id, place)))
    return items


def _decision_text(perspective: Perspective, number: int, row: DecisionWithBoard) -> str:
    """Return a costly decision and the better choice; the reasons address only its player."""
    match, decision, view = perspective.match, row.decision, row.view
    names, choice_text = escaped_names(match), for_game(match.game).describe_choice
    turn = _("turn {turn}").format(turn=view.turn) if view.turn else _("setup")
    if row.is_foreseen:
        turn = _("{turn}, foreseen in a plan").format(turn=turn)
    words = _("**{number}.** {made} ({turn}). That cost **{loss}** of 100.").format(
        number=number,
        made=choice_text(view, decision.choice, names).done,
        turn=turn,
        loss=_points(decision.loss),
    )
    others = None if decision.seat == perspective.seat else _named(match, decision.seat)
    why = reasons_text(match.game, decision.reasons, others, players=names)
    better = _("Better: **{action}** – {reasons}.") if why else _("Better: **{action}**.")
    advice = choice_text(view, decision.best, names).advice
    lines = [words, better.format(action=advice, reasons=why)]
    if row.is_order:
        order = _("{player} did that too, but later in the turn: only the order was a mistake.")
        lines.append(order.format(player=names[decision.seat]))
    return "\n".join([*lines, _legend(match, row.answer)])


def _legend(match: Match, answer: View | None) -> str:
    """Explain the colours on the board of a decision, and tell the answer in words."""
    story = for_game(match.game).story(answer, escaped_names(match)) if answer else ""
    if not story:
        return _("-# Green on the board: the better choice.")
    words = _("-# On the board, green is the better choice, white what followed: {story}")
    return words.format(story=truncate(" ".join(story.split()), MAX_STORY))


def _named(match: Match, seat: str) -> dict[str, str]:
    """Return the names of a player and of the opponents in reasons."""
    names = escaped_names(match)
    player = names.pop(seat)
    return {"player": player, "opponent": format_list([*names.values()])}


def _board_file(match: Match, number: int, row: DecisionWithBoard) -> discord.File:
    alt = alt_text(Perspective(match, row.decision.seat, row.view))
    return discord.File(io.BytesIO(row.drawn.png), f"decision-{number}.png", description=alt)


def _points(score: int) -> str:
    """Return a part of a win as points."""
    return f"{round(100 * score / SCALE)}"


def _whole_points(parts: Sequence[int]) -> list[int]:
    """Return parts of `SCALE` as whole points that add up to their rounded sum.

    Example:
        >>> _whole_points([50, 50, -100])
        [1, 0, -1]
    """
    unit = SCALE // 100
    floors = [part // unit for part in parts]
    missing = round(sum(parts) / unit) - sum(floors)
    order = sorted(range(len(parts)), key=lambda place: -(parts[place] % unit))
    for place in order[:missing]:
        floors[place] += 1
    return floors
