/**
 * The parameters of each statement: all that its text names, and no plain number, because Memgraph would take it as a
 * float.
 */
import { isInt } from "neo4j-driver";
import { describe, expect, it } from "vitest";

import { PEOPLE } from "../../../../src/catalog/layers.ts";
import { copyIn } from "../../../../src/graph/core/copy-in.ts";
import { markIncomplete } from "../../../../src/graph/core/open-source.ts";
import { curate, stateByHand } from "../../../../src/graph/core/people.ts";
import { renameConnector } from "../../../../src/graph/core/rename-connector.ts";
import { removeStep, sweepStep } from "../../../../src/graph/core/sweep.ts";
import { writeChecks } from "../../../../src/graph/core/write-checks.ts";
import { toEdgeText, writeEdges, writeReferences } from "../../../../src/graph/core/write-edges.ts";
import { writeNodes } from "../../../../src/graph/core/write-nodes.ts";
import { COPY_PARTS, type CopiedNode, type CopyRows } from "../../../../src/graph/graph-copy.ts";
import { authorOf } from "../../../../src/graph/history/moments.ts";
import type { Run } from "../../../../src/graph/memgraph/bolt.ts";
import { changeRows } from "../../../../src/graph/memgraph/change-rows.ts";
import { findChecksOn, loadChecks, loadChecksById } from "../../../../src/graph/memgraph/checks.ts";
import { CLAIMS } from "../../../../src/graph/memgraph/claims.ts";
import { copyOut, countRows } from "../../../../src/graph/memgraph/copy-out.ts";
import { tally } from "../../../../src/graph/memgraph/crawl-result.ts";
import { LAST_UNTIL, sweepHistory } from "../../../../src/graph/memgraph/history.ts";
import { pastRows } from "../../../../src/graph/memgraph/past-rows.ts";
import { readPast } from "../../../../src/graph/history/past-reader.ts";
import { loadNeighbours } from "../../../../src/graph/memgraph/neighbours.ts";
import {
  countNodes,
  loadByFqn,
  listFolders,
  listNodes,
  listValues,
  loadOwnerNames,
  loadColumns,
  loadNodes,
} from "../../../../src/graph/memgraph/read-nodes.ts";
import { RESULT_CHANGES_BY_ID } from "../../../../src/graph/memgraph/result-changes.ts";
import { createRowStore } from "../../../../src/graph/memgraph/row-store.ts";
import { searchNodes } from "../../../../src/graph/memgraph/search.ts";
import { loadDependencies, loadTrails } from "../../../../src/graph/memgraph/trails.ts";
import { PRESENT } from "../../../../src/graph/memgraph/stored-asset.ts";
import { ROOT, walk } from "../../../../src/graph/memgraph/walk.ts";
import { toNodeId, toWorkspaceId } from "../../../../src/ids.ts";
import { checkOf, columnOf, edgeOf, nodeOf, stampOf } from "../../../support/graph-writes.ts";

const W = toWorkspaceId("w");
const A = toNodeId("a");
const FILTER = { types: "asset", tag: "pii", certification: "certified", owner: "a@b.de", connector: "dbt" } as const;
const QUERY = { folded: "orders", path: "orders", prefix: "orders", terms: ["orders"] };
const PAGE = { after: null, limit: 5 };
const POSITION = { mode: "any", tier: 4, matched: 1, standing: 0, key: "k" } as const;
const STAMP = stampOf(W, "dbt", 1);
const TABLE = nodeOf(W, "table", "shop.orders");
const COLUMN = columnOf(W, TABLE, "id", 0);
const METRIC = nodeOf(W, "metric", "margin");
const WALK = { root: A, direction: "upstream", depth: 3, maxNodes: 100 } as const;

