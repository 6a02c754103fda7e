/**
 * Prints what becomes of recorded outputs of DataHub's ingestion, as a table with a line for each source. The name of a file is
 * `SOURCE__ANYTHING.json` or `SOURCE.json`. Usage: node bench/datahub-sources.ts [folder of the files]
 */
import { readdirSync, readFileSync } from "node:fs";
import { mkdtempDisposable, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

import { compareCodePoints } from "../src/catalog/text.ts";
import { KEPT } from "../src/connectors/datahub/aspects.ts";
import { type RunningApp, startApp } from "../test/support/app.ts";
import { recordingPath, syncAll } from "../test/support/datahub.ts";
import { createGraphqlClient } from "../test/support/graphql-client.ts";
import { at, type Json } from "../test/support/rest-client.ts";

const HEADINGS = [
  "source",
  "proposals",
  "unreadable",
  "assets",
  "columns",
  "edges of assets",
  "edges of columns",
  "not kept",
];
const COUNTS = `query($after: String) {
  assets(first: 100, after: $after, types: [table, model, dashboard, pipeline]) {
    pageInfo { hasNextPage endCursor }
    nodes { lineageSummary { upstreamCount } columns { lineageSummary { upstreamCount } } }
  }
}`;

const itemsOf = (list: Json): Json[] => (Array.isArray(list) ? list : []);
const upstreamOf = (node: Json): number => Number(at(node, "lineageSummary", "upstreamCount"));
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** By aspect, or by entity where nothing of the entity is kept. */
function namesOf(kinds: readonly Json[]): string {
  const counts = new Map<string, number>();
  for (const kind of kinds) {
    const [entity, aspect] = [String(at(kind, "entity")), String(at(kind, "aspect"))];
    const name = KEPT[entity] === undefined ? entity : aspect;
    counts.set(name, (counts.get(name) ?? 0) + countOf(kind));
  }
  const sorted = [...counts].toSorted(([a, many], [b, more]) => more - many || compareCodePoints(a, b));
  return sorted.map(([name, count]) => `${name} ${count}`).join(", ");
}

const countOf = (kind: Json): number => Number(at(kind, "count"));

async function readSource(running: RunningApp, folder: string, files: readonly string[]): Promise<unknown[]> {
  await using own = await mkdtempDisposable(join(tmpdir(), "tributary-source-"));
  for (const name of files) await symlink(join(folder, name), join(own.path, name));
  const graphql = createGraphqlClient(running);
  const input = { type: "datahub-file", name: "source", options: { location: own.path } };
  await graphql("mutation($input: CreateConnectorInput!) { createConnector(input: $input) { connector { id } } }", {
    input,
  });
  await syncAll(running);
  const { data: told } = await graphql("{ connectors(first: 1) { nodes { unkept { entity aspect why count } } } }");
  const unkept = itemsOf(at(told, "connectors", "nodes", 0, "unkept"));
  const assets: Json[] = [];
  for (let after: Json = null, more: Json = true; more === true;) {
    const { data } = await graphql(COUNTS, { after });
    assets.push(...itemsOf(at(data, "assets", "nodes")));
    [more, after] = ["hasNextPage", "endCursor"].map((key) => at(data, "assets", "pageInfo", key));
  }
  const columns = assets.flatMap((asset) => itemsOf(at(asset, "columns")));
  const proposals = files.map((name) => itemsOf(JSON.parse(readFileSync(join(folder, name), "utf8")) as Json).length);
  const [unreadable, others] = [true, false].map((isUnreadable) =>
    unkept.filter((kind) => (at(kind, "why") === "malformed") === isUnreadable),
  );
  return [
    sum(proposals),
    sum((unreadable ?? []).map(countOf)),
    assets.length,
    columns.length,
    sum(assets.map(upstreamOf)),
    sum(columns.map(upstreamOf)),
    namesOf(others ?? []),
  ];
}

const folder = resolve(process.argv[2] ?? dirname(recordingPath("x")));
const sources = Map.groupBy(
  readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .toSorted(),
  (name) => name.replace(/(?:__.*)?\.json$/, ""),
);
const running = await startApp();
console.log(`| ${HEADINGS.join(" | ")} |\n|${"---|".repeat(HEADINGS.length)}`);
for (const [source, files] of sources) {
  console.log(`| ${[source, ...(await readSource(await running.openWorkspace(), folder, files))].join(" | ")} |`);
}
await running.close();
process.exit();
