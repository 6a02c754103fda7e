/** The picture that ARCHITECTURE.md draws, held against every import of `src`. */
import { describe, expect, it } from "vitest";

import { type Import, parseImports, readSources } from "./support/imports.ts";

/**
 * The rooms of `src` by floor, from the roof to the ground. A room is a folder, or a file that lies in none.
 * A file may import from its own room and from any floor below it: never upward, nor from a room beside it.
 */
const FLOORS: readonly (readonly string[])[] = [
  ["main.ts", "print-schema.ts"], //            what is run
  ["cli"],
  ["app.ts", "worker.ts"], //                   the server: starts and stops
  ["rest"], //                                  the table of REST routes
  ["http"], //                                  the edge that all protocols share
  ["mcp"], //                                   the tools over the Model Context Protocol
  ["tools"], //                                 what models of other people's agents may ask
  ["graphql"], //                               one set of resolvers for all callers
  ["open-process.ts"], //                        what a server and a worker open
  ["services.ts"], //                           where the use cases are put together
  ["telemetry"], //                             what those who watch the service are told: log, health, metrics, traces
  ["ui", "ui-build"], //                        the workspace UI, which runs in browsers, and how it is built
  ["what-if"], //                               what a change set would break
  ["ingest", "agent", "transfer", "stores.ts"], // what the service does, and what it opens for that
  ["metrics", "notices"], //                    what people define and certify, and whether it still holds
  ["connectors", "auth"], //                    the parts that it does this with
  ["graph", "metadata", "data-folder"], //      what is kept
  ["catalog", "limits", "sqlite", "sql-lineage"], // the rules, the driver of the embedded stores, the reader of SQL
  ["work"], //                                  whose turn it is, and how much a request may cost
  ["addresses", "cursors.ts"], //               addresses of the network, and positions in lists
  ["field-faults.ts"],
  ["clock.ts", "errors.ts", "plain-text.ts"],
  ["settings", "characters.ts", "ids.ts"], //   the settings, texts from outside, and what ids are of
  ["operations.ts"], //                         what the operations of the schema answer: types only
];

/** Packages that one room alone knows, so that they can be replaced there. */
const OWNERS: Readonly<Record<string, string | readonly string[]>> = {
  "neo4j-driver": "src/graph/memgraph/",
  "node:sqlite": "src/sqlite/",
  kysely: "src/metadata/",
  "graphql-yoga": "src/graphql/",
  "@pothos": "src/graphql/",
  "ipaddr.js": "src/addresses/",
  iovalkey: "src/limits/valkey/",
  "@polyglot-sql/sdk": "src/sql-lineage/",
  piscina: "src/work/",
  "prom-client": "src/telemetry/",
  ai: "src/agent/model/",
  "@ai-sdk/openai-compatible": "src/agent/model/",
  standardwebhooks: "src/notices/",
  koa: "src/http/",
  "@koa": "src/http/",
  "@modelcontextprotocol": "src/mcp/",
  pg: ["src/connectors/postgres/", "src/metadata/postgres/"],
  vite: "src/ui-build/",
  react: "src/ui/",
  urql: "src/ui/",
  wouter: "src/ui/",
  "@xyflow/react": "src/ui/pages/lineage/",
  elkjs: "src/ui/pages/lineage/layout/",
  diff: "src/ui/sql/",
};

const sources = readSources();
const imports = sources.flatMap(parseImports);

function roomOf(path: string): string {
  return path.split("/")[1] ?? path;
}

function floorOf(room: string): number {
  return FLOORS.findIndex((rooms) => rooms.includes(room));
}

/** Imports that go up or sideways. */
function astray(all: readonly Import[]): string[] {
  return all
    .filter(({ to }) => to.startsWith("src/"))
    .filter(({ from, to }) => {
      const [here, there] = [roomOf(from), roomOf(to)];
      return here !== there && floorOf(here) >= floorOf(there);
    })
    .map(({ from, to }) => `${from} -> ${to}`);
}

/** Imports of a package by a room that does not own it. */
function trespasses(all: readonly Import[]): string[] {
  return all
    .filter(({ from, to }) =>
      Object.entries(OWNERS).some(
        ([name, owner]) =>
          (to === name || to.startsWith(`${name}/`)) && ![owner].flat().some((each) => from.startsWith(each)),
      ),
    )
    .map(({ from, to }) => `${from} -> ${to}`);
}

