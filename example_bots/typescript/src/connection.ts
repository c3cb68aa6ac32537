/** The connection: one stream for all games, taken up again when it is lost. */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import type { MessageInitShape } from "@bufbuild/protobuf";
import * as grpc from "@grpc/grpc-js";
import type { Action } from "./bot.js";
import {
  GoodbyeReason,
  PlayRequestSchema,
  PlayResponseSchema,
} from "./gen/euchre/v1/play_pb.js";
import type { PlayRequest, PlayResponse, Question } from "./gen/euchre/v1/play_pb.js";

export interface Options {
  arena: string;
  token: string;
  games: number;
  versionLabel: string;
  tls: boolean;
  /** Certificates to trust, PEM; null for those that Node trusts. */
  authorities: Buffer | null;
  /** Keep dialling if nobody answers the first time. */
  wait: boolean;
  /** Seconds without an arena after which to give up. */
  patience: number;
  decide: (question: Question) => Action;
}

/** The arena does not want this bot, or is not there. The message is for people. */
export class ConnectError extends Error {}

type Stream = grpc.ClientDuplexStream<PlayRequest, PlayResponse>;

/** How a stream ended: for good, or to be dialled again after a wait in seconds. */
type End = { final: true } | { final: false; retry: number; why: string };

const FINAL: Partial<Record<GoodbyeReason, string>> = {
  [GoodbyeReason.TAKEN_OVER]: "another connection of this bot took over",
  [GoodbyeReason.REVOKED]: "the token is no longer good",
  [GoodbyeReason.QUARANTINED]: "the bot is in quarantine",
};

/** Plays until the arena says that there is nothing more to play. */
export async function play(options: Options): Promise<void> {
  const link: { secret?: Uint8Array; welcomed: boolean } = { welcomed: false };
  let lostAt = Date.now();
  for (let wait = 0.1; ; ) {
    const welcomedBefore = link.welcomed;
    link.welcomed = false;
    const end = await oneStream(options, link);
    if (end.final) return;
    if (link.welcomed) {
      lostAt = Date.now();
      wait = 0.1;
    }
    link.welcomed ||= welcomedBefore;
    if (!link.welcomed && !options.wait) throw new ConnectError(end.why);
    const lostFor = (Date.now() - lostAt) / 1000;
    if (lostFor > options.patience) throw new ConnectError(`gave up: ${end.why}`);
    // Full jitter: a random part of a wait that doubles to 1 s for a minute, then to 15 s.
    await sleep(1000 * Math.max(end.retry, Math.random() * wait));
    wait = Math.min(wait * 2, lostFor < 60 ? 1 : 15);
  }
}

function oneStream(
  options: Options,
  link: { secret?: Uint8Array; welcomed: boolean },
): Promise<End> {
  const client = new grpc.Client(
    options.arena,
    options.tls ? grpc.credentials.createSsl(options.authorities) : grpc.credentials.createInsecure(),
    {
      "grpc.keepalive_time_ms": 2000,
      "grpc.keepalive_timeout_ms": 3000,
      "grpc.keepalive_permit_without_calls": 1,
      "grpc.enable_retries": 0,
      // what goes in the clear goes over no proxy: the token would leave this machine
      "grpc.enable_http_proxy": options.tls ? 1 : 0,
    },
  );
  const metadata = new grpc.Metadata();
  metadata.set("authorization", `Bearer ${options.token}`);
  const stream: Stream = client.makeBidiStreamRequest(
    "/euchre.v1.PlayService/Play",
    (request: PlayRequest) => Buffer.from(toBinary(PlayRequestSchema, request)),
    (bytes: Buffer) => fromBinary(PlayResponseSchema, bytes),
    metadata,
  );
  const send = (request: MessageInitShape<typeof PlayRequestSchema>) =>
    stream.write(create(PlayRequestSchema, request));
  send({
    hello: {
      protocolRevision: 1,
      sdkName: "euchre-typescript-bot",
      sdkVersion: "1.0.0",
      versionLabel: options.versionLabel,
      gamesAtOnce: options.games,
      ...(link.secret && { resumeSecret: link.secret }),
    },
  });

  return new Promise<End>((resolve, reject) => {
    let end: End = { final: false, retry: 0, why: "the arena closed the stream" };
    stream.on("data", (response: PlayResponse) => {
      if (response.welcome) {
        link.secret = response.welcome.resumeSecret;
        link.welcomed = true;
        console.error(`connected to ${options.arena} as ${response.welcome.botName}`);
        for (const remark of response.welcome.remarks) console.error(`the arena says: ${remark}`);
      }
      answer(response, options.decide, send);
      if (!response.goodbye) return;
      const { reason, message, retryDuration } = response.goodbye;
      const retry = retryDuration ? Number(retryDuration.seconds) + retryDuration.nanos / 1e9 : 0;
      const why = `the arena says goodbye: ${message}`;
      const final = FINAL[reason];
      if (reason === GoodbyeReason.LINK_ENDED) delete link.secret;
      if (reason === GoodbyeReason.DONE) end = { final: true };
      else if (final) reject(new ConnectError(`${why} (${final})`));
      else if (reason === GoodbyeReason.LINK_LIMIT && !retryDuration) {
        reject(new ConnectError(`${why} (this bot is connected already)`));
      } else end = { final: false, retry, why };
    });
    stream.on("error", (error: grpc.ServiceError) => {
      if (end.final) return;
      if (refuses(error.code)) {
        reject(new ConnectError(`the arena at ${options.arena} refuses: ${error.details}`));
      } else if (end.retry === 0) {
        const why = `no arena answers at ${options.arena} (${error.details})`;
        end = { final: false, retry: 0, why };
      }
    });
    stream.on("status", () => {
      resolve(end);
      client.close();
    });
  });
}

/** Answers everything that asks for an answer. Notices tell nothing this bot has to know. */
function answer(
  response: PlayResponse,
  decide: (question: Question) => Action,
  send: (request: MessageInitShape<typeof PlayRequestSchema>) => void,
): void {
  const saved = response.snapshot?.games ?? [];
  const offered = [
    ...response.offers.filter((offer) => offer.address === undefined),
    ...saved.flatMap((game) => (game.ready || !game.offer ? [] : [game.offer])),
  ];
  if (offered.length > 0) {
    send({ readies: offered.map(({ slot }) => ({ slot, nonce: randomBytes(32) })) });
  }
  const asked = [...saved.flatMap((game) => game.question ?? []), ...response.questions];
  if (asked.length > 0) {
    send({ answers: asked.map((q) => ({ slot: q.slot, seq: q.seq, ...decide(q) })) });
  }
  for (const { slot, event } of response.notices) {
    if (event.case === "answerRefused") {
      console.error(`slot ${slot}: an answer was refused: ${event.value.message}`);
    } else if (event.case === "moveForced") {
      console.error(`slot ${slot}: the arena answered question ${event.value.seq} for this bot`);
    }
  }
}

/** Whether dialling again would not help. */
function refuses(code: grpc.status): boolean {
  return [
    grpc.status.UNAUTHENTICATED,
    grpc.status.PERMISSION_DENIED,
    grpc.status.FAILED_PRECONDITION,
    grpc.status.INVALID_ARGUMENT,
    grpc.status.NOT_FOUND,
    grpc.status.UNIMPLEMENTED,
  ].includes(code);
}
