"""What must be true of a tournament whose arena was killed, told from the outside.

The auditor reads the database with plain SQL, what bots wrote down of what they were told, and what
the arena publishes. It replays hands with the naive rules and adds up for itself: of the arena it
uses the ratings' formulas and nothing else.
"""

from __future__ import annotations

import json
import sqlite3
from base64 import b64decode
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from arena.ratings import SessionColumns, SessionResult, rank_sessions
from arena.referee import TimeControl
from euchre.v1 import play_pb2, types_pb2
from euchre_sdk.game import STANDARD, Seat
from euchre_sdk.game.dealing import VerifiableDeals, commitment
from euchre_sdk.game.rules_file import rules_to_fields
from tests.game import naive_rules

if TYPE_CHECKING:
    from tests.crash.campaign import Report

RULES = rules_to_fields(STANDARD)
BIDS = (types_pb2.QUESTION_KIND_ORDER_UP, types_pb2.QUESTION_KIND_NAME_TRUMP)
BANK_US = TimeControl().bank.total_seconds() * 1e6

HandKey: TypeAlias = tuple[str, int, int, int]
"""Game, hand, incarnation, retry."""
Seen: TypeAlias = tuple[str, int, int, str, frozenset[str]]
"""Game, hand, seat, turn-up and hand of a seat in the bidding."""


def card_name(card: types_pb2.Card.ValueType) -> str:
    """Return a card of the wire as records write it."""
    return types_pb2.Card.Name(card).removeprefix("CARD_").replace("JOKER", "XX")


@dataclass(slots=True)
class Told:
    """What one bot was told, in order."""

    hands: dict[tuple[str, int], tuple[tuple[int, ...], tuple[int, ...]]] = field(
        default_factory=dict
    )
    """Points and score by game and hand."""
    games: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = field(default_factory=dict)
    """Points and places by game."""
    seen: set[Seen] = field(default_factory=set)
    faults: dict[tuple[str, int], int] = field(default_factory=dict)
    """By game and seat."""
    banks: list[tuple[str, int, int, int]] = field(default_factory=list)
    """Game, hand, seat and bank in microseconds, of the first question of each deal."""


