"""A finished match, turn by turn, as an animation or as a record."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from typing import NamedTuple

import discord

from bot.domain.ids import UserId
from bot.domain.models import Match, MatchStatus, Perspective
from bot.features.replays.continuation_views import opponents
from bot.services.positions import ALL_REVEALED, Turn
from bot.views import ui
from bot.views.attachments import picture_file, piecepack_file, record_file
from bot.views.controls import button, match_button, rows_of
from bot.views.custom_id_codec import CustomId
from bot.views.custom_ids import AnimationId, DownloadId, OpenRecordId, ReplayId
from bot.views.images import Drawn
from bot.views.message import COLOUR, STORY_LIMIT, Message, gallery, layout_of
from bot.views.names import escaped_names
from bot.views.origins import can_play_on, play_on_button
from bot.views.verification import verify_button
from engine import games
from engine.game import PUBLIC
from engine.record import Record
from render import for_game
from render.i18n import N_, _, truncate

EVERYONE = "-"
"""Stands for the public in the list of readers, where no value can be empty."""

READER = "reader"
"""Label of that list in its custom_id."""

OPTION_LIMIT = 100
"""Maximum length of an entry of a list."""


def end_button(perspective: Perspective, _computers: bool) -> ui.Button:
    """Return the button to replay a match at its end."""
    return button(_("Replay"), ReplayId(perspective.match.id, 0))


def card_buttons(match: Match, _seat: str, _computers: bool) -> list[ui.Button]:
    """Return the buttons in the card of a finished match."""
    if match.status != MatchStatus.FINISHED:
        return []
    return [button(_("Replay"), ReplayId(match.id, 0)), verify_button(match), open_record_button()]


def open_record_button() -> ui.Button:
    """Return the button that opens a window for a record."""
    return button(_("Open a record…"), OpenRecordId())


class Page(NamedTuple):
    """A turn of a finished match as a reader knew it then.

    Attributes:
        perspective: the match after this turn.
        turns: all turns.
        place: number of the turn, from 0.
        reader: see `Queries.seen_by`.
        has_secrets: whether readers differ.
        beside: buttons of features for this reader.
    """

    perspective: Perspective
    turns: Sequence[Turn]
    place: int
    reader: str = PUBLIC
    has_secrets: bool = False
    beside: Sequence[ui.Button] = ()

    def step_id(self, turn: int, label: str) -> ReplayId:
        """Return the custom_id of the button to a turn, for the same reader."""
        return ReplayId(self.perspective.match.id, turn, label, self.reader)


def replay(
    page: Page, drawn: Drawn, *, user_id: UserId, computers: bool = False, lines: str = ""
) -> Message:
    """Return one turn of a finished match, with buttons to the others, and one to play on.

    Args:
        computers: whether the computer can play.
        lines: lines of features for this reader alone, such as notes.
    """
    perspective, turns, place = page[:3]
    match, count = perspective.match, turns[place].action_count
    title = _("**{game} #{match}**: {step}").format(
        game=games.get(match.game).title, match=match.id, step=step_words(match, turns, place)
    )
    steps = step_buttons(place, len(turns), page.step_id)
    watch = button(_("Animation"), AnimationId(match.id), discord.ButtonStyle.primary)
    rows: list[ui.Item] = [ui.TextDisplay(lines)] if lines else []
    rows.append(ui.ActionRow(*steps))
    if page.has_secrets:
        rows.append(_readers(page))
    rows += rows_of(page.beside)
    download = button(_("Download"), DownloadId(match.id))
    tools = ui.ActionRow(watch, download, match_button(match))
    if can_play_on(perspective.view):
        play_on = ui.ActionRow(play_on_button(match.id, count))
        rows += [play_on, *opponents(match, count, user_id, computers=computers)]
    return turn_page(perspective, drawn, title, (*rows, tools))


def _readers(page: Page) -> ui.ActionRow:
    """Return the list of all who can be chosen to see the match as they knew it then."""
    match = page.perspective.match
    words = _("As {name} knew it then")
    labels = {
        EVERYONE: _("As everyone saw it"),
        **{seat: words.format(name=name) for seat, name in match.names.items()},
        ALL_REVEALED: _("All revealed"),
    }
    select = ui.Select(
        custom_id=str(page.step_id(page.place, READER)),
        options=[
            discord.SelectOption(
                label=truncate(label, OPTION_LIMIT),
                value=value,
                default=value == (page.reader or EVERYONE),
            )
            for value, label in labels.items()
        ],
    )
    return ui.ActionRow(select)


def step_words(match: Match, turns: Sequence[Turn], place: int) -> str:
    """Return which step of a match is shown, with its turn and who moved.

    Args:
        turns: all turns.
        place: number of the turn shown, from 0.
    """
    current = turns[place]
    step = _("step {number} of {total}").format(number=place + 1, total=len(turns))
    turn = _("turn {turn}").format(turn=current.number) if current.number else _("setup")
    mover = escaped_names(match).get(current.seat, "")
    return " · ".join(filter(None, (step, turn, mover)))


def turn_page(
    perspective: Perspective,
    drawn: Drawn,
    title: str,
    rows: Sequence[ui.Item],
    files: tuple[discord.File, ...] = (),
) -> Message:
    """Return a page that shows one turn: title, picture, story, and further items below."""
    match, view = perspective.match, perspective.view
    renderer = for_game(match.game)
    end = renderer.prompt(view, escaped_names(match)) if view.result else ""
    hand = renderer.hand(view) if view.seat and not view.result else ""
    sentences = filter(None, (renderer.story(view, escaped_names(match)), end, hand))
    story = truncate("\n".join(sentences), STORY_LIMIT)
    file = picture_file(perspective, drawn)
    container = ui.Container(
        ui.TextDisplay(title),
        gallery(file),
        *([ui.TextDisplay(story)] if story else []),
        *rows,
        accent_colour=COLOUR,
    )
    return Message(layout_of(container), (file, *files))


def step_buttons(turn: int, turns: int, step_id: Callable[[int, str], CustomId]) -> list[ui.Button]:
    """Return the buttons to the first, previous, next and last turn.

    Args:
        turn: number of the turn shown, from 0.
        step_id: returns the custom_id of the button for a turn; the label makes it unique.
    """
    steps = {
        N_("First"): 0,
        N_("Back"): turn - 1,
        N_("Next"): turn + 1,
        N_("Last"): turns - 1,
    }
    buttons = [button(_(label), step_id(max(place, 0), label)) for label, place in steps.items()]
    for step, place in zip(buttons, steps.values(), strict=True):
        step.disabled = place == turn or not 0 <= place < turns
    return buttons


def download(match: Match, record: Record, piecepack: str) -> Message:
    """Return the record of a finished match as a file.

    Args:
        piecepack: the match in Portable Piecepack Notation, as a second file; empty for none.
    """
    name = f"{match.game}-{match.id}.match"
    text = _(
        "The record of **{game} #{match}**. `/replay record:` opens it, here or elsewhere."
    ).format(game=games.get(match.game).title, match=match.id)
    items: list[ui.Item] = [ui.TextDisplay(text), ui.File(f"attachment://{name}")]
    files = [record_file(record, name)]
    if piecepack:
        piecepack_name = f"{match.game}-{match.id}.ppn"
        items += [
            ui.TextDisplay(_("For programs that show piecepack games:")),
            ui.File(f"attachment://{piecepack_name}"),
        ]
        files.append(piecepack_file(piecepack, piecepack_name))
    return Message(layout_of(*items), tuple(files))


def animation(perspective: Perspective, gif: bytes) -> Message:
    """Return a whole match as an animation."""
    match = perspective.match
    result = for_game(match.game).prompt(perspective.view, escaped_names(match))
    name = f"{match.game}-{match.id}.gif"
    alt = _("{game} #{match} from the first turn to the last").format(
        game=games.get(match.game).title, match=match.id
    )
    file = discord.File(io.BytesIO(gif), name, description=alt)
    gallery = ui.MediaGallery(discord.MediaGalleryItem(f"attachment://{name}", description=alt))
    return Message(layout_of(ui.TextDisplay(result), gallery), (file,))
