"""Resources that tasks share: one task uses one at a time, and urgent tasks come first."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Generic, TypeVar

T = TypeVar("T")


class ResourcePool(Generic[T]):
    """Resources, each taken by one task at a time: urgent ones first, then in order of arrival.

    Args:
        resources: those to share; the last one is taken first.

    Attributes:
        free: those that no task uses; one that was just used is taken first.
    """

    def __init__(self, resources: Iterable[T]) -> None:
        self.free = list(resources)
        self._urgent: deque[asyncio.Future[T]] = deque()
        self._later: deque[asyncio.Future[T]] = deque()

    @asynccontextmanager
    async def taken(self, urgent: bool) -> AsyncIterator[T]:
        """Take a resource inside the block."""
        resource = await self.take(urgent)
        try:
            yield resource
        finally:
            self.give(resource)

    def refuse_waiting(self, error: Exception) -> None:
        """Raise an error in all tasks that wait."""
        for future in (*self._urgent, *self._later):
            if not future.done():
                future.set_exception(error)

    async def take(self, urgent: bool) -> T:
        """Wait for a resource; the caller has to `give` it back."""
        if self.free:
            return self.free.pop()
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        (self._urgent if urgent else self._later).append(future)
        try:
            return await future
        except asyncio.CancelledError:
            if future.done() and not future.cancelled() and not future.exception():
                self.give(future.result())
            raise

    def give(self, resource: T) -> None:
        """Pass a resource to the next task."""
        for waiting in (self._urgent, self._later):
            while waiting:
                future = waiting.popleft()
                if not future.done():
                    future.set_result(resource)
                    return
        self.free.append(resource)
