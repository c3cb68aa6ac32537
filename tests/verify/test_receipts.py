"""What a bot was told while it played, against what the arena records of the game afterwards."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio

from arena.referee import Resumed
from arena.referee.outputs import Started
from arena.rpc.play.messages import write_offer, write_start
from arena.tournaments.deal_sets import DealSet
from euchre.v1 import play_pb2
from euchre_sdk.bots import BUILT_IN
from euchre_sdk.cli_group import run
from euchre_sdk.client import run as connect
from euchre_sdk.client_doubts import incarnation_doubts, seed_doubts, start_doubts
from euchre_sdk.client_errors import ConnectError
from euchre_sdk.client_games import Games
from euchre_sdk.client_receipts import ReceiptFileError, Receipts
from euchre_sdk.game import SEATS, GameRecord, Session, write_record
from euchre_sdk.game.dealing import VerifiableDeals, commitment, derived_nonce
from euchre_sdk.game.record import VerifiableSource
from euchre_sdk.verify import Verdict, verify_record
from euchre_sdk.verify_attempts import receipt_gaps, told_attempts
from euchre_sdk.verify_receipts import ReceiptError, read_receipts, receipt_problems
from tests.integration.raw_bot import arena
from tests.verify.table_records import Scene


async def _played(directory: Path) -> GameRecord:
    scene = Scene(b"s" * 32, format=Session(3))
    with suppress(BaseExceptionGroup):
        async with arena(deal_source=DealSet) as a, trio.open_nursery() as nursery:
            for seat in SEATS:
                bot = partial(
                    connect,
                    BUILT_IN["random"],
                    arena=a.address,
                    token=f"b{seat}",
                    receipts=directory / f"b{seat}",
                    patience=timedelta(0),
                )
                nursery.start_soon(partial(trio.to_thread.run_sync, bot, abandon_on_cancel=True))
            while any(a.play.presence(f"b{seat}") < 1 for seat in SEATS):
                await a.play.wait_change()
            outcome = await a.start(scene.order()).ended()
            with trio.fail_after(10):
                while not all('"over"' in (directory / f"b{s}").read_text() for s in SEATS):
                    await trio.lowlevel.checkpoint()
            nursery.cancel_scope.cancel()
    return scene.record(outcome)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[GameRecord, Path]:
    """A game that three bots of the SDK played in an arena, and where their receipts are."""
    directory = tmp_path_factory.mktemp("receipts")
    logging.getLogger("euchre_sdk").setLevel(logging.CRITICAL)
    try:
        return trio.run(_played, directory), directory
    finally:
        logging.getLogger("euchre_sdk").setLevel(logging.NOTSET)


def problems(record: GameRecord, *files: Path) -> list[str]:
    told = read_receipts(files)[record.game_id or ""]
    return [problem.sentence for problem in receipt_problems(record, told)]


def test_what_three_bots_were_told_is_what_the_record_says(played) -> None:
    record, directory = played
    assert verify_record(record).verdict is Verdict.TRUE
    for seat in SEATS:
        receipts = directory / f"b{seat}"
        events = [json.loads(line)["event"] for line in receipts.read_text().splitlines()]
        assert events == ["start", *["hand"] * 3, "revealed", "over"]
        assert problems(record, receipts) == []


@pytest.mark.parametrize(
    "event",
    [
        {"event": ["hand"]},
        {"event": "hand"},
        {"event": "hand", "hand": [1], "points": 3},
        {"event": "hand", "hand": 1, "points": {"a": 1}},
        {"event": "start", "seat": 7, "nonce": 3},
        {"event": "start", "seat": 0, "nonce": [], "rules": None},
        {"event": "start", "seat": 0, "incarnation": [1]},
        {"event": "resumed", "seat": 0, "incarnation": 2**70, "retry": "x"},
        {"event": "revealed", "seed": 7},
        {"event": "over", "score": "a lot"},
    ],
    ids=str,
)
def test_receipts_that_hold_nonsense_are_compared_without_a_crash(played, event: Any) -> None:
    record, _ = played
    for problem in receipt_problems(record, [event]):
        assert "\n" not in problem.sentence


def dealt_from_another_seed(record: GameRecord) -> GameRecord:
    """What an arena could write that had chosen the seed when it knew the nonces."""
    assert isinstance(record.source, VerifiableSource)
    seed = b"x" * 32
    source = replace(record.source, seed=seed, commitment=commitment(record.source.deal_set, seed))
    return replace(record, source=source)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        pytest.param(
            dealt_from_another_seed,
            'first line: commitment: the record says "[0-9a-f]{64}", the bot gives "[0-9a-f]{64}"',
            id="a seed chosen afterwards",
        ),
        pytest.param(
            lambda r: replace(r, names=("eve", *r.names[1:])),
            'first line: names: the record says .* the bot gives .*"lynx"',
            id="another name",
        ),
        pytest.param(
            lambda r: replace(r, rules=replace(r.rules, points_alone_march=9)),
            "first line: rules: the record says",
            id="an option that made no difference",
        ),
        pytest.param(
            lambda r: replace(r, hands=r.hands[:2]),
            "hand 3: the bot was told of it, and it is gone",
            id="a hand left out",
        ),
        pytest.param(
            lambda r: replace(r, result=replace(r.result, terminations=("lost",) * 3)),
            "result: terminations: the record says",
            id="another end",
        ),
    ],
)
def test_a_record_that_was_changed_with_the_arenas_help_is_found_out(
    played, change: Callable[[GameRecord], GameRecord], sentence: str
) -> None:
    record, directory = played
    found = problems(change(record), directory / "b0")
    assert any(re.search(sentence, each) for each in found), found


def dealt_as(record: GameRecord, *attempts: tuple[int, int]) -> GameRecord:
    """What an arena could write that had chosen attempts when it knew the nonces.

    Each deck is the one of its attempt, and the deals that the arena pretends are void are there.
    """
    source = record.source
    assert isinstance(source, VerifiableSource)
    assert source.seed is not None
    deals = VerifiableDeals(source.seed, source.nonces)
    hands = [
        replace(
            record.hands[0],
            attempt=attempt,
            deck=tuple(deals.deck(record.rules, 1, attempt[0] << 16 | attempt[1])),
            **({} if attempt is attempts[-1] else VOID),
        )
        for attempt in attempts
    ]
    return replace(record, hands=(*hands, *record.hands[1:]))


VOID: dict[str, Any] = {"decisions": (), "points": (0, 0, 0), "score": (0, 0, 0), "void": "x"}
TOLD = {"event": "start", "seat": 0, "incarnation": 1}
RESUMED = {"event": "resumed", "seat": 0, "incarnation": 2, "retry": 0}
VOIDED = {"event": "voided", "seat": 0, "hand": 1}
FIRST = {"event": "hand", "seat": 0, "hand": 1}


@pytest.mark.parametrize(
    ("attempts", "told", "problem"),
    [
        pytest.param([(1, 0)], [TOLD, FIRST], None, id="the first attempt"),
        pytest.param([(1, 0), (2, 0)], [TOLD, RESUMED, FIRST], None, id="an honest restart"),
        pytest.param([(1, 0), (1, 1)], [TOLD, VOIDED, FIRST], None, id="an honest void deal"),
        pytest.param(
            [(37, 0)], [TOLD, FIRST], "37.0, the bot gives 1.0", id="a start that was chosen"
        ),
        pytest.param(
            [(1, 0), (2, 0)], [TOLD, FIRST], "2.0, the bot gives 1.0", id="a restart nobody saw"
        ),
        pytest.param(
            [(1, 0), (1, 1)], [TOLD, FIRST], "1.1, the bot gives 1.0", id="a void deal nobody saw"
        ),
        pytest.param(
            [(1, 0), (2, 0), (3, 0)],
            [TOLD, RESUMED, FIRST],
            "3.0, the bot gives 2.0",
            id="more restarts than the bots were told of",
        ),
        pytest.param(
            [(1, 0)],
            [{**TOLD, "incarnation": 37}, FIRST],
            "the bot was told 37, not 1",
            id="an offer with another incarnation",
        ),
        pytest.param(
            [(37, 0)],
            [TOLD, FIRST, {**TOLD, "seat": 1}, {**FIRST, "seat": 1}],
            "37.0, the bot gives 1.0",
            id="two bots in one file",
        ),
    ],
)
def test_an_arena_that_chose_the_attempt_once_it_knew_the_nonces_is_found_out(
    played, attempts: list[tuple[int, int]], told: list[dict[str, Any]], problem: str | None
) -> None:
    record = dealt_as(played[0], *attempts)
    found = [each.sentence for each in receipt_problems(record, told)]
    found = [each for each in found if "attempt" in each or "incarnation" in each]
    assert bool(found) == (problem is not None), found
    assert not found or any(str(problem) in each for each in found), found
    assert not list(receipt_gaps(record, told))


def test_a_bot_writes_restarts_and_void_deals_down_as_it_is_told_of_them(tmp_path: Path) -> None:
    scene = Scene(b"s" * 32)
    order = scene.order()
    offer = write_offer(order, slot=1, seat=SEATS[0], commitment=DealSet(order).commitment)
    assert offer.incarnation == 1
    file = tmp_path / "receipts"
    receipts = Receipts(file)
    games = Games(BUILT_IN["random"], receipts=receipts)
    (ready,) = games.readies(play_pb2.PlayResponse(offers=[offer]))
    nonces = (ready.nonce, b"1" * 32, b"2" * 32)
    started = Started(nonces=nonces, derived=(False,) * 3, first_dealer=SEATS[0], draws=())

    def hear(**told: Any) -> None:
        response = play_pb2.PlayResponse(**told)
        assert games.readies(response) == []
        assert list(games.answers(response)) == []

    def notice(**event: Any) -> None:
        hear(notices=[play_pb2.Notice(slot=1, **event)])

    notice(game_start=write_start(order, started))
    fault, stopped = play_pb2.VOID_REASON_ARENA_FAULT, play_pb2.VOID_REASON_ARENA_STOPPED
    notice(hand_voided=play_pb2.HandVoided(hand_number=1, reason=fault))
    again = scene.order(Resumed(nonces=nonces, incarnation=1))
    for retry in (0, 0, 2):
        saved = play_pb2.SnapshotGame(
            offer=offer, ready=True, start=write_start(again, started), retry=retry
        )
        hear(snapshot=play_pb2.Snapshot(games=[saved]))
    notice(hand_voided=play_pb2.HandVoided(hand_number=1, reason=stopped))
    receipts.close()
    told = [json.loads(line) for line in file.read_text().splitlines()]
    assert told[0]["incarnation"] == 1
    assert [line["event"] for line in told] == ["start", "voided", "resumed", "resumed"]
    assert [(line["incarnation"], line["retry"]) for line in told[2:]] == [(2, 0), (2, 2)]
    (offered,) = games.readies(play_pb2.PlayResponse(offers=[offer]))
    assert offered.nonce == ready.nonce, "what is offered anew goes on with the nonce given first"


def test_an_arena_that_goes_back_to_an_earlier_incarnation_is_doubted() -> None:
    assert list(incarnation_doubts(1, 1)) == list(incarnation_doubts(1, 3)) == []
    (doubt,) = incarnation_doubts(3, 2)
    assert "goes back to incarnation 2 from 3" in doubt


def test_receipts_that_tell_of_no_attempts_show_nothing_of_a_chosen_one(played) -> None:
    old = [{"event": "start", "seat": 0}, {"event": "hand", "hand": 1}]
    assert not list(receipt_gaps(played[0], old)), "at the first attempt nothing can be chosen"
    (gap,) = receipt_gaps(dealt_as(played[0], (1, 0), (2, 0)), old)
    assert "nothing shows that hand 1 had to be dealt as 2.0" in gap


def test_the_restarts_and_void_deals_that_bots_were_told_of_are_named() -> None:
    assert list(told_attempts([TOLD, FIRST])) == []
    assert list(told_attempts([TOLD, VOIDED, VOIDED, RESUMED, FIRST])) == [
        "bots were told that the arena was stopped, up to incarnation 2",
        "bots were told of 2 void deals",
    ]


def test_the_command_holds_records_to_receipts(played, tmp_path: Path, capsys) -> None:
    record, directory = played
    file = tmp_path / "g.jsonl"
    file.write_text(write_record(record))
    one, other = str(directory / "b0"), str(directory / "b1")
    assert run(["verify", str(file), "--receipts", one, "--receipts", other]) == 0
    assert capsys.readouterr().out.rstrip().endswith("; as the bot was told")
    file.write_text(write_record(replace(record, names=("eve", "b", "c"))))
    assert run(["verify", str(file)]) == 0
    assert run(["verify", str(file), "--receipts", one]) == 1
    assert "WRONG: first line: names: the record says" in capsys.readouterr().out
    file.write_text(write_record(replace(record, game_id="g0")))
    assert run(["verify", str(file), "--receipts", one]) == 3
    assert "no receipts of this game are there" in capsys.readouterr().out


def test_files_that_hold_no_receipts_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "receipts"
    with pytest.raises(ReceiptError, match="cannot read "):
        read_receipts([file])
    for text in ("{}\n", "[]\n", "x\n", '{"game_id":"g"}\n', "[" * 9999 + "\n"):
        file.write_text('{"game_id":"g1","event":"over"}\n' + text)
        with pytest.raises(ReceiptError, match="holds no receipts: line 2 is none"):
            read_receipts([file])
    file.write_text('{"game_id":"g1","event":"over"}\n{"game_id":"g1","ev')
    assert [told["event"] for told in read_receipts([file])["g1"]] == ["over"]
    with pytest.raises(ReceiptFileError, match="no receipts in"):
        Receipts(tmp_path / "nowhere" / "receipts")


SEED, SET = b"s" * 32, "t/b/1/1/1"
OFFER = play_pb2.GameOffer(deal_set_id=SET, commitment=commitment(SET, SEED))
OWN = bytes(range(32))
START = play_pb2.GameStart(
    nonces=[OWN, derived_nonce(SEED, SEATS[1]), b"n" * 32], nonces_derived=[False, True, False]
)


@pytest.mark.parametrize(
    ("seat", "nonce", "doubts"),
    [
        pytest.param(0, OWN, 0, id="its own"),
        pytest.param(0, b"o" * 32, 1, id="another one"),
        pytest.param(0, None, 0, id="it does not know what it gave"),
        pytest.param(1, b"o" * 32, 0, id="a house bot, whose nonce is not used"),
    ],
)
def test_a_bot_sees_whether_its_nonce_is_played_with(seat: int, nonce: Any, doubts: int) -> None:
    assert len(list(start_doubts(SEATS[seat], nonce, START))) == doubts


@pytest.mark.parametrize(
    ("message", "said"),
    [
        pytest.param({"deal_set_id": SET, "seed": SEED}, [], id="the right one"),
        pytest.param(
            {"deal_set_id": SET, "seed": b"t" * 32}, ["not the one", "seat 1"], id="another seed"
        ),
        pytest.param({"deal_set_id": "u", "seed": SEED}, ["another deal set"], id="another set"),
    ],
)
def test_a_bot_sees_whether_the_seed_is_the_committed_one(message: Any, said: list[str]) -> None:
    doubts = list(seed_doubts(OFFER, START, play_pb2.DealsRevealed(**message)))
    assert len(doubts) == len(said)
    for doubt, part in zip(doubts, said, strict=True):
        assert part in doubt


def test_connect_refuses_a_place_where_no_receipts_can_be(tmp_path: Path) -> None:
    with pytest.raises((ReceiptFileError, ConnectError), match="no receipts in"):
        connect(BUILT_IN["random"], arena="localhost:1", token="t", receipts=tmp_path / "a" / "b")
