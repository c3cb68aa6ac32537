"""How many files and connections this process may have open."""

from __future__ import annotations

import resource

WANTED = 65_536
"""More are of no use: an arena has a connection for each bot, watcher and caller."""


def allow_many_files(wanted: int = WANTED) -> int:
    """Raise the limit of open files as far as the system lets us, and return it.

    Many systems start a process with 1,024, which that many idle connections would use up.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        return most
    return soft if soft != resource.RLIM_INFINITY else wanted
