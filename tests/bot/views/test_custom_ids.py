"""custom_ids: written and read by one codec, and the same as in messages of earlier versions."""

from __future__ import annotations

from typing import Any, get_type_hints

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bot.app.registry import HANDLERS
from bot.domain.ids import MatchId, UserId, Version
from bot.features.analyses.ids import AnalyseId
from bot.features.cups import ids as cup_ids
from bot.features.daily import ids as daily_ids
from bot.features.leaderboards import ids as leaderboard_ids
from bot.features.notes.ids import NotesCopyId, NotesId, NotesWrittenId
from bot.features.published_plans.ids import OwnPlanId, OwnPlanStep, SeatPlanId
from bot.features.replays.ids import LineActId, LineId, LinePartId
from bot.features.scorecards.ids import PostScorecardId, ScorecardId
from bot.features.servers.ids import CheckServerId
from bot.views import custom_ids as ids
from bot.views.custom_id_codec import (
    CUSTOM_ID_LIMIT,
    MAX_INTEGER,
    CustomId,
    CustomIdError,
    parse,
)

WRITTEN = {
    "leaders:2:warp6/2": leaderboard_ids.LeaderboardId(2, "warp6/2"),
    "listme:1:warp6/2": leaderboard_ids.ListMeId(1, "warp6/2"),
    "ranks": leaderboard_ids.RankRolesId(),
    "ranks:warp6/2": leaderboard_ids.RankRolesId("warp6/2"),
    "rank:warp6/2": leaderboard_ids.RankRoleId("warp6/2"),
    "ranked:123:warp6/2": leaderboard_ids.RankTypedId(123, "warp6/2"),
    "unrank:warp6/2": leaderboard_ids.RankEndId("warp6/2"),
    "act:7:3:move S NE": ids.ActId(MatchId(7), Version(3), "move S NE"),
    "act:7:-:draw accept": ids.ActId(MatchId(7), None, "draw accept"),
    "pick:7:3:0": ids.PickId(MatchId(7), Version(3), 0),
    "form:7:3:set b8 a1": ids.FormId(MatchId(7), Version(3), "set b8 a1"),
    "filled:7:3:set": ids.FilledId(MatchId(7), Version(3), "set"),
    "typed:7:3": ids.TypedId(MatchId(7), Version(3)),
    "typed:7:-": ids.TypedId(MatchId(7), None),
    "part:7:3:": ids.PartId(MatchId(7), Version(3), ""),
    "part:7:3:place/1": ids.PartId(MatchId(7), Version(3), "place/1"),
    "gap:7:3:0:2": ids.GapId("7", 3, 0, 2),
    "menu:7": ids.MenuId(MatchId(7)),
    "overlay:7": ids.OverlayId(MatchId(7)),
    "hand:7": ids.HandId(MatchId(7)),
    "text:7:12": ids.TextId(MatchId(7), 12),
    "show:7": ids.ShowId(MatchId(7)),
    "games:2": ids.GamesId(2),
    "hint:7": ids.HintId(MatchId(7)),
    "since:7": ids.SinceId(MatchId(7)),
    "card:send:wormholes": ids.CardId("send", "wormholes"),
    "card:side:warp6:a1,b2:1:3d+12h::B:3:3,secret:1": ids.CardId(
        "side", "warp6", "a1,b2", 1, "3d+12h", "", "B", 3, "3,secret", 1
    ),
    "card:more:warp6::0:::B:1::0:1": ids.CardId("more", "warp6", side="B", rated=1),
    "challenge:warp6": ids.ChallengeId("warp6"),
    "accept:7": ids.AcceptId(MatchId(7)),
    "computer:7": ids.PlayComputerId(MatchId(7)),
    "now:warp6": ids.PlayNowId("warp6"),
    "now:warp6:B": ids.PlayNowId("warp6", "B"),
    "seek": ids.SeekId(),
    "luck:7": ids.LuckId(MatchId(7)),
    "lucky:7:3:1234567890123456789": ids.LuckTypedId(MatchId(7), Version(3), 1234567890123456789),
    "decline:7": ids.DeclineId(MatchId(7)),
    "block:7": ids.BlockId(MatchId(7)),
    "block:none": ids.UnblockAllId(),
    "withdraw:7": ids.WithdrawId(MatchId(7)),
    "more:7:sha256:0f": ids.MoreId(MatchId(7), "sha256:0f"),
    "dice:7": ids.DiceId(MatchId(7)),
    "dice:7:sha256:0f": ids.DiceId(MatchId(7), "sha256:0f"),
    "rematch:7": ids.RematchId(MatchId(7)),
    "rematch:7:-:navigator": ids.RematchId(MatchId(7), None, "navigator"),
    "rematch:7:0": ids.RematchId(MatchId(7), 0),
    "resign:7": ids.ResignId(MatchId(7)),
    "resign:7:3": ids.ResignId(MatchId(7), Version(3)),
    "draw:7:3": ids.DrawId(MatchId(7), Version(3)),
    "abandon:7": ids.AbandonId(MatchId(7)),
    "abandon:7:3": ids.AbandonId(MatchId(7), Version(3)),
    "notice:7:O:3": ids.NoticeId(MatchId(7), "O", Version(3)),
    "claim:7:O": ids.ClaimId(MatchId(7), "O"),
    "claim:7:O:3": ids.ClaimId(MatchId(7), "O", Version(3)),
    "agree:7:3": ids.AgreeId(MatchId(7), Version(3)),
    "agree:7:3:B": ids.AgreeId(MatchId(7), Version(3), "B"),
    "undo:7": ids.TakeBackId(MatchId(7)),
    "standin:7:O": ids.StandInId(MatchId(7), "O"),
    "back:7": ids.ComeBackId(MatchId(7)),
    "snooze:7": ids.SnoozeId(MatchId(7)),
    "nudge:7": ids.NudgeId(MatchId(7)),
    "cancel": ids.CancelId(),
    "replay:7:0": ids.ReplayId(MatchId(7), 0),
    "notes:7": NotesId(MatchId(7)),
    "notecopy:7": NotesCopyId(MatchId(7)),
    "notecopy:7:place S4/15-18": NotesCopyId(MatchId(7), "place S4/15-18"),
    "noted:7": NotesWrittenId(MatchId(7)),
    "ownplan:7": OwnPlanId(MatchId(7)),
    "ownplan:7:publish": OwnPlanId(MatchId(7), OwnPlanStep.PUBLISH),
    "ownplan:7:unpublish": OwnPlanId(MatchId(7), OwnPlanStep.UNPUBLISH),
    "ownplan:7:delete": OwnPlanId(MatchId(7), OwnPlanStep.DELETE),
    "seatplan:7:O": SeatPlanId(MatchId(7), "O"),
    "analyse:7": AnalyseId(MatchId(7)),
    "scorecard:7": ScorecardId(MatchId(7)),
    "postscorecard:7": PostScorecardId(MatchId(7)),
    "replay:7:4:Next": ids.ReplayId(MatchId(7), 4, "Next"),
    "replay:7:4:Next:O": ids.ReplayId(MatchId(7), 4, "Next", "O"),
    "plan:7": ids.PlanId(MatchId(7)),
    "plan:7:clear:3": ids.PlanId(MatchId(7), ids.PlanStep.CLEAR, Version(3)),
    "planmeant:7:3:12:2:1:place S4 e9": ids.PlanMeantId(
        MatchId(7), Version(3), Version(12), 2, 1, "place S4 e9"
    ),
    "planmeant:7:3:12:2:-:S5": ids.PlanMeantId(MatchId(7), Version(3), Version(12), 2, None, "S5"),
    "plan:7:write:3:12": ids.PlanId(MatchId(7), ids.PlanStep.WRITE, Version(3), Version(12)),
    "plan:7:resume:3:0": ids.PlanId(MatchId(7), ids.PlanStep.RESUME, Version(3), Version(0)),
    "film:7": ids.AnimationId(MatchId(7)),
    "record:7": ids.DownloadId(MatchId(7)),
    "upload": ids.UploadId(),
    "playon:12": ids.PlayOnId(12),
    "playon:12:7": ids.PlayOnId(12, MatchId(7)),
    "playon:12:7:against": ids.PlayOnId(12, MatchId(7), "against"),
    "playon:12:7:try": ids.PlayOnId(12, MatchId(7), "try"),
    "tryline:B:12": LineId("B", 12),
    "tryline::12": LineId("", 12),
    "trylineact:B:12:better:place b8a": LineActId("B", 12, "better", "place b8a"),
    "trylineact:B:12:menu0:": LineActId("B", 12, "menu0", ""),
    "trylinepart:B:12:build/1-4": LinePartId("B", 12, "build/1-4"),
    "playing:12": ids.PlayOnTypedId(12),
    "playing:12:7": ids.PlayOnTypedId(12, MatchId(7)),
    "import:4": ids.ImportId(4),
    "import:4:Next": ids.ImportId(4, "Next"),
    "rules:wormholes": ids.RulesId("wormholes"),
    "rules:wormholes:W5.3": ids.RulesId("wormholes", "W5.3"),
    "rules:wormholes:W5.3:open": ids.RulesId("wormholes", "W5.3", ids.PageTarget.OPEN),
    "rules:wormholes:W5.3:show": ids.RulesId("wormholes", "W5.3", ids.PageTarget.SHOW),
    "find:wormholes:a: b": ids.FindId("wormholes", "a: b"),
    "learn": ids.LearnId(),
    "learn:warp6": ids.LearnId("warp6"),
    "howto:wormholes": ids.HowtoId("wormholes"),
    "howto:wormholes:0": ids.HowtoId("wormholes", 0),
    "tip:wormholes:0": ids.LessonHintId("wormholes", 0),
    "try:wormholes:0:move S N": ids.TryId("wormholes", 0, "move S N"),
    "look:wormholes:0:place/1": ids.LessonPartId("wormholes", 0, "place/1"),
    "cupjoin:7": cup_ids.CupJoinId(7),
    "cupleave:7": cup_ids.CupLeaveId(7),
    "cupwithdraw:7:11": cup_ids.CupWithdrawId(7, UserId(11)),
    "cupstart:7": cup_ids.CupStartId(7),
    "cupmine:7": cup_ids.CupMineId(7),
    "cupstatus:7": cup_ids.CupStatusId(7),
    "cupremove:7": cup_ids.CupRemoveId(7),
    "cupcancel:7": cup_ids.CupCancelId(7),
    "cupcancel:7:1": cup_ids.CupCancelId(7, 1),
    "daily:7": daily_ids.DailyId(7),
    "dailymonth:7": daily_ids.DailyMonthId(7),
    "puzzle:warp6": ids.PuzzleId("warp6"),
    "puzzle:warp6:0123456789abcdef": ids.PuzzleId("warp6", "0123456789abcdef"),
    "puzzlepart:0123456789abcdef:move/1-4": ids.PuzzlePartId("0123456789abcdef", "move/1-4"),
    "puzzletry:0123456789abcdef:8a": ids.PuzzleTryId("0123456789abcdef", "8a"),
    "answer:7:move S N": daily_ids.DailyAnswerId(7, "move S N"),
    "within:7:place/1": daily_ids.DailyPartId(7, "place/1"),
    "turn:7:3": ids.TurnId(MatchId(7), Version(3)),
    "turned:7:3": ids.TurnChosenId(MatchId(7), Version(3)),
    "prefer:hand": ids.PreferId("hand"),
    "preferences:looks": ids.PreferencesId("looks"),
    "preferred": ids.PreferencesChosenId(),
    "move:7": ids.MoveHereId(MatchId(7)),
    "verify:7": ids.VerifyId(MatchId(7)),
    "open": ids.OpenRecordId(),
    "doctor": CheckServerId(),
    "about": ids.AboutId(),
    "server:channels": ids.ServerId("channels"),
    "server:threads": ids.ServerId("threads"),
    "server:daily": ids.ServerId("daily"),
    "export": ids.ExportId(),
    "erase:ask": ids.AskEraseId(),
    "erase:yes": ids.EraseId(),
    'resume:board:{"text":true}': ids.ResumeId("board", '{"text":true}'),
}
"""What stands in messages on Discord, and what it means: neither may change."""

