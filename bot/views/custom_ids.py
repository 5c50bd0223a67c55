"""The custom_ids of buttons, lists and windows, one class for each kind.

Messages keep their custom_ids for years, so a prefix and the order of its fields must not change;
a new field goes to the end and has a default. `@component` in `bot.interactions` handles a click.
"""

from __future__ import annotations

from enum import StrEnum

from bot.domain.ids import NO_MATCH, NO_VERSION, MatchId, Version
from bot.views.custom_id_codec import CustomId

# Moves


class ActId(CustomId, prefix="act"):
    """Make a choice; without a decision it is independent, such as the answer to a draw offer."""

    match_id: MatchId
    decision: Version | None
    notation: str


class PickId(CustomId, prefix="pick"):
    """Make or begin the choice selected in a list."""

    match_id: MatchId
    decision: Version
    menu: int


class FormId(CustomId, prefix="form"):
    """Open a window to change the values of a form.

    Attributes:
        line: the form as filled in by the suggestion.
    """

    match_id: MatchId
    decision: Version
    line: str


class FilledId(CustomId, prefix="filled"):
    """Make the choice whose values were typed into a window."""

    match_id: MatchId
    decision: Version
    verb: str


class TurnId(CustomId, prefix="turn"):
    """Open a window for several choices of a turn."""

    match_id: MatchId
    decision: Version


class TurnChosenId(CustomId, prefix="turned"):
    """Make the choices of a window, one after the other."""

    match_id: MatchId
    decision: Version


class TypedId(CustomId, prefix="typed"):
    """Make the choice typed into a window; `decision` is 0 if it was opened without one."""

    match_id: MatchId
    decision: Version | None


class PartId(CustomId, prefix="part"):
    """Show the choices below a path; in a list, the path is its value."""

    match_id: MatchId
    decision: Version
    path: str


class GapId(CustomId, prefix="gap"):
    """Fill a gap in a row of a decision, or of a page's step, with a disabled button."""

    subject: str
    number: int
    row: int
    place: int


# Boards


class MenuId(CustomId, prefix="menu"):
    """Show the current choices in private."""

    match_id: MatchId


class OverlayId(CustomId, prefix="overlay"):
    """Show the available overlays, or the one selected in a list."""

    match_id: MatchId


class HandId(CustomId, prefix="hand"):
    """Show this user's hidden information."""

    match_id: MatchId


class TextId(CustomId, prefix="text"):
    """Show the board in words; the number of actions distinguishes the posts of a match."""

    match_id: MatchId
    action_count: int


class ShowId(CustomId, prefix="show"):
    """Show a match, or a challenge, in private with all that its reader can do."""

    match_id: MatchId


class GamesId(CustomId, prefix="games"):
    """Show a page of the user's matches, from 0."""

    page: int


class HintId(CustomId, prefix="hint"):
    """Show the choice that the computer would make in this user's place."""

    match_id: MatchId


class SinceId(CustomId, prefix="since"):
    """Show the events since the user's last turn."""

    match_id: MatchId


# Challenges


class CardId(CustomId, prefix="card"):
    """Send the challenge on a card, or change one of its terms to the value of a list.

    It holds the whole challenge, see `bot.domain.drafts.ChallengeDraft`.

    Attributes:
        part: purpose of the component; see `bot.views.challenge_card.Part`.
        opponents: user IDs in hexadecimal digits, separated by commas.
        level: place among the levels of the computer, from 1; 0 if none is chosen.
        options: values of the options in the order of the game, separated by commas.
        details: 1 if the card shows the lists for all terms.
        rated: 1 for a rated match.
    """

    part: str
    game: str
    opponents: str = ""
    level: int = 0
    clock: str = ""
    rules: str = ""
    side: str = ""
    rounds: int = 1
    options: str = ""
    details: int = 0
    rated: int = 0


class ChallengeId(CustomId, prefix="challenge"):
    """Open the card of a new challenge in a game."""

    game: str


class AcceptId(CustomId, prefix="accept"):
    """Accept a challenge."""

    match_id: MatchId


class PlayComputerId(CustomId, prefix="computer"):
    """Begin a match whose open seats the computer plays until other players join."""

    match_id: MatchId


class PlayNowId(CustomId, prefix="now"):
    """Begin a match against the computer, on this side; without one, the side is drawn."""

    game: str
    side: str = ""


class SeekId(CustomId, prefix="seek"):
    """Take an open seat of the server, or open one."""


class LuckId(CustomId, prefix="luck"):
    """Open a window for the words that accept a challenge."""

    match_id: MatchId


