/** Cards: suits, bowers and strength. Nothing here knows of the network. */
import { Card, Suit } from "./gen/euchre/v1/types_pb.js";

const JACK = 4; // ranks count from 0: 7 8 9 T J Q K A

/** The rank from 0 (seven) to 7 (ace); the joker has none. */
export const rank = (card: Card): number => (card - 1) % 8;

/** The printed suit; `undefined` for the joker. */
export const printedSuit = (card: Card): Suit | undefined =>
  card === Card.CARD_JOKER ? undefined : ((Math.floor((card - 1) / 8) + 1) as Suit);

/** The other suit of the same colour: its jack is the left bower. */
export const sameColour = (suit: Suit): Suit => (5 - suit) as Suit;

/** The suit a card belongs to once trump is known: both bowers and the joker are trumps. */
export function suitOf(card: Card, trump: Suit): Suit {
  const printed = printedSuit(card);
  if (printed === undefined) return trump;
  return rank(card) === JACK && printed === sameColour(trump) ? trump : printed;
}

/** How strong a card is by itself: trumps above 20, plain cards by their rank. */
export function strength(card: Card, trump: Suit): number {
  if (card === Card.CARD_JOKER) return 32;
  if (suitOf(card, trump) !== trump) return rank(card);
  if (rank(card) === JACK) return printedSuit(card) === trump ? 31 : 30;
  return 20 + rank(card);
}

/** How strong a card is in a trick; below 0 if it can never win it. */
export function inTrick(card: Card, led: Suit, trump: Suit): number {
  const suit = suitOf(card, trump);
  return suit === trump || suit === led ? strength(card, trump) : -1;
}

/** A card in notation: rank, then suit. */
export const show = (card: Card): string => (card === Card.CARD_JOKER ? "XX" : (Card[card] ?? "CARD_??").slice(5));
