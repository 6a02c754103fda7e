/** Random workspaces: a few possible nodes, and what connectors and people do with them. */
import { createHash } from "node:crypto";

import fc from "fast-check";

import { CERTIFICATIONS, COLUMN_LINEAGE_STATUSES } from "../../src/catalog/asset.ts";
import { CHECK_OUTCOMES, type CheckOutcome } from "../../src/catalog/check.ts";
import { NODE_TYPES, type NodeType } from "../../src/catalog/node-types.ts";
import {
  type ColumnUse,
  DIRECTIONS,
  EDGE_KINDS,
  type EdgeKind,
  TRANSFORMATIONS,
  USE_KINDS,
} from "../../src/catalog/edge.ts";
import {
  CERTIFICATION_ACTIONS,
  type CertificationStep,
  type CertificationDecision,
  type KeptDependencies,
} from "../../src/catalog/certification.ts";
import { METRIC_KINDS } from "../../src/catalog/metric.ts";
import { type NodeFacts, toFacts } from "../../src/catalog/statement.ts";
import { fold } from "../../src/catalog/text.ts";
import type { NodeFilter } from "../../src/graph/catalog-graph.ts";
import type { CurationChange, NodeWrite } from "../../src/graph/catalog-writes.ts";
import { type NodeId, toNodeId, type WorkspaceId } from "../../src/ids.ts";
import { timeOf } from "./graph-writes.ts";
import { description, name, query, word } from "./random-text.ts";

/** A possible node: its identity, which never changes. Only its type may be table or model, by connector. */
export interface RandomIdentity {
  type: NodeType;
  fqn: string;
  platform: string;
  /** The index of a column's parent. */
  parent: number;
}

const CONNECTORS = ["dbt", "warehouse", "boards", "people"] as const;
export const PRECEDENCE: Readonly<Record<(typeof CONNECTORS)[number], number>> = {
  dbt: 10,
  warehouse: 20,
  boards: 10,
  people: 30,
};
/** Another order than `PRECEDENCE`, and with two connectors that are equal in both. */
export const LINEAGE_PRECEDENCE: typeof PRECEDENCE = { dbt: 300, warehouse: 100, boards: 300, people: 30 };
const TAGS = ["pii", "core", "Core", "Finance team", "größe", "a.b", "it's", "100%"];
const OWNERS = ["ada@example.com", "Bob@Example.com"];

/** The facts of a node, independent of its identity. */
export type RandomFacts = Omit<NodeFacts, "fqn"> & { upperCase: boolean; isModel: boolean; isNamed: boolean };

/** `identity` and `facts` are indexes into the possible nodes and facts. */
interface Said {
  identity: number;
  facts: number;
}

export type Operation = { connector: (typeof CONNECTORS)[number]; scope: string; newSync: boolean } & (
  | { kind: "nodes"; nodes: Said[] }
  | { kind: "edges"; edges: { from: number; to: number; kind: EdgeKind; uses: ColumnUse[] }[] }
  | { kind: "references"; references: { from: number; to: number }[] }
  | { kind: "checks"; checks: { asset: number; object: string; status: CheckOutcome | null }[] }
  | { kind: "sweep" | "incomplete" }
  /** `node` and `named` are stated by hand, as new or known. An edge leads from each of the named to the node. */
  | { kind: "hand"; node: Said; named: Said[]; edge: EdgeKind; isNew: boolean }
  | { kind: "curate"; identity: number; by: string; change: CurationChange }
  /** Renames the connector, which cannot be `people`. */
  | { kind: "rename" }
  | { kind: "remove" }
  | { kind: "certify"; identity: number; late: boolean; change: RandomCertification }
);

/** A change of a metric's certification. The history decides whether what was seen is still true. */
interface RandomCertification {
  decision: CertificationDecision | null;
  step: CertificationStep | null;
  dependencies: KeptDependencies | null;
}

const identity: fc.Arbitrary<RandomIdentity> = fc.record({
  type: fc.constantFrom(...NODE_TYPES, "table", "column"),
  fqn: fc.array(name, { minLength: 1, maxLength: 2 }).map((parts) => parts.join(".")),
  platform: fc.constantFrom("postgres", "snowflake"),
  parent: fc.nat(3),
});

export const identities = (maxLength: number): fc.Arbitrary<RandomIdentity[]> =>
  fc.array(identity, { minLength: 2, maxLength }).map((world) => world.map((each) => withParent(each, world)));

/**
 * A column cannot be the parent of a column. Its parent is the first node from its choice on that is not a column, or
 * else one outside the world.
 */
function withParent(each: RandomIdentity, world: readonly RandomIdentity[]): RandomIdentity {
  const isParent = (candidate: number): boolean => world[candidate % world.length]?.type !== "column";
  const candidates = world.map((_, i) => each.parent + i);
  const found = candidates.find(isParent);
  return { ...each, parent: found === undefined ? world.length : found % world.length };
}

const maybe = <T>(value: fc.Arbitrary<T>, unknown: T): fc.Arbitrary<T> =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(unknown) }, { weight: 1, arbitrary: value });

