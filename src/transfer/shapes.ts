/** What the lines of an export may contain. An import checks every line before it writes anything. */
import { z } from "zod";

import { CERTIFICATIONS, COLUMN_LINEAGE_STATUSES, type ColumnLineage, EXISTENCES } from "../catalog/asset.ts";
import { CERTIFICATION_ACTIONS, type CertificationStep, type KeptDependencies } from "../catalog/certification.ts";
import { type Check, CHECK_KINDS, CHECK_OUTCOMES, type CheckedColumn, type CheckResult } from "../catalog/check.ts";
import { type ColumnUse, EDGE_KINDS, TRANSFORMATIONS, USE_KINDS } from "../catalog/edge.ts";
import type { EditStamp } from "../catalog/edits.ts";
import type { Curation } from "../catalog/layers.ts";
import { METRIC_KINDS, type MetricDefinition } from "../catalog/metric.ts";
import { NODE_TYPES } from "../catalog/node-types.ts";
import type { NodeFacts } from "../catalog/statement.ts";
import type { AssetUsage } from "../catalog/usage.ts";
import { type CopiedClaim, type CopiedNode, COPY_PARTS, type CopyPart, type CopyRows } from "../graph/graph-copy.ts";
import type { NodeDifference } from "../graph/history/kept-node.ts";
import { toConnectorId, toNodeId, toWorkspaceId, toWorkspaceName } from "../ids.ts";
import { columnsOf, RECORD_PARTS, type RecordPart, type RecordRow } from "../metadata/copied-tables.ts";
import type { CopiedWorkspace, SecretsLeft } from "../metadata/copy.ts";
import { shapeOf } from "./shape-of.ts";

/** The version of the format: another number if an older version of Tributary could not read what is written. */
export const FORMAT = 3;
/** What this version reads. All that 3 has and 2 does not may be absent. A file of another version is refused. */
export const READ_FORMATS: readonly number[] = [2, FORMAT];

const text = z.string();
const texts = z.array(text);
const time = z.iso.datetime();
const count = z.int().min(0);
const nodeId = text.transform(toNodeId);
const connectorId = text.transform(toConnectorId);
const stated = { connectorId, scope: text, syncId: text };
const certification = z.enum(CERTIFICATIONS);
const metricCertification = z.enum(["certified", "pending"]);
const json = z.record(text, z.unknown());

const definition = shapeOf<MetricDefinition>()({
  displayName: text,
  kind: z.enum(METRIC_KINDS),
  expression: text,
  grain: text,
  dimensions: texts,
  filters: texts,
});

const columnLineage = shapeOf<ColumnLineage>()({
  status: z.enum(COLUMN_LINEAGE_STATUSES),
  reason: text,
  basis: text.optional(),
  reads: z.array(nodeId).optional(),
  rows: shapeOf<NonNullable<ColumnLineage["rows"]>>()({ basis: text, from: z.array(nodeId) }).optional(),
});

const usage = shapeOf<AssetUsage>()({
  users: count.nullable(),
  queries: count.nullable(),
  views: count.nullable(),
  until: text,
  latest: json.optional(),
});

const facts = shapeOf<NodeFacts>()({
  name: text,
  fqn: text,
  instance: text,
  sourceId: text,
  description: text,
  tags: texts,
  certification: certification.nullable(),
  certifiedBy: text.nullable(),
  certifiedAt: text.nullable(),
  owner: text,
  ownerName: text,
  ownedByRole: z.literal(true).optional(),
  dataType: text,
  inferred: z.boolean(),
  documentedType: text.optional(),
  columnsSeen: z.literal(true).optional(),
  ordinal: count.nullable(),
  columnNames: texts,
  url: text.nullable(),
  sql: text.nullable(),
  codeHash: text.optional(),
  columnLineage: columnLineage.nullable(),
  gap: text,
  alikeNames: texts,
  materialization: text,
  resourceTypes: texts,
  meta: json,
  metric: definition.nullable(),
  usage: usage.optional(),
  latest: json.optional(),
});

const layer = shapeOf<CopiedClaim["layer"]>()({
  connectorName: text,
  precedence: z.number(),
  lineagePrecedence: z.number(),
  connectorCreatedAt: text,
  type: z.enum(NODE_TYPES),
  existence: z.enum(EXISTENCES),
  facts,
});

const edit = shapeOf<EditStamp>()({ by: text, at: text });
const edits = shapeOf<NonNullable<Curation["edits"]>>()({
  description: edit.optional(),
  tags: edit.optional(),
  owner: edit.optional(),
});
const curation = shapeOf<Curation>()({
  description: text.optional(),
  tags: texts.optional(),
  owner: text.optional(),
  certification: certification.optional(),
  certifiedBy: text.nullable().optional(),
  certifiedAt: text.nullable().optional(),
  edits: edits.optional(),
  pendingOver: text.optional(),
});

const claim = shapeOf<CopiedClaim>()({
  ...stated,
  firstSyncId: text.nullable(),
  since: text,
  changedBy: text.nullable(),
  layer,
});
const node = shapeOf<CopiedNode>()({
  id: nodeId,
  platform: text,
  parentId: nodeId.nullable(),
  createdAt: text,
  updatedAt: text,
  since: count.optional(),
  curation,
  claims: z.array(claim),
});

