/** Catalogs that take OpenLineage events over HTTP, and the same questions to each. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { asService } from "../support/as-service.ts";
import { type AppMessage, firstMessage } from "../support/measure.ts";
import { columnName, HUB, NAMESPACE, tableName } from "./events.ts";
import type { createReference } from "./reference.ts";
import type { Marquez } from "./marquez.ts";

export type Question =
  | { kind: "table"; table: number }
  | { kind: "lineage"; table: number; depth: number }
  | { kind: "column"; table: number; column: number; depth: number }
  | { kind: "search"; text: string };

export interface Catalog {
  name: string;
  /** The first of its processes. */
  pids: readonly number[];
  send(event: string): Promise<void>;
  /** Waits until the catalog shows all that it was sent. */
  waitUntilShown(): Promise<void>;
  /** Does what its store does by itself some minutes after a load. */
  refreshStatistics(): Promise<void>;
  /** The texts of the answers: one for each request that the question needs. */
  ask(question: Question): Promise<string[]>;
  /** How many tables, columns or hits the answers hold. @throws if they are not what the events say */
  check(question: Question, answers: readonly string[], reference: Reference): number;
  /** Bytes on disk. */
  size(): Promise<number>;
  close(): Promise<void>;
}

type Reference = ReturnType<typeof createReference>;

const SEARCH_LIMIT = 10;
const POLL_MS = 300;

/** Sends the events in their order, by so many connections. */
export async function sendAll(catalog: Catalog, events: readonly string[], connections: number): Promise<void> {
  const left = events.values();
  const sendInTurn = async (): Promise<void> => {
    for (const event of left) await catalog.send(event);
  };
  await Promise.all(Array.from({ length: connections }, sendInTurn));
  await catalog.waitUntilShown();
}

