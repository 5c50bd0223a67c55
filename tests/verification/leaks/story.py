"""People's acts in a story that runs in two worlds, which differ only in Ada's hidden values.

Each act counts what it has brought about, so that a test can see that no act is always refused.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import select

from bot.domain.clocks import DAY, HOUR
from bot.domain.models import MatchStatus
from bot.services.pings import PING_DELAY_SECONDS
from bot.services.preferences import PreferenceKey
from bot.storage.connection import Connection
from bot.storage.database import AfterCommit
from bot.storage.schema import absences, posted_messages, timers
from engine.game import CHANCE
from tests.support.driver import by_click
from tests.support.harness import ids, words
from tests.support.interactions import fire, payload
from tests.support.match_card import card_of, if_on_card, on_card
from tests.support.notes import write_notes
from tests.verification.leaks.telling import Telling

CLOSED_DM, LOCKED_THREAD = 50007, 50083
"""Discord's codes for a user who takes no DMs, and for a thread that is locked and archived."""

LOOKED_AT = (
    *("overlay:1", "since:1", "text:1:0", "hand:1", "replay:1:0", "film:1", "part:1:1"),
    *("playon:1:1", "playon:9:1:against", "playing:9:1"),
)
"""Clicks of a member who cannot see the match."""

FIRED = {
    "ping": "ping",
    "remind": "reminder",
    "snooze": "reminder",
    "warn": "warning",
    "flag": "time over",
    "gone": "silence",
    "silent": "silence",
}
"""Kind of a timer → the act that is counted when it has fired and something was posted."""

NOTES = ("a low coin is on c5", "a high coin is on c5")
"""What Ada notes in each world."""

ZONES = "Europe/Berlin", "Asia/Dubai"
"""Ada's time zone in each world; she has quiet hours and shows no one the hours between them."""

CHOICES_UNTIL_DM = 3
"""Maximum number of choices until Bo is told by DM that he has to decide."""

CHOICES_UNTIL_BOARD = 10
"""Maximum number of choices until a turn ends and the next board is posted."""

LONGEST_WAIT_DAYS = 8
"""Days after which a time of 3 days is over, whatever vacations came between."""


