"""Duels on this machine: which deals, the same result however they are played, keeping them."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from euchre_sdk.duel import Decision, SequentialTest
from euchre_sdk.duel.fresh_deals import play_fresh_deals
from euchre_sdk.duel.kept import KeptDuel, KeptDuelError
from euchre_sdk.duel.local import BlockResult, DealsUse, LocalDuel
from euchre_sdk.duel.run import DealsWish, DuelRun, choose_deals
from euchre_sdk.duel.same_deals import can_be_shut_in, play_same_deals
from euchre_sdk.duel.view import verdict
from euchre_sdk.isolation.fresh import NotIsolatedError
from euchre_sdk.loading import BotLoadError

BOTS = str(Path(__file__).parents[1] / "some_bots.py")
LOT, MODEST, BOLD = f"{BOTS}:Lot", f"{BOTS}:Modest", f"{BOTS}:Bold"
TEST = SequentialTest(cap=20, block_hands=18)
FRESH = LocalDuel(first=MODEST, second=LOT, thirds=(BOLD, "random"), hands=3, test=TEST)
SAME = replace(FRESH, deals=DealsUse.SAME)


@pytest.fixture(scope="module")
def _isolation() -> None:
    try:
        can_be_shut_in(SAME)
    except NotIsolatedError as error:
        pytest.skip(f"nothing can be shut in here: {error}")


def played(duel: LocalDuel, *, jobs: int = 1, begin: int = 0) -> list[BlockResult]:
    return list(play_fresh_deals(duel, begin=begin, jobs=jobs))


def first(duel: LocalDuel, blocks: int, *, begin: int = 0, jobs: int = 1) -> list[BlockResult]:
    with closing(play_same_deals(duel, begin=begin, jobs=jobs)) as all_of_them:
        return list(islice(all_of_them, blocks))


def test_blocks_of_fresh_deals_depend_on_their_numbers_alone() -> None:
    whole = played(FRESH)
    assert len(whole) == TEST.cap
    assert played(FRESH, begin=13) == whole[13:]
    assert played(replace(FRESH, seed=2)) != whole


@pytest.mark.slow
def test_fresh_deals_go_the_same_way_in_any_number_of_processes() -> None:
    assert played(FRESH, jobs=2) == played(FRESH)


@pytest.mark.slow
@pytest.mark.usefixtures("_isolation")
def test_same_deals_go_the_same_way_with_any_number_of_launchers() -> None:
    duel = replace(SAME, first="heuristic", second="random", thirds=("random", "heuristic"))
    whole = first(duel, 5)
    assert first(duel, 5, jobs=2) == whole
    assert first(duel, 2, begin=3, jobs=2) == whole[3:]


@pytest.mark.usefixtures("_isolation")
@pytest.mark.parametrize("twin", ["heuristic", "random"])
def test_twins_are_level_in_every_block_of_the_same_deals(twin: str) -> None:
    twins = replace(SAME, first=twin, second=twin, thirds=("random",))
    blocks = first(twins, 4)
    assert {block.lead for block in blocks} == {0.0}
    assert len({block.points for block in blocks}) > 1


def test_the_third_bots_take_turns() -> None:
    assert [FRESH.bots_of(block)[2] for block in range(4)] == [BOLD, "random", BOLD, "random"]
    alternating = played(FRESH)
    bold = played(replace(FRESH, thirds=(BOLD,)))
    assert alternating[::2] == bold[::2]
    assert alternating[1::2] != bold[1::2]


@pytest.mark.parametrize("stop", [0, 1, 5, 15])
def test_a_duel_that_was_kept_goes_on_as_if_it_had_not_stopped(tmp_path: Path, stop: int) -> None:
    file = tmp_path / "duel.jsonl"
    whole = DuelRun(FRESH)
    blocks = list(whole.play())
    first = DuelRun(FRESH, kept=KeptDuel(file, FRESH))
    for _ in zip(range(stop), first.play(), strict=False):
        pass
    second = DuelRun(FRESH, kept=KeptDuel(file, FRESH))
    kept = second.state.evidence.blocks
    assert stop <= kept <= stop + 1
    assert list(second.play()) == blocks[kept:]
    assert second.view() == whole.view()
    assert list(DuelRun(FRESH, kept=KeptDuel(file, FRESH)).play()) == []


def test_a_line_that_was_cut_short_is_played_again(tmp_path: Path) -> None:
    file = tmp_path / "duel.jsonl"
    run = DuelRun(FRESH, kept=KeptDuel(file, FRESH))
    for _ in zip(range(5), run.play(), strict=False):
        pass
    whole = file.read_text()
    file.write_text(whole[:-4])
    kept = KeptDuel(file, FRESH)
    assert len(kept.blocks) == len(whole.splitlines()) - 2
    assert file.read_text() == whole[: whole.rstrip("\n").rfind("\n") + 1]


@pytest.mark.parametrize(
    ("other", "sentence"),
    [
        ({"second": "random"}, "second '.*Lot', now 'random'"),
        ({"seed": 2}, "seed 1, now 2"),
        ({"hands": 6}, "hands 3, now 6"),
        ({"test": replace(TEST, cap=30)}, "cap 20, now 30"),
        ({"thirds": ("random",)}, "other .*thirds"),
        ({"deals": DealsUse.SAME}, "deals 'fresh', now 'same'"),
    ],
)
def test_a_file_of_another_duel_is_refused(
    tmp_path: Path, other: dict[str, object], sentence: str
) -> None:
    file = tmp_path / "duel.jsonl"
    KeptDuel(file, FRESH)
    with pytest.raises(KeptDuelError, match=f"holds another duel.*{sentence}.*another file"):
        KeptDuel(file, replace(FRESH, **other))


def test_a_bot_that_has_changed_since_is_refused(tmp_path: Path) -> None:
    bot, file = tmp_path / "bot.py", tmp_path / "duel.jsonl"
    bot.write_text("class Bot:\n    def act(self, view):\n        return view.legal[0]\n")
    duel = replace(FRESH, first=str(bot))
    KeptDuel(file, duel)
    KeptDuel(file, duel)
    bot.write_text("class Bot:\n    def act(self, view):\n        return view.legal[-1]\n")
    with pytest.raises(KeptDuelError, match=r"bot\.py has changed since"):
        KeptDuel(file, duel)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", None),
        ("hello\n", "holds no duel"),
        ('{"schema": "euchre-play/1"}\n', "holds no duel"),
        ("[]\n", "holds no duel"),
    ],
)
def test_a_file_of_something_else_is_refused(
    tmp_path: Path, content: str, sentence: str | None
) -> None:
    file = tmp_path / "duel.jsonl"
    file.write_text(content)
    if sentence is None:
        assert KeptDuel(file, FRESH).blocks == ()
        return
    with pytest.raises(KeptDuelError, match=sentence):
        KeptDuel(file, FRESH)
    assert file.read_text() == content


@pytest.mark.parametrize(
    "row", ["[1, 2, 3]", "[1, 2, 3, 0, 0, 0, 0]", '[1, 2, "3", 4, 0, 0, 0]', "1"]
)
def test_a_damaged_file_is_refused(tmp_path: Path, row: str) -> None:
    file = tmp_path / "duel.jsonl"
    KeptDuel(file, FRESH)
    with file.open("a") as out:
        out.write(f"{row}\n")
    with pytest.raises(KeptDuelError, match="is damaged"):
        KeptDuel(file, FRESH)


def test_a_directory_is_no_file_to_keep_a_duel_in(tmp_path: Path) -> None:
    with pytest.raises(KeptDuelError, match=r"cannot be kept in .*: Is a directory"):
        KeptDuel(tmp_path, FRESH)


@pytest.mark.usefixtures("_isolation")
def test_the_same_deals_are_used_where_bots_can_be_shut_in() -> None:
    assert choose_deals(FRESH, DealsWish.AUTO).use is DealsUse.SAME


def test_fresh_deals_are_used_where_they_are_asked_for() -> None:
    choice = choose_deals(FRESH, DealsWish.FRESH)
    assert (choice.use, choice.clause) == (
        DealsUse.FRESH,
        "new deals in every session, as asked for",
    )


def test_fresh_deals_are_used_where_the_kernel_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    refuse(monkeypatch)
    choice = choose_deals(FRESH, DealsWish.AUTO)
    assert choice.use is DealsUse.FRESH
    assert choice.clause == "new deals in every session, as it is Tuesday"
    with pytest.raises(NotIsolatedError, match=r"it is Tuesday\. Fresh ones can: --deals fresh"):
        choose_deals(FRESH, DealsWish.SAME)


def refuse(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_launcher() -> None:
        raise NotIsolatedError("it is Tuesday")

    monkeypatch.setattr("euchre_sdk.duel.same_deals.LocalLauncher", no_launcher)


@pytest.mark.usefixtures("_isolation")
def test_a_bot_that_needs_to_write_gets_fresh_deals(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(
        f"with open({str(tmp_path / 'log')!r}, 'w'):\n    pass\n"
        "class Bot:\n    def act(self, view):\n        return view.legal[0]\n"
    )
    choice = choose_deals(replace(FRESH, first=str(bot)), DealsWish.AUTO)
    assert choice.use is DealsUse.FRESH
    assert "as where it can keep nothing, " in choice.clause
    assert "Read-only file system" in choice.clause


@pytest.mark.parametrize("wish", list(DealsWish))
def test_a_bot_that_loads_nowhere_is_refused_as_it_is(wish: DealsWish) -> None:
    duel = replace(FRESH, second="nobody")
    with pytest.raises(BotLoadError, match="no bot 'nobody'"):
        list(DuelRun(replace(duel, deals=choose_deals(duel, wish).use)).play())


def test_faults_are_counted_and_told() -> None:
    run = DuelRun(replace(FRESH, first=f"{BOTS}:Divides"))
    list(run.play())
    view = run.view()
    assert view.faults[0] > 0
    assert view.faults[1:] == (0, 0)
    assert len(run.described) == 3
    assert run.described[0].startswith("Divides: ")


def test_a_view_tells_in_json_what_it_shows() -> None:
    run = DuelRun(FRESH, clause="new deals in every session")
    list(run.play())
    told = json.loads(json.dumps(run.view().to_json()))
    state = run.state
    assert told["first"], told["second"] == ("Modest", "Lot")
    assert told["thirds"] == ["Bold", "random"]
    assert told["llr"] == pytest.approx(state.llr)
    assert told["blocks"] == state.evidence.blocks
    assert told["hands"] == 18 * told["blocks"]
    assert told["decision"] == state.decision.value
    assert told["verdict"] == verdict(run.view())
    assert told["same_deals"] is False
    assert told["lead_elo"] == pytest.approx(530 * told["lead_points"])


@pytest.mark.parametrize(
    ("lead", "points0", "decision", "sentence"),
    [
        (0.2, 0.0, Decision.STRONGER, "Modest is stronger than Lot, shown by 16 blocks."),
        (
            0.0,
            0.0,
            Decision.NOT_STRONGER,
            (
                "Modest is not stronger than Lot: a lead of 0.1 points a hand (53 Elo) would have "
                "shown in 16 blocks."
            ),
        ),
        (
            0.2,
            -0.1,
            Decision.STRONGER,
            "Modest has a lead of 0.1 points a hand rather than -0.1 over Lot, shown by 16 blocks.",
        ),
        (
            -0.2,
            -0.1,
            Decision.NOT_STRONGER,
            (
                "Modest has not a lead of 0.1 points a hand rather than -0.1 over Lot, shown by 16 "
                "blocks."
            ),
        ),
        (
            0.05,
            0.0,
            Decision.CAP,
            (
                "Not decided by the 20 blocks that were allowed: whether Modest is stronger than "
                "Lot by 0.1 points a hand (53 Elo) stays open."
            ),
        ),
    ],
)
def test_verdicts_are_sentences(
    lead: float, points0: float, decision: Decision, sentence: str
) -> None:
    run = DuelRun(replace(FRESH, test=replace(TEST, points0=points0)))
    run.state = run.duel.test.after([lead] * 20)
    assert run.state.decision is decision
    assert verdict(run.view()) == sentence
