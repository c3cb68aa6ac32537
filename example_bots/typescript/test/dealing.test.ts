import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import * as dealing from "../src/dealing.js";
import { chosenAttempt, verifyDeals } from "../src/verify.js";

interface Vectors {
  joined: { parts: string[]; joined: string }[];
  numbers: { below: number; bytes: string; number: number }[];
  seeds: { secret: string; deal_set: string; seed: string; commitment: string }[];
  nonces: { seed: string; seat: number; nonce: string }[];
  attempts: { hands: [number, number, number][]; determined: boolean }[];
  games: {
    seed: string;
    nonces: string[];
    key: string;
    deck_bytes: string;
    lowest_rank: number;
    joker: boolean;
    first_dealer: number;
    draw_low: { first_dealer: number; draws: string[] };
    decks: { hand: number; attempt: [number, number]; bytes: number; deck: string }[];
  }[];
}

const DATA = new URL("../../../../tests/data/", import.meta.url);
const vectors = JSON.parse(
  readFileSync(new URL("dealing_vectors.json", DATA), "utf8"),
) as Vectors;
const bytes = (hex: string): Buffer => Buffer.from(hex, "hex");
const hex = (value: Uint8Array): string => Buffer.from(value).toString("hex");

test("parts are joined as in the vectors", () => {
  for (const row of vectors.joined) assert.equal(hex(dealing.join(...row.parts.map(bytes))), row.joined);
});

test("numbers below a bound throw away the bytes of the vectors", () => {
  for (const row of vectors.numbers) {
    const left = bytes(row.bytes).values();
    assert.equal(dealing.below(row.below, left), row.number);
    assert.equal(left.next().done, true);
  }
});

test("seeds, commitments and derived nonces are those of the vectors", () => {
  for (const row of vectors.seeds) {
    const seed = dealing.seedOf(bytes(row.secret), row.deal_set);
    assert.equal(hex(seed), row.seed);
    assert.equal(hex(dealing.commitmentOf(row.deal_set, seed)), row.commitment);
  }
  for (const row of vectors.nonces) {
    assert.equal(hex(dealing.derivedNonce(bytes(row.seed), row.seat)), row.nonce);
  }
});

test("whether incarnations are determined is as in the vectors", () => {
  assert.ok(vectors.attempts.length >= 5);
  for (const { hands, determined } of vectors.attempts) {
    const entries = hands.map(([hand, incarnation, retry]) => ({
      hand,
      attempt: [incarnation, retry] as [number, number],
    }));
    assert.equal(chosenAttempt(entries) === undefined, determined, JSON.stringify(hands));
  }
});

test("every game of the vectors is dealt as there", () => {
  assert.ok(vectors.games.length >= 7);
  for (const game of vectors.games) {
    const key = dealing.keyOf(bytes(game.seed), game.nonces.map(bytes));
    assert.equal(hex(key), game.key);
    const random = dealing.randomBytes(key, "deck", { hand: 1, incarnation: 0, retry: 0 });
    const first = Array.from({ length: 64 }, () => random.next().value);
    assert.equal(hex(Buffer.from(first)), game.deck_bytes);
    assert.equal(dealing.firstDealer(key), game.first_dealer);
    const cards = dealing.deckOf(game.lowest_rank, game.joker);
    const { dealer, draws } = dealing.drawLow(key, cards);
    assert.equal(dealer, game.draw_low.first_dealer);
    assert.deepEqual(draws.map(({ seat, card }) => `${seat} ${card}`), game.draw_low.draws);
    for (const row of game.decks) {
      const [incarnation, retry] = row.attempt;
      const deck = dealing.cutDeck(key, cards, { hand: row.hand, incarnation, retry });
      assert.equal(deck.join(" "), row.deck);
    }
  }
});

const RECORDS = new URL("records/", DATA);
const records = readdirSync(RECORDS).map((name) => ({
  name,
  content: readFileSync(new URL(name, RECORDS), "utf8"),
}));

test("the decks of whole records follow from their seeds", () => {
  assert.ok(records.length >= 5);
  for (const { name, content } of records) {
    const came = verifyDeals(content);
    assert.equal(came.verdict, "ok", `${name}: ${JSON.stringify(came)}`);
    if (came.verdict === "ok") assert.equal(came.outside, name !== "house_bots_only.jsonl");
  }
});

test("whoever changes a card, a nonce, an attempt or the seed of a record is found out", () => {
  const { content } = records.find(({ name }) => name.startsWith("two_starts")) ?? { content: "" };
  const lines = content.split("\n");
  const [header = "", first = ""] = lines;
  const swap = first.replace(/"deck":"(..) (..)/, '"deck":"$2 $1');
  const changed: [string, string][] = [
    [header.replace(/"seed":"./, '"seed":"z'), first],
    [header.replace(/"commitment":"[0-9a-f]{2}/, '"commitment":"__'), first],
    [header.replace(/"verifiable":"t/, '"verifiable":"u'), first],
    [header.replace(/"nonces":\["[0-9a-f]{4}/, '"nonces":["0000'), first],
    [header.replace('"first_dealer":0', '"first_dealer":1').replace(/"first_dealer":[2]/, '"first_dealer":0'), first],
    [header, swap],
    [header, first.replace('"attempt":[1,0]', '"attempt":[1,1]')],
    [header, first.replace('"attempt":[1,0]', '"attempt":[0,65536]')],
    ["{", first],
  ];
  for (const [head, hand] of changed) {
    assert.ok(head !== header || hand !== first, "nothing was changed");
    assert.equal(verifyDeals([head, hand, ...lines.slice(2)].join("\n")).verdict, "wrong", head + hand);
  }
});

test("a record without its seed proves nothing", () => {
  const { content = "" } = records[0] ?? {};
  const closed = content.replace(/"seed":"[0-9a-f]*"/, '"seed":null');
  assert.equal(verifyDeals(closed).verdict, "not proved");
});