KINDS = CustomId.__subclasses__()

FIELDS: dict[Any, st.SearchStrategy[Any]] = {
    int: st.integers(0, MAX_INTEGER),
    int | None: st.none() | st.integers(0, MAX_INTEGER),
    Version: st.integers(0, MAX_INTEGER),
    Version | None: st.none() | st.integers(0, MAX_INTEGER),
    MatchId: st.integers(0, MAX_INTEGER),
    UserId: st.integers(0, MAX_INTEGER),
    str: st.text(max_size=40),
    ids.PageTarget: st.sampled_from(ids.PageTarget),
    ids.PlanStep: st.sampled_from(ids.PlanStep),
    OwnPlanStep: st.sampled_from(OwnPlanStep),
}


@st.composite
def any_id(draw: st.DrawFn) -> CustomId:
    kind = draw(st.sampled_from(KINDS))
    types = {name: hint for name, hint in get_type_hints(kind).items() if name != "prefix"}
    values: dict[str, Any] = {name: draw(FIELDS[hint]) for name, hint in types.items()}
    return kind(**values)


@pytest.mark.parametrize("text", WRITTEN)
def test_wire_form_is_that_of_earlier_versions(text: str) -> None:
    assert str(WRITTEN[text]) == text
    assert parse(text) == WRITTEN[text]


