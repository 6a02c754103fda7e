/**
 * Asks the service the usual questions, in turns with other servers, and tells the processor time that each server spent on
 * an answer. Other work on the machine hardly changes it. Linux only: the time is read from `/proc`.
 */
import { type ChildProcess, fork } from "node:child_process";
import { mkdtempDisposable, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { type AppMessage, firstMessage } from "./measure.ts";

export interface SpeedOptions {
  assets: number;
  edges: number;
  /** The models of a hub, each with two columns that are copied from the hub's. */
  models: number;
  /** At most this many answers of each server to a question. */
  rounds: number;
  /** Only the questions whose name contains one of these. Default: all. */
  only?: readonly string[];
  /** A folder with other sources of the service, to be measured in turns with these. */
  against?: string;
}

export interface Speed {
  question: string;
  bytes: number;
  /** Milliseconds of processor time for one answer. */
  ms: { service: number; against?: number; bare: number };
}

export interface Speeds {
  loadSeconds: number;
  speeds: Speed[];
  /** The resident memory of the service, in MB: with the catalog loaded, and after the questions. */
  memory: { loaded: number; asked: number };
}

interface Question {
  path: string;
  body?: unknown;
}

interface Server {
  process: ChildProcess;
  ask: (question: Question) => Promise<string>;
}

/** No question takes longer, however slow the machine. */
const MOST_MS = 10_000;
const TICKS_PER_SECOND = 100;

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
): Promise<Server & { message: AppMessage }> {
  const script = path.join(sources, "bench/support/app-server.ts");
  const process = fork(script, [folder, String(assets), String(edges), String(models)]);
  const message = await firstMessage<AppMessage>(process);
  const headers = { authorization: `Bearer ${message.token}`, "content-type": "application/json" };
  return {
    process,
    message,
    async ask({ path: address, body }) {
      const request = body === undefined ? { headers } : { headers, method: "POST", body: JSON.stringify(body) };
      const answer = await fetch(message.origin + address, request);
      const text = await answer.text();
      if (!answer.ok || text.startsWith('{"errors"')) throw new Error(`${address}: ${answer.status} ${text}`);
      return text;
    },
  };
}

async function startBare(): Promise<Server> {
  const bare = fork(path.join(import.meta.dirname, "bare-server.ts"));
  const { origin } = await firstMessage<{ origin: string }>(bare);
  return { process: bare, ask: async ({ path: address }) => (await fetch(origin + address)).text() };
}

async function processorMs({ process: { pid } }: Server): Promise<number> {
  const [, after = ""] = (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ");
  const fields = after.split(" ");
  // Fields 14 and 15 of proc(5): user and system time. The first two are cut off.
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS_PER_SECOND;
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
  const service = started(await startService(path.join(import.meta.dirname, "../.."), folder.path, options));
  const other = against === undefined ? undefined : started(await startService(against, otherFolder.path, options));
  const bare = started(await startBare());
  const loaded = await residentMb(service);

  const speeds: Speed[] = [];
  const questions = Object.entries(questionsFor(service.message));
  for (const [name, question] of questions.filter(([each]) => only.some((part) => each.includes(part)))) {
    const answer = await service.ask(question);
    bare.process.send({ path: question.path, body: JSON.parse(answer) as unknown });
    await firstMessage(bare.process);
    await other?.ask(question);
    const servers = [service, bare, ...(other === undefined ? [] : [other])];
    const before = await Promise.all(servers.map(processorMs));
    const until = performance.now() + MOST_MS;
    let asked = 0;
    for (; asked < rounds && (asked === 0 || performance.now() < until); asked++) {
      for (const server of servers) await server.ask(question);
    }
    const after = await Promise.all(servers.map(processorMs));
    const [ours = 0, bares = 0, others] = after.map((ms, i) => (ms - (before[i] ?? 0)) / asked);
    const ms = { service: ours, bare: bares, ...(others === undefined ? {} : { against: others }) };
    speeds.push({ question: name, bytes: Buffer.byteLength(answer), ms });
  }
  return { loadSeconds: service.message.loadSeconds, speeds, memory: { loaded, asked: await residentMb(service) } };
}
