"""Series of games: balance, repeatability on any number of processes, and what is reported."""

from __future__ import annotations

import json
from collections import Counter
from itertools import permutations
from pathlib import Path

import pytest

from euchre_sdk import SEATS, STANDARD, HandResult, Session, ToTarget
from euchre_sdk.faults import BotFaultError
from euchre_sdk.game import PRESETS, GameResult
from euchre_sdk.game.record_reading import read_record
from euchre_sdk.loading import BotLoadError
from euchre_sdk.local import PlayedGame, SeatCounts
from euchre_sdk.report import Report, separation, show_likelihood
from euchre_sdk.series import Series, blocks_for
from euchre_sdk.series_player import RecordDirectoryError
from euchre_sdk.series_run import Run, play_series
from euchre_sdk.tally import Tally
from euchre_sdk.workers import WorkerError
from tests.sdk.some_bots import Bold, Listener, Lot, Modest

BOTS = str(Path(__file__).with_name("some_bots.py"))
LOT, MODEST, BOLD = f"{BOTS}:Lot", f"{BOTS}:Modest", f"{BOTS}:Bold"


def report_of(*bots: str, jobs: int = 1, hands: int = 240, seed: int = 1) -> Report:
    return play_series(bots, hands=hands, jobs=jobs, seed=seed)


@pytest.mark.parametrize(
    ("amount", "kind", "blocks"),
    [
        (1, Session(10), 1),
        (60, Session(10), 1),
        (61, Session(10), 2),
        (6000, Session(10), 100),
        (1, ToTarget(), 1),
        (13, ToTarget(), 3),
    ],
)
def test_an_amount_is_rounded_up_to_whole_blocks(
    amount: int, kind: Session | ToTarget, blocks: int
) -> None:
    assert blocks_for(amount, kind) == blocks


@pytest.mark.parametrize("hands", [1, 4, 10])
def test_all_seatings_and_positions_balance(hands: int) -> None:
    seatings: Counter[tuple[str, ...]] = Counter()
    positions: Counter[tuple[str, int]] = Counter()

    class Noting(Listener):
        def hand_ended(self, result: HandResult) -> None:
            names = self.starts[0].names
            assert names is not None
            seatings[names] += 1
            for seat in SEATS:
                positions[names[seat], (seat - result.public.dealer) % 3] += 1

    series = Series(bots=(Noting, Bold, Modest), format=Session(hands), blocks=5, seed=3)
    assert len(list(Run(series).play())) == 5 * 6
    assert len(seatings) == 6
    assert set(seatings.values()) == {5 * hands}
    assert len(positions) == 9
    assert set(positions.values()) == {5 * 2 * hands}


def test_the_same_seed_gives_the_same_report() -> None:
    one, again, other = (report_of(LOT, MODEST, BOLD, seed=seed) for seed in (1, 1, 2))
    assert one == again
    assert one.to_json() != other.to_json()


@pytest.mark.parametrize("jobs", [2, 3])
def test_the_report_does_not_depend_on_the_number_of_processes(jobs: int) -> None:
    bots = (LOT, f"{BOTS}:Divides", f"{BOTS}:Revokes")
    alone = json.dumps(report_of(*bots).to_json())
    assert json.dumps(report_of(*bots, jobs=jobs).to_json()) == alone


def test_every_game_has_its_own_seeds() -> None:
    listeners: list[Listener] = []

    def listener() -> Listener:
        listeners.append(Listener())
        return listeners[-1]

    play_series((listener, listener, listener), hands=120, session=10)
    seeds = [bot.starts[0].seed for bot in listeners]
    assert len(seeds) == len(set(seeds)) == 3 * 12


def test_bots_are_made_fresh_for_every_game() -> None:
    made: list[Lot] = []

    def lot() -> Lot:
        made.append(Lot())
        return made[-1]

    play_series((lot, Modest, Bold), games=12)
    assert len(made) == 12


