import assert from "node:assert/strict";
import { test } from "node:test";
import { create } from "@bufbuild/protobuf";
import { decide } from "../src/bot.js";
import { inTrick, show, strength, suitOf } from "../src/cards.js";
import { QuestionSchema } from "../src/gen/euchre/v1/play_pb.js";
import { ActionKind, Card, QuestionKind, Suit } from "../src/gen/euchre/v1/types_pb.js";

const all = Object.values(Card).filter((card): card is Card => typeof card === "number" && card > 0);
const byName = new Map(all.map((card) => [show(card), card]));

function cards(text: string): Card[] {
  return text.split(" ").map((name) => {
    const card = byName.get(name);
    assert.ok(card, `no card ${name}`);
    return card;
  });
}

const card = (text: string): Card => cards(text)[0] ?? Card.CARD_UNSPECIFIED;

test("the jack of the same colour is a trump, the others are plain", () => {
  assert.equal(suitOf(card("JD"), Suit.HEARTS), Suit.HEARTS);
  assert.equal(suitOf(card("JD"), Suit.SPADES), Suit.DIAMONDS);
  assert.equal(suitOf(card("JC"), Suit.SPADES), Suit.SPADES);
  assert.equal(suitOf(Card.CARD_JOKER, Suit.CLUBS), Suit.CLUBS);
});

test("trumps rank joker, right bower, left bower, ace, king", () => {
  const order = cards("KH AH JD JH XX").map((c) => strength(c, Suit.HEARTS));
  assert.deepEqual(order, [...order].sort((a, b) => a - b));
});

test("a plain card of another suit cannot win", () => {
  assert.ok(inTrick(card("AC"), Suit.DIAMONDS, Suit.HEARTS) < 0);
  assert.ok(inTrick(card("9D"), Suit.DIAMONDS, Suit.HEARTS) >= 0);
});

test("five of ten are the trumps and the aces", () => {
  const pool = cards("9C TC QD KD 9S JH JD AH KH AS");
  const answer = decide(
    create(QuestionSchema, {
      kind: QuestionKind.KEEP_FIVE,
      trump: Suit.HEARTS,
      legalCards: pool,
      legalKinds: [ActionKind.KEEP_FIVE],
    }),
  );
  assert.equal(answer.kind, ActionKind.KEEP_FIVE);
  assert.deepEqual(new Set(answer.cards), new Set(cards("JH JD AH KH AS")));
});

test("strong trumps are ordered up, weak hands pass", () => {
  const bid = (hand: string) =>
    decide(
      create(QuestionSchema, {
        kind: QuestionKind.ORDER_UP,
        seat: 1,
        dealer: 0,
        turnUp: card("QH"),
        hand: cards(hand),
        legalKinds: [ActionKind.PASS, ActionKind.ORDER_UP],
      }),
    ).kind;
  assert.equal(bid("JH JD AH AS 9C"), ActionKind.ORDER_UP);
  assert.equal(bid("9S TS 9C TC 9D"), ActionKind.PASS);
});

test("a stuck dealer names his best suit", () => {
  const answer = decide(
    create(QuestionSchema, {
      kind: QuestionKind.NAME_TRUMP,
      hand: cards("9S TS 9C TC 9D"),
      legalKinds: [ActionKind.NAME_TRUMP],
      legalSuits: [Suit.CLUBS, Suit.DIAMONDS, Suit.SPADES],
    }),
  );
  assert.equal(answer.kind, ActionKind.NAME_TRUMP);
  assert.ok(answer.suit);
});

const follow = (hand: string, legal: string, seat: number) =>
  decide(
    create(QuestionSchema, {
      kind: QuestionKind.PLAY,
      seat,
      maker: 0,
      trump: Suit.HEARTS,
      hand: cards(hand),
      leaders: [1],
      plays: cards("AS"),
      legalKinds: [ActionKind.PLAY],
      legalCards: cards(legal),
    }),
  ).cards?.map(show);

test("a defender does not overtake his partner's ace", () => {
  assert.deepEqual(follow("9H 9D KC", "9H 9D KC", 2), ["9D"]);
});

test("the maker ruffs what he cannot follow", () => {
  assert.deepEqual(follow("9H AH KC", "9H AH KC", 0), ["AH"]);
});

test("an unknown question is answered unsupported", () => {
  assert.equal(decide(create(QuestionSchema, { kind: 99 as QuestionKind })).kind, 13);
});
