"""Baselines: what they may and may not depend on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from arena.luck import BaselineKind, Deals, Looks, LuckError, model_baselines, playouts, value_model
from arena.luck.baselines import from_bytes, to_bytes
from arena.luck.bidding import contract_values
from arena.luck.cards import Singles
from arena.luck.dummy import ALL_SETS, dummy_luck, dummy_sets, unseen_cards
from euchre_sdk.bots import make_bot
from euchre_sdk.game import PRESETS, STANDARD, SUITS, RuleSet
from euchre_sdk.game.compiled import deal_places
from tests.arena.luck.played import Played, at_random, decks, play, renamed, renamed_action

MODEL = value_model()
DUMMY = -1
"""The last of the model's terms is the luck of the dummy."""
RULES = [
    *(pytest.param(rules, id=name) for name, rules in sorted(PRESETS.items())),
    pytest.param(replace(STANDARD, lowest_rank=8), id="28 cards"),
    pytest.param(replace(STANDARD, lowest_rank=7, joker=True), id="33 cards"),
]

Baselines = Callable[[Sequence[Played]], Singles]


def of_the_model(played: Sequence[Played]) -> Singles:
    return model_baselines(MODEL, STANDARD, played)


def moves_with_what_is_done(baselines: Baselines) -> bool:
    """Return whether the value of the same deals changes when the bots decide otherwise."""
    dealt = decks(STANDARD, 60)
    bots = at_random(1), at_random(2)
    done = [[play(STANDARD, deck, bot)[0] for deck in dealt] for bot in bots]
    first, second = (baselines(played)[:, :DUMMY] for played in done)
    return not np.array_equal(first, second)


def test_the_value_of_a_deal_does_not_hang_on_what_was_done_with_it() -> None:
    assert not moves_with_what_is_done(of_the_model)


def test_a_baseline_that_looks_at_who_made_trump_is_caught() -> None:
    def mutant(played: Sequence[Played]) -> Singles:
        terms = of_the_model(played)
        looks = Looks.of(STANDARD, played)
        terms[looks.row, 0, looks.maker] += 1.0
        return terms

    assert moves_with_what_is_done(mutant)


def every_dummy(rules: RuleSet, played: Played) -> list[Played]:
    """Return a hand once for each dummy that its maker may have found."""
    deck, decisions = played
    places = deal_places(rules.deal_pattern)[2]
    rest = [*places, *range(21, len(deck))]
    cards = [deck[place] for place in rest]
    found: list[Played] = []
    for chosen in combinations(range(len(cards)), 5):
        other = [card for at, card in enumerate(cards) if at not in chosen]
        dealt = list(deck)
        for place, card in zip(rest, [*(cards[at] for at in chosen), *other], strict=True):
            dealt[place] = card
        look = next(i for i, action in enumerate(decisions) if action.is_keep)
        found.append((dealt, decisions[:look]))
    return found


def with_a_look(rules: RuleSet, hands: int) -> list[Played]:
    bot = make_bot("heuristic@1")
    played = [play(rules, deck, bot.act)[0] for deck in decks(rules, hands)]
    return [each for each in played if any(action.is_keep for action in each[1])]


def test_over_all_dummies_that_could_be_the_luck_is_nothing() -> None:
    for played in with_a_look(STANDARD, 8):
        luck = of_the_model(every_dummy(STANDARD, played))[:, DUMMY]
        assert len(luck) == 56
        assert np.abs(luck).max() > 0.01
        np.testing.assert_allclose(luck.mean(axis=0), 0.0, atol=2e-6)


def test_a_luck_that_counts_good_dummies_only_is_caught() -> None:
    luck = of_the_model(every_dummy(STANDARD, with_a_look(STANDARD, 4)[0]))[:, DUMMY]
    assert np.abs(np.maximum(luck, 0.0).mean(axis=0)).max() > 2e-6


def test_the_sample_of_many_dummies_does_not_know_which_was_seen() -> None:
    rules = replace(STANDARD, lowest_rank=7)
    played = with_a_look(rules, 3)[0]
    some = every_dummy(rules, played)[::400]
    deals = Deals.of(rules, [deck for deck, _ in some])
    row = np.arange(len(some))
    unseen = unseen_cards(deals, row)
    assert unseen.shape == (len(some), 16)
    sets = dummy_sets(unseen, deals, row)
    assert sets.shape == (len(some), ALL_SETS, 16)
    assert (sets.sum(axis=2) == 5).all()
    assert (sets == sets[0]).all()


def test_over_many_hands_a_sampled_luck_has_mean_nothing() -> None:
    rules = PRESETS["british"]
    luck = model_baselines(MODEL, rules, with_a_look(rules, 1_500))[:, DUMMY]
    error = luck.std(axis=0) / np.sqrt(len(luck))
    assert (np.abs(luck.mean(axis=0)) < 4 * error).all()


def test_a_dummy_that_nobody_saw_brings_no_luck() -> None:
    bot = at_random(3)
    played = [play(STANDARD, deck, bot)[0] for deck in decks(STANDARD, 80)]
    looked = [any(action.is_keep for action in done) for _, done in played]
    assert 0 < sum(looked) < len(looked)
    luck = of_the_model(played)[:, DUMMY]
    assert [bool(each.any()) for each in luck] == looked


