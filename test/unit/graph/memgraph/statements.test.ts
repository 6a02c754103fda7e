/** Rules for every Cypher text of the engine. The contract suite tests whether Memgraph accepts them. */
import { describe, expect, it } from "vitest";

import { DIRECTIONS, type Level } from "../../../../src/catalog/edge.ts";
import { NODE_ORDERS } from "../../../../src/catalog/node-order.ts";
import * as changeRows from "../../../../src/graph/memgraph/change-rows.ts";
import * as checks from "../../../../src/graph/memgraph/checks.ts";
import * as claims from "../../../../src/graph/memgraph/claims.ts";
import * as connections from "../../../../src/graph/memgraph/connections.ts";
import * as copyOut from "../../../../src/graph/memgraph/copy-out.ts";
import * as crawlResult from "../../../../src/graph/memgraph/crawl-result.ts";
import * as coverage from "../../../../src/graph/memgraph/coverage.ts";
import * as edges from "../../../../src/graph/memgraph/edges.ts";
import * as failing from "../../../../src/graph/memgraph/failing.ts";
import { filterCypher } from "../../../../src/graph/memgraph/filter.ts";
import * as history from "../../../../src/graph/memgraph/history.ts";
import * as impact from "../../../../src/graph/memgraph/impact.ts";
import * as indexedWalk from "../../../../src/graph/memgraph/indexed-walk.ts";
import * as lineageChanges from "../../../../src/graph/memgraph/lineage-changes.ts";
import * as lineageOwner from "../../../../src/graph/memgraph/lineage-owner.ts";
import * as lineageStore from "../../../../src/graph/memgraph/lineage-store.ts";
import * as neighbours from "../../../../src/graph/memgraph/neighbours.ts";
import * as nodes from "../../../../src/graph/memgraph/read-nodes.ts";
import * as pastRows from "../../../../src/graph/memgraph/past-rows.ts";
import * as resultChanges from "../../../../src/graph/memgraph/result-changes.ts";
import * as saveTerms from "../../../../src/graph/memgraph/save-terms.ts";
import * as search from "../../../../src/graph/memgraph/search-cypher.ts";
import * as searchTerms from "../../../../src/graph/memgraph/search-terms.ts";
import * as sortNodes from "../../../../src/graph/memgraph/sort-nodes.ts";
import * as sources from "../../../../src/graph/memgraph/sources.ts";
import * as storeNode from "../../../../src/graph/memgraph/store-node.ts";
import * as stated from "../../../../src/graph/memgraph/stated-nodes.ts";
import * as stored from "../../../../src/graph/memgraph/stored-asset.ts";
import * as take from "../../../../src/graph/memgraph/take.ts";
import * as trails from "../../../../src/graph/memgraph/trails.ts";
import * as writeLine from "../../../../src/graph/memgraph/write-line.ts";
import * as walk from "../../../../src/graph/memgraph/walk.ts";

const LEVELS: Level[] = ["asset", "column"];
const { conditions } = filterCypher({
  types: "asset",
  tag: "pii",
  certification: "certified",
  owner: "ada@example.com",
  connector: "dbt",
  responsible: "ada@example.com",
  described: false,
});

