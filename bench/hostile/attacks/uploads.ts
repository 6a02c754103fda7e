/** Attacks by bodies that are files: forms, manifests, and bodies that arrive slowly. */
import { gzipSync } from "node:zlib";

import { makeDbtProject } from "../../support/dbt-project.ts";
import type { Shot } from "../client.ts";
import type { Attack } from "./attack.ts";

const TRICKLED_MS = 5_000;
const MANY_MODELS = 1_000;

const part = (name: string, rest: string, content: string): string =>
  `--x\r\nContent-Disposition: form-data; name="${name}"${rest}\r\n\r\n${content}\r\n`;

/** Makes a large body once. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

function form(name: string, make: () => string, boundary = "x"): Attack {
  const body = once(() => Buffer.from(make()));
  const headers = { "content-type": `multipart/form-data; boundary=${boundary}` };
  return { name, aim: () => ({ method: "POST", path: "/graphql", body: body(), headers }) };
}

function manifest(name: string, make: () => unknown, more: Partial<Shot> = {}): Attack {
  const body = once(() => gzipSync(JSON.stringify(make())));
  const path = "/api/v1/lineage/impact/manifest";
  return {
    name,
    aim: () => ({ method: "POST", path, body: body(), headers: { "content-encoding": "gzip" }, ...more }),
  };
}

/** A manifest with one model of this number of columns. */
function wide(columns: number): unknown {
  const all = Object.fromEntries(Array.from({ length: columns }, (_, at) => [at.toString(36), {}]));
  const model = { name: "wide", package_name: "shop", database: "shop", schema: "marts", columns: all };
  return { ...makeDbtProject(1, () => 0)["manifest.json"], nodes: { "model.shop.wide": model } };
}

const dashes = "-".repeat(70);

export const UPLOAD_ATTACKS: readonly Attack[] = [
  form("a form of 1,000,000 minimal parts", () => "--x\r\n\r\n\r\n".repeat(1_000_000)),
  form("a form with 1,000,000 header lines in a part", () => `--x\r\n${"a: b\r\n".repeat(1_000_000)}\r\n\r\n--x--`),
  form("a form with a part's name of a megabyte", () => part("n".repeat(1_000_000), "", "")),
  form("a form with another form in it", () => `${part("a", "", `--y\r\n${"--y\r\n".repeat(500_000)}`)}--x--`),
  form("a form with an unfinished file", () => part("a", '; filename="a"', "x".repeat(20_000_000))),
  form("a form with a boundary of many dashes", () => `--${dashes}\r\n\r\n${`\r\n${dashes}-`.repeat(100_000)}`, dashes),
  manifest("a manifest of a model with 240,000 columns", () => wide(240_000)),
  manifest("a manifest of a model with 10,000 columns", () => wide(10_000)),
  manifest(`a manifest of ${MANY_MODELS} models`, () => makeDbtProject(MANY_MODELS, () => 0)["manifest.json"]),
  manifest("a manifest that arrives slowly", () => wide(10_000), { bodyTakesMs: TRICKLED_MS }),
  {
    name: "a form that arrives slowly",
    aim: () => ({
      method: "POST",
      path: "/graphql",
      body: Buffer.from(part("0", '; filename="a"', "x".repeat(100_000))),
      headers: { "content-type": "multipart/form-data; boundary=x" },
      bodyTakesMs: TRICKLED_MS,
    }),
  },
];
