/** The finder over the store finds what a plain evaluation over all nodes and edges in memory finds. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { CannotTell, createLookup } from "../../../src/agent/lookup.ts";
import { type Condition, planSchema, type Things } from "../../../src/agent/plan.ts";
import { createFinder } from "../../../src/agent/run/find.ts";
import type { NodeType } from "../../../src/catalog/node-types.ts";
import type { NodeFacts } from "../../../src/catalog/statement.ts";
import type { WorkspaceId } from "../../../src/ids.ts";
import { type AgentBench, openAgentBench } from "../../support/agent-bench.ts";
import { columnOf, edgeOf, newWorkspace, nodeOf, stampOf } from "../../support/graph-writes.ts";
import { findNaively, type SmallCatalog } from "../../support/naive-plan.ts";

let bench: AgentBench;

beforeAll(async () => {
  bench = await openAgentBench();
});
afterAll(() => bench.close());

const NODES = 9;
const SCHEMAS = ["raw", "marts", "finance"];
const TAGS = ["daily", "pii", "core"];
const OWNERS = ["ada@example.com", "bob@example.com", "Finance"];
const CERTIFIED = ["certified", "pending", "deprecated", "none"] as const;
const MATERIALIZATIONS = ["table", "view", "seed"];
const DATA_TYPES = ["bigint", "text", "timestamp"];
const TYPES = ["table", "model", "metric", "dashboard"] as const;
const COLUMN = "column";

interface DrawnNode extends Pick<NodeFacts, "tags" | "materialization" | "resourceTypes" | "description" | "url"> {
  type: (typeof TYPES)[number];
  schema: string;
  owner: string;
  certification: (typeof CERTIFIED)[number] | null;
  /** The data types of its columns. */
  columns: string[];
}

interface DrawnCatalog {
  nodes: DrawnNode[];
  /** Places of nodes: an edge goes from the lower to the higher. */
  edges: [number, number][];
}

const drawnNode: fc.Arbitrary<DrawnNode> = fc.record({
  type: fc.constantFrom(...TYPES),
  schema: fc.constantFrom(...SCHEMAS),
  tags: fc.uniqueArray(fc.constantFrom(...TAGS), { maxLength: 2 }),
  owner: fc.constantFrom("", ...OWNERS),
  certification: fc.constantFrom(null, ...CERTIFIED),
  materialization: fc.constantFrom("", ...MATERIALIZATIONS),
  resourceTypes: fc.subarray(["seed", "source"]),
  description: fc.constantFrom("", "What it is."),
  url: fc.constantFrom(null, "https://bi.example.com/1"),
  columns: fc.array(fc.constantFrom(...DATA_TYPES), { maxLength: 3 }),
});
const place = fc.nat(NODES - 1);
const drawnCatalog: fc.Arbitrary<DrawnCatalog> = fc.record({
  nodes: fc.array(drawnNode, { minLength: NODES, maxLength: NODES }),
  edges: fc.array(fc.tuple(place, place), { maxLength: 14 }),
});

/** A set whose ids are places, until it is known which catalog it is of. */
const some = <T>(values: readonly T[]) => fc.subarray([...values], { minLength: 1 });
const types = some<NodeType>([...TYPES, COLUMN]);
const amount = fc.nat(3);

const { things } = fc.letrec<{ things: Things; condition: Condition }>((tie) => ({
  things: fc.record(
    { types, ids: fc.uniqueArray(place.map(String), { minLength: 1, maxLength: 4 }), where: tie("condition") },
    { requiredKeys: ["types"] },
  ),
  condition: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.record({ is: fc.constant("certification" as const), any: some(CERTIFIED) }),
    fc.record({ is: fc.constant("owner" as const), any: some(OWNERS) }),
    fc.record({ is: fc.constant("tag" as const), any: some(TAGS) }),
    fc.record({ is: fc.constant("schema" as const), any: some([...SCHEMAS, "shop.raw"]) }),
    fc.record({ is: fc.constant("materialization" as const), any: some(MATERIALIZATIONS) }),
    fc.record({ is: fc.constant("data type" as const), any: some(["bigint", "time"]) }),
    fc.record({ is: fc.constant("kind" as const), any: some(["source", "seed", "model"] as const) }),
    fc.record({ is: fc.constant("connector" as const), any: some(["dbt", "other"]) }),
    fc.record({ is: fc.constant("name" as const), any: some(["n0", "n3", "c0"]) }),
    fc.record({ is: fc.constant("name part" as const), any: some(["1", "n"]), begins: fc.boolean() }),
    fc.record({
      is: fc.constant("has" as const),
      feature: fc.constantFrom(
        "owner",
        "description",
        "tags",
        "columns",
        "upstream",
        "downstream",
        "certification",
        "url",
      ),
    }),
    fc.record(
      {
        is: fc.constant("measure" as const),
        of: fc.constantFrom("columns", "tags", "upstream", "downstream", "all upstream", "all downstream"),
        least: amount,
        most: amount,
      },
      { requiredKeys: ["is", "of"] },
    ),
    fc.record({
      is: fc.constant("measure" as const),
      of: fc.constantFrom("upstream", "downstream", "all upstream", "all downstream"),
      among: tie("things"),
      least: amount,
    }),
    fc.record({
      is: fc.constant("along" as const),
      along: fc.record(
        { way: fc.constantFrom("upstream", "downstream"), of: tie("things"), depth: fc.integer({ min: 1, max: 3 }) },
        { requiredKeys: ["way", "of"] },
      ),
    }),
    fc.record({
      is: fc.constant("along" as const),
      along: fc.record({ way: fc.constantFrom("columns", "parents"), of: tie("things") }),
    }),
    fc.record({
      is: fc.constantFrom("all", "any"),
      of: fc.array(tie("condition"), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ is: fc.constant("not" as const), of: tie("condition") }),
  ) as fc.Arbitrary<Condition>,
}));