const STATED = { connectorId: STAMP.connectorId, scope: "all", syncId: "sync" };
const STEP = {
  action: "certify",
  from: "pending",
  to: "certified",
  actor: "ada",
  at: STAMP.at,
  note: "",
  definitionHash: "",
} as const;
const COPIED: CopiedNode = {
  ...TABLE,
  createdAt: STAMP.at,
  updatedAt: STAMP.at,
  curation: {},
  claims: [
    {
      ...STATED,
      firstSyncId: null,
      since: STAMP.at,
      changedBy: null,
      layer: { ...STAMP, type: "table", existence: "held", facts: TABLE.facts },
    },
  ],
};
const MOMENT = {
  number: 3,
  at: STAMP.at,
  connectorId: STAMP.connectorId,
  syncId: "sync",
  actor: "",
  isFirst: false,
};
const ROWS: { [P in keyof CopyRows]: CopyRows[P] } = {
  runs: { ...STATED, run: 3 },
  scopes: { ...STATED, run: 3, incomplete: true },
  removedNodes: COPIED,
  assets: COPIED,
  columns: COPIED,
  edges: { ...STATED, ...edgeOf(TABLE, TABLE, "derives"), uses: [] },
  references: { ...STATED, from: COLUMN.id, to: TABLE.id },
  checks: { ...STATED, precedence: 10, check: checkOf(W, "t", [TABLE], [COLUMN]) },
  certifications: { metric: METRIC.id, steps: [STEP], dependencies: { fingerprint: "f", text: "t" } },
  moments: MOMENT,
  keptNodes: {
    id: TABLE.id,
    parentId: null,
    key: "k",
    since: 1,
    until: 3,
    isWhole: false,
    was: { description: "before" },
  },
  keptLinks: {
    from: TABLE.id,
    to: TABLE.id,
    kind: "derives",
    connectorId: STAMP.connectorId,
    uses: [],
    since: 1,
    until: 3,
  },
  resultChanges: {
    moment: 3,
    check: "c",
    name: "unique_id",
    kind: "generic",
    node: TABLE.id,
    columns: [COLUMN.id],
    wasFailing: null,
    status: "fail",
    message: "",
  },
  removedConnectors: STATED,
};

/** The rows that these statements find. All other statements find nothing. */
const CLAIM = [
  TABLE.id,
  STAMP.connectorId,
  "dbt",
  10,
  10,
  STAMP.at,
  "all",
  "table",
  "held",
  JSON.stringify(TABLE.facts),
  "sync",
  null,
  STAMP.at,
  null,
];
const NODE = [TABLE.id, "postgres", null, "{}", STAMP.at, STAMP.at, "other", "", "[]", null, 0, null];
const ANSWERS = new Map<string, unknown[][]>([
  [ROOT, [[1, "table", "", "[]"]]],
  [CLAIMS, [CLAIM]],
  [PRESENT, [NODE]],
  [LAST_UNTIL, [[3]]],
  [RESULT_CHANGES_BY_ID, [["r", "c"]]],
]);

const storeOf = (run: Run) => createRowStore(run, W, authorOf(STAMP));