class LuckTypedId(CustomId, prefix="lucky"):
    """Accept a challenge with words for the dice; the number is part of them."""

    match_id: MatchId
    version: Version
    number: int


class DeclineId(CustomId, prefix="decline"):
    """Decline a challenge."""

    match_id: MatchId


class BlockId(CustomId, prefix="block"):
    """Decline a challenge and block the challenger."""

    match_id: MatchId


class WithdrawId(CustomId, prefix="withdraw"):
    """Withdraw the user's own challenge."""

    match_id: MatchId


class MoreId(CustomId, prefix="more"):
    """Show what else this user can do with a challenge or a match.

    Attributes:
        commitment: the dice commitment; on a challenge, this publishes it with the message.
    """

    match_id: MatchId
    commitment: str = ""


class DiceId(CustomId, prefix="dice"):
    """Show the dice commitment of a match, and how to check it; see `MoreId`."""

    match_id: MatchId
    commitment: str = ""


class RematchId(CustomId, prefix="rematch"):
    """Challenge the other players of a finished match; its rules offer the handicap.

    Attributes:
        level: the level of the computer; empty for the same as before.
    """

    match_id: MatchId
    handicap: int | None = None
    level: str = ""


# Player actions on a match besides moves


class ResignId(CustomId, prefix="resign"):
    """Ask before resigning; with the version of the match that the player saw, resign."""

    match_id: MatchId
    version: Version | None = None


class DrawId(CustomId, prefix="draw"):
    """Accept a draw."""

    match_id: MatchId
    version: Version


class AbandonId(CustomId, prefix="abandon"):
    """Ask before ending a match without a result; with the version that the player saw, agree."""

    match_id: MatchId
    version: Version | None = None


class NoticeId(CustomId, prefix="notice"):
    """Give the player of a seat, who does not decide, a last notice; with the version seen."""

    match_id: MatchId
    seat: str
    version: Version


class ClaimId(CustomId, prefix="claim"):
    """Ask before claiming a match from a seat; with the version that the player saw, claim it."""

    match_id: MatchId
    seat: str
    version: Version | None = None


class AgreeId(CustomId, prefix="agree"):
    """Agree to the takeback requested at a version by a seat; without one, by the last to move."""

    match_id: MatchId
    version: Version
    seat: str = ""


class TakeBackId(CustomId, prefix="undo"):
    """Take back the user's last choice, or ask the other players to agree."""

    match_id: MatchId


class StandInId(CustomId, prefix="standin"):
    """Agree to a stand-in by the computer for the player of a seat."""

    match_id: MatchId
    seat: str


class ComeBackId(CustomId, prefix="back"):
    """End the stand-in for the user, who decides again."""

    match_id: MatchId


class SnoozeId(CustomId, prefix="snooze"):
    """Remind the user in a day."""

    match_id: MatchId


class NudgeId(CustomId, prefix="nudge"):
    """Nudge the players that the user is waiting for."""

    match_id: MatchId


class MoveHereId(CustomId, prefix="move"):
    """Move a match to the channel of the click."""

    match_id: MatchId


class CancelId(CustomId, prefix="cancel"):
    """Answer a question with no."""


# Replays


class ReplayId(CustomId, prefix="replay"):
    """Show a turn of a finished match; the label distinguishes buttons to the same turn.

    Attributes:
        reader: who sees it, see `Queries.seen_by`; in a list, its value.
    """

    match_id: MatchId
    turn: int
    label: str = ""
    reader: str = ""


class AnimationId(CustomId, prefix="film"):
    """Show a finished match as an animation."""

    match_id: MatchId


class DownloadId(CustomId, prefix="record"):
    """Send the record of a finished match."""

    match_id: MatchId


class VerifyId(CustomId, prefix="verify"):
    """Recompute the dice of a finished match, and the computer's choices."""

    match_id: MatchId


class OpenRecordId(CustomId, prefix="open"):
    """Open a window to upload a record."""


class UploadId(CustomId, prefix="upload"):
    """Open the record uploaded in a window."""


class ImportId(CustomId, prefix="import"):
    """Show a turn of the record attached to the message; for the label see `ReplayId`."""

    turn: int
    label: str = ""


class PlayOnId(CustomId, prefix="playon"):
    """Begin a match after some actions of a finished one, or ask for its side and its players.

    Attributes:
        match_id: the finished match; 0 for the record attached to the message, which always asks.
        label: distinguishes components for the same position; a list has the opponent as value,
            `try` opens the position in private.
    """

    action_count: int
    match_id: MatchId = NO_MATCH
    label: str = ""