def test_wire_form_of_every_kind_is_pinned() -> None:
    assert {type(custom_id) for custom_id in WRITTEN.values()} == set(KINDS)


def test_every_kind_but_gaps_has_a_handler() -> None:
    assert set(HANDLERS) == set(KINDS) - {ids.GapId}


def test_fields_are_given_by_place_or_name_and_have_defaults() -> None:
    typed = ids.TypedId(MatchId(7), None)
    assert typed == ids.TypedId(decision=None, match_id=MatchId(7))
    assert repr(typed) == "TypedId(match_id=7, decision=None)"
    assert leaderboard_ids.RankRolesId().pool == leaderboard_ids.RankRolesId("").pool
    assert {typed, parse("typed:7:-")} == {typed}


@pytest.mark.parametrize(
    ("values", "named"), [((7,), {}), ((7, 3, 4), {}), ((7, 3), {"verb": "x"}), ((), {})]
)
def test_id_has_all_of_its_fields_and_no_others(
    values: tuple[Any, ...], named: dict[str, Any]
) -> None:
    with pytest.raises(TypeError, match="TypedId has the fields match_id, decision"):
        ids.TypedId(*values, **named)


def test_ids_with_other_values_or_of_other_kinds_differ() -> None:
    typed = ids.TypedId(MatchId(7), Version(3))
    assert typed != ids.TypedId(MatchId(7), Version(4))
    assert typed != ids.TurnId(MatchId(7), Version(3))
    assert ids.TurnId(MatchId(7), Version(3)) != (7, 3)


