"""The value model: its file, its training, what it knows."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from arena.luck import LuckError, ValueModel, value_model
from arena.luck.cards import PLACES, POWER
from arena.luck.model import points
from arena.luck.training import Lessons, train
from euchre_sdk.bots import power as house_power
from euchre_sdk.game import CARDS, STANDARD, SUITS
from tools.train_luck import Settings, lessons, make

TINY = Settings(hands=900, steps=40, units=6)


def learned(model: ValueModel, hands: int) -> float:
    """Return which share of the variance of "made it" a model explains, on hands it never saw."""
    found = list(lessons(STANDARD, hands, 0.0, Random(99)))
    line, maker = np.arange(len(found)), np.array([each.maker for each in found])
    trump = np.array([each.trump for each in found])
    held = np.array([each.hands for each in found])
    hidden = model.network.bias + model.network.positions[maker][:, None]
    hidden = hidden + model.added("dummy", np.array([each.dummy for each in found]))[line, :, trump]
    for role, step in (("maker", 0), ("left", 1), ("right", 2)):
        hidden = hidden + model.added(role, held[line, (maker + step) % 3])[line, :, trump]
    chance = model.network.outcomes(hidden).mean(axis=1)[:, 0]
    euchred = np.array([each.tricks < 3 for each in found])
    return 1.0 - float(((euchred - chance) ** 2).mean() / euchred.var())


def test_the_committed_file_was_made_with_the_settings_of_the_script() -> None:
    assert value_model().trained == Settings().head


def test_the_committed_model_knows_what_becomes_of_hands_it_never_saw() -> None:
    assert learned(value_model(), 1_500) > 0.7


def test_training_again_gives_the_same_model_and_it_has_learned_something() -> None:
    first, second = make(TINY), make(TINY)
    assert first.write() == second.write()
    assert 0.2 < learned(first, 1_000) < learned(value_model(), 1_000)


def test_other_seeds_give_other_models() -> None:
    other = make(replace(TINY, seed=1, hands=300, steps=5))
    assert other.write() != make(replace(TINY, seed=2, hands=300, steps=5)).write()


def test_what_is_written_is_read_again() -> None:
    text = value_model().write()
    assert ValueModel.read(text).write() == text


def damaged(**changes: object) -> str:
    return json.dumps({**json.loads(value_model().write()), **changes})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("", "no value model", id="nothing"),
        pytest.param("[]", "no value model", id="a list"),
        pytest.param("{}", "no value model", id="an empty object"),
        pytest.param(damaged(format=2), "format 2; accepted is 1", id="a later format"),
        pytest.param(damaged(worth=[1, 2]), "worth of the value model", id="too few numbers"),
        pytest.param(damaged(worth=[float("nan")] * 21), "worth of the", id="no numbers"),
        pytest.param(damaged(network={}), "no value model", id="no network"),
        pytest.param(damaged(order_needs="x"), "no value model", id="a text for numbers"),
    ],
)
def test_a_file_that_is_no_model_is_refused_with_the_reason(text: str, said: str) -> None:
    with pytest.raises(LuckError, match=said):
        ValueModel.read(text)


def test_there_is_nothing_to_learn_from_no_hands() -> None:
    none = np.zeros((0, 5), dtype=np.int64)
    nothing = Lessons(
        maker=none[:, 0],
        trump=none[:, 0],
        hands=none.reshape(0, 3, 5)[:0],
        dummy=none,
        tricks=none[:, 0],
    )
    with pytest.raises(LuckError, match="no hand to learn from"):
        train(nothing, units=2, steps=1, seed=1)


def test_cards_rank_as_in_the_rules() -> None:
    for trump in SUITS:
        assert [int(n) for n in POWER[trump]] == [house_power.power(c, trump) for c in CARDS]


def test_every_card_has_a_place_of_its_own_and_the_bowers_have_theirs() -> None:
    for order in range(2):
        for trump in SUITS:
            assert sorted(PLACES[order, trump]) == list(range(33))
            assert PLACES[order, trump][8 * trump + 4] == 4
            assert PLACES[order, trump][8 * trump.same_colour + 4] == 12


def test_outcomes_are_worth_what_the_rule_set_pays() -> None:
    rules = replace(STANDARD, points_make=2, points_march=5, points_euchred=3)
    maker, defender = points(rules, np.array([0.5, 0.25, 0.25], dtype=np.float32))
    assert (float(maker), float(defender)) == (1.75, 1.5)
