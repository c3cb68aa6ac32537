/**
 * Checks the deals of records: commitment, derived nonces, first dealer, draws and every deck. The
 * actions are for `euchre verify` to play again; here is what needs no rules but those of dealing.
 *
 * node dist/src/verify.js RECORD...
 */
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import * as dealing from "./dealing.js";

/** What of a record is looked at (docs/records.md). */
interface Header {
  rules: { lowest_rank: number; joker: boolean; first_dealer: string };
  first_dealer: number;
  draws?: [number, string][];
  deals?: {
    verifiable?: string;
    commitment: string;
    nonces: string[];
    derived: boolean[];
    seed: string | null;
  };
}

interface Hand {
  hand: number;
  attempt: [number, number];
  deck: string;
  void?: string;
}

/** What came of a record: what is wrong first, else how many decks were computed again. */
export type Outcome =
  | { verdict: "ok"; decks: number; outside: boolean }
  | { verdict: "wrong" | "not proved"; why: string };

const wrong = (why: string): Outcome => ({ verdict: "wrong", why });
const unproved = (why: string): Outcome => ({ verdict: "not proved", why });
const hex = (value: Uint8Array): string => Buffer.from(value).toString("hex");
const disagree = (what: string, found: unknown, expected: unknown): Outcome =>
  wrong(`${what}: the record says ${String(found)}, the seed gives ${String(expected)}`);

/** Check the deals of a record, given as the text of its file. */
export function verifyDeals(content: string): Outcome {
  const lines = content.split("\n").filter((line) => line !== "");
  let header: Header;
  let hands: Hand[];
  try {
    const parsed = lines.map((line) => JSON.parse(line) as unknown);
    header = parsed[0] as Header;
    hands = parsed.slice(1).filter((line) => Object.hasOwn(line as object, "deck")) as Hand[];
  } catch (error) {
    return wrong(`it is no record: ${String(error)}`);
  }
  const deals = header.deals;
  if (deals?.verifiable === undefined) return unproved("its decks come from no commitment");
  if (deals.seed === null) return unproved("the seed is not revealed");
  const seed = Buffer.from(deals.seed, "hex");
  const nonces = deals.nonces.map((nonce) => Buffer.from(nonce, "hex"));
  if ([seed, ...nonces].some((value) => value.length !== 32) || nonces.length !== 3) {
    return wrong("seed and nonces have 32 bytes each");
  }
  const committed = hex(dealing.commitmentOf(deals.verifiable, seed));
  if (deals.commitment !== committed) return disagree("commitment", deals.commitment, committed);
  for (const [seat, nonce] of nonces.entries()) {
    const derived = dealing.derivedNonce(seed, seat);
    if (deals.derived[seat] === true && !derived.equals(nonce)) {
      return disagree(`nonce of seat ${seat}`, hex(nonce), hex(derived));
    }
  }
  const key = dealing.keyOf(seed, nonces);
  const deck = dealing.deckOf(header.rules.lowest_rank, header.rules.joker);
  const problem = dealerProblem(header, key, deck) ?? deckProblem(hands, key, deck);
  const outside = deals.derived.includes(false);
  const chosen = chosenAttempt(hands);
  if (problem === undefined && chosen !== undefined) return unproved(chosen);
  return problem ?? { verdict: "ok", decks: hands.length, outside };
}

function dealerProblem(header: Header, key: Buffer, deck: string[]): Outcome | undefined {
  const drawn =
    header.rules.first_dealer === "draw_low"
      ? dealing.drawLow(key, deck)
      : { dealer: dealing.firstDealer(key), draws: [] };
  if (header.first_dealer !== drawn.dealer) {
    return disagree("first dealer", header.first_dealer, drawn.dealer);
  }
  const said = JSON.stringify(header.draws ?? []);
  const expected = JSON.stringify(drawn.draws.map(({ seat, card }) => [seat, card]));
  return said === expected ? undefined : disagree("draws", said, expected);
}

/** Look at every deck, and see to it that no attempt at a hand was left out. */
function deckProblem(hands: Hand[], key: Buffer, deck: string[]): Outcome | undefined {
  let before: Hand | undefined;
  for (const entry of hands) {
    const [incarnation, retry] = entry.attempt;
    const again = before?.hand === entry.hand && before.attempt[0] === incarnation;
    const voids = again ? (before?.attempt[1] ?? 0) + 1 : 0;
    if (retry !== voids || incarnation < (before?.attempt[0] ?? 0)) {
      return wrong(`hand ${entry.hand}: attempt ${incarnation}.${retry} cannot come here`);
    }
    const dealt = dealing.cutDeck(key, deck, { hand: entry.hand, incarnation, retry }).join(" ");
    if (entry.deck !== dealt) return disagree(`hand ${entry.hand}: deck`, entry.deck, dealt);
    before = entry;
  }
  return undefined;
}

/** Say which incarnation nothing determined before the nonces were known, if there is one. */
export function chosenAttempt(hands: Pick<Hand, "hand" | "attempt">[]): string | undefined {
  let before: number | undefined;
  for (const { hand, attempt } of hands) {
    const [incarnation] = attempt;
    const expected = before === undefined ? [1] : [before, before + 1];
    if (!expected.includes(incarnation)) {
      return `hand ${hand}: incarnation ${incarnation}, not ${expected.join(" or ")}, may be chosen`;
    }
    before = incarnation;
  }
  return undefined;
}

function main(files: string[]): number {
  if (files.length === 0) {
    console.error("say which records: node dist/src/verify.js RECORD...");
    return 2;
  }
  let code = 0;
  for (const file of files) {
    const came = verifyDeals(readFileSync(file, "utf8"));
    if (came.verdict === "ok") {
      const note = came.outside ? "" : "; no outside randomness";
      console.log(`${file}: ok: ${came.decks} decks${note}`);
    } else {
      console.log(`${file}: ${came.verdict}: ${came.why}`);
      code = came.verdict === "wrong" || code === 1 ? 1 : 3;
    }
  }
  return code;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  process.exitCode = main(process.argv.slice(2));
}