def test_the_names_of_suits_mean_nothing() -> None:
    clubs, diamonds, hearts, spades = SUITS
    played = with_a_look(STANDARD, 40)
    terms = of_the_model(played)
    for names in (
        (spades, diamonds, hearts, clubs),
        (diamonds, clubs, spades, hearts),
        (hearts, spades, clubs, diamonds),
    ):
        other = [
            (
                [renamed(card, names) for card in deck],
                [renamed_action(action, names) for action in done],
            )
            for deck, done in played
        ]
        np.testing.assert_allclose(of_the_model(other), terms, atol=2e-5)


def test_other_names_that_part_the_colours_do_matter() -> None:
    clubs, diamonds, hearts, spades = SUITS
    deals = decks(STANDARD, 20)
    other = [[renamed(c, (clubs, spades, hearts, diamonds)) for c in deck] for deck in deals]
    passed = [play(STANDARD, deck, lambda view: view.legal[0])[0] for deck in deals]
    passed_too = [(deck, done) for deck, (_, done) in zip(other, passed, strict=True)]
    assert not np.allclose(of_the_model(passed), of_the_model(passed_too), atol=0.01)


def test_who_moves_round_the_table_takes_his_value_along() -> None:
    """Eldest and middle hand change cards: as makers without bidding they change their values."""
    deals = Deals.of(STANDARD, decks(STANDARD, 30))
    swapped = replace(deals, hands=deals.hands[:, [1, 0, 2]])
    values, other = contract_values(MODEL, deals), contract_values(MODEL, swapped)
    assert values.shape == (30, 3, 5, 3)
    # What a maker makes hangs on his seat and on which defender sits where, but not much.
    same = np.corrcoef(values[:, 0, :4, 0].ravel(), other[:, 1, :4, 1].ravel())[0, 1]
    crossed = np.corrcoef(values[:, 0, :4, 0].ravel(), other[:, 0, :4, 0].ravel())[0, 1]
    assert same > 0.9 > crossed


@pytest.mark.parametrize("rules", RULES)
def test_every_rule_set_has_baselines(rules: RuleSet) -> None:
    dealt = decks(rules, 80)
    bot = at_random(5)
    played = [play(rules, deck, bot)[0] for deck in dealt]
    terms = model_baselines(MODEL, rules, played)
    assert terms.shape == (80, BaselineKind.MODEL.terms, 3)
    assert np.isfinite(terms).all()
    most = max(rules.points_march, rules.points_euchred)
    assert terms[:, :DUMMY].min() >= 0.0
    assert terms[:, :DUMMY].max() <= most
    assert (terms.std(axis=0) > 0.01).all()
    outcome = playouts(rules, dealt[:20], MODEL, make_bot("heuristic@1").act)
    assert outcome.shape == (20, BaselineKind.PLAYOUTS.terms, 3)
    assert outcome.max() > 0


def test_a_joker_turned_up_makes_the_dealer_the_maker() -> None:
    rules = PRESETS["british"]
    dealt = [deck for deck in decks(rules, 400) if deck[20].is_joker]
    assert dealt
    values = contract_values(MODEL, Deals.of(rules, dealt))[:, 2, 4]
    bot = at_random(2)
    played = [play(rules, deck, bot)[0] for deck in dealt]
    terms = model_baselines(MODEL, rules, played)
    for posture in range(BaselineKind.MODEL.terms - 1):
        np.testing.assert_allclose(terms[:, posture], values, atol=1e-6)


def test_the_two_policies_play_otherwise_and_the_same_each_time() -> None:
    dealt = decks(STANDARD, 120)
    house = make_bot("heuristic@1").act
    first = playouts(STANDARD, dealt, MODEL, house)
    assert np.array_equal(first, playouts(STANDARD, dealt, MODEL, house))
    assert not np.array_equal(first[:, 0], first[:, 1])
    bot = make_bot("heuristic@1")
    assert first[:, 0].tolist() == [list(play(STANDARD, deck, bot.act)[1]) for deck in dealt]


def test_hands_of_another_deck_are_refused() -> None:
    with pytest.raises(LuckError, match="deck 0 has other cards than the rule set's 24"):
        Deals.of(STANDARD, decks(PRESETS["british"], 1))


def test_many_hands_are_computed_like_few() -> None:
    played = with_a_look(STANDARD, 700)
    assert len(played) > 512
    together = of_the_model(played)
    apart = np.concatenate([of_the_model(played[:300]), of_the_model(played[300:])])
    np.testing.assert_allclose(together, apart, atol=1e-5)


def test_no_hands_have_no_baselines() -> None:
    assert of_the_model([]).shape == (0, BaselineKind.MODEL.terms, 3)
    assert dummy_luck(MODEL, Deals.of(STANDARD, []), Looks.of(STANDARD, [])).shape == (0, 3)


def test_what_is_kept_is_read_again_and_what_is_not_is_refused() -> None:
    terms = of_the_model(with_a_look(STANDARD, 10))
    kept = to_bytes(terms)
    kind = BaselineKind.MODEL
    assert np.array_equal(from_bytes(kind, len(terms), kept), terms)
    with pytest.raises(LuckError, match=f"{len(kept)} bytes; accepted are"):
        from_bytes(kind, len(terms) + 1, kept)
    with pytest.raises(LuckError, match="no number"):
        from_bytes(kind, len(terms), b"\xff" * len(kept))