def read_told(path: Path) -> Told:
    """Return what a bot has written down; it may never have been told two different things."""
    told = Told()
    slots: dict[int, tuple[str, int]] = {}
    asked: set[tuple[str, int]] = set()
    for line in path.read_text().splitlines():
        response = play_pb2.PlayResponse.FromString(b64decode(json.loads(line)["told"]))
        if response.HasField("welcome"):
            slots.clear()
            asked.clear()
        offers = [*response.offers, *(saved.offer for saved in response.snapshot.games)]
        slots |= {offer.slot: (offer.game_id, offer.seat) for offer in offers}
        for saved in response.snapshot.games:
            _faults(told, slots[saved.offer.slot], saved.faults)
        for notice in response.notices:
            if notice.slot in slots:
                _notice(told, slots[notice.slot], notice)
                if notice.HasField("hand_voided"):
                    game, _ = slots[notice.slot]
                    asked.discard((game, notice.hand_voided.hand_number))
        saved_questions = [
            saved.question for saved in response.snapshot.games if saved.HasField("question")
        ]
        for question in [*saved_questions, *response.questions]:
            game, seat = slots[question.slot]
            hand = question.hand_number
            if question.kind in BIDS:
                cards = frozenset(map(card_name, question.hand))
                told.seen.add((game, hand, seat, card_name(question.turn_up), cards))
            if (game, hand) not in asked:
                asked.add((game, hand))
                bank = question.bank_duration
                told.banks.append((game, hand, seat, bank.seconds * 10**6 + bank.nanos // 1000))
    return told


def _notice(told: Told, where: tuple[str, int], notice: play_pb2.Notice) -> None:
    game, seat = where
    if notice.HasField("hand_end"):
        end = notice.hand_end
        result = tuple(end.points), tuple(end.score)
        assert told.hands.setdefault((game, end.hand_number), result) == result
        if end.faults:  # absent if nobody has any
            _faults(told, where, end.faults[seat])
    elif notice.HasField("game_over"):
        over = tuple(notice.game_over.points), tuple(notice.game_over.places)
        assert told.games.setdefault(game, over) == over
    elif notice.HasField("answer_refused"):
        _faults(told, where, notice.answer_refused.faults)
    elif notice.HasField("move_forced"):
        _faults(told, where, notice.move_forced.faults)


def _faults(told: Told, where: tuple[str, int], faults: int) -> None:
    before = told.faults.get(where, 0)
    assert faults >= before, f"{where} was told {before} faults, and {faults} later"
    told.faults[where] = faults


class Audit:
    """What was found so far; `look` after each death, `conclude` at the end."""

    def __init__(self) -> None:
        self.incarnation = 0
        self._hands: dict[HandKey, str] = {}
        self._over: dict[tuple[str, ...], tuple[Any, ...]] = {}
        """Rows that may not change any more: games and blocks that ended, nonces."""
        self._charged: Counter[tuple[str, int]] = Counter()

    def look(self, path: Path) -> None:
        """Hold a copy of the database against what was found before."""
        with closing(sqlite3.connect(path)) as c:
            c.row_factory = sqlite3.Row
            assert [tuple(row) for row in c.execute("PRAGMA integrity_check")] == [("ok",)]
            assert list(c.execute("PRAGMA foreign_key_check")) == []
            incarnation = c.execute("SELECT incarnation FROM arena").fetchone()[0]
            assert incarnation >= self.incarnation
            self.incarnation = incarnation
            hands = {
                (row["game_id"], row["hand"], row["incarnation"], row["retry"]): row["record"]
                for row in c.execute("SELECT * FROM hands")
            }
            assert self._hands.items() <= hands.items(), "a stored hand was changed or lost"
            self._hands = hands
            over = dict(_over(c))
            assert self._over.items() <= over.items(), "what was over has changed"
            self._over = over
            charged = _charged(c, hands)
            lost = self._charged - charged
            assert not lost, f"faults were forgotten: {lost}"
            self._charged = charged

    def conclude(
        self,
        rankings: Any,
        records: Mapping[str, bytes],
        *,
        told: Mapping[str, Path],
        report: Report,
    ) -> None:
        """Hold everything that there is against everything else. The tournament is over."""
        games = {row[1]: row for row in self._over if row[0] == "game"}
        assert games
        hands = {key: json.loads(text) for key, text in self._hands.items()}
        by_game: dict[str, list[tuple[HandKey, dict[str, Any]]]] = defaultdict(list)
        for key in sorted(hands):
            by_game[key[0]].append((key, hands[key]))
        finished = {
            row[1]: value
            for row, value in self._over.items()
            if row[0] == "game" and value[0] == "finished"
        }
        blocks = self._check_blocks(finished)
        assert len(blocks) == rankings.progress.blocks_complete == rankings.progress.blocks_total
        decks = [deal["deck"] for deal in hands.values()]
        assert len(set(decks)) == len(decks), "a deck was dealt twice"
        self._check_records(records, by_game)
        for game, row in finished.items():
            _check_game(row, by_game[game])
        heard = {name: read_told(path) for name, path in told.items()}
        for bot in heard.values():
            _check_told(bot, finished, by_game, self._charged)
        self._check_standings(rankings, finished, by_game)
        report.blocks = len(blocks)
        report.hands = sum(deal["void"] is None for deal in hands.values())
        report.voids = len(hands) - report.hands
        report.decks = len(decks)
        report.faults = self._charged.total()
        report.told = sum(len(bot.hands) + len(bot.games) for bot in heard.values())

    def _check_blocks(self, finished: Mapping[str, tuple[Any, ...]]) -> set[str]:
        """Every block counts once, with the two sessions of the attempt that counts."""
        complete = [
            (row[1], row[2])
            for row, value in self._over.items()
            if row[0] == "block" and value[0] == "complete"
        ]
        blocks = {block for block, _ in complete}
        assert len(blocks) == len(complete), "a block counts twice"
        counted = Counter((game[1], str(game[2])) for game in finished.values())
        assert counted == dict.fromkeys(complete, 2), "a session is missing, or counts twice"
        return blocks

    def _check_records(
        self,
        records: Mapping[str, bytes],
        by_game: Mapping[str, list[tuple[HandKey, dict[str, Any]]]],
    ) -> None:
        """The records that are given out hold every deal, and every deal follows from the seed."""
        assert by_game.keys() <= records.keys()
        for game, record in records.items():
            head, *lines = map(json.loads, record.decode().splitlines())
            deals = head["deals"]
            seed = bytes.fromhex(deals["seed"])
            nonces = tuple(map(bytes.fromhex, deals["nonces"]))
            assert self._over["nonces", game] == nonces
            assert commitment(deals["verifiable"], seed).hex() == deals["commitment"]
            source = VerifiableDeals(seed, (nonces[0], nonces[1], nonces[2]))
            written = [line for line in lines if "hand" in line]
            assert [(game, line["hand"], *line["attempt"]) for line in written] == [
                key for key, _ in by_game.get(game, [])
            ]
            for line, (key, deal) in zip(written, by_game.get(game, []), strict=True):
                number = key[2] << 16 | key[3]
                deck = " ".join(map(str, source.deck(STANDARD, line["hand"], number)))
                written_deck = (
                    line["deck"] if isinstance(line["deck"], str) else " ".join(line["deck"])
                )
                assert deck == written_deck == deal["deck"]
                assert line.get("void") == deal["void"]

    def _check_standings(
        self,
        rankings: Any,
        finished: Mapping[str, tuple[Any, ...]],
        by_game: Mapping[str, list[tuple[HandKey, dict[str, Any]]]],
    ) -> None:
        """The table is what the records give when they are added up by somebody else."""
        names = {row[1]: value[0] for row, value in self._over.items() if row[0] == "entry"}
        results, hands, faults = [], Counter[str](), Counter[str]()
        for game, (_, block, _, entries, _, places, how, _) in finished.items():
            counted = [
                (deal["dealer"], tuple(deal["points"]))
                for _, deal in by_game[game]
                if deal["void"] is None and not deal["in_forfeit"]
            ]
            results.append(
                SessionResult.of_hands(
                    block_id=block,
                    seats=entries,
                    scheduled=6,
                    hands=counted,
                    places=places,
                    offenders=tuple(s for s in range(3) if how[s] != "normal"),
                )
            )
            for entry in entries:
                hands[entry] += len(counted)
        for (game, seat), number in self._charged.items():
            row = self._over.get(("game", game))
            if row is not None:
                faults[row[3][seat]] += number
        missed = Counter(
            entry for row, value in self._over.items() if row[0] == "game" for entry in value[7]
        )
        table = rank_sessions(
            SessionColumns.of(results, entries=sorted(names), not_started=missed),
            anchor=None,
        )
        expected = {names[each.entry]: each for each in table.standings}
        assert len(expected) == len(rankings.rows)
        for row in rankings.rows:
            name = row.entry.name
            entry = next(each for each in names if names[each] == name)
            mine = expected[name]
            assert (row.rank, row.blocks, row.hands) == (mine.rank, mine.blocks, hands[entry]), name
            assert (row.faults, row.not_started) == (faults[entry], missed[entry]), name
            assert abs(row.points_per_hand - mine.points_per_hand) < 1e-9, name


def _over(c: sqlite3.Connection) -> Iterator[tuple[tuple[str, ...], tuple[Any, ...]]]:
    """Yield what may never change again."""
    for row in c.execute("SELECT * FROM games"):
        if row["nonce0"] is not None:
            yield ("nonces", row["id"]), _triple(row, "nonce")
        if row["state"] not in {"offered", "running"}:
            entries = _triple(row, "entry")
            yield (
                ("game", row["id"]),
                (
                    *(row["state"], row["block_id"], row["attempt"], entries),
                    *(_triple(row, "points"), _triple(row, "place"), _triple(row, "termination")),
                    tuple(entries[int(seat)] for seat in row["not_ready"]),
                ),
            )
    for row in c.execute("SELECT * FROM blocks"):
        if row["state"] != "running":
            yield ("block", row["block_id"], str(row["attempt"])), (row["state"],)
    for row in c.execute("SELECT entries.id, name FROM entries JOIN bots ON bots.id = bot_id"):
        yield ("entry", row["id"]), (row["name"],)


def _triple(row: sqlite3.Row, name: str) -> tuple[Any, Any, Any]:
    return row[f"{name}0"], row[f"{name}1"], row[f"{name}2"]


def _charged(c: sqlite3.Connection, hands: Mapping[HandKey, str]) -> Counter[tuple[str, int]]:
    """Count the faults of each seat of each game, those of hands that are not over too."""
    charged = Counter(
        (key[0], seat) for key, text in hands.items() for seat, *_ in json.loads(text)["faults"]
    )
    charged.update((row["game_id"], row["seat"]) for row in c.execute("SELECT * FROM faults"))
    return charged


def _check_game(game: tuple[Any, ...], deals: list[tuple[HandKey, dict[str, Any]]]) -> None:
    """Every hand was completed once, void deals before that, and each follows from its cards."""
    _, _, _, _, points, _, how, _ = game
    counted = [deal for _, deal in deals if deal["void"] is None]
    assert [deal["hand"] for deal in counted] == list(range(1, len(counted) + 1))
    forfeited = any(each != "normal" for each in how)
    assert forfeited or len(counted) == 6
    score = [0, 0, 0]
    done: set[int] = set()
    for key, deal in deals:
        assert key[1] not in done, "a hand was dealt anew after it was completed"
        if deal["void"] is not None:
            assert deal["points"] == [0, 0, 0]
            assert deal["void"] in {"arena_stopped", "arena_fault"}
            continue
        done.add(key[1])
        deck = deal["deck"].split()
        _, outcome = naive_rules.resume(RULES, deal["dealer"], deck, deal["decisions"])
        assert isinstance(outcome, naive_rules.Outcome)
        assert list(outcome.points) == deal["points"]
        score = [a + b for a, b in zip(score, outcome.points, strict=True)]
        assert score == deal["score"]
    if not forfeited:
        assert list(points) == score


def _check_told(
    bot: Told,
    finished: Mapping[str, tuple[Any, ...]],
    by_game: Mapping[str, list[tuple[HandKey, dict[str, Any]]]],
    charged: Counter[tuple[str, int]],
) -> None:
    """Nothing was announced that was not stored, and nobody has seen cards that are not told of."""
    for (game, number), result in bot.hands.items():
        stored = [d for k, d in by_game[game] if k[1] == number and d["void"] is None]
        assert [(tuple(d["points"]), tuple(d["score"])) for d in stored] == [result]
    for game, (points, places) in bot.games.items():
        assert game in finished, f"{game} was said to be over"
        assert (points, places) == finished[game][4:6]
    for where, faults in bot.faults.items():
        assert charged[where] >= faults, f"{where} was told of {faults} faults"
    dealt = {
        (game, key[1], *each)
        for game, deals in by_game.items()
        for key, deal in deals
        for each in _held(deal)
    }
    missing = bot.seen - dealt
    assert not missing, f"cards were dealt that no record holds: {sorted(missing)[:3]}"
    for game, number, seat, bank in bot.banks:
        before = [d for k, d in by_game[game] if k[1] < number]
        held = before[-1]["bank_us"][seat] if before else BANK_US
        assert bank == held, f"{game} hand {number}: the bank of seat {seat} was {held}, not {bank}"


def _held(deal: dict[str, Any]) -> Iterator[tuple[int, str, frozenset[str]]]:
    """Yield who holds what after a deal, and the turn-up."""
    deck = deal["deck"].split()
    dealer: int = Seat(deal["dealer"])
    eldest, middle, _, dealers = naive_rules.deal(RULES, deck)
    for seat, cards in ((dealer + 1) % 3, eldest), ((dealer + 2) % 3, middle), (dealer, dealers):
        yield seat, deck[20], frozenset(cards)
