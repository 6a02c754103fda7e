/**
 * What DataHub's own tests recorded, and a plain reader of it: it counts what must become of a file by looking at the
 * proposals one by one, and knows nothing of the connector.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

import type { RunningApp } from "./app.ts";
import { isFull } from "./depth.ts";
import { createGraphqlClient } from "./graphql-client.ts";
import { at } from "./rest-client.ts";

const FOLDER = join(import.meta.dirname, "../../../shared/data/datahub");

/** Whether the recorded outputs are on this machine. */
export const hasRecordings = existsSync(FOLDER);

/** Names of the files, and in the fast project of one in six. None if there are none on this machine. */
export const recordings: readonly string[] = hasRecordings
  ? readdirSync(FOLDER)
      .filter((name) => name.endsWith(".json"))
      .toSorted()
      .filter((_, i) => isFull || i % 6 === 0)
  : [];

export function recordingPath(name: string): string {
  return join(FOLDER, name);
}

/** Syncs all connectors of the workspace, to their ends. */
export async function syncAll(running: RunningApp): Promise<void> {
  const ask = createGraphqlClient(running);
  const { data } = await ask("{ connectors(first: 100) { nodes { id } } }");
  const nodes = at(data, "connectors", "nodes");
  for (const node of Array.isArray(nodes) ? nodes : []) {
    const input = { connectorId: at(node, "id"), force: true };
    await ask("mutation($input: TriggerSyncInput!) { triggerSync(input: $input) { isRepeat } }", { input });
  }
  for (;;) {
    const { queued, running: open } = await running.app.metadata.syncs.countUnfinished();
    if (queued + open === 0) return;
    await setTimeout(20);
  }
}

export type Json = Record<string, unknown>;

export function readRecording(name: string): Json[] {
  return JSON.parse(readFileSync(recordingPath(name), "utf8")) as Json[];
}

export interface Expected {
  proposals: number;
  /** Keys of assets: type of the entity and folded name. */
  assets: Set<string>;
  /** `asset/column` */
  columns: Set<string>;
  /** `from -> to` */
  assetEdges: Set<string>;
  columnEdges: Set<string>;
  /** Datasets with SQL: their urns in lower case, and their keys. */
  withSql: Set<string>;
  /** Those of them of which the file does not say what their columns come from. */
  untraced: Set<string>;
}

const ASSET = /^urn:li:(?:dataset|chart|dashboard|dataFlow|dataJob):/;

const isAsset = (urn: string): boolean => ASSET.test(urn);

function link(into: Set<string>, from: string, to: string): void {
  if (from !== to) into.add(`${from} -> ${to}`);
}

