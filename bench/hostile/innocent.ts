/**
 * An innocent user who searches steadily, a person who logs in again and again in the same browser, and a watchdog that
 * checks whether the service is alive.
 */
import { setTimeout as wait } from "node:timers/promises";

import { get, keepAlive, type Outcome, send } from "./client.ts";
import type { ServerMessage } from "./server.ts";

/** Ten searches in a second, like a busy page that looks names up: less than an equal share of the service. */
const SEARCH_EVERY_MS = 100;
const ALIVE_EVERY_MS = 50;
const LOG_IN_EVERY_MS = 1_000;
/** If more than this are unanswered at once, the next search is left out, because people do not ask without end. */
const MAX_UNANSWERED = 64;
const RARE = ["m2_", "wide_", "fct_orders_", "board_", "revenue_"];
const COMMON = ["orders", "customers daily", "m1", "business payments", "shop marts"];

export interface Latencies {
  count: number;
  medianMs: number;
  p99Ms: number;
  maxMs: number;
}

export interface Innocence {
  searches: Latencies;
  /** The searches of the first two seconds. */
  atOnce: Latencies;
  /** The number of each answer that is not 200, and `left out` for searches that were not sent. */
  errors: Record<string, number>;
  logins: Latencies;
  alive: Latencies;
  aliveErrors: number;
}

const AT_ONCE_MS = 2_000;

function messageOf({ text }: Outcome): string {
  return /"message":"([^"]*)"/.exec(text)?.[1] ?? "";
}

function wordsAt(at: number): string {
  const words = at % 2 === 0 ? `${RARE[(at / 2) % RARE.length]}${at % 1_000}` : COMMON[(at >> 1) % COMMON.length];
  return encodeURIComponent(words ?? "");
}

/** Starts a call at fixed times, whether or not the last one has ended, and waits for all of them. */
async function steadily(everyMs: number, untilMs: number, work: (at: number) => Promise<void>): Promise<void> {
  const began = performance.now();
  const all: Promise<void>[] = [];
  for (let at = 0; performance.now() < untilMs; at++) {
    all.push(work(at));
    await wait(Math.max(0, began + (at + 1) * everyMs - performance.now()));
  }
  await Promise.all(all);
}

/** The cookies of the person's browser. */
let cookies = "";

/** @returns the status of the answer */
async function logIn({ origin, person }: Pick<ServerMessage, "origin" | "person">): Promise<number> {
  const response = await fetch(`${origin}/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json", "sec-fetch-site": "same-origin", cookie: cookies },
    body: JSON.stringify(person),
  });
  await response.arrayBuffer();
  if (response.ok)
    cookies = response.headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; ");
  return response.status;
}

export async function beInnocent(
  server: Pick<ServerMessage, "origin" | "innocent" | "person">,
  seconds: number,
): Promise<Innocence> {
  const { origin, innocent: token } = server;
  const [agent, aliveAgent] = [keepAlive(), keepAlive()];
  const began = performance.now();
  const until = began + seconds * 1_000;
  const [times, early, aliveTimes, loginTimes]: number[][] = [[], [], [], []];
  const errors: Record<string, number> = {};
  let [unanswered, aliveErrors] = [0, 0];
  const note = (problem: string): void => {
    errors[problem] = (errors[problem] ?? 0) + 1;
  };

  const search = async (at: number): Promise<void> => {
    if (unanswered >= MAX_UNANSWERED) return note("left out");
    unanswered++;
    const isEarly = performance.now() - began < AT_ONCE_MS;
    const shot = get(`/api/v1/catalog/assets?limit=20&search=${wordsAt(at)}`);
    const outcome: Outcome = await send({ origin, token, agent }, shot);
    unanswered--;
    times?.push(outcome.ms);
    if (isEarly) early?.push(outcome.ms);
    if (outcome.status !== 200) note(outcome.status === 0 ? outcome.text : `${outcome.status} ${messageOf(outcome)}`);
  };
  const askAlive = async (): Promise<void> => {
    const outcome = await send({ origin, token, agent: aliveAgent }, get("/health/live"));
    aliveTimes?.push(outcome.ms);
    if (outcome.status !== 200) aliveErrors++;
  };
  const askToLogIn = async (): Promise<void> => {
    const since = performance.now();
    const status = await logIn(server);
    loginTimes?.push(performance.now() - since);
    if (status !== 200) note(`login ${status}`);
  };
  await Promise.all([
    steadily(SEARCH_EVERY_MS, until, search),
    steadily(ALIVE_EVERY_MS, until, askAlive),
    steadily(LOG_IN_EVERY_MS, until, askToLogIn),
  ]);
  agent.destroy();
  aliveAgent.destroy();
  return {
    searches: toLatencies(times ?? []),
    atOnce: toLatencies(early ?? []),
    errors,
    logins: toLatencies(loginTimes ?? []),
    alive: toLatencies(aliveTimes ?? []),
    aliveErrors,
  };
}

export function toLatencies(times: readonly number[]): Latencies {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { count: sorted.length, medianMs: at(0.5), p99Ms: at(0.99), maxMs: at(1) };
}