/** The first way found that leads from a file back to itself, types included. */
function findCycle(all: readonly Import[]): string[] | null {
  const targets = Map.groupBy(all, ({ from }) => from);
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): string[] | null => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
    if (done.has(path)) return null;
    for (const { to } of targets.get(path) ?? []) {
      const cycle = visit(to, [...trail, path]);
      if (cycle !== null) return cycle;
    }
    done.add(path);
    return null;
  };
  for (const path of targets.keys()) {
    const cycle = visit(path, []);
    if (cycle !== null) return cycle;
  }
  return null;
}

describe("the architecture", () => {
  it("knows every room of src", () => {
    const rooms = new Set(sources.map(({ path }) => roomOf(path)));
    expect([...rooms].filter((room) => floorOf(room) === -1)).toEqual([]);
  });

  it("imports one way, from the roof to the ground", () => {
    expect(astray(imports)).toEqual([]);
  });

  it("keeps the workspace UI apart: it is a client of the schema, and nothing of the service is loaded into browsers", () => {
    const own = imports.filter(({ from }) => from.startsWith("src/ui/") && !from.endsWith(".d.ts"));
    expect(own.filter(({ to }) => to.startsWith("src/") && !to.startsWith("src/ui/"))).toEqual([]);
    expect(own.filter(({ to }) => to.startsWith("node:"))).toEqual([]);
  });

  it("has no cycle between files", () => {
    expect(findCycle(imports)).toBeNull();
  });

  it("keeps each driver and framework in its room", () => {
    expect(trespasses(imports)).toEqual([]);
  });

  it("reads the environment in settings.ts alone", () => {
    const readers = sources.filter(({ text }) => /\bprocess\.env\b|\bfrom "(?:node:)?process"/.test(text));
    expect(readers.map(({ path }) => path)).toEqual(["src/settings/settings.ts"]);
  });
});

function made(from: string, to: string): Import {
  return { from, to };
}

describe("the architecture's own eyes", () => {
  it("see every form of import", () => {
    const text = [
      'import { a } from "./a.ts";',
      'import type { B } from "../b.ts";',
      'import {\n  type C,\n  type D as E,\n} from "c";',
      'import F, { type G, h } from "@scope/f/part";',
      'import * as i from "node:i";',
      'import "./side-effect.ts";',
      'export * from "./j.ts";',
      'export type { K } from "./k.ts";',
      'const l = await import("./l.ts");',
      'new Worker(new URL("./m.ts", import.meta.url));',
    ].join("\n");
    const seen = parseImports({ path: "src/graph/x.ts", text });
    expect(seen.map(({ to }) => to).toSorted()).toEqual([
      "@scope/f/part",
      "c",
      "node:i",
      "src/b.ts",
      "src/graph/a.ts",
      "src/graph/j.ts",
      "src/graph/k.ts",
      "src/graph/l.ts",
      "src/graph/m.ts",
      "src/graph/side-effect.ts",
    ]);
  });

  it("see whatever the compiler would: no line that names a file is passed over", () => {
    const named = sources.flatMap(({ path, text }) => [...text.matchAll(/"\.\.?\/[^"\s]*\.tsx?"/g)].map(() => path));
    const seen = imports.filter(({ to }) => /^s[^:]*\.tsx?$/.test(to)).map(({ from }) => from);
    expect(seen.toSorted()).toEqual(named.toSorted());
  });

  it("tell what goes astray, trespasses or runs in a circle", () => {
    const up = made("src/catalog/edge.ts", "src/graph/catalog-graph.ts");
    const beside = made("src/graph/x.ts", "src/metadata/store.ts");
    const down = made("src/graphql/asset.ts", "src/catalog/asset.ts");
    expect(astray([up, beside, down])).toEqual([up, beside].map(({ from, to }) => `${from} -> ${to}`));
    expect(trespasses([made("src/http/app.ts", "kysely/migration"), made("src/http/app.ts", "koa")])).toEqual([
      "src/http/app.ts -> kysely/migration",
    ]);
    expect(findCycle([made("a", "b"), made("b", "c"), made("c", "b")])).toEqual(["b", "c", "b"]);
    expect(findCycle([made("a", "b"), made("a", "c"), made("b", "c")])).toBeNull();
  });
});
