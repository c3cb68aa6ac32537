"""Who can be compared with whom.

Entries that never met, not even through others, have no common scale: each connected group is rated
by itself. Within a group, Plackett-Luce strengths are bounded by the data alone only if in every
split of the group into two parts somebody of each part was ahead of somebody of the other: if the
graph of "was ahead of" is strongly connected. Source: Ford, American Mathematical Monthly 64 no. 8
part 2 (1957) 28-33; Hunter, Annals of Statistics 32 (2004) 384-406, assumption 1 and section 5.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph

from arena.ratings.newton import Bools
from arena.ratings.square import Ints

_ENOUGH = 32
"""So many trios for each entry join nearly every field."""


def groups(n: int, trios: Ints) -> Ints:
    """Return each entry's group, (n,), after who met in `trios` (rows of three entry numbers).

    Groups are numbered by size, the largest 0; equal sizes by their first entry.
    """
    group = np.zeros(n, dtype=np.int64)
    # Where some of the trios join everybody, all of them do.
    for some in (trios[: _ENOUGH * n], trios):
        met = _graph(n, np.concatenate([some[:, :2], some[:, 1:]]))
        _, label = csgraph.connected_components(met, directed=False)
        group = _by_size(np.asarray(label, dtype=np.int64))
        if not group.any():
            break
    return group


def joined_by_forfeits(group: Ints, seats: Ints, offenders: Bools) -> Ints:
    """Let those who did nothing but forfeit stand with the group they forfeited to.

    Only they move: two others never become comparable through somebody who did not play.
    """
    joined = group.copy()
    size = np.bincount(group)
    for entry in np.unique(seats[offenders]):
        if size[group[entry]] == 1:
            table = seats[((seats == entry) & offenders).any(axis=1)]
            joined[entry] = group[table[table != entry]].min()
    return joined


def outside_main_part(n: int, ahead: Ints, group: Ints) -> Bools:
    """Tell who is not strongly connected to the main part of its group, (n,).

    `ahead`: rows (better, worse); a tie gives two rows. The main part is the largest strongly
    connected part of the group, of equal ones that of the first entry.
    """
    _, label = csgraph.connected_components(_graph(n, ahead), directed=True, connection="strong")
    part = _by_size(np.asarray(label, dtype=np.int64))
    main = np.full(n, n)
    np.minimum.at(main, group, part)
    outside: Bools = part != main[group]
    return outside


def _graph(n: int, edges: Ints) -> sparse.coo_array:
    if n * n <= len(edges):
        # More edges than pairs: keep one of each, so that sorting them costs nothing.
        edges = np.argwhere(
            np.bincount(edges[:, 0] * n + edges[:, 1], minlength=n * n).reshape(n, n)
        )
    ones = np.ones(len(edges), dtype=np.int8)
    return sparse.coo_array((ones, (edges[:, 0], edges[:, 1])), shape=(n, n))


def _by_size(label: Ints) -> Ints:
    """Renumber labels by how often they occur, most often first, then by first occurrence."""
    _, first, code, size = np.unique(
        label, return_index=True, return_inverse=True, return_counts=True
    )
    order = np.lexsort((first, -size))
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    renumbered: Ints = rank[code]
    return renumbered
