"""Connections in memory, with delays and resets; the loop sees them as TCP."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextvars import Context, copy_context
from functools import partial
from random import Random
from typing import Any, NamedTuple, cast

from tests.verification.simulation.process import CURRENT, SimulatedProcess, is_alive

LATENCY_SECONDS = 0.0005, 0.08
"""Least and most that data is under way; the order within a connection stays."""

GAP_SECONDS = 1e-6
"""Least time between two arrivals: what the first one wakes runs before the second one, as it does
when data comes from sockets."""


class Address(NamedTuple):
    """Address on which a server listens."""

    host: str
    port: int


class Endpoint(asyncio.Transport):
    """One end of a connection.

    Args:
        loop: delivers the written bytes.
        extra: see `asyncio.BaseTransport.get_extra_info`.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        random: Random,
        context: Context,
        extra: dict[str, Any],
    ) -> None:
        super().__init__(extra)
        self._loop = loop
        self._random = random
        self._context = context
        self._process = context.get(CURRENT)
        self._held = self._process.hold(self.abort) if self._process else 0
        self._protocol: asyncio.Protocol | None = None
        self._peer: Endpoint | None = None
        self._arrival = 0.0
        self._is_closing = False
        self._is_lost = False
        self._is_paused = False
        self._received = deque[bytes]()
        self._underway = deque[Callable[[], object]]()

    def connect(self, peer: Endpoint, protocol: asyncio.Protocol) -> None:
        """Begin: tell the protocol that the connection is there."""
        self._peer, self._protocol = peer, protocol
        self._context.run(protocol.connection_made, self)

    @property
    def client(self) -> SimulatedProcess | None:
        """Return the process at the other end."""
        return self._peer._process if self._peer else None

    # asyncio.Transport

    def get_protocol(self) -> asyncio.BaseProtocol:
        """Return the current protocol."""
        assert self._protocol is not None
        return self._protocol

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        """Set another protocol."""
        self._protocol = cast("asyncio.Protocol", protocol)

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Send data."""
        if not self._is_closing and self._peer is not None:
            self._send(self._peer.receive, bytes(data))

    def writelines(self, list_of_data: Any) -> None:
        """Send data in one piece."""
        self.write(b"".join(list_of_data))

    def can_write_eof(self) -> bool:
        """Return whether one direction can be closed alone."""
        return False

    def get_write_buffer_size(self) -> int:
        """Return the size of data that is not sent."""
        return 0

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """Do nothing: all data is sent at once."""

    def is_closing(self) -> bool:
        """Return whether the connection is closed or being closed."""
        return self._is_closing

    def is_reading(self) -> bool:
        """Return whether data is received."""
        return not self._is_paused and not self._is_closing

    def pause_reading(self) -> None:
        """Receive nothing for now."""
        self._is_paused = True

    def resume_reading(self) -> None:
        """Receive again."""
        self._is_paused = False
        self._call(self._feed)

    def close(self) -> None:
        """Close after all data is sent."""
        if self._is_closing:
            return
        self._is_closing = True
        if self._peer is not None:
            self._send(self._peer.lose, None)
        self._call(self._report_loss, None)

    def abort(self) -> None:
        """Reset the connection."""
        if self._is_closing and self._is_lost:
            return
        self._is_closing = True
        if self._peer is not None:
            self._send(self._peer.lose, ConnectionResetError("reset"))
        self._call(self._report_loss, None)

    # The other end

    def receive(self, data: bytes) -> None:
        """Get data that has arrived."""
        self._received.append(data)
        self._feed()

    def lose(self, error: Exception | None) -> None:
        """Note that the other end is closed or gone."""
        self._is_closing = True
        self._report_loss(error)

    def _feed(self) -> None:
        while self._received and not self._is_paused and not self._is_lost:
            cast("asyncio.Protocol", self._protocol).data_received(self._received.popleft())

    def _report_loss(self, error: Exception | None) -> None:
        if self._is_lost:
            return
        self._is_lost = True
        if self._process is not None:
            self._process.drop(self._held)
        self.get_protocol().connection_lost(error)

    # Delivery

    def _send(self, to: Callable[[Any], object], value: object) -> None:
        """Call the other end after a delay, in order, as its process."""
        assert self._peer is not None
        now, delay = self._loop.time(), self._random.uniform(*LATENCY_SECONDS)
        self._arrival = max(self._arrival + GAP_SECONDS, now + delay)
        self._underway.append(partial(to, value))
        self._loop.call_at(self._arrival, self._arrive, context=self._peer._context)

    def _arrive(self) -> None:
        """Deliver the bytes sent first: timers for the same time have no order."""
        self._underway.popleft()()

    def _call(self, function: Callable[..., object], *values: object) -> None:
        """Call something of this end soon, unless its process is dead."""
        if is_alive(self._process):
            self._loop.call_soon(function, *values, context=self._context)


class Listener(asyncio.AbstractServer):
    """A server that accepts connections."""

    def __init__(self, network: Network, address: Address, factory: Callable[[], Any]) -> None:
        self._network = network
        self.address = address
        self.factory = factory
        self.context = copy_context()
        self.sockets = (Socket(address),)

    def get_loop(self) -> asyncio.AbstractEventLoop:
        """Return the loop."""
        return asyncio.get_running_loop()

    def close(self) -> None:
        """Accept no more."""
        self._network.listeners.pop(self.address, None)

    def is_serving(self) -> bool:
        """Return whether connections are accepted."""
        return self.address in self._network.listeners

    async def start_serving(self) -> None:
        """Do nothing: connections are accepted from the beginning."""

    async def serve_forever(self) -> None:
        """Do nothing: the loop serves as long as it runs."""

    async def wait_closed(self) -> None:
        """Do nothing: it closes at once."""


class Socket:
    """What programs ask of the socket of a connection: its addresses."""

    def __init__(self, address: Address) -> None:
        self._address = address

    def getsockname(self) -> Address:
        """Return the own address."""
        return self._address


class Network:
    """All listeners and connections."""

    def __init__(self, loop: asyncio.AbstractEventLoop, random: Random) -> None:
        self._loop = loop
        self._random = random
        self.listeners: dict[Address, Listener] = {}
        self._ports = iter(range(40_000, 60_000))

    def listen(self, factory: Callable[[], Any], host: str, port: int) -> Listener:
        """Accept connections."""
        address = Address(host, port or next(self._ports))
        self.listeners[address] = listener = Listener(self, address, factory)
        return listener

    def connect(self, factory: Callable[[], Any], address: Address) -> tuple[Endpoint, Any]:
        """Connect to a listener.

        Raises:
            ConnectionRefusedError: there is none.
        """
        listener = self.listeners.get(address)
        if listener is None:
            raise ConnectionRefusedError(f"no server at {address}")
        local, remote = (
            self._endpoint(copy_context(), address),
            self._endpoint(listener.context, address),
        )
        protocol, peer = factory(), listener.factory()
        remote.connect(local, peer)
        local.connect(remote, protocol)
        return local, protocol

    def _endpoint(self, context: Context, address: Address) -> Endpoint:
        about = {"peername": address, "sockname": address, "socket": None}
        return Endpoint(self._loop, self._random, context.copy(), about)
