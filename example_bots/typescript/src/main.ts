/** node dist/src/main.js --arena HOST:PORT, with the bot's token in EUCHRE_TOKEN. */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { decide } from "./bot.js";
import { ConnectError, play } from "./connection.js";

const USAGE = `EUCHRE_TOKEN=... node dist/src/main.js --arena HOST:PORT
  --games N          games to play at once (1)
  --version-label L  your label for this version (typescript)
  --tls              encrypt; without it only to this machine unless --plaintext says so
  --plaintext        do not encrypt, to whatever machine
  --ca FILE          certificates to trust, PEM; else those in the file named by EUCHRE_CA
  --wait             keep dialling if no arena answers yet
  --patience S       give up when the arena has been gone for so many seconds (60)`;

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(2);
}

function certificatesIn(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    return fail(`cannot read the certificates in ${file}: ${(error as Error).message}.`);
  }
}

function options() {
  try {
    return parseArgs({
      options: {
        arena: { type: "string" },
        games: { type: "string", default: "1" },
        "version-label": { type: "string", default: "typescript" },
        tls: { type: "boolean", default: false },
        plaintext: { type: "boolean", default: false },
        ca: { type: "string" },
        wait: { type: "boolean", default: false },
        patience: { type: "string", default: "60" },
        help: { type: "boolean", short: "h", default: false },
      },
    }).values;
  } catch (error) {
    return fail(`${(error as Error).message}\n${USAGE}`);
  }
}

const given = options();
if (given.help) {
  console.log(USAGE);
  process.exit(0);
}
const token = process.env["EUCHRE_TOKEN"];
const games = Number(given.games);
const patience = Number(given.patience);
if (!given.arena) fail(`--arena is missing.\n${USAGE}`);
if (!token) fail("the bot's token is missing: set EUCHRE_TOKEN.");
if (!Number.isInteger(games) || games < 1) fail(`--games must be 1 or more, not ${given.games}.`);
if (!(patience >= 0)) fail(`--patience must be 0 or more seconds, not ${given.patience}.`);
const isLocal = /^(unix:|localhost:|127(\.\d{1,3}){3}:|\[::1\]:)/.test(given.arena);
const authorities = given.ca ?? process.env["EUCHRE_CA"];
const tls = given.tls || given.ca !== undefined || (!isLocal && !given.plaintext);

try {
  await play({
    arena: given.arena,
    token,
    games,
    versionLabel: given["version-label"],
    tls,
    authorities: tls && authorities ? certificatesIn(authorities) : null,
    wait: given.wait,
    patience,
    decide,
  });
  console.error("the arena says goodbye: nothing more to play");
} catch (error) {
  if (!(error instanceof ConnectError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