const CALLS: Record<string, (run: Run) => Promise<unknown>> = {
  loadNodes: (run) => loadNodes(run, W, [A]),
  loadByFqn: (run) => loadByFqn(run, W, "shop.orders", { platform: "postgres" }),
  loadColumns: (run) => loadColumns(run, W, [A]),
  listNodes: (run) => listNodes(run, W, FILTER, PAGE),
  countNodes: (run) => countNodes(run, W),
  "countNodes by a filter": (run) => countNodes(run, W, FILTER),
  "listFolders of a platform": (run) => listFolders(run, W, { platform: "postgres" }, PAGE),
  "listFolders of no database": (run) => listFolders(run, W, { platform: "postgres", database: "" }, PAGE),
  listValues: (run) => listValues(run, W, "tag", 5),
  loadOwnerNames: (run) => loadOwnerNames(run, W, ["a@example.com"]),
  "searchNodes from the beginning": (run) => searchNodes(run, W, FILTER, QUERY, PAGE),
  "searchNodes behind a position": (run) => searchNodes(run, W, FILTER, QUERY, { ...PAGE, after: POSITION }),
  loadNeighbours: (run) => loadNeighbours(run, W, [{ id: A, direction: "upstream", first: 5, after: null }]),
  walk: (run) => walk(run, W, WALK),
  writeNodes: (run) => writeNodes(storeOf(run), STAMP, "all", [TABLE, COLUMN]),
  writeEdges: (run) => writeEdges(storeOf(run), STAMP, "all", [toEdgeText(edgeOf(TABLE, TABLE, "derives"))]),
  writeReferences: (run) => writeReferences(storeOf(run), STAMP, "all", [{ from: COLUMN.id, to: TABLE.id }]),
  sweep: (run) => sweepStep(storeOf(run), STAMP, "all"),
  markIncomplete: (run) => markIncomplete(storeOf(run), STAMP, "all"),
  curate: (run) => curate(storeOf(run), TABLE.id, { description: "by hand" }, { by: "ada", at: STAMP.at }),
  renameConnector: (run) => renameConnector(storeOf(run), STAMP, null),
  removeConnector: (run) => removeStep(storeOf(run), STAMP),
  stateByHand: (run) =>
    stateByHand(
      storeOf(run),
      stampOf(W, PEOPLE, 1),
      { node: METRIC, named: [{ ...TABLE, existence: "referenced" }], edges: [edgeOf(TABLE, METRIC, "defines")] },
      "new",
    ),
  writeChecks: (run) => writeChecks(storeOf(run), STAMP, "all", [checkOf(W, "t", [TABLE], [COLUMN])]),
  findShownChecks: (run) => Promise.resolve(storeOf(run).findShownChecks([{ ...ROWS.checks, definition: "" }])),
  dropResultChanges: (run) => Promise.resolve(storeOf(run).dropResultChanges(["c"], 3)),
  findResultChanges: (run) => Promise.resolve(changeRows(run, W).findResultChanges(MOMENT)),
  loadChecks: (run) => loadChecks(run, W, [{ node: A, first: 5, after: null }]),
  findChecksOn: (run) => findChecksOn(run, W, [{ id: A, node: 3 }]),
  loadChecksById: (run) => loadChecksById(run, W, [A]),
  tally: (run) => tally(run, STAMP),
  "findFirstMoment of the history": (run) => Promise.resolve(pastRows(run, W).findFirstMoment()),
  "readPast of a list": (run) => readPast(pastRows(run, W), STAMP.at, "listNodes", [W, { types: "asset" }, PAGE]),
  "readPast of columns": (run) => readPast(pastRows(run, W), STAMP.at, "loadColumns", [W, [A]]),
  "loadLinks from a moment on": (run) => Promise.resolve(pastRows(run, W).loadLinks("upstream", [A], 3)),
  "loadKept after a moment": (run) => Promise.resolve(pastRows(run, W).loadKept([A], 3)),
  sweepHistory: (run) => sweepHistory(run, W, STAMP.at),
  loadTrails: (run) => loadTrails(run, W, [A]),
  loadDependencies: (run) => loadDependencies(run, W, [A]),
  ...Object.fromEntries(
    COPY_PARTS.flatMap((part) => [
      [`copyOut of ${part}`, (run: Run) => copyOut(run, W, part, PAGE)],
      [`countRows of ${part}`, (run: Run) => countRows(run, W, part)],
      [`copyIn of ${part}`, (run: Run) => copyIn(storeOf(run), W, part, [ROWS[part]])],
    ]),
  ),
};

describe.each(Object.entries(CALLS))("Statements of %s", (_name, call) => {
  it("Statements get all their parameters, and whole numbers as integers", async () => {
    const sent: Parameters<Run>[] = [];
    await call((statement, parameters) => {
      sent.push([statement, parameters]);
      return Promise.resolve(ANSWERS.get(statement) ?? []);
    });
    expect(sent).not.toEqual([]);
    for (const [statement, parameters] of sent) {
      const named = [...statement.matchAll(/\$(\w+)/g)].map(([, name]) => name);
      expect(Object.keys(parameters)).toEqual(expect.arrayContaining(named));
      expect(plainNumbersIn(parameters)).toEqual([]);
    }
  });
});

function plainNumbersIn(value: unknown): number[] {
  if (typeof value === "number") return [value];
  if (typeof value !== "object" || value === null || isInt(value)) return [];
  return Object.values(value).flatMap(plainNumbersIn);
}
