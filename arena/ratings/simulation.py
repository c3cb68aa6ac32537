"""Simulated results of entries of known strength, as columns: for tests, benchmarks and planning.

Both simulators follow the models of the fits, and add what a fit must survive: results inside a
block that hang together. In sessions every entry has a form of the block, a little stronger or
weaker than usual (`block_deviation`). Games of a block echo its first one (`echo`): a form of the
block would also move what is estimated, as the mean of log odds is not the log odds of the mean.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np

from arena.ratings.columns import GameColumns, SessionColumns
from arena.ratings.square import Floats, Ints

POSITION_POINTS = (0.74, 0.69, 1.02)
"""Mean points a hand of eldest, middle and dealer; among real bots the dealer makes 1.0 to 1.2."""

_POINT_DEVIATION = 1.34
"""Of one seat's points in a hand about its mean; seats independent, so 1.9 for a difference."""


def simulate_sessions(
    trios: Ints,
    strength: Floats,
    *,
    seed: int,
    neighbour: Floats | None = None,
    hands: int = 30,
    block_deviation: float = 0.0,
) -> SessionColumns:
    """Play two mirrored sessions for each trio (rows of entry numbers, clockwise).

    `strength`, `neighbour`, `block_deviation` in points a hand.
    """
    random = np.random.default_rng(seed)
    blocks = len(trios)
    form = random.normal(0.0, block_deviation, (blocks, 3)) if block_deviation else 0.0
    own = strength[trios] + form
    gift = np.zeros((blocks, 3)) if neighbour is None else neighbour[trios]
    rounds = hands // 3
    rows = []
    for turn in ((0, 1, 2), (2, 1, 0)):
        theta, given = own[:, turn], gift[:, turn]
        mean = 1.5 * theta - theta.sum(axis=1, keepdims=True) / 2.0
        mean = mean + np.roll(given, -1, axis=1) - np.roll(given, 1, axis=1)
        # Seat by dealer: eldest sits at the dealer's left.
        position = np.array(
            [[POSITION_POINTS[(seat - dealer - 1) % 3] for dealer in range(3)] for seat in range(3)]
        )
        centre = rounds * (mean[:, :, None] + position)
        noise = random.normal(0.0, _POINT_DEVIATION * np.sqrt(rounds), (blocks, 3, 3))
        rows.append((trios[:, turn], np.rint(centre + noise).astype(np.int64)))
    seats = np.concatenate([row[0] for row in rows])
    points = np.concatenate([row[1] for row in rows])
    return SessionColumns(
        entries=names(len(strength)),
        seats=seats,
        block=np.tile(np.arange(blocks), 2),
        hands=np.full((2 * blocks, 3), rounds),
        points=points,
        scheduled=np.full(2 * blocks, hands),
        places=_places(points.sum(axis=2)),
        offenders=np.zeros((2 * blocks, 3), dtype=bool),
    )


def simulate_games(
    trios: Ints,
    strength: Floats,
    *,
    seed: int,
    ties: tuple[float, float, float] = (0.0, 0.0, 0.0),
    games: int = 6,
    echo: float = 0.0,
) -> GameColumns:
    """Play the six seatings (or the first `games` of them) of each trio to the target.

    `strength` in log odds; `ties`: delta of a tie for first, for last, and of all three; `echo`:
    the probability that a game just ends like the first of its block. Points and hands are left 0.
    """
    random = np.random.default_rng(seed)
    blocks = len(trios)
    places = _drawn_places(random, np.tile(strength[trios], (games, 1)), ties)
    if echo:
        echoes = random.random(len(places)) < echo
        places[echoes] = np.tile(places[:blocks], (games, 1))[echoes]
    seats = np.tile(trios, (games, 1))
    turn = np.repeat(np.array(list(permutations(range(3))))[:games], blocks, axis=0)
    return GameColumns(
        entries=names(len(strength)),
        seats=np.take_along_axis(seats, turn, axis=1),
        block=np.tile(np.arange(blocks), games),
        hands=np.zeros(games * blocks, dtype=np.int64),
        points=np.zeros((games * blocks, 3), dtype=np.int64),
        places=np.take_along_axis(places, turn, axis=1),
        offenders=np.zeros((games * blocks, 3), dtype=bool),
    )


def names(n: int) -> tuple[str, ...]:
    """Return the ids of n simulated entries, in order."""
    return tuple(f"e{number:05d}" for number in range(n))


def _drawn_places(random: np.random.Generator, own: Floats, ties: tuple[float, ...]) -> Ints:
    """Draw places, stage by stage, for rows of three strengths."""
    for_first, for_last, of_all = ties
    row = np.arange(len(own))
    alpha = np.exp(own)
    pairs = np.sqrt(np.roll(alpha, -1, axis=1) * np.roll(alpha, -2, axis=1))
    everybody = np.cbrt(alpha.prod(axis=1))[:, None]
    first = _draw(random, np.hstack([alpha, for_first * pairs, of_all * everybody]))
    places = np.full(own.shape, 1)
    alone = first < 3
    places[alone] = 2
    places[row[alone], first[alone]] = 1
    both = (first >= 3) & (first < 6)
    places[row[both], first[both] - 3] = 3

    left = np.stack([(first + 1) % 3, (first + 2) % 3], axis=1)
    two = alpha[row[:, None], left]
    second = _draw(random, np.hstack([two, for_last * np.sqrt(two.prod(axis=1, keepdims=True))]))
    for ahead in (0, 1):
        loser = alone & (second == ahead)
        places[row[loser], left[loser, 1 - ahead]] = 3
    return places


def _draw(random: np.random.Generator, weight: Floats) -> Ints:
    """Draw one column per row with probability proportional to its weight."""
    edge = np.cumsum(weight, axis=1)
    drawn: Ints = (random.random((len(weight), 1)) * edge[:, -1:] >= edge).sum(axis=1)
    return drawn


def _places(totals: Ints) -> Ints:
    """Return places by total, equal totals sharing the better place."""
    places: Ints = 1 + (totals[:, None, :] > totals[:, :, None]).sum(axis=2)
    return places