def test_strict_ends_at_the_same_fault_on_any_number_of_processes() -> None:
    series = Series(bots=(LOT, LOT, f"{BOTS}:Divides"), format=Session(10), blocks=20, strict=True)
    faults = []
    for jobs in (1, 2):
        run = Run(series)
        with pytest.raises(BotFaultError) as caught:
            list(run.play(jobs=jobs))
        faults.append(caught.value.fault)
        assert run.report().faults == (caught.value.fault,)
    assert faults[0] == faults[1]
    assert faults[0].game == 1


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_bot_that_cannot_be_made_any_more_ends_the_series(tmp_path: Path, jobs: int) -> None:
    file = tmp_path / "once.py"
    file.write_text(
        "made = []\n"
        "class Once:\n"
        "    def __init__(self):\n"
        "        made.append(self)\n"
        "        if len(made) > 3: raise OSError('out of paper')\n"
        "    def act(self, view):\n"
        "        return view.legal[0]\n"
    )
    with pytest.raises(BotFaultError, match="making it raised OSError: out of paper") as caught:
        report_of(str(file), LOT, MODEST, jobs=jobs)
    assert "once.py" in caught.value.fault.traceback
    assert caught.value.fault.seat is None


def test_a_process_that_dies_is_reported() -> None:
    with pytest.raises(WorkerError, match="a bot crashed it, or memory ran out"):
        report_of(LOT, BOLD, f"{BOTS}:CrashesTheProcess", jobs=2)


def test_bots_that_other_processes_cannot_import_are_refused_before_play() -> None:
    series = Series(bots=(lambda: Lot(), LOT, LOT))  # noqa: PLW0108 - a function without a name
    with pytest.raises(WorkerError, match="for more than one job, name the bots"):
        next(Run(series).play(jobs=2))


def test_classes_of_a_module_can_be_played_by_other_processes() -> None:
    report = play_series((Lot, Modest, Bold), hands=60, jobs=2)
    assert report.to_json()["bots"] == play_series((Lot, Modest, Bold), hands=60).to_json()["bots"]


def test_a_bot_that_cannot_be_loaded_is_refused_before_play() -> None:
    with pytest.raises(BotLoadError, match="there is no file"):
        Run(Series(bots=("nowhere.py", LOT, LOT)))


@pytest.mark.parametrize("jobs", [1, 2])
def test_every_game_leaves_a_record(tmp_path: Path, jobs: int) -> None:
    folder = tmp_path / "new" / "records"
    play_series((LOT, MODEST, BOLD), games=12, jobs=jobs, record=folder)
    files = sorted(folder.iterdir())
    assert [file.name for file in files] == [f"game-{n:02}.jsonl" for n in range(1, 13)]
    records = [read_record(file.read_bytes()) for file in files]
    assert {record.names for record in records} == set(permutations(("Lot", "Modest", "Bold")))
    for record in records:
        assert record.result is not None
        assert record.result.hands == len(record.hands)


def test_records_of_an_earlier_run_are_not_overwritten(tmp_path: Path) -> None:
    play_series((LOT, MODEST, BOLD), games=6, record=tmp_path)
    with pytest.raises(RecordDirectoryError, match="holds records of an earlier run"):
        play_series((LOT, MODEST, BOLD), games=6, record=tmp_path)
    with pytest.raises(RecordDirectoryError, match=r"no records in .*game-1\.jsonl: "):
        play_series((LOT, MODEST, BOLD), games=6, record=tmp_path / "game-1.jsonl")