def test_id_cannot_be_changed() -> None:
    typed: Any = ids.TypedId(MatchId(7), Version(3))
    with pytest.raises(AttributeError, match="decision"):
        typed.decision = 4
    assert typed.decision == 3


@pytest.mark.slow
@given(any_id())
def test_every_id_is_read_as_it_was_written_or_refused(custom_id: CustomId) -> None:
    values = [str(value) for value in vars(custom_id).values()]
    length = sum(map(len, (custom_id.prefix, *values))) + len(values)
    try:
        text = str(custom_id)
    except CustomIdError:
        text = ""
    is_refused = length > CUSTOM_ID_LIMIT or any(":" in value for value in values[:-1])
    assert text or is_refused
    if not text:
        return
    assert len(text) <= CUSTOM_ID_LIMIT
    assert parse(text) == custom_id


@given(any_id())
def test_ids_of_different_meaning_differ(custom_id: CustomId) -> None:
    try:
        text = str(custom_id)
    except CustomIdError:
        assume(False)
    assert text not in WRITTEN or WRITTEN[text] == custom_id


@given(st.text(max_size=40) | st.builds(":".join, st.lists(st.text(max_size=9), max_size=6)))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        custom_id = parse(text)
    except CustomIdError:
        return
    assert parse(str(custom_id)) == custom_id


@pytest.mark.parametrize(
    "text",
    ["", ":", "act", "act:", "act:1:2", "act:x:2:resign", "act:-1:2:resign", "hand:1:2", "hand:-",
     "hand:²", "hand:1_0", "hand: 1", "hand:1.5", f"hand:{MAX_INTEGER + 1}", "hand:" + "9" * 5000,
     "export:1", "erase", "erase:no", "block:all", "rules:wormholes:W1:evil",
     "nonsense:1", "cancel:"],
)  # fmt: skip
def test_malformed_id_is_refused(text: str) -> None:
    with pytest.raises(CustomIdError):
        parse(text)


@pytest.mark.parametrize(
    "custom_id",
    [
        ids.ActId(MatchId(7), Version(3), "x" * CUSTOM_ID_LIMIT),
        ids.HandId(MatchId(-1)),
        ids.HandId(MatchId(MAX_INTEGER + 1)),
        ids.ClaimId(MatchId(7), "O:1"),
        ids.ReplayId(MatchId(7), -1),
    ],
)
def test_id_that_could_not_be_read_is_not_written(custom_id: CustomId) -> None:
    with pytest.raises(CustomIdError):
        str(custom_id)