/** Says of which assets, columns and edges a file speaks. */
export function expectOf(proposals: readonly Json[]): Expected {
  const said = proposals.flatMap(toSaid);
  const gone = new Set(
    said.filter(({ aspect, value }) => aspect === "status" && value["removed"] === true).map(({ urn }) => urn),
  );
  const withSchema = new Set(said.filter(({ aspect }) => aspect === "schemaMetadata").map(({ urn }) => urn));
  const same = findSame(said);
  const nameOf = (urn: string): string => (same.get(urn) ?? urn).toLowerCase();
  const expected: Expected = {
    proposals: proposals.length,
    assets: new Set(),
    columns: new Set(),
    assetEdges: new Set(),
    columnEdges: new Set(),
    withSql: new Set(),
    untraced: new Set(),
  };
  const traced = new Set<string>();
  const joinAssets = (from: string, to: string): void => {
    if (isAsset(from) && isAsset(to)) link(expected.assetEdges, nameOf(from), nameOf(to));
  };
  const columnOf = (urn: string): string | null => {
    const [, dataset = "", path = ""] = /^urn:li:schemaField:\((urn:li:dataset:\(.*?\)),(.*)\)$/.exec(urn) ?? [];
    return dataset === "" ? null : `${nameOf(dataset)}/${plainPath(path)}`;
  };
  for (const { urn, aspect, value, isPatch } of said) {
    if (gone.has(urn) || !isAsset(urn) || aspect === "datahubIngestionCheckpoint") continue;
    expected.assets.add(nameOf(urn));
    if (aspect === "schemaMetadata") {
      for (const { fieldPath } of listOf(value["fields"])) {
        expected.columns.add(`${nameOf(urn)}/${plainPath(String(fieldPath))}`);
      }
    }
    if (aspect === "editableSchemaMetadata" && !withSchema.has(urn)) {
      for (const { fieldPath } of listOf(value["editableSchemaFieldInfo"])) {
        expected.columns.add(`${nameOf(urn)}/${plainPath(String(fieldPath))}`);
      }
    }
    if (aspect === "viewProperties" && /sql/i.test(String(value["viewLanguage"]))) {
      expected.withSql.add(urn.toLowerCase()).add(nameOf(urn));
    }
    const patched = isPatch ? readPatch(value) : value;
    const named = (field: string): string[] =>
      [...listOf(patched[field])].map((each) =>
        String(each["dataset"] ?? each["destinationUrn"] ?? each["string"] ?? each),
      );
    const upstream = [
      "upstreams",
      "inputs",
      "inputEdges",
      "charts",
      "chartEdges",
      "datasets",
      "datasetEdges",
      "dashboards",
    ];
    const reads = ["inputDatasets", "inputDatasetEdges"];
    const writes = ["outputDatasets", "outputDatasetEdges"];
    for (const source of [...upstream, ...reads].flatMap(named)) joinAssets(source, urn);
    for (const target of writes.flatMap(named)) {
      joinAssets(urn, target);
      joinAssets(/^urn:li:dataJob:\((urn:li:dataFlow:\(.*?\)),/.exec(urn)?.[1] ?? "", target);
    }
    for (const flow of listOf(patched["fineGrainedLineages"])) {
      for (const from of listOf(flow["upstreams"]).map(String)) {
        for (const to of listOf(flow["downstreams"]).map(String)) {
          const [a, b] = [columnOf(from), columnOf(to)];
          const [tableOfA = "", tableOfB = ""] = [a, b].map((column) => column?.slice(0, column.lastIndexOf(")/") + 1));
          if (a !== null && b !== null) {
            link(expected.columnEdges, a, b);
            link(expected.assetEdges, tableOfA, tableOfB);
          } else if (b !== null) joinAssets(from, tableOfB);
        }
      }
    }
    if (listOf(patched["fineGrainedLineages"]).length > 0) traced.add(urn.toLowerCase()).add(nameOf(urn));
    if (aspect !== "inputFields") continue;
    for (const { schemaFieldUrn } of listOf(value["fields"])) {
      const column = columnOf(String(schemaFieldUrn));
      if (column !== null) link(expected.columnEdges, column, nameOf(urn));
    }
  }
  expected.untraced = expected.withSql.difference(traced);
  return expected;
}

interface Said {
  urn: string;
  aspect: string;
  isPatch: boolean;
  value: Json;
}

function toSaid(message: Json): Said[] {
  const { proposedSnapshot: snapshot, entityUrn: urn, aspectName: aspect, changeType, aspect: given } = message;
  if (snapshot === undefined) {
    const { json, value } = given as { json?: Json; value?: string };
    const content = json ?? (JSON.parse(value ?? "{}") as Json);
    return [{ urn: String(urn), aspect: String(aspect), isPatch: changeType === "PATCH", value: content }];
  }
  const [{ urn: of, aspects } = { urn: "", aspects: [] }] = Object.values(
    snapshot as Record<string, { urn: string; aspects: Record<string, Json>[] }>,
  );
  return aspects.flatMap((each) =>
    Object.entries(each).map(([type, value]) => {
      const name = type.slice(type.lastIndexOf(".") + 1);
      return { urn: of, aspect: name[0]?.toLowerCase() + name.slice(1), isPatch: false, value };
    }),
  );
}

/** As lists, what a patch adds by paths. */
function readPatch(value: Json): Json {
  const operations = listOf(Array.isArray(value) ? value : value["patch"]);
  const added: Record<string, Json[]> = {};
  for (const { path, value: item } of operations) {
    const [, field = "", ...keys] = String(path).replaceAll("~1", "/").split("/");
    if (keys.length === 0) continue;
    const [, to = "", , from = ""] = keys;
    const entry = field === "fineGrainedLineages" ? { upstreams: [from], downstreams: [to] } : (item as Json);
    (added[field] ??= []).push(entry);
  }
  return added;
}

/** Datasets that are one relation: siblings, and those of dbt with the tables of its warehouse. */
function findSame(said: readonly Said[]): Map<string, string> {
  const same = new Map<string, string>();
  for (const { urn, aspect, value } of said) {
    if (aspect === "siblings") {
      const [first = urn] = [urn, ...listOf(value["siblings"]).map(String)].toSorted();
      same.set(urn, first);
    }
    const { manifest_adapter: adapter, materialization } = (value["customProperties"] ?? {}) as Json;
    if (aspect === "datasetProperties" && adapter !== undefined && materialization !== "ephemeral") {
      same.set(urn, urn.replace("dataPlatform:dbt", `dataPlatform:${String(adapter)}`));
    }
  }
  return same;
}

function plainPath(path: string): string {
  const names = path.replaceAll(/\[[^\]]*\]\.?/g, "").replace(/\.$/, "");
  return (names === "" ? (path.includes("[key=True]") ? "key" : "value") : names).toLowerCase();
}

function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? (value as Json[]) : [];
}