def test_names_are_told_apart() -> None:
    assert Series(bots=(LOT, LOT, LOT)).names == ("Lot", "Lot#2", "Lot#3")
    assert Series(bots=(Lot, Modest, "my_bot.py")).names == ("Lot", "Modest", "my_bot")


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"bots": ("a", "b")}, "three bots play, not 2"),
        ({"bots": ("a", "b", "c"), "blocks": 0}, "a series has at least one block, not 0"),
    ],
)
def test_a_series_that_makes_no_sense_is_refused(wrong: dict[str, object], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        Series(**wrong)


def test_either_hands_or_games_are_asked_for() -> None:
    with pytest.raises(ValueError, match="either hands or games"):
        play_series((Lot, Lot, Lot))
    with pytest.raises(ValueError, match="either hands or games"):
        play_series((Lot, Lot, Lot), hands=6, games=6)


def a_game(score: tuple[int, int, int], places: tuple[int, int, int] | None) -> PlayedGame:
    counts = SeatCounts(made=2, marches=1), SeatCounts(made=1, euchred=1), SeatCounts()
    return PlayedGame(
        result=GameResult(score=score, places=places, hands=4),
        passed_out=1,
        counts=counts,
        fault_counts=(0, 0, 1),
        faults=(),
    )


def tally_report(*games: PlayedGame) -> Report:
    tally = Tally()
    for game in games:
        tally.add(game)
    return tally.report(
        rules=STANDARD,
        format=ToTarget(),
        blocks=9,
        seed=1,
        names=("a", "b", "c"),
        specs=("", "", ""),
    )


def test_a_block_by_hand() -> None:
    # Seat 0 always has 10 points, seat 1 has 6, seat 2 has 2; each bot sits at each seat twice.
    report = tally_report(*[a_game((10, 6, 2), (1, 2, 3))] * 6)
    assert (report.blocks, report.games, report.hands, report.passed_out) == (1, 6, 24, 6)
    for bot in report.bots:
        assert bot.points == 2 * (10 + 6 + 2)
        assert bot.points_per_hand == 36 / 24
        assert bot.places == (2, 2, 2)
        assert (bot.wins, bot.win_rate) == (2, 2 / 6)
        assert (bot.made, bot.marches, bot.euchred) == (6, 2, 2)
        assert bot.faults == 2
        assert bot.points_per_hand_error is None


def test_a_shared_first_place_is_a_share_of_a_win() -> None:
    report = tally_report(*[a_game((10, 10, 2), (1, 1, 3))] * 6)
    assert [bot.wins for bot in report.bots] == [2, 2, 2]
    assert [bot.places for bot in report.bots] == [(4, 0, 2)] * 3


def test_an_unfinished_game_has_no_places() -> None:
    report = tally_report(*[a_game((9, 9, 9), None)] * 6)
    assert report.unfinished == 6
    assert [bot.win_rate for bot in report.bots] == [None] * 3
    assert report.bots[0].points_per_hand == 54 / 24


def test_only_complete_blocks_count() -> None:
    games = [a_game((10, 6, 2), (1, 2, 3))] * 11
    assert tally_report(*games) == tally_report(*games[:6])
    empty = tally_report(*games[:5])
    assert (empty.blocks, empty.hands, empty.bots[0].points_per_hand) == (0, 0, None)


def test_better_bots_come_first() -> None:
    report = play_series((LOT, f"{BOTS}:KeepsRubbish", MODEST), hands=600)
    assert report.ranking[-1] == 1
    assert report.superiority[0][1] == pytest.approx(1 - (report.superiority[1][0] or 0))
    assert separation(report, 0, 1) == "Lot is ahead of KeepsRubbish (superiority > 99.9 %)."
    assert separation(report, 1, 0) == "KeepsRubbish and Lot are not separated (superiority 0.0 %)."


def test_certainty_is_never_claimed() -> None:
    assert show_likelihood(1.0) == "> 99.9 %"
    assert show_likelihood(0.97512) == "97.5 %"


def test_the_json_form_keeps_its_names() -> None:
    values = report_of(LOT, MODEST, f"{BOTS}:Divides", hands=60).to_json()
    assert list(values) == [
        *("schema", "rules", "format", "seed", "blocks", "blocks_planned", "games", "unfinished"),
        *("hands", "passed_out", "bots", "ranking", "ranked_by", "superiority", "faults"),
    ]
    assert values["schema"] == "euchre-play/1"
    assert list(values["bots"][0]) == [
        *("name", "spec", "points", "points_per_hand", "points_per_hand_error95", "wins"),
        *("win_rate", "win_rate_error95", "places", "hands", "made", "marches", "euchred"),
        *("alone", "defended_alone", "faults"),
    ]
    assert list(values["faults"][0]) == [
        *("bot", "kind", "game", "hand", "seat", "method", "message", "traceback", "table"),
        "forced",
    ]
    assert json.loads(json.dumps(values)) == values


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_every_preset_can_be_played(preset: str) -> None:
    report = play_series((LOT, MODEST, BOLD), hands=60, rules=PRESETS[preset])
    assert report.hands == 60
    assert [bot.faults for bot in report.bots] == [0, 0, 0]