const written = [
  changeRows,
  checks,
  claims,
  connections,
  copyOut,
  coverage,
  crawlResult,
  edges,
  failing,
  history,
  indexedWalk,
  lineageChanges,
  lineageOwner,
  lineageStore,
  impact,
  neighbours,
  nodes,
  pastRows,
  resultChanges,
  saveTerms,
  search,
  searchTerms,
  sortNodes,
  sources,
  storeNode,
  stored,
  take,
  trails,
  walk,
  writeLine,
].flatMap((module) =>
  Object.entries(module).flatMap(([name, value]): [string, string][] =>
    typeof value === "string" && /\b(MATCH|MERGE|CREATE)\b/.test(value) ? [[name, value]] : [],
  ),
);
const built: [string, string][] = [
  ["page", nodes.pageCypher("")],
  ["filtered page", nodes.pageCypher(conditions)],
  ...NODE_ORDERS.map((order): [string, string] => [`page by ${order}`, sortNodes.sortedPageCypher(order, conditions)]),
  ["platforms", nodes.foldersCypher("platforms", "")],
  ["schemas", nodes.foldersCypher("schemas", conditions)],
  ["terms, all", search.rankCypher("terms", "all", conditions)],
  ["terms, any", search.rankCypher("terms", "any", "")],
  ["names by their beginning", search.rankCypher("beginsAt", "all", conditions)],
  ["number of names by their beginning", search.countRowsCypher("beginsAt")],
  ["names", search.namedCypher(conditions)],
  ["walk", search.walkCypher(conditions)],
  ["claims from", edges.claimsAtCypher("fromId")],
  ["claims to", edges.claimsAtCypher("toId")],
  ["references from", edges.referencesAtCypher("fromId")],
  ["references to", edges.referencesAtCypher("toId")],
  ...LEVELS.flatMap((level): [string, string][] => [
    [`add ${level} edges`, edges.addEdgesCypher(level)],
    [`save ${level} edges`, edges.saveEdgesCypher(level)],
    [`delete ${level} edges`, edges.deleteEdgesCypher(level)],
    [`follow ${level} edges`, impact.followCypher(level)],
    [`${level} edges out of nodes`, lineageStore.edgesOutCypher(level)],
  ]),
  ...history.KEPT_LABELS.flatMap((label): [string, string][] => [
    [`replaced ${label}`, history.replacedCypher(label)],
    [`old ${label}`, history.oldCypher(label)],
  ]),
  ["keep edges", stated.keepCypher("EdgeClaim")],
  ["keep references", stated.keepCypher("Reference")],
  ...(["fromId", "toId"] as const).flatMap((end): [string, string][] => [
    [`spans of edges ${end}`, pastRows.presentEdgesCypher(end)],
    [`spans of references ${end}`, pastRows.presentReferencesCypher(end)],
    [`spans of kept links ${end}`, pastRows.keptLinksCypher(end)],
  ]),
  ...Object.entries(copyOut).flatMap(([name, page]): [string, string][] =>
    name.endsWith("_PAGE") ? [[`number of rows of ${name}`, copyOut.countCypher(String(page))]] : [],
  ),
  ["bound to itself", impact.boundCypher("itself")],
  ["bound to a part", impact.boundCypher("part")],
  ...DIRECTIONS.flatMap((direction): [string, string][] => [
    [`${direction} totals`, neighbours.totalsCypher(direction, false)],
    [`${direction} totals of some`, neighbours.totalsCypher(direction, true)],
    [`${direction} neighbours`, neighbours.neighboursCypher(direction, false)],
    [`${direction} neighbours of some`, neighbours.neighboursCypher(direction, true)],
  ]),
  ...DIRECTIONS.flatMap((direction) => LEVELS.map((level) => ({ direction, level }))).flatMap(
    ({ direction, level }): [string, string][] => [
      [`${direction} ${level} nodes`, walk.nodesCypher(direction, level, 3)],
      [`${direction} ${level} total`, walk.totalCypher(direction, level, 3)],
      [`${direction} ${level} edges of the root`, walk.rootEdgesCypher(direction, level)],
      [`${direction} ${level} edges`, walk.edgesCypher(direction, level, 2)],
    ],
  ),
];

/** The clauses of a statement that look up nodes by a label, each with its WHERE. */
function labelledClauses(statement: string): string[] {
  return statement
    .split(/\n\s*(?:OPTIONAL )?(?=UNWIND|MATCH|MERGE|CREATE|CALL|WITH|SET|DELETE|DETACH|RETURN|\})/)
    .filter((clause) => /^(MATCH|MERGE|CREATE)\b.*\(\w+:[A-Z]/s.test(clause));
}

/** The argument of `collect`, which leaves nulls out. A missing property is null. */
const COLLECTED = /collect\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)/g;
/** A property of a stored node or edge. A property of `asked` always exists. */
const PROPERTY = /\b(?!asked\.)\w+\.\w+/;

