/**
 * The deals that anyone can verify, written from docs/fair-dealing.md alone: nothing but SHA-256 and
 * HMAC of node's own crypto. Cards are texts, such as "JH" and "XX", bytes are buffers.
 */
import { createHash, createHmac } from "node:crypto";

export interface Attempt {
  /** From 1. */
  hand: number;
  /** The arena's starts. */
  incarnation: number;
  /** Void deals of this hand since the last start. */
  retry: number;
}

export interface Draw {
  seat: number;
  card: string;
}

const RANKS = "789TJQKA";
const SUITS = "CDHS";
/** From the lowest: the ace is low when cards are drawn for the first deal. */
const DRAWN_RANKS = "A789TJQK";
const SMALLEST_PACKET = 4;

/** Parts, each after its length. */
export function join(...parts: Uint8Array[]): Buffer {
  return Buffer.concat(
    parts.flatMap((part) => {
      const size = Buffer.alloc(4);
      size.writeUInt32BE(part.length);
      return [size, part];
    }),
  );
}

const text = (value: string): Buffer => Buffer.from(value, "utf8");
const sha256 = (value: Uint8Array): Buffer => createHash("sha256").update(value).digest();
const hmac = (key: Uint8Array, value: Uint8Array): Buffer =>
  createHmac("sha256", key).update(value).digest();

export const seedOf = (secret: Uint8Array, dealSet: string): Buffer =>
  hmac(secret, join(text("euchre seed v1"), text(dealSet)));

export const commitmentOf = (dealSet: string, seed: Uint8Array): Buffer =>
  sha256(join(text("euchre commitment v1"), text(dealSet), seed));

/** The nonce of a seat whose bot chooses none. */
export const derivedNonce = (seed: Uint8Array, seat: number): Buffer =>
  hmac(seed, join(text("euchre nonce v1"), Buffer.from([seat])));

export const keyOf = (seed: Uint8Array, nonces: Uint8Array[]): Buffer =>
  sha256(join(text("euchre game v1"), seed, ...nonces));

/** The random bytes of one purpose, without end. */
export function* randomBytes(
  key: Uint8Array,
  purpose: "seat" | "draw" | "deck",
  at: Attempt = { hand: 0, incarnation: 0, retry: 0 },
): Generator<number, never> {
  const place = Buffer.alloc(16);
  place.writeUInt32BE(at.hand, 0);
  place.writeBigUInt64BE((BigInt(at.incarnation) << 16n) | BigInt(at.retry), 4);
  for (let block = 0; ; block += 1) {
    place.writeUInt32BE(block, 12);
    yield* sha256(Buffer.concat([key, text(purpose), place]));
  }
}

/** A uniform number from 0 to n − 1; bytes that would make some likelier are thrown away. */
export function below(n: number, random: Iterator<number>): number {
  for (;;) {
    const next = random.next();
    if (next.done === true) throw new Error("there are no more bytes");
    if (next.value < 256 - (256 % n)) return next.value % n;
  }
}

/** The cards in deck order. */
export function deckOf(lowestRank: number, joker: boolean): string[] {
  const ranks = [...RANKS].slice(lowestRank - 7);
  const cards = [...SUITS].flatMap((suit) => ranks.map((rank) => rank + suit));
  return joker ? [...cards, "XX"] : cards;
}

export const firstDealer = (key: Uint8Array): number => below(3, randomBytes(key, "seat"));

/** Who draws the lowest card, and every card drawn on the way. */
export function drawLow(key: Uint8Array, deck: string[]): { dealer: number; draws: Draw[] } {
  const random = randomBytes(key, "draw");
  const spread = deck.filter((card) => card !== "XX");
  const draws: Draw[] = [];
  let pack = [...spread];
  let seats = [0, 1, 2];
  for (;;) {
    if (pack.length < seats.length) pack = [...spread];
    const round = seats.map((seat) => {
      const [card] = pack.splice(below(pack.length, random), 1);
      return { seat, card: card as string };
    });
    draws.push(...round);
    const heights = round.map(({ card }) => DRAWN_RANKS.indexOf(card.charAt(0)));
    const lowest = Math.min(...heights);
    seats = seats.filter((_, index) => heights[index] === lowest);
    const [dealer] = seats;
    if (seats.length === 1 && dealer !== undefined) return { dealer, draws };
  }
}

/** The deck of an attempt at a hand, shuffled and cut. */
export function cutDeck(key: Uint8Array, cards: string[], at: Attempt): string[] {
  const random = randomBytes(key, "deck", at);
  const deck = [...cards];
  for (let last = deck.length - 1; last > 0; last -= 1) {
    const other = below(last + 1, random);
    [deck[last], deck[other]] = [deck[other] as string, deck[last] as string];
  }
  const cut = SMALLEST_PACKET + below(deck.length - 2 * SMALLEST_PACKET + 1, random);
  return [...deck.slice(cut), ...deck.slice(0, cut)];
}
