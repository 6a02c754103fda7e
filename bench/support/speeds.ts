/**
 * Asks the service the usual questions, in turns with other servers, and tells the processor time that each server spent on
 * an answer. Other work on the machine hardly changes it. Linux only: the time is read from `/proc`.
 */
import { type ChildProcess, fork } from "node:child_process";
import { mkdtempDisposable, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { asService } from "./as-service.ts";
import { type AppMessage, firstMessage, median } from "./measure.ts";
import { threadsCost } from "./threads.ts";

export interface SpeedOptions {
  assets: number;
  edges: number;
  /** The models of a hub, each with two columns that are copied from the hub's. */
  models: number;
  /** At most this many answers of each server to a question. */
  rounds: number;
  /** How long to wait after the first answer to a question. The service loads lineage into memory in that time. */
  pauseMs: number;
  /** Only the questions whose name contains one of these. Default: all. */
  only?: readonly string[];
  /** A folder with other sources of the service, to be measured in turns with these. */
  against?: string;
  /** The folder for the data. If it holds data already, these are served. Default: a new one, which is removed. */
  folder?: string;
}

export interface Speed {
  question: string;
  bytes: number;
  /** Milliseconds of processor time for one answer: medians. */
  ms: { service: number; against?: number; bare: number };
  /** The resident memory of the service after the answers. */
  megabytes: number;
}

export interface Speeds {
  loadSeconds: number;
  speeds: Speed[];
}

interface Question {
  path: string;
  body?: unknown;
}

interface Server {
  process: ChildProcess;
  /** @param question its name */
  ask: (question: string) => Promise<string>;
}

/** No question takes longer, however slow the machine, unless it has fewer than the least answers by then. */
const MOST_MS = 10_000;
const LEAST_ANSWERS = 7;

const THREE_LEVELS = `query ($id: ID!) {
  asset(id: $id) {
    name
    downstream(first: 10) {
      nodes { name ... on Asset { owner downstream(first: 10) { nodes { name ... on Asset { owner } } } } }
    }
  }
}`;

const LIST = "/api/v1/catalog/assets";

function walk(id: string, depth: number): Question {
  return { path: `/api/v1/lineage/downstream?asset_id=${id}&depth=${depth}` };
}

function impact(id: string, change: string): Question {
  return { path: "/api/v1/lineage/impact", body: { asset_id: id, change_type: change } };
}

function questionsFor({ middle, few, hub, hubColumn }: AppMessage): Record<string, Question> {
  return {
    "one asset": { path: `${LIST}/${middle}` },
    "page of 50": { path: `${LIST}?limit=50` },
    "search, a common word": { path: `${LIST}?search=orders` },
    "search, a rare word": { path: `${LIST}?search=96` },
    "search, two words": { path: `${LIST}?search=orders+96` },
    "search, misspelt": { path: `${LIST}?search=custmoers` },
    "lineage, depth 3": walk(middle, 3),
    ...(hub === undefined ? {} : { "lineage of a hub, depth 10": walk(hub, 10) }),
    ...(few === undefined ? {} : { "impact on some 50": impact(few, "deprecate") }),
    ...(hubColumn === undefined ? {} : { "impact on everything below a hub": impact(hubColumn, "column_drop") }),
    "GraphQL, three levels": { path: "/graphql", body: { query: THREE_LEVELS, variables: { id: middle } } },
  };
}

async function startService(
  sources: string,
  folder: string,
  { assets, edges, models }: SpeedOptions,
): Promise<Server & { message: AppMessage; questions: Record<string, Question> }> {
  const script = path.join(sources, "bench/support/app-server.ts");
  const process = fork(script, [folder, String(assets), String(edges), String(models)], asService(sources));
  const message = await firstMessage<AppMessage>(process);
  const headers = { authorization: `Bearer ${message.token}`, "content-type": "application/json" };
  // Each service has ids of its own.
  const questions = questionsFor(message);
  return {
    process,
    message,
    questions,
    async ask(question) {
      const { path: address, body } = questions[question] ?? { path: question };
      const request = body === undefined ? { headers } : { headers, method: "POST", body: JSON.stringify(body) };
      const answer = await fetch(message.origin + address, request);
      const text = await answer.text();
      if (!answer.ok || text.startsWith('{"errors"')) throw new Error(`${address}: ${answer.status} ${text}`);
      return text;
    },
  };
}

/** Its paths are the names of questions. */
async function startBare(): Promise<Server> {
  const bare = fork(path.join(import.meta.dirname, "bare-server.ts"));
  const { origin } = await firstMessage<{ origin: string }>(bare);
  return { process: bare, ask: async (question) => (await fetch(`${origin}/${encodeURIComponent(question)}`)).text() };
}

async function residentMb({ process: { pid } }: Server): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024;
}

export async function measureSpeeds(options: SpeedOptions): Promise<Speeds> {
  const { rounds, only = [""], against } = options;
  await using folder = await mkdtempDisposable(path.join(tmpdir(), "tributary-bench-"));
  await using otherFolder = await mkdtempDisposable(path.join(tmpdir(), "tributary-bench-"));
  await using children = new AsyncDisposableStack();
  const started = <S extends Server>(server: S): S => {
    children.defer(() => void server.process.kill());
    return server;
  };
  const own = options.folder ?? folder.path;
  const service = started(await startService(path.join(import.meta.dirname, "../.."), own, options));
  const other = against === undefined ? undefined : started(await startService(against, otherFolder.path, options));
  const bare = started(await startBare());

  const speeds: Speed[] = [];
  const questions = Object.keys(service.questions).filter((name) => only.some((part) => name.includes(part)));
  for (const question of questions) {
    const answer = await service.ask(question);
    bare.process.send({ path: `/${encodeURIComponent(question)}`, body: JSON.parse(answer) as unknown });
    await firstMessage(bare.process);
    await other?.ask(question);
    await sleep(options.pauseMs);
    const servers = [service, bare, ...(other === undefined ? [] : [other])];
    const costs: number[][] = servers.map(() => []);
    const until = performance.now() + MOST_MS;
    let asked = 0;
    for (; asked < rounds && (asked < LEAST_ANSWERS || performance.now() < until); asked++) {
      for (const [i, server] of servers.entries())
        costs[i]?.push(await threadsCost([server.process.pid ?? 0], () => server.ask(question)));
    }
    const [ours = 0, bares = 0, others] = costs.map(median);
    const ms = { service: ours, bare: bares, ...(others === undefined ? {} : { against: others }) };
    speeds.push({ question, bytes: Buffer.byteLength(answer), ms, megabytes: await residentMb(service) });
  }
  return { loadSeconds: service.message.loadSeconds, speeds };
}