/** A metric is certified or pending, and is built nowhere. */
function asMetric(displayName: string, certification: DrawnNode["certification"]): Partial<NodeFacts> {
  return {
    certification: certification === "certified" ? certification : "pending",
    materialization: "",
    resourceTypes: [],
    metric: { displayName, kind: "simple", expression: "sum(x)", grain: "day", dimensions: [], filters: [] },
  };
}

async function write({ nodes: drawn, edges: pairs }: DrawnCatalog): Promise<SmallCatalog & { workspace: WorkspaceId }> {
  const workspace = newWorkspace();
  const nodes = drawn.map(({ type, schema, owner, columns: _columns, certification, ...facts }, at) =>
    nodeOf(workspace, type, `shop.${schema}.n${at}`, {
      ...facts,
      ...(owner.includes("@") ? { owner } : { ownerName: owner }),
      certification,
      ...(type === "metric" && asMetric(`N ${at}`, certification)),
    }),
  );
  const columns = drawn.flatMap(({ type, columns: own }, at) => {
    const holder = nodes[at];
    if (holder === undefined || (type !== "table" && type !== "model")) return [];
    return own.map((dataType, ordinal) => columnOf(workspace, holder, `c${ordinal}`, ordinal, { dataType }));
  });
  const unique = new Map(pairs.filter(([a, b]) => a !== b).map(([a, b]) => [`${Math.min(a, b)} ${Math.max(a, b)}`, 0]));
  const edges = [...unique.keys()].flatMap((key) => {
    const [from, to] = key.split(" ").map((at) => nodes[Number(at)]);
    return from === undefined || to === undefined ? [] : [edgeOf(from, to, "derives")];
  });
  const stamp = stampOf(workspace, "dbt", 1);
  await bench.graph.writeNodes(stamp, "all", [...nodes, ...columns]);
  await bench.graph.writeEdges(stamp, "all", edges);
  return { workspace, nodes: [...nodes, ...columns], edges, connector: "dbt" };
}

/** The same with the ids of the catalog's nodes in place of their places. */
function withIds(set: Things, { nodes }: SmallCatalog): Things {
  return JSON.parse(JSON.stringify(set), (key: string, value: unknown) =>
    key === "ids" && Array.isArray(value) ? value.map((at) => nodes[Number(at)]?.id) : value,
  ) as Things;
}

/** Which columns a dashboard uses is in no catalog: null, where that is what is asked for. */
function onlyIfUnknown(error: unknown): null {
  if (error instanceof CannotTell && error.message.startsWith("The catalog knows which columns")) return null;
  throw error;
}

describe("what the finder finds", () => {
  it("is what a plain evaluation over all nodes and edges finds, whatever the conditions", async () => {
    await fc.assert(
      fc.asyncProperty(drawnCatalog, fc.array(things, { minLength: 20, maxLength: 20 }), async (drawn, sets) => {
        const catalog = await write(drawn);
        for (const set of sets.map((each) => withIds(each, catalog))) {
          expect(planSchema.safeParse({ tell: "list", find: set }).success).toBe(true);
          const finder = createFinder(createLookup(bench.runToolFor(catalog.workspace)));
          const found = await finder.find(set).catch(onlyIfUnknown);
          if (found === null) continue;
          const { things: members, total, isExact } = found;
          const ids = members.map(({ id }) => id).toSorted();
          const wanted = findNaively(catalog, set).toSorted();
          // The set is compared too, so that a failure shows it.
          expect({ set, ids, total, isExact }).toEqual({ set, ids: wanted, total: wanted.length, isExact: true });
        }
      }),
      { numRuns: 15 },
    );
  });
});