const time = fc.nat(9).map(timeOf);
const tags = fc.uniqueArray(fc.constantFrom(...TAGS), { maxLength: 3 });

const metric = fc.record({
  displayName: name,
  kind: fc.constantFrom(...METRIC_KINDS),
  expression: fc.constantFrom("sum(total)", "a / b"),
  grain: fc.constantFrom("", "day"),
  dimensions: fc.array(word, { maxLength: 2 }),
  filters: fc.array(word, { maxLength: 1 }),
});

const used = maybe(fc.nat(2), null);
const usage = fc.record({ users: used, queries: used, views: used, until: time });

const facts: fc.Arbitrary<RandomFacts> = fc
  .record({
    upperCase: fc.boolean(),
    isModel: fc.boolean(),
    isNamed: fc.nat(3).map((chance) => chance === 0),
    gap: maybe(fc.constant("a column was left out"), ""),
    alikeNames: maybe(fc.array(word, { maxLength: 2 }), []),
    name,
    instance: maybe(fc.constant("eu"), ""),
    sourceId: maybe(fc.constantFrom("model.shop.a", "source.shop.b"), ""),
    description,
    tags,
    certification: maybe(fc.constantFrom(...CERTIFICATIONS), null),
    certifiedBy: maybe(fc.constantFrom(...OWNERS), null),
    certifiedAt: maybe(time, null),
    owner: maybe(fc.constantFrom(...OWNERS), ""),
    ownerName: maybe(name, ""),
    dataType: maybe(fc.constantFrom("numeric(12,2)", "text"), ""),
    inferred: fc.boolean(),
    ordinal: maybe(fc.nat(3), null),
    columnNames: maybe(fc.array(word, { maxLength: 3 }), []),
    url: maybe(fc.webUrl(), null),
    sql: maybe(description, null),
    columnLineage: maybe(fc.record({ status: fc.constantFrom(...COLUMN_LINEAGE_STATUSES), reason: description }), null),
    materialization: maybe(fc.constantFrom("view", "table"), ""),
    resourceTypes: maybe(fc.subarray(["seed", "source"]), []),
    meta: maybe(fc.dictionary(word, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2 }), {}),
    metric: maybe(metric, null),
    usage: maybe(usage, null),
  })
  .map(({ usage: told, ...known }) => (told === null ? known : Object.assign(known, { usage: told })));

const change: fc.Arbitrary<CurationChange> = fc.record(
  {
    description: fc.option(description),
    tags: fc.option(tags),
    owner: fc.option(fc.constantFrom(...OWNERS, "")),
    certification: fc.option(fc.constantFrom(...CERTIFICATIONS)),
    certifiedBy: fc.option(fc.constantFrom(...OWNERS)),
    certifiedAt: fc.option(time),
  },
  { requiredKeys: [] },
);

const certification: fc.Arbitrary<RandomCertification> = fc.record({
  decision: fc.oneof(
    fc.constant(null),
    fc.constant<CertificationDecision>({ says: "as the source does" }),
    fc.record({ says: fc.constant("certified" as const), by: fc.constantFrom(...OWNERS), at: time }),
    fc.record({
      says: fc.constant("pending" as const),
      until: fc.constantFrom("a person certifies it" as const, "its source certifies it again" as const),
    }),
  ),
  step: fc.option(
    fc.record({
      action: fc.constantFrom(...CERTIFICATION_ACTIONS),
      from: fc.constantFrom("certified" as const, "pending" as const),
      to: fc.constantFrom("certified" as const, "pending" as const),
      actor: fc.constantFrom(...OWNERS),
      at: time,
      note: description,
      definitionHash: word,
    }),
  ),
  dependencies: fc.option(fc.record({ fingerprint: word, text: description })),
});

const use: fc.Arbitrary<ColumnUse> = fc.record({
  kind: fc.constantFrom(...USE_KINDS),
  transformation: fc.constantFrom(...TRANSFORMATIONS),
  expression: fc.constantFrom("total", "sum(total)", 'a "quoted" name'),
});

/** Edges between this number of nodes. Many of them touch the first two, which makes hubs, cycles and self-loops. */
export function edges(count: number, maxLength: number) {
  const end = fc.oneof({ weight: 3, arbitrary: fc.nat(count - 1) }, { weight: 1, arbitrary: fc.nat(1) });
  const uses = maybe(fc.array(use, { maxLength: 3 }), []);
  const edge = fc.record({ from: end, to: end, kind: fc.constantFrom(...EDGE_KINDS), uses });
  return fc.array(edge, { maxLength, size: "max" });
}

/** A few sets of facts, so that the same is often stated again. */
export const sayings = fc.array(facts, { minLength: 1, maxLength: 4 });

