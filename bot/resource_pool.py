"""Resources that tasks share: one task uses one at a time, and urgent tasks come first."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Hashable, Iterable
from contextlib import asynccontextmanager
from typing import Generic, TypeVar

T = TypeVar("T")


class ResourcePool(Generic[T]):
    """Resources, each used by one task at a time.

    A free resource goes to the most urgent tasks. Among those it goes to each owner in turn, so
    that an owner with many tasks makes no other owner wait for more than one of them; the tasks of
    an owner come in order of arrival.

    Args:
        resources: the resources to share; the last one is acquired first.

    Attributes:
        free: unused resources; the one used last is acquired first.
    """

    def __init__(self, resources: Iterable[T]) -> None:
        self.free = list(resources)
        self._queues: dict[int, _Queue[T]] = {}

    @asynccontextmanager
    async def acquired(
        self, urgency: int, owner: Hashable = None, patience_seconds: float | None = None
    ) -> AsyncIterator[T]:
        """Acquire a resource inside the block; see `acquire`.

        Raises:
            TimeoutError: none was free within `patience_seconds`.
        """
        async with asyncio.timeout(patience_seconds):
            resource = await self.acquire(urgency, owner)
        try:
            yield resource
        finally:
            self.release(resource)

    def refuse_waiting(self, error: Exception) -> None:
        """Raise an error in all tasks that wait."""
        for queue in self._queues.values():
            while future := queue.next():
                future.set_exception(error)

    async def acquire(self, urgency: int, owner: Hashable = None) -> T:
        """Wait for a resource; the caller has to `release` it.

        Args:
            urgency: tasks with a greater one come first.
        """
        if self.free:
            return self.free.pop()
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._queues.setdefault(urgency, _Queue()).add(owner, future)
        try:
            return await future
        except asyncio.CancelledError:
            if future.done() and not future.cancelled() and not future.exception():
                self.release(future.result())
            raise

    def release(self, resource: T) -> None:
        """Pass a resource to the next task."""
        for urgency in sorted(self._queues, reverse=True):
            if future := self._queues[urgency].next():
                future.set_result(resource)
                return
        self.free.append(resource)


class _Queue(Generic[T]):
    """Tasks of the same urgency, by owner; the owner whose turn it is comes first."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[Hashable, deque[asyncio.Future[T]]] = OrderedDict()

    def add(self, owner: Hashable, future: asyncio.Future[T]) -> None:
        """Queue a task; an owner without a waiting one is the last to have a turn."""
        self._waiting.setdefault(owner, deque()).append(future)

    def next(self) -> asyncio.Future[T] | None:
        """Remove and return the next task that has not given up; None if there is none."""
        while self._waiting:
            owner, futures = self._waiting.popitem(last=False)
            while futures:
                future = futures.popleft()
                if not future.done():
                    if futures:
                        self._waiting[owner] = futures
                    return future
        return None
