/** The attackers, as a child process. The first message contains their target; each later message is a command. */
import { Agent } from "node:http";
import { setPriority } from "node:os";
import { setTimeout as wait } from "node:timers/promises";

import { seeded } from "../support/random.ts";
import { keepAlive, send, type Shot } from "./client.ts";
import { introspect } from "./fuzz/schema.ts";
import type { Stall } from "./loop-watch.ts";
import type { ServerMessage } from "./server.ts";
import { attacksOf, type Choice, createShots, type NumberedShot } from "./shots.ts";
import { count, cut, emptyTally, isFault, type Tally } from "./tally.ts";

export interface AttackOptions {
  server: ServerMessage;
  seed: number;
  connections: number;
  choice: Choice;
}

export type Order =
  /** Attack for this time with all keys. The answer is a `Tally`. */
  | { kind: "attack"; seconds: number }
  /** Tell which requests were in progress at these times. The answer has the numbers of shots, one list a stall. */
  | { kind: "suspects"; stalls: readonly Stall[] }
  /** Send one entry of the catalogue, or one shot by its number, alone. The answer is a `LoneOutcome`. */
  | { kind: "one"; name: string }
  | { kind: "one"; number: number };

export interface LoneOutcome {
  name: string;
  status: number;
  bytes: number;
  ms: number;
  isFault: boolean;
  request: string;
  answer: string;
}

/** After a refusal by the rate limit an attacker waits a little, so that not most of its requests are refused. */
const AFTER_REFUSAL_MS = 100;
/**
 * The attackers get a low priority, because they should not take the processor from the service: real ones run
 * elsewhere.
 */
const PRIORITY = 5;
const CUT = 1_500;

const [options] = (await once()) as [AttackOptions];
const { server, seed, connections, choice } = options;
const { origin, attackers, targets } = server;
const [firstKey = ""] = attackers;
const shots = createShots({ seed, targets, choice, schema: await introspect(origin, firstKey) });
const journal: { number: number; from: number; to: number }[] = [];
let next = 0;
setPriority(PRIORITY);

function once(): Promise<unknown[]> {
  return new Promise((resolve) => process.once("message", (...message) => resolve(message)));
}

const nowMs = (): number => performance.timeOrigin + performance.now();

async function attack(seconds: number): Promise<Tally> {
  const tally = emptyTally();
  const until = performance.now() + seconds * 1_000;
  const agents: Agent[] = [];
  const work = async (token: string, agent: Agent): Promise<void> => {
    while (performance.now() < until) {
      const numbered = shots.shotAt(next++);
      const from = nowMs();
      const outcome = await send({ origin, token, agent }, numbered.shot, numbered.hangUpAfterMs ?? undefined);
      journal.push({ number: numbered.number, from, to: nowMs() });
      // A connection that is cut at the end is not a fault.
      if (performance.now() < until || outcome.status !== 0) count(tally, numbered, outcome);
      if (outcome.status === 429) await wait(AFTER_REFUSAL_MS);
    }
  };
  const all = attackers.map((token) => {
    const agent = keepAlive(connections);
    agents.push(agent);
    return Promise.all(Array.from({ length: connections }, () => work(token, agent)));
  });
  setTimeout(() => agents.forEach((agent) => agent.destroy()), seconds * 1_000);
  await Promise.all(all);
  return tally;
}

function suspects(stalls: readonly Stall[]): number[][] {
  return stalls.map((stall) =>
    journal.filter(({ from, to }) => from < stall.to && to > stall.from).map(({ number }) => number),
  );
}

async function sendAlone({ name, shot }: Pick<NumberedShot, "name" | "shot">): Promise<LoneOutcome> {
  const agent = new Agent({ keepAlive: false });
  // Each request has another key, so that single requests do not reach the rate limit.
  const token = attackers[next++ % attackers.length] ?? firstKey;
  const outcome = await send({ origin, token, agent }, asNew(shot));
  const request = cut(`${shot.method} ${shot.path} ${shot.body?.toString() ?? ""}`, CUT);
  const { status, bytes, ms, text } = outcome;
  return { name, status, bytes, ms, isFault: isFault(outcome), request, answer: cut(text, CUT) };
}

/** The same query as a different text, so that it is not cached from the first time. */
function asNew(shot: Shot): Shot {
  const start = Buffer.from('{"query":"');
  if (shot.body?.subarray(0, start.length).equals(start) !== true) return shot;
  const body = Buffer.concat([start, Buffer.from(String.raw`# ${next}\n`), shot.body.subarray(start.length)]);
  return { ...shot, body };
}

function aimAt(wanted: string): Pick<NumberedShot, "name" | "shot"> {
  const found = attacksOf(choice).find(({ name }) => name === wanted);
  if (!found) throw new Error(`there is no attack called ${wanted}`);
  return { name: wanted, shot: found.aim(targets, seeded(seed + next)) };
}

async function obey(order: Order): Promise<unknown> {
  if (order.kind === "attack") return attack(order.seconds);
  if (order.kind === "suspects") return suspects(order.stalls);
  return sendAlone("number" in order ? shots.shotAt(order.number) : aimAt(order.name));
}

process.on("message", (order: Order) => void obey(order).then((answer) => process.send?.({ answer })));
process.on("disconnect", () => process.exit());
process.send?.({ answer: "ready" });
