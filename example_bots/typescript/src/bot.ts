/** The bot: a function from a question to an action. A question is complete, so it needs no memory. */
import { inTrick, strength, suitOf } from "./cards.js";
import type { Question } from "./gen/euchre/v1/play_pb.js";
import { ActionKind, Card, QuestionKind, Suit } from "./gen/euchre/v1/types_pb.js";

export interface Action {
  kind: ActionKind;
  suit?: Suit;
  cards?: Card[];
}

/** Rough tricks a hand is worth with this trump before bidding on it; the dummy adds about two. */
const ENOUGH_TO_BID = 1.6;
const ENOUGH_TO_LET_THE_DEALER_HAVE_IT = 0.5;

export function decide(question: Question): Action {
  switch (question.kind) {
    case QuestionKind.ORDER_UP:
      return orderUp(question);
    case QuestionKind.NAME_TRUMP:
      return nameTrump(question);
    case QuestionKind.EXCHANGE:
      return exchange(question);
    case QuestionKind.MAKER_ALONE: // five of ten cards beat five of five; alone pays no more
      return { kind: ActionKind.WITH_DUMMY };
    case QuestionKind.KEEP_FIVE:
      return { kind: ActionKind.KEEP_FIVE, cards: best(question.legalCards, trumpOf(question)) };
    case QuestionKind.DEFEND_ALONE:
      return { kind: ActionKind.TOGETHER };
    case QuestionKind.PLAY:
      return { kind: ActionKind.PLAY, cards: [playCard(question)] };
    default: // a newer arena may ask what this bot has never heard of
      return { kind: ActionKind.UNSUPPORTED };
  }
}

/** Tricks a hand may take by itself. */
export function worth(hand: Card[], trump: Suit): number {
  let tricks = 0;
  for (const card of hand) {
    const power = strength(card, trump);
    if (power >= 30) tricks += 1;
    else if (power >= 25) tricks += 0.7; // queen, king or ace of trump
    else if (power >= 20) tricks += 0.4;
    else if (power === 7) tricks += 0.6; // a plain ace
  }
  return tricks;
}

function orderUp(question: Question): Action {
  const turnUp = question.turnUp ?? Card.CARD_UNSPECIFIED;
  const trump = (Math.floor((turnUp - 1) / 8) + 1) as Suit; // a joker turned up asks otherwise
  const mine = question.dealer === question.seat;
  const hand = mine ? best([...question.hand, turnUp], trump) : question.hand;
  const gift = mine ? 0 : ENOUGH_TO_LET_THE_DEALER_HAVE_IT; // the dealer may take the turn-up
  const bids = worth(hand, trump) >= ENOUGH_TO_BID + gift;
  return { kind: bids ? ActionKind.ORDER_UP : ActionKind.PASS };
}

function nameTrump(question: Question): Action {
  const suits = [...question.legalSuits].sort(
    (a, b) => worth(question.hand, b) - worth(question.hand, a),
  );
  const suit = suits[0] ?? Suit.CLUBS;
  const mayPass = question.legalKinds.includes(ActionKind.PASS);
  if (mayPass && worth(question.hand, suit) < ENOUGH_TO_BID) return { kind: ActionKind.PASS };
  return { kind: ActionKind.NAME_TRUMP, suit };
}

function exchange(question: Question): Action {
  const trump = trumpOf(question);
  const taken = question.turnUp ?? Card.CARD_UNSPECIFIED;
  const lowest = byValue(question.legalCards, trump)[0] ?? Card.CARD_UNSPECIFIED;
  const gains = value(taken, trump) > value(lowest, trump);
  if (!gains && question.legalKinds.includes(ActionKind.DECLINE)) {
    return { kind: ActionKind.DECLINE };
  }
  return { kind: ActionKind.EXCHANGE, cards: [lowest] };
}

function playCard(question: Question): Card {
  const trump = trumpOf(question);
  const legal = byValue(question.legalCards, trump);
  const lowest = legal[0] ?? Card.CARD_UNSPECIFIED;
  const highest = legal[legal.length - 1] ?? Card.CARD_UNSPECIFIED;
  const isMaker = question.maker === question.seat;

  const players = question.loneDefender === undefined ? 3 : 2;
  const trick = question.plays.slice(question.plays.length - (question.plays.length % players));
  const first = trick[0];
  if (first === undefined) {
    // On the lead: the maker draws trumps from above, a defender opens with a plain ace.
    if (isMaker) return highest;
    const aces = legal.filter((card) => strength(card, trump) === 7);
    return aces[0] ?? lowest;
  }

  const led = suitOf(first, trump);
  const power = (card: Card) => inTrick(card, led, trump);
  const leader = question.leaders[question.leaders.length - 1] ?? 0;
  const bestSoFar = Math.max(...trick.map(power));
  const winner = seatOf(leader, trick.findIndex((card) => power(card) === bestSoFar), question);
  const partnerWins = !isMaker && winner !== question.maker;
  const lastToPlay = trick.length === players - 1;
  if (partnerWins && (lastToPlay || bestSoFar >= 7)) return lowest; // never overtake a friend
  const winners = legal.filter((card) => power(card) > bestSoFar);
  if (winners.length === 0) return lowest;
  return (lastToPlay ? winners[0] : winners[winners.length - 1]) ?? lowest;
}

/** Who played the card at this place of the current trick. */
function seatOf(leader: number, place: number, question: Question): number {
  if (question.loneDefender === undefined) return (leader + place) % 3;
  const maker = question.maker ?? 0;
  return (place === 0) === (leader === maker) ? maker : question.loneDefender;
}

/** What a card is worth keeping for: trumps first, then aces, then height. */
const value = (card: Card, trump: Suit): number => strength(card, trump);

/** Cards from the least to the most valuable. */
const byValue = (cards: Card[], trump: Suit): Card[] =>
  [...cards].sort((a, b) => value(a, trump) - value(b, trump) || a - b);

/** The five best of some cards. */
const best = (cards: Card[], trump: Suit): Card[] => byValue(cards, trump).slice(-5);

const trumpOf = (question: Question): Suit => question.trump ?? Suit.CLUBS;