async function request(url: string, options: RequestInit = {}): Promise<string> {
  const response = await fetch(url, options);
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text.slice(0, 500)}`);
  return text;
}

function requireSame(question: Question, told: readonly string[], expected: readonly string[]): number {
  const [answered, wanted] = [new Set(told), new Set(expected)];
  const differences = [...answered.symmetricDifference(wanted)];
  if (differences.length === 0) return answered.size;
  const examples = differences.slice(0, 5).join(", ");
  throw new Error(`${JSON.stringify(question)}: ${answered.size}, not ${wanted.size}; such as ${examples}`);
}

function requireEqual(question: Question, told: number, expected: number): number {
  if (told !== expected) throw new Error(`${JSON.stringify(question)}: ${told}, not ${expected}`);
  return told;
}

function requireHit({ text }: { text: string }, hits: readonly string[]): number {
  if (!hits.some((hit) => hit.includes(text))) throw new Error(`a search of ${text} found ${hits.join(", ")}`);
  return hits.length;
}

interface OwnNode {
  id: string;
  fqn: string;
}

interface OwnPage {
  data: OwnNode[];
  pagination: { next_cursor: string | null };
}

export async function startOurs(folder: string): Promise<Catalog> {
  const child = fork(join(import.meta.dirname, "../support/app-server.ts"), [folder, "0", "0"], asService());
  const { origin, token } = await firstMessage<AppMessage>(child);
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const get = (path: string): Promise<string> => request(origin + path, { headers });
  const ids = new Map<string, string>();
  const names = new Map<string, string>();
  const columns = new Map<string, string>();
  const idOf = (table: number): string => ids.get(tableName(table)) ?? "";

  async function graphql<T>(query: string, variables = {}): Promise<T> {
    const body = JSON.stringify({ query, variables });
    const answer = await request(`${origin}/graphql`, { method: "POST", headers, body });
    return (JSON.parse(answer) as { data: T }).data;
  }

  async function countWaiting(): Promise<number> {
    const { connector } = await graphql<{ connector: { reception: { waiting: number } } }>(
      '{ connector(name: "openlineage") { reception { waiting } } }',
    );
    return connector.reception.waiting;
  }

  async function listTables(): Promise<void> {
    for (let cursor: string | null = ""; cursor !== null;) {
      const after: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
      const page = JSON.parse(await get(`/api/v1/catalog/assets?type=table&limit=200${after}`)) as OwnPage;
      for (const { id, fqn } of page.data) {
        ids.set(fqn, id);
        names.set(id, fqn);
      }
      cursor = page.pagination.next_cursor;
    }
  }

  /** Finds the id of a column, and remembers it. */
  async function columnId(table: number, column: number): Promise<string> {
    const key = `${table} ${column}`;
    const known = columns.get(key);
    if (known !== undefined) return known;
    const { asset } = await graphql<{ asset: { columns: { id: string; name: string }[] } }>(
      "query ($id: ID!) { asset(id: $id) { columns { id name } } }",
      { id: idOf(table) },
    );
    const id = asset.columns.find(({ name }) => name === columnName(column))?.id ?? "";
    columns.set(key, id);
    return id;
  }

  return {
    name: "Tributary",
    pids: [child.pid ?? 0],
    async send(body) {
      await request(`${origin}/api/v1/lineage`, { method: "POST", headers, body });
    },
    async waitUntilShown() {
      // An event that cannot be shown within two seconds is answered before it is shown.
      for (; (await countWaiting()) > 0; await sleep(POLL_MS));
      await listTables();
    },
    refreshStatistics: () => Promise.resolve(),
    async ask(question) {
      if (question.kind === "search") {
        const text = encodeURIComponent(question.text);
        return [await get(`/api/v1/catalog/assets?search=${text}&limit=${SEARCH_LIMIT}`)];
      }
      if (question.kind === "table") return [await get(`/api/v1/catalog/assets/${idOf(question.table)}`)];
      const walk = (direction: string, id: string): Promise<string> =>
        get(`/api/v1/lineage/${direction}?asset_id=${id}&depth=${question.depth}`);
      if (question.kind === "column") return [await walk("upstream", await columnId(question.table, question.column))];
      const id = idOf(question.table);
      return [await walk("upstream", id), await walk("downstream", id)];
    },
    check(question, answers, reference) {
      const [answer = ""] = answers;
      if (question.kind === "search") {
        const hits = (JSON.parse(answer) as OwnPage).data.map(({ fqn }) => fqn);
        return requireHit(question, hits);
      }
      if (question.kind === "table") {
        return requireSame(question, [(JSON.parse(answer) as OwnNode).fqn], [tableName(question.table)]);
      }
      const walks = answers.map((text) => JSON.parse(text) as { nodes: OwnNode[]; truncated: boolean });
      if (walks.some(({ truncated }) => truncated)) throw new Error("an answer is cut");
      const nodes = walks.flatMap((walk) => walk.nodes);
      if (question.kind === "column") {
        const { table, column, depth } = question;
        return requireEqual(question, nodes.length, reference.columnsAbove(table, column, depth));
      }
      const told = nodes.flatMap(({ id }) => names.get(id) ?? []);
      return requireSame(question, told, [...reference.bothWays(question.table, question.depth)].map(tableName));
    },
    async size() {
      const files = await readdir(folder, { recursive: true });
      const sizes = await Promise.all(files.map(async (name) => (await stat(join(folder, name))).size));
      return sizes.reduce((sum, size) => sum + size, 0);
    },
    async close() {
      child.kill();
      await once(child, "exit");
    },
  };
}

interface MarquezAnswer {
  name: string;
  results: { name: string }[];
  graph: { id: string; type: string }[];
}

const nameOf = (table: number): string => `${NAMESPACE}:${tableName(table)}`;

export function toCatalog({ origin, pids, analyze, size, close }: Marquez): Catalog {
  const get = (path: string): Promise<string> => request(origin + path);
  return {
    name: "Marquez",
    pids,
    async send(body) {
      await request(`${origin}/api/v1/lineage`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
    },
    // What it has answered is shown.
    waitUntilShown: () => Promise.resolve(),
    refreshStatistics: analyze,
    async ask(question) {
      if (question.kind === "search") {
        return [await get(`/api/v1/search?q=${encodeURIComponent(question.text)}&limit=${SEARCH_LIMIT}`)];
      }
      const { table } = question;
      if (question.kind === "table") {
        return [await get(`/api/v1/namespaces/${encodeURIComponent(NAMESPACE)}/datasets/${tableName(table)}`)];
      }
      const ask = (path: string, id: string): Promise<string> =>
        get(`/api/v1/${path}?nodeId=${encodeURIComponent(id)}&depth=${question.depth}`);
      if (question.kind === "lineage") return [await ask("lineage", `dataset:${nameOf(table)}`)];
      return [await ask("column-lineage", `datasetField:${nameOf(table)}:${columnName(question.column)}`)];
    },
    check(question, [answer = ""], reference) {
      const told = JSON.parse(answer) as MarquezAnswer;
      if (question.kind === "search") {
        const hits = told.results.map(({ name }) => name);
        return requireHit(question, hits);
      }
      if (question.kind === "table") return requireSame(question, [told.name], [tableName(question.table)]);
      const { table, depth } = question;
      if (question.kind === "column") {
        // The column itself is in the answer too.
        return requireEqual(question, told.graph.length - 1, reference.columnsAbove(table, question.column, depth));
      }
      const names = told.graph.filter(({ type }) => type === "DATASET").map(({ id }) => id.slice("dataset:".length));
      return requireSame(question, names, [...reference.around(table, depth)].map(nameOf));
    },
    size,
    close,
  };
}

/** The questions by name. Each is asked of several tables in turn, none of them near the hub, but for the hub's own. */
export function questionsFor(tables: number): Record<string, Question[]> {
  const shops = Array.from({ length: Math.floor(tables / 100) }, (_, shop) => shop).filter(
    (shop) => shop > 0 && shop % 2 === 0,
  );
  const some = (at: number): number[] => shops.slice(0, 8).map((shop, i) => shop * 100 + at + (i % 10));
  const lineage = (depth: number): Question[] => some(50).map((table) => ({ kind: "lineage", table, depth }));
  return {
    "one table": some(50).map((table) => ({ kind: "table", table })),
    "lineage, depth 3": lineage(3),
    "lineage, depth 10": lineage(10),
    "lineage of the hub, depth 3": [{ kind: "lineage", table: HUB, depth: 3 }],
    "lineage of the hub, depth 10": [{ kind: "lineage", table: HUB, depth: 10 }],
    "what feeds a column, depth 10": some(90).map((table) => ({ kind: "column", table, column: 3, depth: 10 })),
    "search, a name": some(50).map((table) => ({ kind: "search", text: tableName(table) })),
    "search, a common part of names": [{ kind: "search", text: "layer_5" }],
  };
}