class Story(Telling):
    """What people do beside choosing, and how it ends."""

    async def own_takeback(self) -> None:
        """The player of the last choice takes it back at once, if that is possible."""
        actor, verb = await self._last_choice()
        before = await self.undone()
        answer = await actor.slash(self.where, "takeback", match=self.match_id)
        text = words(answer.response)
        await self.settle()
        if "asked the other players" in text or "gefragt" in text:
            self.done["takeback asked"] += 1
            await self._answer_takeback_request(actor)
        elif await self.undone() > before:
            self.done["secret taken back" if verb == "place" else "taken back"] += 1

    async def _answer_takeback_request(self, actor: Any) -> None:
        """Agree to a takeback, or play on, so that *Agree* comes too late."""
        stage = self.stage
        other = stage.bo if actor is stage.ada else stage.ada
        request = stage.last(stage.where)
        custom_id = next(
            (button_id for button_id in ids(request) if button_id.startswith("agree:")), ""
        )
        if not custom_id:
            return
        late = self.done["too late"] <= self.done["agreed"] and await self.choose()
        before = await self.undone()
        for user in (stage.eve, other):
            await fire(stage, payload(stage, user, request, "", custom_id))
        agreed = await self.undone() > before
        assert not (late and agreed)
        self.done["too late"] += late
        self.done["agreed"] += agreed
        await self.settle()

    async def _last_choice(self) -> tuple[Any, str]:
        """Return the player of the last choice, and its verb."""
        record = await self.stage.client.context.queries.record(self.match_id)
        last = next(action for action in reversed(record.actions) if action.actor != CHANCE)
        return self.stage.people[(await self.match()).players[last.actor].user_id], last.verb

    async def draw_offers(self) -> None:
        """Bo offers a draw that Ada declines; Ada can still offer the one that is agreed on."""
        stage, where = self.stage, self.where
        await stage.bo.slash(where, "draw", match=self.match_id)
        self.done["draw offered"] += bool((await stage.perspective(self.match_id)).view.offer)
        await stage.ada.slash(where, "do", action="draw decline", match=self.match_id)
        assert not (await stage.perspective(self.match_id)).view.offer
        question = await stage.ada.slash(where, "do", action="draw accept", match=self.match_id)
        assert question.ephemeral
        self.watcher.note()

    async def note(self) -> None:
        """Ada writes notes on the match and on Bo, who looks at his board."""
        text = NOTES[self.swapped and self.owner_is_ada]
        on_bo = {str(self.stage.bo.id): f"Bo thinks that {text}"}
        saved = await write_notes(self.stage, self.stage.ada, self.match_id, text, **on_bo)
        self.done["notes"] += words(saved.response).count(text) == len(NOTES)
        await self.stage.bo.slash(self.where, "board", match=self.match_id)
        self.watcher.note()

    async def hours(self) -> None:
        """Ada chooses quiet hours and a zone; the others look at the card of the match.

        Reminders wait for the end of quiet hours, so this is for stories that end before these.
        """
        stage, zone = self.stage, ZONES[self.swapped and self.owner_is_ada]
        await stage.ada.slash(self.lobby, "settings", zone=zone)
        panel = await stage.prefer(stage.ada, quiet="22-8")
        self.done["hours"] += zone in words(panel.response)
        for user in (stage.bo, stage.eve, self.root):
            card = await card_of(stage, user, self.where, self.match_id)
            assert zone not in words(card.response)
        self.watcher.note()

    async def vacations(self) -> None:
        """Both are away for a while."""
        for user in (self.stage.bo, self.stage.ada):
            query = select(absences).where(absences.c.user_id == user.id)
            await user.slash(self.where, "vacation", days=2)
            self.done["vacation"] += await self.count(query)
            await self.wait(3 * HOUR)
            await user.slash(self.where, "vacation")
            await user.slash(self.where, "vacation", days=0)
            assert not await self.count(query)
            await self.settle()

    async def absent_players(self) -> None:
        """Both nudge, and try to open the record; Ada would end the match without a result."""
        stage, where = self.stage, self.where
        record = await stage.client.context.queries.record(self.match_id)
        for user in (stage.ada, stage.bo):
            nudged = await if_on_card(self.stage, user, where, "nudge:", self.match_id)
            self.done["nudged"] += "Nudge sent" in nudged
            file = ("a.match", str(record).encode())
            opened = await user.slash(self.lobby, "replay", record=file)
            self.done["record stayed closed"] += not opened.response.attachments
            self.watcher.note()
        question = await on_card(self.stage, stage.ada, where, "abandon:", self.match_id)
        answer = await stage.click(stage.ada, question.response, "abandon:")
        self.done["abandon proposed"] += "asked the other" in words(answer.response)
        await self.settle()

    async def wait(self, seconds: float) -> None:
        """Let time pass, with reminders and warnings."""
        await self.stage.spend(seconds)
        due, before = await self.due(), self.posted()
        runtime = self.stage.client.runtime
        # Nothing is sent between two timers: messages do not depend on the timers' speed
        self.stage.database.run_before_commit("outbox", _leave_queued)
        try:
            await runtime.timers.fire()
        finally:
            self.stage.database.run_before_commit("outbox", runtime.outbox.claim_queued)
            runtime.outbox.wake()
        await self.settle()
        if self.posted() > before:
            self.done.update(FIRED[kind] for kind in due)

    async def reminders(self) -> None:
        """Both take so long that they are reminded; snooze, then go on."""
        await self.wait(DAY + HOUR)
        board = self.stage.last(self.stage.where)
        if any(custom_id.startswith("snooze:") for custom_id in ids(board)):
            snoozed = select(timers).where(timers.c.kind == "snooze")
            for user in (self.stage.ada, self.stage.bo):
                await self.stage.click(user, board, "snooze:")
            self.done["snoozed"] += await self.count(snoozed)
        await self.wait(HOUR)

    async def move(self) -> None:
        """Go on in another channel; the thread or channel of before keeps the old boards."""
        there = self.annex if self.stage.where is not self.annex else self.stage.channel
        answer = await on_card(self.stage, self.stage.bo, there, "move:", self.match_id)
        assert answer.response.ephemeral
        self.stage.where = there
        await self.settle()
        assert any(custom_id.startswith("text:") for custom_id in ids(self.stage.last(there)))
        self.done["moved"] += (await self.match()).channel_id == there.id

    async def lock_thread(self) -> None:
        """A moderator locks and archives the thread: the match goes on above."""
        thread = self.stage.where
        if thread is None or not thread.is_thread:
            return
        fault = self.stage.env.inject_error
        paths = (f"/channels/{thread.id}", f"/channels/{thread.id}/messages*")
        for method, path in (("PATCH", paths[0]), ("POST", paths[1]), ("PATCH", paths[1])):
            fault(method, path, status=400, code=LOCKED_THREAD, times=None)
        await self._leave(thread, "thread locked")

    async def delete_thread(self) -> None:
        """A moderator deletes the thread: the board is posted above."""
        thread = self.stage.where
        if thread is None or not thread.is_thread:
            return
        self.stage.env.backend.delete_channel(thread.id)
        await self.stage.env.settle()
        await self._leave(thread, "thread deleted")

    async def _leave(self, thread: Any, act: str) -> None:
        """Play on; the next board is posted in the channel above the thread.

        First, the last click becomes too old for edits that do not need the thread. Choices within
        a turn edit the board, so it may take some until one is posted.
        """
        await self.wait(HOUR)
        for _ in range(CHOICES_UNTIL_BOARD):
            if not await self.choose():
                await self.move()
            if (await self.match()).channel_id != thread.id:
                break
        match_channel = (await self.match()).channel_id
        assert match_channel != thread.id, "no board was posted"
        self.stage.where = None if match_channel == self.stage.channel.id else self.annex
        self.done[act] += match_channel == self.stage.channel.id

    async def close_dms(self) -> None:
        """Bo takes no DMs for some choices, and then again."""
        dm_path = f"/channels/{self.stage.bo.user.dm_channel.id}/messages"
        faults = self.stage.env.backend.faults
        self.stage.env.inject_error("POST", dm_path, status=403, code=CLOSED_DM, times=None)
        for _ in range(CHOICES_UNTIL_DM):
            if await self._is_closed_to_dms() or not await self.choose():
                break
            await self.settle()
            await self.wait(PING_DELAY_SECONDS + 1)
        self.done["DM refused"] += await self._is_closed_to_dms()
        await if_on_card(self.stage, self.stage.bo, self.where, "hand:", self.match_id)
        faults[:] = [fault for fault in faults if fault["path"] != dm_path]
        await self.settle()

    async def _is_closed_to_dms(self) -> bool:
        preferences = await self.stage.client.context.preferences.preferences(self.stage.bo.id)
        return preferences[PreferenceKey.DM_FAILED] == "yes"

    async def lose_channel(self) -> None:
        """The channel is deleted: boards go to DMs, until the match is moved."""
        if self.stage.where is not self.annex:
            await self.move()
        self.stage.env.backend.delete_channel(self.annex.id)
        by_dm = select(posted_messages).where(
            posted_messages.c.user_id != 0, posted_messages.c.kind == "board"
        )
        for _ in range(CHOICES_UNTIL_DM):
            if await self.count(by_dm) or not await self.choose():
                break
            await self.settle()
            await self.wait(PING_DELAY_SECONDS + 1)
        self.done["board by DM"] += await self.count(by_dm)
        self.annex = self.stage.guild.create_text_channel("annex", overwrites=self.hidden)
        await self.move()

    async def look_up_rules(self) -> None:
        """Search the rules, and show a page to all in the lobby."""
        where = self.lobby
        for user in (self.stage.bo, self.stage.ada):
            result = await user.slash(where, "rules", topic="coin")
            self.done["proposals"] += bool(await user.autocomplete(where, "rules", "topic", "coin"))
            page = await user.slash(where, "rules", topic="W9")
            for answer in (page, result):
                show_ids = [c for c in ids(answer.response) if c.endswith(":show")]
                if show_ids:
                    await user.click(answer.response, custom_id=show_ids[0])
                    self.done["rules shown"] += 1
        await self.settle()

    async def export(self) -> None:
        """Let Bo and Eve export their data."""
        before = self.watcher.exports
        for user in (self.stage.bo, self.stage.eve):
            about = await user.slash(self.lobby, "privacy")
            await self.stage.click(user, about.response, "export")
        self.watcher.note()
        self.done["exported"] += self.watcher.exports - before

    async def look_around(self) -> None:
        """All look at all that they can ask for; Bo and Root read German."""
        stage, where = self.stage, self.where
        texts = {}
        for user in (stage.ada, stage.bo, stage.eve, self.root):
            await user.slash(where, "board", match=self.match_id)
            board = await user.slash(where, "board", match=self.match_id, text=True)
            texts[user] = words(board.response)
            await user.slash(where, "do", match=self.match_id)
            await user.slash(where, "resign", match=self.match_id)
            await user.slash(where, "games")
            await user.autocomplete(where, "do", "action", "", match=self.match_id)
            await user.autocomplete(where, "board", "match", "")
            await self._click_all(user, stage.last(where))
            self.watcher.note()
        self.done["two languages"] += texts[self.root] != texts[stage.eve]
        if self.hall:
            self.done["in the hall"] += any("Am Zug" in line for line in self.listed())

    async def _click_all(self, user: Any, board: Any) -> None:
        for custom_id in (f"playon:9:{self.match_id}", f"playing:9:{self.match_id}"):
            await fire(self.stage, payload(self.stage, user, board, "", custom_id))
        for start in ("hand:", "text:", "since:", "menu:", "overlay:"):
            if any(custom_id.startswith(start) for custom_id in ids(board)):
                assert (await self.stage.click(user, board, start)).ephemeral
                self.done[f"click on {start[:-1]}"] += 1

    async def peep(self) -> None:
        """Zed, who cannot see the channel, asks for the match, and Root asks as an admin."""
        unknown = words((await self.zed.slash(self.lobby, "board", match=99)).response)
        message = await self.zed.send(self.lobby, "Hello?")
        for name in ("board", "do", "takeback", "replay", "resign"):
            answer = await self.zed.slash(self.lobby, name, match=self.match_id)
            assert answer.ephemeral, (name, answer)
            self.done["turned away"] += words(answer.response) == unknown
        for custom_id in LOOKED_AT:
            await fire(self.stage, payload(self.stage, self.zed, message, "", custom_id))
        await self.root.slash(self.lobby, "server")
        panel = await self.root.slash(self.lobby, "server")
        await self.stage.click(self.root, panel.response, "doctor")
        await self.settle()

    # lost time, and how it ends

    async def _lose_time(self) -> tuple[Any, Any, Any]:
        """Wait until a player's time is over; return the player, the other one, and the board."""
        late = await self.stage.deciding(self.match_id)
        other = self.stage.bo if late is self.stage.ada else self.stage.ada
        await self.settle()
        for _ in range(LONGEST_WAIT_DAYS):
            board = self.stage.last(self.stage.where)
            if any(custom_id.startswith("claim:") for custom_id in ids(board)):
                return late, other, board
            await self.wait(DAY)
        raise AssertionError("no time was over")

    async def overtime(self) -> None:
        """A time is over and could be claimed; but the play goes on."""
        late, other, board = await self._lose_time()
        for user in (self.stage.eve, late):
            assert (await self.stage.click(user, board, "claim:")).ephemeral
        question = await self.stage.click(other, board, "claim:")
        confirmation = next(i for i in ids(question.response) if i.startswith("claim:"))
        self.watcher.note()
        if not await self.choose(by_click):
            return
        await self.settle()
        await fire(self.stage, payload(self.stage, other, board, "", confirmation))
        await fire(self.stage, payload(self.stage, other, board, "claim:"))
        await late.slash(self.where, "takeback", match=self.match_id)
        await self.settle()
        self.done["claim too late"] += (await self.match()).status != MatchStatus.FINISHED

    async def claim(self) -> None:
        """The time of a player runs out, and the other one claims the match."""
        _, other, board = await self._lose_time()
        self.watcher.look()
        question = await self.stage.click(other, board, "claim:")
        self.watcher.note()
        await self.stage.click(other, question.response, "claim:")
        await self._end("claimed")

    async def agree_on_draw(self) -> None:
        """Ada offers a draw, and Bo accepts it."""
        await self.stage.ada.slash(self.where, "draw", match=self.match_id)
        await self.settle()
        self.watcher.look()
        board = self.stage.last(self.stage.where)
        for user in (self.stage.eve, self.stage.ada, self.stage.bo):
            question = await self.stage.click(user, board, f"act:{self.match_id}:-:draw accept")
        self.watcher.note()
        await self.stage.click(self.stage.bo, question.response, "draw:")
        await self._end("draw accepted")

    async def erase(self) -> None:
        """Ada has her data deleted, which gives up the match."""
        await self.settle()
        self.watcher.look()
        about = await self.stage.ada.slash(self.lobby, "privacy")
        question = await self.stage.click(self.stage.ada, about.response, "erase:")
        await self.stage.click(self.stage.ada, question.response, "erase:yes")
        await self._end("erased")

    async def _end(self, act: str) -> None:
        """Leave out messages about the end, where everything is open."""
        await self.stage.env.settle()
        self.watcher.skip()
        self.done[act] += (await self.match()).status == MatchStatus.FINISHED

    async def watch_again(self) -> None:
        """Bo and Eve look at the finished match turn by turn, and as an animation."""
        _, all_turns = await self.stage.client.context.queries.turns(self.match_id)
        turns = min(7, len(all_turns) - 2)  # the last one is the end, in which all is open
        before = self.watcher.animations
        for user, turn in ((self.stage.bo, 0), (self.stage.eve, turns)):
            page = await user.slash(self.where, "replay", match=self.match_id)
            self.watcher.note()
            for _ in range(turn):
                step = next(
                    custom_id for custom_id in ids(page.response) if custom_id.endswith(":Next")
                )
                page = await user.click(page.response, custom_id=step)
            self.watcher.note()
            await self.stage.click(user, page.response, "film:")
            self.watcher.note()
        self.done["animation"] += self.watcher.animations - before


async def _leave_queued(_: Connection) -> AfterCommit:
    """Leave queued messages to a later delivery."""
    return lambda _: None