describe("Every Cypher statement", () => {
  it("Every Cypher statement is listed in this test", () => {
    expect(written.map(([name]) => name).toSorted()).toEqual([
      "ADD",
      "ADD_CLAIMS",
      "ADD_EDGE_CLAIMS",
      "ADD_NEEDS",
      "ADD_REFERENCES",
      "ADD_STEP",
      "ADD_TERMS",
      "ANY_ASSET",
      "ASSETS_PAGE",
      "BEGAN",
      "BY_CHECK_ID",
      "BY_ID",
      "BY_PARENT",
      "BY_ROW",
      "CHANGED_COLUMNS",
      "CHANGED_NODES",
      "CHANGES",
      "CHECKED_ASSETS",
      "CHECKS_ON",
      "CHECKS_PAGE",
      "CLAIMED_USES",
      "CLAIMS",
      "COLUMNS_PAGE",
      "COUNT_SHARED_KEYS",
      "COUNT_STEPS",
      "COUNT_TERMS",
      "COUNT_WORDS",
      "COVERED",
      "DELETE_CHECKS",
      "DELETE_CLAIMS",
      "DELETE_EDGE_CLAIMS",
      "DELETE_REFERENCES",
      "DELETE_SOURCE",
      "DELETE_STALE_CHECKS",
      "DELETE_STALE_CLAIMS",
      "DELETE_UNUSED_TERMS",
      "DEPENDENCIES",
      "DEPENDENCIES_PAGE",
      "DROP_DEPENDENCIES",
      "DROP_LATER_STEPS",
      "DROP_NEEDS",
      "DROP_TERMS",
      "EARLIER_CLAIM",
      "EDGES_BEGAN",
      "EDGES_PAGE",
      "END",
      "ENDS",
      "FAILED_CHECKS",
      "FIND_FORMAT",
      "FIND_OWNER",
      "FIND_REMOVED",
      "FINGERPRINTS",
      "FIRST_OF_ALL",
      "FOLLOW_REFERENCES",
      "FORGET",
      "FORGET_CHANGES",
      "IMPACT_ROOT",
      "INCOMPLETE",
      "KEEP_DEPENDENCIES",
      "KEPT_AFTER",
      "KEPT_BEGAN",
      "KEPT_CHILDREN_AFTER",
      "KEPT_COLUMNS_AFTER",
      "KEPT_ENDED",
      "KEPT_IN_ORDER",
      "KEPT_LINKS_PAGE",
      "KEPT_NODES_AFTER",
      "KEPT_NODES_PAGE",
      "KEPT_SPANS",
      "KEPT_UNTIL",
      "KEYS_AFTER",
      "LAST_MOMENT",
      "LAST_UNTIL",
      "LINEAGE_OWNERS",
      "LINKS_BEGAN",
      "LINKS_ENDED",
      "LOSSES",
      "MAKE_SOURCES",
      "MAKE_TERMS",
      "MARK_CHANGED",
      "MARK_COMPLETE",
      "MARK_INCOMPLETE",
      "MARK_REMOVED",
      "MOMENTS",
      "MOMENTS_PAGE",
      "NEEDED_BY",
      "NEWEST_MOMENTS",
      "NEXT_IN_ORDER",
      "NODES",

      "NODES_BY_ID",
      "NOTE_CHANGE",
      "NOTE_LAST_MOMENT",
      "NOTE_RUNS",
      "NOTE_RUNS_OF_SCOPES",
      "OLD_MOMENTS",
      "OPEN_SOURCE",
      "OWNER_NAMES",
      "OWN_COLUMNS",
      "OWN_MOMENTS",
      "POSITION",
      "PRESENT",
      "PRESENT_COLUMNS",
      "PRESENT_SINCE",
      "PRESENT_STATES",
      "RECOUNT",
      "REFERENCES_PAGE",
      "REMEMBER",
      "REMOVE",
      "REMOVED",
      "REMOVED_CONNECTORS_PAGE",
      "REMOVED_PAGE",
      "RENAME_CLAIMS",
      "REPEAT_EDGE_CLAIMS",
      "REPEAT_REFERENCES",
      "REPLACED_MOMENTS",
      "RESULT_CHANGES_AT",
      "RESULT_CHANGES_BY_ID",
      "RESULT_CHANGES_PAGE",
      "RESULT_MOMENTS",
      "ROOT",
      "RUNS_PAGE",
      "SAVE",
      "SAVE_CHECKS",
      "SAVE_CLAIMS",
      "SAVE_KEPT",
      "SAVE_KEPT_LINKS",
      "SAVE_MOMENTS",
      "SAVE_RESULTS",
      "SAVE_RESULT_CHANGES",
      "SAVE_STEPS",
      "SCOPES",
      "SCOPES_PAGE",
      "SET_FORMAT",
      "SET_OWNER",
      "SHOW",
      "SHOWN_AT",
      "SOME_CHECKS",
      "SOME_CLAIMS",
      "SOME_EDGE_CLAIMS",
      "SOME_REFERENCES",
      "SOURCES",
      "SOURCES_OF",
      "STALE_CHECKS",
      "STALE_CLAIMS",
      "STALE_EDGE_CLAIMS",
      "STALE_REFERENCES",
      "STATED_ENDS",
      "STEPS",
      "SWITCHED_COLUMNS",
      "SWITCHED_COLUMN_EDGES",
      "SWITCHED_EDGES",
      "SWITCHED_REFERENCES",
      "TAKE_TURN",
      "TALLY",
      "TERMS_OF",
      "TRAILS_PAGE",
      "USES_BETWEEN",
      "WORDS",
    ]);
  });

  it("Every Cypher statement that writes or removes a node, an edge or a reference is noted in the log of lineage", () => {
    const changes =
      /\b(CREATE|MERGE) \((\w+:(Asset|Reference)\b|a\)-\[e?:FEEDS)|\bSET a \+?= |\bDETACH DELETE\b|\bDELETE e\b/;
    const changing = [...written, ...built].filter(([, statement]) => changes.test(statement));
    expect(changing.length).toBe(10);
    expect(changing.filter(([, statement]) => !lineageChanges.TOUCHED.has(statement))).toEqual([]);
    // What finds references that DELETE_REFERENCES removes is noted instead of it, because it knows only their ids.
    const others = [...written, ...built].filter(
      ([, statement]) => /:Reference\b/.test(statement) && !lineageChanges.TOUCHED.has(statement),
    );
    expect(others.map(([name]) => name).toSorted()).toEqual([
      "DELETE_REFERENCES",
      "FOLLOW_REFERENCES",
      "REFERENCES_PAGE",
      "REPEAT_REFERENCES",
      "keep references",
      "number of rows of REFERENCES_PAGE",
      "spans of references fromId",
      "spans of references toId",
    ]);
  });

  it.each([...written, ...built])(
    "The Cypher statement gives every property of a pattern a value: %s",
    (_name, statement) => {
      expect(statement).not.toMatch(/\{\w+[,}]/);
    },
  );

  it.each([...written, ...built])(
    "The Cypher statement names the workspace wherever it looks up a node: %s",
    (name, statement) => {
      const clauses = labelledClauses(statement);
      expect(clauses).not.toEqual([]);
      // A claim is saved by a key that includes its workspace. These rows have the workspace as a property.
      if (/^(SAVE_CLAIMS|ADD_NEEDS|ADD_STEP)$/.test(name)) return;
      // A record about the whole graph belongs to no workspace.
      if (/^((FIND|SET)_(FORMAT|OWNER)|ANY_ASSET)$/.test(name)) return;
      for (const clause of clauses) expect(clause).toContain("workspace");
    },
  );

  it.each([...written, ...built])("The Cypher statement uses only fast forms: %s", (_, statement) => {
    // A membership test in a list parameter is quadratic, and so is a walk that lists paths.
    expect(statement).not.toMatch(/\bIN \$(?!terms)/);
    expect(statement).not.toMatch(/\*(?!BFS 1\.\.\d)/);
    expect(statement).not.toMatch(/\bLIMIT (?!\$limit)/);
  });

  it.each([...written, ...built])(
    "The Cypher statement leaves no gap in lists that belong together: %s",
    (_, statement) => {
      const lists = [...(statement.split("RETURN ").at(-1) ?? "").matchAll(COLLECTED)].map(([, of = ""]) => of);
      if (lists.length < 2) return;
      expect(lists.filter((of) => PROPERTY.test(of) && !of.startsWith("coalesce("))).toEqual([]);
    },
  );

  it.each([...written, ...built])("The Cypher statement closes every bracket and CASE: %s", (_, statement) => {
    const count = (sign: string): number => statement.split(sign).length - 1;
    expect(count("(")).toBe(count(")"));
    expect(count("[")).toBe(count("]"));
    expect(count("{")).toBe(count("}"));
    expect(statement.match(/\bCASE\b/g)?.length ?? 0).toBe(statement.match(/\bEND\b/g)?.length ?? 0);
  });
});

describe("Statements of a walk", () => {
  it.each([1, 3, 10])("A walk's statement contains its %i hops as text", (depth) => {
    expect(walk.nodesCypher("downstream", "asset", depth)).toContain(`-[:FEEDS *BFS 1..${depth} (e, v |`);
    expect(walk.nodesCypher("upstream", "column", depth)).toContain(`<-[:FEEDS_COLUMN *BFS 1..${depth} (e, v |`);
  });

  it.each([0, 12, -1, 2.5, Number.NaN, Number.POSITIVE_INFINITY])("A walk's statement refuses %d hops", (depth) => {
    expect(() => walk.nodesCypher("downstream", "asset", depth)).toThrow(RangeError);
  });

  it("A walk's statement stays within the workspace at every hop", () => {
    for (const cypher of [walk.nodesCypher, walk.totalCypher, walk.edgesCypher]) {
      expect(cypher("upstream", "asset", 2)).toContain("(e, v | v.workspace = $workspace AND ");
    }
  });

  it("A walk's statement follows the requested direction", () => {
    expect(walk.rootEdgesCypher("downstream", "asset")).toContain("(s)-[f:FEEDS]->(t)");
    expect(walk.rootEdgesCypher("upstream", "asset")).toContain("(s)<-[f:FEEDS]-(t)");
  });
});

describe("Conditions of a filter", () => {
  it("An empty filter has no conditions", () => {
    expect(filterCypher({ types: "asset" })).toEqual({ conditions: "", parameters: {} });
  });

  it("A filter's conditions pass values only as parameters, and the owner folded", () => {
    const filter = filterCypher({ types: ["table"], tag: "it's", owner: "Ada@Example.com" });
    expect(filter.parameters).toEqual({ tag: "it's", owner: "ada@example.com" });
    expect(filter.conditions).toBe(
      " AND any(tag IN a.tags WHERE tag = $tag) AND (a.ownerFolded = $owner AND ($owner <> '' OR a.ownerName = ''))",
    );
  });
});