/** Operations on this number of nodes, with this number of sets of facts. */
export function operations(count: number, sayingCount: number): fc.Arbitrary<Operation[]> {
  const by = {
    connector: fc.constantFrom("dbt" as const, "dbt" as const, ...CONNECTORS),
    scope: fc.constantFrom("one", "one", "two"),
    newSync: fc.boolean(),
  };
  const byConnector = { ...by, connector: fc.constantFrom("dbt" as const, "warehouse" as const, "boards" as const) };
  const node = fc.record({ identity: fc.nat(count - 1), facts: fc.nat(sayingCount - 1) });
  const nodes = fc.array(node, { maxLength: 2 * count });
  const operation = fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant("nodes" as const), ...by, nodes }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("edges" as const), ...by, edges: edges(count, 3 * count) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("references" as const),
        ...by,
        references: fc.array(fc.record({ from: fc.nat(count - 1), to: fc.nat(count - 1) }), { maxLength: 3 * count }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("checks" as const),
        ...by,
        checks: fc.array(
          fc.record({
            asset: fc.nat(count - 1),
            object: fc.constantFrom("unique", "not_null"),
            status: fc.constantFrom(...CHECK_OUTCOMES, "fail" as const, null),
          }),
          { maxLength: count },
        ),
      }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("sweep" as const), ...by }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant("hand" as const),
        connector: fc.constant("people" as const),
        scope: by.scope,
        newSync: fc.constant(true),
        node,
        named: fc.array(node, { maxLength: 3 }),
        edge: fc.constantFrom(...EDGE_KINDS),
        isNew: fc.boolean(),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("incomplete" as const), ...by }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("curate" as const),
        ...by,
        identity: fc.nat(count - 1),
        by: fc.constantFrom(...OWNERS),
        change,
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("rename" as const), ...byConnector }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("remove" as const), ...byConnector }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("certify" as const),
        ...by,
        identity: fc.nat(count - 1),
        late: fc.nat(3).map((chance) => chance === 0),
        change: certification,
      }),
    },
  );
  return fc.array(operation, { minLength: 2, maxLength: 16, size: "max" });
}

const filter: fc.Arbitrary<NodeFilter> = fc.record({
  types: fc.oneof(fc.constant("asset" as const), fc.subarray([...NODE_TYPES])),
  tag: maybe(fc.constantFrom<string | undefined>(...TAGS), undefined),
  certification: maybe(fc.constantFrom(...CERTIFICATIONS, undefined), undefined),
  owner: maybe(fc.constantFrom<string | undefined>(...OWNERS.map(fold)), undefined),
  connector: maybe(fc.constantFrom<string | undefined>(...CONNECTORS, "nobody"), undefined),
});

/** Filters that most nodes pass, so that searches find something. */
const looseFilter = fc.oneof({ weight: 2, arbitrary: fc.constant<NodeFilter>({ types: "asset" }) }, filter);

/** The questions that are asked in the end. Those about a node are asked about every node. */
export const questions = fc.record({
  lists: fc.array(fc.record({ filter, limit: fc.integer({ min: 1, max: 4 }) }), { minLength: 1, maxLength: 3 }),
  searches: fc.array(fc.record({ filter: looseFilter, query, limit: fc.integer({ min: 1, max: 4 }) }), {
    minLength: 3,
    maxLength: 8,
  }),
  direction: fc.constantFrom(...DIRECTIONS),
  depth: fc.integer({ min: 1, max: 10 }),
  maxNodes: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constant(10_000)),
  first: fc.nat(3),
  places: fc.array(
    fc.record({
      types: fc.constant("asset" as const),
      schema: fc.constantFrom(undefined, "", "a", "A", "b"),
      directly: fc.constantFrom(undefined, true as const),
      platform: fc.constantFrom(undefined, "postgres"),
      described: fc.constantFrom(undefined, true, false),
      responsible: fc.constantFrom(undefined, ...OWNERS),
    }),
    { minLength: 1, maxLength: 2 },
  ),
  fqns: fc.array(name, { maxLength: 2 }),
});
export type Questions = typeof questions extends fc.Arbitrary<infer T> ? T : never;

/**
 * The id of a node in a workspace. Ids have the same order in every workspace, so that a failure shrinks and repeats.
 */
export function idAt(workspace: WorkspaceId, index: number): NodeId {
  const prefix = createHash("sha256").update(workspace).digest("hex").slice(0, 24);
  return toNodeId(prefix + index.toString(16).padStart(8, "0"));
}

/** The node with this index. Its fqn may be shown in another case, never as another name. */
export function nodeAt(
  workspace: WorkspaceId,
  index: number,
  { type, fqn, platform, parent }: RandomIdentity,
  said: RandomFacts,
): NodeWrite {
  const { upperCase, isModel, isNamed, ordinal, ...rest } = said;
  const upper = fqn.toUpperCase();
  const isColumn = type === "column";
  const isRelation = type === "table" || type === "model";
  return {
    id: idAt(workspace, index),
    type: isRelation ? (isModel ? "model" : "table") : type,
    existence: isNamed ? "referenced" : "held",
    platform,
    parentId: isColumn ? idAt(workspace, parent) : null,
    facts: toFacts({
      ...rest,
      fqn: upperCase && fold(upper) === fold(fqn) ? upper : fqn,
      ordinal: isColumn ? ordinal : null,
    }),
  };
}
