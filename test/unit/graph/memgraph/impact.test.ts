/** How the impact of a change is asked of Memgraph: in few statements, in columns, with every list in one parameter. */
import { isInt } from "neo4j-driver";
import { describe, expect, it } from "vitest";

import type { Run } from "../../../../src/graph/memgraph/bolt.ts";
import {
  assessImpact,
  boundCypher,
  followCypher,
  IMPACT_ROOT,
  NODES,
  OWN_COLUMNS,
  SHOW,
  USES_BETWEEN,
} from "../../../../src/graph/memgraph/impact.ts";
import { toNodeId, toWorkspaceId } from "../../../../src/ids.ts";

const KNOWN = '{"status":"known","reason":""}';
const SUM = '[{"kind":"DIRECT","transformation":"AGGREGATION","expression":"sum(id)"}]';

/** raw(id) -> stg(total), summed; and raw -> board, whose lineage is unknown. */
const ASSETS: Record<string, { type: string; parent: string; lineage: string }> = {
  raw: { type: "table", parent: "", lineage: "" },
  id: { type: "column", parent: "raw", lineage: "" },
  stg: { type: "model", parent: "", lineage: KNOWN },
  total: { type: "column", parent: "stg", lineage: "" },
  board: { type: "dashboard", parent: "", lineage: "" },
};

function asset(id: string) {
  return ASSETS[id] ?? { type: "", parent: "", lineage: "" };
}

/** Answers as the server would, in no particular order, and records what it was sent. */
function scriptedStore(sent: [statement: string, parameters: Record<string, unknown>][]): Run {
  return (statement, parameters) => {
    sent.push([statement, parameters]);
    const ids = ((parameters["ids"] as string[] | undefined) ?? []).toReversed();
    const asked = ((parameters["nodes"] ?? parameters["pairs"] ?? []) as { id?: string }[]).map(({ id }) => id);
    const answers: Record<string, unknown[][]> = {
      [IMPACT_ROOT]: [[parameters["id"]]],
      [NODES]: [
        [
          ids,
          ids.map((id) => asset(id).type),
          ids,
          ...["parent", "lineage"].map((key) => ids.map((id) => asset(id)[key as "parent"])),
        ],
      ],
      [OWN_COLUMNS]: [[[], [], []]],
      [followCypher("column")]: [asked.includes("id") ? [[asked.indexOf("id")], ["total"], [2]] : [[], [], []]],
      [followCypher("asset")]: [
        asked.includes("raw") ? [[0, 0].map(() => asked.indexOf("raw")), ["stg", "board"], [1, 1]] : [[], [], []],
      ],
      [boundCypher("itself")]: [[[]]],
      [boundCypher("part")]: [[[]]],
      [USES_BETWEEN]: [[[0], [SUM]]],
      [SHOW]: [
        [
          ids,
          ids,
          ids.map((id) => `shop.${id}`),
          ids.map((id) => asset(id).type),
          ids.map(() => "none"),
          ids.map(() => "ada@example.com"),
          ...[1, 2, 3].map(() => ids.map(() => "")),
          ids.map((id) => asset(id).lineage),
          ids.map((id) => (id === "board" ? JSON.stringify(USAGE) : "")),
        ],
      ],
    };
    return Promise.resolve(answers[statement] ?? []);
  };
}

const USAGE = { users: 4, queries: null, views: 31, until: "2026-01-01T00:00:00.000Z" };
const W = toWorkspaceId("w");

async function ask(root = toNodeId("id")) {
  const sent: [statement: string, parameters: Record<string, unknown>][] = [];
  const query = { root, change: "column_drop", newType: null, maxAffected: 10 } as const;
  return { impact: await assessImpact(scriptedStore(sent), W, query), sent };
}

describe("Impact on Memgraph", () => {
  it("An impact is computed from answers in columns, in any order", async () => {
    const { impact } = await ask();
    expect(impact?.summary).toEqual({ total: 3, high: 2, medium: 1, low: 0 });
    expect(impact?.affected.map(({ id, reason }) => [id, reason])).toEqual([
      ["stg", "Model `stg` has `stg.total`, which sums `raw.id` (AGGREGATION)."],
      ["total", "`stg.total` sums `raw.id` (AGGREGATION)."],
      ["board", "Dashboard `board` reads `raw`, and whether it uses `raw.id` is not known (column lineage unknown)."],
    ]);
    expect(impact?.affected.map(({ usage }) => usage)).toEqual([null, null, USAGE]);
  });

  it("An impact asks for each node once, within the workspace, with whole numbers as integers", async () => {
    const { sent } = await ask();
    expect(sent.length).toBeLessThan(30);
    for (const [statement, parameters] of sent) {
      const named = [...statement.matchAll(/\$(\w+)/g)].map(([, name]) => name);
      expect(Object.keys(parameters)).toEqual(expect.arrayContaining(named));
      expect(parameters["workspace"]).toBe(W);
      for (const list of ["nodes", "pairs"]) {
        for (const { position } of (parameters[list] ?? []) as { position: unknown }[])
          expect(isInt(position)).toBe(true);
      }
    }
    const loaded = sent.flatMap(([statement, { ids }]) => (statement === NODES ? (ids as string[]) : []));
    expect(loaded.toSorted()).toEqual(["board", "id", "raw", "stg", "total"]);
  });

  it("An impact is null if the root does not exist", async () => {
    expect(
      await assessImpact(() => Promise.resolve([]), W, {
        root: toNodeId("x"),
        change: "deprecate",
        newType: null,
        maxAffected: 1,
      }),
    ).toBeNull();
  });
});