class PlayOnTypedId(CustomId, prefix="playing"):
    """Begin a match as chosen in a window; for the fields see `PlayOnId`."""

    action_count: int
    match_id: MatchId = NO_MATCH


# Rules and lessons


class PageTarget(StrEnum):
    """Target for a page of the rules."""

    HERE = ""
    OPEN = "open"
    SHOW = "show"


class RulesId(CustomId, prefix="rules"):
    """Show a section of the rules here, in a new reply, or in public.

    Attributes:
        section: key of the section; in a menu, the option's value.
    """

    game: str
    section: str = ""
    target: PageTarget = PageTarget.HERE


class FindId(CustomId, prefix="find"):
    """Search the rules of a game."""

    game: str
    topic: str


class HowtoId(CustomId, prefix="howto"):
    """Go to a step of a lesson; without one, to the last step, or a summary after the steps."""

    game: str
    step: int | None = None


class LearnId(CustomId, prefix="learn"):
    """Go to the user's last step in the lesson of a game.

    Attributes:
        game: name of the game; empty for the one selected in a list.
    """

    game: str = ""


class LessonHintId(CustomId, prefix="tip"):
    """Show a hint in a step of a lesson."""

    game: str
    step: int


class TryId(CustomId, prefix="try"):
    """Try a choice in a lesson; in a list, the choice is its value."""

    game: str
    step: int
    notation: str


class LessonPartId(CustomId, prefix="look"):
    """Show the choices in a lesson below a path; in a list, the path is its value."""

    game: str
    step: int
    path: str


# Puzzles: positions of former days; a key names one, see `bot.rulebook.positions`


class PuzzleId(CustomId, prefix="puzzle"):
    """Show a puzzle of a game, another one than that of the key."""

    game: str
    key: str = ""


class PuzzlePartId(CustomId, prefix="puzzlepart"):
    """Show the choices of a puzzle below a path; in a list, the path is its value."""

    key: str
    path: str


class PuzzleTryId(CustomId, prefix="puzzletry"):
    """Try a choice in a puzzle; in a list, the choice is its value, and the notation its number."""

    key: str
    notation: str


# Plans


class PlanStep(StrEnum):
    """An operation on a plan."""

    SHOW = "show"
    EDIT = "edit"
    WRITE = "write"
    """The orders typed into a window."""
    SUGGEST = "suggest"
    RESUME = "resume"
    CLEAR = "clear"
    FORCED_ON = "forced-on"
    FORCED_OFF = "forced-off"
    BOARD = "board"
    """Back to the private board."""


class PlanId(CustomId, prefix="plan"):
    """Show or change this user's plan.

    Attributes:
        version: version of the plan that the user has seen.
        decision: the version of the user's pending decision then, 0 if there was none; None where
            the plan is not carried out.
    """

    match_id: MatchId
    step: PlanStep = PlanStep.SHOW
    version: Version = NO_VERSION
    decision: Version | None = None


class PlanMeantId(CustomId, prefix="planmeant"):
    """Write a refused plan with an action, or a condition, in place of a text with unknown words.

    Attributes:
        version: see `PlanId`, also for `decision`.
        line: number of the line of the text, from 1.
        place: place among the alternatives of the line, from 0; None for its condition.
        notation: the action, or the condition.
    """

    match_id: MatchId
    version: Version
    decision: Version | None
    line: int
    place: int | None
    notation: str


# Settings and data


class PreferId(CustomId, prefix="prefer"):
    """Set one of the user's settings to the value of a list, as in earlier versions."""

    name: str


class PreferencesId(CustomId, prefix="preferences"):
    """Open a window with a group of the user's settings."""

    group: str


class PreferencesChosenId(CustomId, prefix="preferred"):
    """Set the settings that were chosen in a window."""


class UnblockAllId(CustomId, prefix="block:none"):
    """Unblock all players."""


class ServerId(CustomId, prefix="server"):
    """Set one of a server's settings to the values of a list.

    Attributes:
        option: name of a `bot.interactions.server_options.ServerOption`.
    """

    option: str


class ExportId(CustomId, prefix="export"):
    """Send a user's own data."""


class AskEraseId(CustomId, prefix="erase:ask"):
    """Ask before deleting a user's data."""


class EraseId(CustomId, prefix="erase:yes"):
    """Delete a user's data."""


# Commands


class AboutId(CustomId, prefix="about"):
    """Show the version, the authors of the games and the host's contact."""


class ResumeId(CustomId, prefix="resume"):
    """Resume a command for the match selected in a list.

    Attributes:
        options: the command's other options as JSON.
    """

    command: str
    options: str
