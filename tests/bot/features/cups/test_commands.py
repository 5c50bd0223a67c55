"""Commands and buttons of cups, without a connection to Discord."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.app.registry import HANDLERS
from bot.domain.clocks import DAY, HOUR
from bot.domain.ids import GuildId, UserId
from bot.features.cups import commands as cups
from bot.features.cups.due_posts import CupPosts
from bot.features.cups.formats import CupFormat
from bot.features.cups.ids import (
    CupJoinId,
    CupLeaveId,
    CupMineId,
    CupRemoveId,
    CupStartId,
    CupWithdrawId,
)
from bot.features.cups.members import CupMembers
from bot.features.cups.rows import Cup
from bot.features.cups.season_view import DIVISIONS
from bot.features.cups.service import Cups
from bot.features.cups.views import NO_VACATIONS
from bot.guilds import Guilds
from bot.interactions.replies import UserError
from bot.services.preferences import Preferences
from bot.views.message import note
from tests.support.cups import ORGANISER, CupFixture, user
from tests.support.matches import EVE, MatchFixture
from tests.support.visitors import OPEN, Server

POST, THREAD = 700, 701

PLAYABLE, STARTABLE = "playable", "startable"


class Desk:
    """Commands and clicks on a server; answers, and who was checked, are noted."""

    def __init__(self, env: MatchFixture, monkeypatch: pytest.MonkeyPatch) -> None:
        self.env, self.cup, self.server = env, CupFixture(env), Server()
        self.answers: list[str] = []
        self.checked: list[tuple[str, list[int]]] = []
        members = CupMembers(env.database, env.clock)
        services: dict[type[Any], Any] = {Cups: env.cups, CupMembers: members}
        context: Any = SimpleNamespace(
            of=services.__getitem__,
            clock=env.clock,
            clicked=None,
            preferences=Preferences(env.database),
        )
        (group,) = cups.commands(context)
        self.context = context
        self._group: Any = group

        async def answer(_interaction: Any, message: Any) -> None:
            self.answers.append(str(message.layout.to_components()))

        async def acknowledge(_interaction: Any, _clicked: Any) -> None:
            self.answers.append("")

        def startable(_interaction: Any, people: Any = ()) -> None:
            self.checked.append((STARTABLE, [person.id for person in people]))

        async def playable(_context: Any, _interaction: Any, people: Any = ()) -> None:
            self.checked.append((PLAYABLE, [person.id for person in people]))

        for name, stub in {
            "reply": answer,
            "edit_reply": answer,
            "acknowledge": acknowledge,
            "require_startable": startable,
            "require_playable": playable,
        }.items():
            monkeypatch.setattr(cups, name, stub)

    async def run(self, actor: UserId, command: str, /, **options: Any) -> str:
        """Run a command of a member; return the answer."""
        interaction = self.server.interaction(actor, channel_id=options.pop("place", OPEN))
        await self._group.get_command(command).run(interaction, **options)
        return self.answers[-1]

    async def click(
        self, actor: UserId, button: Any, message: int = 0, values: Sequence[str] = ()
    ) -> str:
        """Click a button on a message, or select in a list; return the answer."""
        on = SimpleNamespace(id=message) if message else None
        interaction = self.server.interaction(actor, message=on)
        interaction.data = {"values": list(values)}
        await HANDLERS[type(button)](self.context, interaction, button)
        return self.answers[-1]

    async def latest(self) -> Cup:
        """Return the only cup."""
        return await self.cup.get(1)


@pytest.fixture
def desk(env: MatchFixture, monkeypatch: pytest.MonkeyPatch) -> Desk:
    env.now = 1_800_000_000.0  # 2027-01-15
    return Desk(env, monkeypatch)


async def test_cup_has_all_that_its_organiser_chose(desk: Desk) -> None:
    desk.server.add_thread(THREAD, OPEN)
    await desk.run(
        ORGANISER,
        "create",
        place=THREAD,
        name="Spring",
        game="warp6",
        format=CupFormat.KNOCK_OUT.value,
        clock=next(words for words in cups.CLOCKS if "1 day" in words),
        series=3,
        rated=True,
        matches=1,
        vacations=False,
        season=None,
        days_off="w",
        starts="2027-02-01 18:00",
        ends="2027-03-01",
    )
    row = (await desk.latest()).row
    assert (row.name, row.game, row.format, row.organiser_id) == (
        "Spring",
        "warp6",
        CupFormat.KNOCK_OUT,
        ORGANISER,
    )
    assert (row.clock, row.rounds, row.rated, row.max_open) == ("1dw!", 3, True, 1)
    assert (row.channel_id, row.parent_channel_id) == (THREAD, OPEN)
    assert row.starts_at
    assert row.ends_at
    assert row.starts_at % DAY == 18 * 3600
    assert row.ends_at % DAY == 0
    assert round((row.ends_at - row.starts_at) / DAY, 2) == 28.25, "the last day is played"
    assert desk.checked == [(STARTABLE, []), (PLAYABLE, [])]


async def test_dates_of_a_cup_are_those_of_the_organisers_zone(desk: Desk) -> None:
    """The answer repeats the dates, and the zone in which they were read."""
    await Preferences(desk.env.database).set_time_zone(ORGANISER, "Asia/Tokyo")
    dates = {"starts": "Friday 18:00", "ends": "31.3."}  # now it is Friday 17:00 there
    answer = await desk.run(ORGANISER, "create", name="Spring", game="warp6", **dates)
    row = (await desk.latest()).row
    assert row.starts_at == desk.env.now + HOUR
    assert row.ends_at == datetime(2027, 3, 31, 15, tzinfo=UTC).timestamp()
    assert f"It starts <t:{int(row.starts_at)}:F>" in answer
    assert f"end by <t:{int(row.ends_at)}:F>" in answer
    assert "your time zone, Asia/Tokyo" in answer


@pytest.mark.parametrize(
    ("dates", "refusal"),
    [
        ({"starts": "yesterday"}, "Write it as `Friday 18:00`, .* Your time zone is UTC"),
        ({"ends": "5/6"}, "could mean several"),
        ({"starts": "today"}, "in the past; choose a later date, such as `tomorrow 18:00`"),
        ({"ends": "14 January 2027"}, "before it starts; .* such as `in 8 weeks`"),
    ],
)
async def test_unclear_and_past_dates_are_refused_with_an_example(
    desk: Desk, dates: dict[str, str], refusal: str
) -> None:
    with pytest.raises(UserError, match=refusal):
        await desk.run(ORGANISER, "create", name="Spring", game="warp6", **dates)
    assert await desk.env.cups.get(1) is None


async def test_answer_names_no_zone_for_a_cup_without_dates(desk: Desk) -> None:
    answer = await desk.run(ORGANISER, "create", name="Spring", game="warp6")
    assert "time zone" not in answer
    assert "<t:" not in answer


@pytest.mark.parametrize(("label", "divisions"), [*zip(DIVISIONS, (1, 2, 3), strict=True)])
async def test_cup_repeats_as_its_organiser_chose(desk: Desk, label: str, divisions: int) -> None:
    await desk.run(ORGANISER, "create", name="Spring", game="warp6", season=DIVISIONS[label])
    cup = await desk.latest()
    assert cup.season
    assert (cup.season.league.divisions, cup.row.season) == (divisions, 1)


async def test_cup_has_defaults(desk: Desk) -> None:
    await desk.run(ORGANISER, "create", name="Spring", game="warp6")
    row = (await desk.latest()).row
    assert (row.clock, row.rounds, row.rated, row.max_open) == ("3d", 1, False, 2)
    assert (row.format, row.starts_at, row.ends_at) == (CupFormat.ROUND_ROBIN, None, None)
    assert (row.channel_id, row.parent_channel_id) == (OPEN, None)


async def test_joining_a_cup_without_vacations_says_so(desk: Desk) -> None:
    """Even a click on the post, whose effect is visible there, is answered."""
    cup_id = await desk.cup.create(2, channel_id=OPEN, vacations=False)
    await CupPosts(desk.env.database).posted(cup_id, POST)
    joined = await desk.click(EVE, CupJoinId(cup_id), POST)
    assert "You're in" in joined
    assert NO_VACATIONS in joined
    with pytest.raises(UserError, match="already in this cup"):
        await desk.click(EVE, CupJoinId(cup_id), POST)


@pytest.mark.parametrize(("message", "acknowledged"), [(POST, True), (POST + 1, False), (0, False)])
async def test_click_on_the_post_needs_no_words(
    desk: Desk, message: int, acknowledged: bool
) -> None:
    """The post shows its effect; a list of cups or another message does not."""
    cup_id = await desk.cup.create(2, channel_id=OPEN)
    await CupPosts(desk.env.database).posted(cup_id, POST)
    joined = await desk.click(EVE, CupJoinId(cup_id), message)
    left = await desk.click(EVE, CupLeaveId(cup_id), message)
    assert ("You're in" not in joined) == acknowledged
    assert ("is given up" not in left) == acknowledged
    assert len((await desk.latest()).entrants) == 2
    assert desk.checked == [(PLAYABLE, [])]


@pytest.mark.parametrize("named", [False, True])
async def test_organiser_withdraws_the_named_player(desk: Desk, named: bool) -> None:
    cup_id = await desk.cup.begun(3, channel_id=OPEN)
    actor = ORGANISER if named else user(1)
    button = CupRemoveId(cup_id) if named else CupLeaveId(cup_id)
    question = await desk.click(actor, button, values=[str(user(2))] if named else [])
    assert ("Withdraw from" in question) is not named
    assert "can't be undone" in question
    leaver = user(2) if named else user(1)
    assert str(CupWithdrawId(cup_id, leaver)) in question
    assert len((await desk.latest()).active) == 3, "it is only a question"
    await desk.click(actor, CupWithdrawId(cup_id, leaver))
    withdrawn = [
        entrant.user_id for entrant in (await desk.latest()).entrants if not entrant.is_active
    ]
    assert withdrawn == [leaver]


@pytest.mark.parametrize("named", [False, True])
async def test_place_is_offered_to_a_checked_substitute(desk: Desk, named: bool) -> None:
    await desk.cup.begun(3, channel_id=OPEN)
    substitute = desk.server.member(EVE)
    options = {"player": SimpleNamespace(id=user(2))} if named else {}
    actor = ORGANISER if named else user(3)
    assert f"<@{EVE}>" in await desk.run(actor, "replace", substitute=substitute, **options)
    offered = [
        entrant.user_id
        for entrant in (await desk.latest()).entrants
        if entrant.substitute_id == EVE
    ]
    assert offered == [user(2) if named else user(3)]
    assert desk.checked == [(STARTABLE, [EVE]), (PLAYABLE, [EVE])]


async def test_organiser_removes_a_player_before_the_start(desk: Desk) -> None:
    cup_id = await desk.cup.create(3, channel_id=OPEN)
    with pytest.raises(UserError, match="Only the organiser"):
        await desk.click(EVE, CupRemoveId(cup_id), values=[str(user(2))])
    with pytest.raises(UserError, match="isn't in this cup"):
        await desk.click(ORGANISER, CupRemoveId(cup_id), values=[str(EVE)])
    assert "is given up" in await desk.click(ORGANISER, CupRemoveId(cup_id), values=[str(user(2))])
    players = {entrant.user_id for entrant in (await desk.latest()).entrants}
    assert players == {user(1), user(3)}


async def test_start_leaves_out_who_has_left_the_server(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def has_left(_guilds: Guilds, _guild_id: int, user_id: UserId) -> bool:
        return user_id == user(4)

    monkeypatch.setattr(Guilds, "has_left", has_left)
    cup_id = await desk.cup.create(4, channel_id=OPEN)
    desk.env.now += DAY
    await desk.click(ORGANISER, CupStartId(cup_id))
    players = {entrant.user_id for entrant in (await desk.latest()).entrants}
    assert players == {user(1), user(2), user(3)}


async def test_withdrawn_player_has_no_matches_to_show(desk: Desk) -> None:
    cup_id = await desk.cup.begun(3, channel_id=OPEN)
    assert "Your matches" in await desk.click(user(1), CupMineId(cup_id))
    await desk.cup.withdraw(cup_id, user(1))
    for stranger in (user(1), EVE):
        with pytest.raises(UserError, match="not playing in this cup"):
            await desk.click(stranger, CupMineId(cup_id))


@pytest.mark.parametrize(
    ("actor", "manages", "organises"),
    [(EVE, False, False), (EVE, True, True), (ORGANISER, False, True)],
)
async def test_only_organisers_are_told_who_has_left(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, actor: UserId, manages: bool, organises: bool
) -> None:
    calls: list[bool] = []

    async def style(_user: UserId, _guild: GuildId | None) -> Any:
        return SimpleNamespace(theme=None)

    def status(_cup: Cup, _places: Any, _drawn: Any, *, organises: bool) -> Any:
        calls.append(organises)
        return note("all")

    monkeypatch.setattr("bot.features.cups.views.status", status)
    desk.context.preferences = SimpleNamespace(style=style)
    cup = await desk.cup.get(await desk.cup.create(2, channel_id=OPEN))
    permissions = discord.Permissions(manage_guild=manages, manage_messages=True)
    interaction = desk.server.interaction(actor, permissions=permissions)
    await cups._status(desk.context, interaction, replace(cup, pairings=()))
    assert calls == [organises]
