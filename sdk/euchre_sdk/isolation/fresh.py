"""Which deals may be shown twice, and to whom: to nobody who could remember them.

The same deals in several seatings save many hands, because luck with the cards cancels. But a bot
that remembers knows a repeated deal again nearly always, which is worth several times what
separates close bots. So the seed of `RepeatedDeals` is handed out only against a `FreshInstance`,
once for each, and only a `Launcher` makes those: after the new process has tried to keep something,
by every way we know, and failed.

Pure: what starts processes is elsewhere.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from types import TracebackType
from typing import Protocol, Self, final

from euchre_sdk.errors import EuchreError
from euchre_sdk.game import SeededDeals

WAYS = (
    "a file",
    "a directory",
    "memory that processes share",
    "a socket",
    "another process",
    "a new namespace",
    "the keys of the kernel",
    "the files of the kernel",
)
"""Ways to keep something that a new instance tries before it is believed to be fresh."""


class NotIsolatedError(EuchreError):
    """An instance that can keep nothing cannot be had here; the text says why."""


class RepeatedDealError(EuchreError, TypeError):
    """Deals that are dealt more than once were to be shown to somebody who could remember them."""


class IsolatedProcess(Protocol):
    """A process with bots in it, as its launcher knows it."""

    def tried(self) -> Mapping[str, str]:
        """Return for each of `WAYS` what it could keep there; nothing if it was refused."""

    def ask(self, job: str) -> str:
        """Give it something to do in one line, and return its answer."""

    def end(self) -> None:
        """End it, with all processes that it has started."""


@final
class _Seal:
    """What a launcher has and nobody else: proof that an instance comes from one."""


_SEAL = _Seal()


@final
class FreshInstance:
    """Bots at three seats in a process that is new, plays once, and can keep nothing of it.

    Made by `Launcher.launch` only. A context: it ends the process.
    """

    __slots__ = ("_process", "_was_shown")

    def __init__(self, process: IsolatedProcess, seal: _Seal) -> None:
        if seal is not _SEAL:
            raise RepeatedDealError(
                "a FreshInstance is not made but launched: Launcher.launch() gives one."
            )
        self._process = process
        self._was_shown = False

    def __init_subclass__(cls) -> None:
        raise RepeatedDealError("a FreshInstance has no subclasses: nothing may look like one.")

    def ask(self, job: str) -> str:
        """Give the process something to do in one line, and return its answer."""
        return self._process.ask(job)

    def _take(self) -> None:
        """Note that it sees deals. Raises `RepeatedDealError` if it has seen some before."""
        if self._was_shown:
            raise RepeatedDealError(
                "this instance has been shown deals before and could remember them: launch another."
            )
        self._was_shown = True

    def __enter__(self) -> Self:
        """Return it."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the process."""
        self._process.end()


class Launcher(ABC):
    """Starts instances. Whatever starts the processes, here they are tried before they are used."""

    @final
    def launch(self) -> FreshInstance:
        """Return a new instance. Raises `NotIsolatedError` if it could keep anything."""
        process = self._start()
        try:
            tried = process.tried()
        except BaseException:
            process.end()
            raise
        left_out = [way for way in WAYS if way not in tried]
        kept = [f"{way} ({tried[way]})" for way in WAYS if tried.get(way)]
        if left_out or kept:
            process.end()
            what = f"could keep {', '.join(kept)}" if kept else f"did not try {left_out[0]}"
            raise NotIsolatedError(f"a new process {what}")
        return FreshInstance(process, _SEAL)

    @abstractmethod
    def _start(self) -> IsolatedProcess:
        """Start a process. Raises `NotIsolatedError` with the reason if that cannot be."""


@final
class RepeatedDeals:
    """Deals of a block that are dealt in each of its seatings. Nobody else learns their seed."""

    __slots__ = ("__seed",)

    def __init__(self, seed: int) -> None:
        """Keep the seed, a whole number from 0 on."""
        self.__seed = seed

    def dealt_to(self, instance: FreshInstance) -> SeededDeals:
        """Return the deals for an instance that has seen none. Raises `RepeatedDealError`."""
        if type(instance) is not FreshInstance:
            raise RepeatedDealError(
                f"deals that are dealt more than once are shown to a FreshInstance only, not to "
                f"{type(instance).__name__}: whoever could remember them gets fresh deals."
            )
        instance._take()  # noqa: SLF001 - the other half of the same idea
        return SeededDeals(self.__seed)
