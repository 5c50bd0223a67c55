"""The servers of the fake Discord, their members, and the roles of these."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from random import Random

from aiohttp import web

from tests.support import fake_objects
from tests.support.fake_forums import FakeForums
from tests.support.fake_http import Answer, error_answer, json_answer
from tests.support.fake_objects import BOT, BOT_ROLE, PERSON, iso_now

UNKNOWN_MEMBER = 10007
"""Discord's code for a user who is not on the server."""


class FakeMembers(FakeForums):
    """Members of servers.

    Args:
        clock: UTC seconds.

    Attributes:
        locales: server → its language.
        left: users who are on no server.
        member_roles: server and user → the roles that the bot has given.
        roles_given: number of all roles that the bot has given.
    """

    def __init__(self, clock: Callable[[], float], random: Random | None = None) -> None:
        super().__init__(clock, random)
        self.locales: dict[int, str] = {}
        self.left: set[int] = set()
        self.member_roles: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
        self.roles_given = 0

    def leave_servers(self, user: int) -> None:
        """Have a user leave all servers, and so lose all roles."""
        self.left.add(user)
        for (_guild, member), roles in self.member_roles.items():
            if member == user:
                roles.clear()

    async def _guild(self, request: web.Request) -> Answer:
        number = int(request.match_info["guild"])
        about = fake_objects.guild(number, self.locales.get(number, "en-US"))
        for server in self.servers:
            if server["id"] == str(number):
                about["roles"] = server["roles"]
        return json_answer(about)

    async def _member(self, request: web.Request) -> Answer:
        user = int(request.match_info["user"])
        if user in self.left:
            return error_answer(404, UNKNOWN_MEMBER)
        person = PERSON | {"id": str(user), "username": f"user{user}"}
        roles = [str(BOT_ROLE)] if user == BOT else []
        return json_answer({"user": person, "roles": roles, "joined_at": iso_now(), "flags": 0})

    async def _change_role(self, request: web.Request) -> Answer:
        """Give a role to a member, or take it away."""
        guild, user, role = (int(request.match_info[name]) for name in ("guild", "user", "role"))
        if user in self.left:
            return error_answer(404, UNKNOWN_MEMBER)
        roles, is_given = self.member_roles[guild, user], request.method == "PUT"
        self.roles_given += is_given and role not in roles
        (roles.add if is_given else roles.discard)(role)
        return web.Response(status=204)