const use = shapeOf<ColumnUse>()({
  kind: z.enum(USE_KINDS),
  transformation: z.enum(TRANSFORMATIONS),
  expression: text,
});
const result = shapeOf<CheckResult>()({
  status: z.enum(CHECK_OUTCOMES),
  message: text,
  failures: z.number().nullable(),
  ranAt: text.nullable(),
  wasFailing: z.boolean().optional(),
});
const check = shapeOf<Check>()({
  id: text,
  object: text,
  name: text,
  kind: z.enum(CHECK_KINDS),
  test: text,
  severity: z.enum(["warn", "error"]),
  assets: z.array(nodeId),
  columns: z.array(shapeOf<CheckedColumn>()({ id: nodeId, type: text })),
  result: result.nullable(),
});
const step = shapeOf<CertificationStep>()({
  action: z.enum(CERTIFICATION_ACTIONS),
  from: metricCertification,
  to: metricCertification,
  actor: text,
  at: text,
  note: text,
  definitionHash: text,
});
/** What a node showed before: some fields of a state, whose values are only shown. */
const difference = json as z.ZodType<unknown> as z.ZodType<NodeDifference>;

const GRAPH_ROWS: { [P in CopyPart]: z.ZodType<CopyRows[P]> } = {
  runs: shapeOf<CopyRows["runs"]>()({ connectorId, run: count }),
  scopes: shapeOf<CopyRows["scopes"]>()({ connectorId, scope: text, incomplete: z.boolean(), run: count }),
  removedNodes: node,
  assets: node,
  columns: node,
  edges: shapeOf<CopyRows["edges"]>()({
    from: nodeId,
    to: nodeId,
    kind: z.enum(EDGE_KINDS),
    ...stated,
    uses: z.array(use),
    since: count.optional(),
  }),
  references: shapeOf<CopyRows["references"]>()({ from: nodeId, to: nodeId, ...stated, since: count.optional() }),
  checks: shapeOf<CopyRows["checks"]>()({ ...stated, precedence: z.number(), check }),
  certifications: shapeOf<CopyRows["certifications"]>()({
    metric: nodeId,
    steps: z.array(step),
    dependencies: shapeOf<KeptDependencies>()({ fingerprint: text, text }).nullable(),
  }),
  moments: shapeOf<CopyRows["moments"]>()({
    number: count,
    at: time,
    connectorId,
    syncId: text,
    actor: text,
    isFirst: z.boolean().optional(),
  }),
  keptNodes: shapeOf<CopyRows["keptNodes"]>()({
    id: nodeId,
    parentId: nodeId.nullable(),
    key: text,
    since: count,
    until: count,
    isWhole: z.boolean(),
    was: difference,
  }),
  keptLinks: shapeOf<CopyRows["keptLinks"]>()({
    from: nodeId,
    to: nodeId,
    kind: z.enum(EDGE_KINDS).nullable(),
    connectorId,
    uses: z.array(use),
    since: count,
    until: count,
  }),
  resultChanges: shapeOf<CopyRows["resultChanges"]>()({
    moment: count,
    check: text,
    name: text,
    kind: z.enum(CHECK_KINDS),
    node: nodeId,
    columns: z.array(nodeId),
    wasFailing: z.boolean().nullable(),
    status: z.enum(CHECK_OUTCOMES),
    message: text,
  }),
  removedConnectors: shapeOf<CopyRows["removedConnectors"]>()({ connectorId }),
};

const cell = z.union([text, z.number(), z.null()]);
const recordRow = (part: RecordPart): z.ZodType<RecordRow> =>
  z.strictObject(Object.fromEntries(columnsOf(part).map((column) => [column, cell])));
const RECORD_ROWS = new Map(RECORD_PARTS.map((part) => [part, z.array(recordRow(part))]));

const workspace = shapeOf<CopiedWorkspace>()({
  id: text.transform(toWorkspaceId),
  name: text.transform(toWorkspaceName),
  kind: z.enum(["live", "sandbox"]),
  createdAt: text,
  rateLimitPerMinute: count,
  allowlist: text,
  maxTokenLifetimeSeconds: count.nullable(),
  auditRetentionDays: count.nullable(),
  defaultRuleAt: text.nullable(),
  defaultBellAt: text.nullable(),
});

export const headerLine = z.strictObject({
  tributary: z.literal("export"),
  format: z.number(),
  version: text,
  createdAt: time,
  workspace,
  left: shapeOf<SecretsLeft>()({
    passwords: texts,
    keys: texts,
    accounts: texts,
    options: texts,
    rules: texts,
    // Older exports do not have these.
    mails: texts.default([]),
    invitations: texts.default([]),
  }),
});
export type Header = z.output<typeof headerLine>;

export const endLine = z.strictObject({
  end: z.literal(true),
  rows: z.record(text, count),
  /** Of all lines before this one, with their line breaks. */
  sha256: text,
});
export type End = z.output<typeof endLine>;

const recordLine = z.strictObject({ part: z.enum(RECORD_PARTS), rows: z.array(z.unknown()) });
const graphLine = z.strictObject({ part: z.enum(COPY_PARTS), rows: z.array(z.unknown()) });

/** The rows of one part. */
export type RowsLine =
  | { part: RecordPart; rows: RecordRow[] }
  | { [P in CopyPart]: { part: P; rows: CopyRows[P][] } }[CopyPart];

/** @throws ZodError if it is no line with rows of a part */
export function parseRows(line: unknown): RowsLine {
  const records = recordLine.safeParse(line);
  if (records.success) {
    const { part, rows } = records.data;
    return { part, rows: RECORD_ROWS.get(part)?.parse(rows) ?? [] };
  }
  const { part, rows } = graphLine.parse(line);
  for (const row of rows) GRAPH_ROWS[part].parse(row);
  // Each row was checked. The objects stay as they came, because stores compare their JSON, in which the order counts.
  return { part, rows } as RowsLine;
}
