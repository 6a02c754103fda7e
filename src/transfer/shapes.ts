/** What the lines of an export may contain. An import checks every line before it writes anything. */
import { z } from "zod";

import { CERTIFICATIONS, COLUMN_LINEAGE_STATUSES, EXISTENCES } from "../catalog/asset.ts";
import { NODE_TYPES } from "../catalog/node-types.ts";
import { CERTIFICATION_ACTIONS } from "../catalog/certification.ts";
import { CHECK_KINDS, CHECK_OUTCOMES } from "../catalog/check.ts";
import { EDGE_KINDS, TRANSFORMATIONS, USE_KINDS } from "../catalog/edge.ts";
import { METRIC_KINDS } from "../catalog/metric.ts";
import { COPY_PARTS, type CopyPart, type CopyRows } from "../graph/graph-copy.ts";
import { columnsOf, RECORD_PARTS, type RecordPart, type RecordRow } from "../metadata/copied-tables.ts";

/** The version of the format. A file of another version is refused. */
export const FORMAT = 2;

const text = z.string();
const texts = z.array(text);
const time = z.iso.datetime();
const count = z.int().min(0);
const stated = { connectorId: text, scope: text, syncId: text };
const certification = z.enum(CERTIFICATIONS);
const metricCertification = z.enum(["certified", "pending"]);
const json = z.record(text, z.unknown());

const definition = z.strictObject({
  displayName: text,
  kind: z.enum(METRIC_KINDS),
  expression: text,
  grain: text,
  dimensions: texts,
  filters: texts,
});

const facts = z.strictObject({
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
  dataType: text,
  inferred: z.boolean(),
  documentedType: text.optional(),
  columnsSeen: z.literal(true).optional(),
  ordinal: count.nullable(),
  columnNames: texts,
  url: text.nullable(),
  sql: text.nullable(),
  columnLineage: z
    .strictObject({
      status: z.enum(COLUMN_LINEAGE_STATUSES),
      reason: text,
      basis: text.optional(),
      reads: texts.optional(),
      rows: z.strictObject({ basis: text, from: texts }).optional(),
    })
    .nullable(),
  gap: text,
  alikeNames: texts,
  materialization: text,
  resourceTypes: texts,
  meta: json,
  metric: definition.nullable(),
});

const layer = z.strictObject({
  connectorName: text,
  precedence: z.number(),
  lineagePrecedence: z.number(),
  connectorCreatedAt: text,
  type: z.enum(NODE_TYPES),
  existence: z.enum(EXISTENCES),
  facts,
});

const edit = z.strictObject({ by: text, at: text });
const curation = z.strictObject({
  description: text.optional(),
  tags: texts.optional(),
  owner: text.optional(),
  certification: certification.optional(),
  certifiedBy: text.nullable().optional(),
  certifiedAt: text.nullable().optional(),
  edits: z.strictObject({ description: edit.optional(), tags: edit.optional(), owner: edit.optional() }).optional(),
  pendingOver: text.optional(),
});

const claim = z.strictObject({
  ...stated,
  firstSyncId: text.nullable(),
  since: text,
  changedBy: text.nullable(),
  layer,
});
const node = z.strictObject({
  id: text,
  platform: text,
  parentId: text.nullable(),
  createdAt: text,
  updatedAt: text,
  since: count.optional(),
  curation,
  claims: z.array(claim),
});

const use = z.strictObject({ kind: z.enum(USE_KINDS), transformation: z.enum(TRANSFORMATIONS), expression: text });
const check = z.strictObject({
  id: text,
  object: text,
  name: text,
  kind: z.enum(CHECK_KINDS),
  test: text,
  severity: z.enum(["warn", "error"]),
  assets: texts,
  columns: z.array(z.strictObject({ id: text, type: text })),
  result: z
    .strictObject({
      status: z.enum(CHECK_OUTCOMES),
      message: text,
      failures: z.number().nullable(),
      ranAt: text.nullable(),
      wasFailing: z.boolean().optional(),
    })
    .nullable(),
});
const step = z.strictObject({
  action: z.enum(CERTIFICATION_ACTIONS),
  from: metricCertification,
  to: metricCertification,
  actor: text,
  at: text,
  note: text,
  definitionHash: text,
});

const GRAPH_ROWS: Record<CopyPart, z.ZodType> = {
  runs: z.strictObject({ connectorId: text, run: count }),
  scopes: z.strictObject({ connectorId: text, scope: text, incomplete: z.boolean(), run: count }),
  removedNodes: node,
  assets: node,
  columns: node,
  edges: z.strictObject({
    from: text,
    to: text,
    kind: z.enum(EDGE_KINDS),
    ...stated,
    uses: z.array(use),
    since: count.optional(),
  }),
  references: z.strictObject({ from: text, to: text, ...stated, since: count.optional() }),
  checks: z.strictObject({ ...stated, precedence: z.number(), check }),
  certifications: z.strictObject({
    metric: text,
    steps: z.array(step),
    dependencies: z.strictObject({ fingerprint: text, text }).nullable(),
  }),
  moments: z.strictObject({
    number: count,
    at: time,
    connectorId: text,
    syncId: text,
    actor: text,
    isFirst: z.boolean().default(false),
  }),
  keptNodes: z.strictObject({
    id: text,
    parentId: text.nullable(),
    key: text,
    since: count,
    until: count,
    isWhole: z.boolean(),
    was: json,
  }),
  keptLinks: z.strictObject({
    from: text,
    to: text,
    kind: z.enum(EDGE_KINDS).nullable(),
    connectorId: text,
    uses: z.array(use),
    since: count,
    until: count,
  }),
  resultChanges: z.strictObject({
    moment: count,
    check: text,
    name: text,
    kind: z.enum(CHECK_KINDS),
    node: text,
    columns: texts,
    wasFailing: z.boolean().nullable(),
    status: z.enum(CHECK_OUTCOMES),
    message: text,
  }),
  removedConnectors: z.strictObject({ connectorId: text }),
};

const cell = z.union([text, z.number(), z.null()]);
const recordRow = (part: RecordPart): z.ZodType<RecordRow> =>
  z.strictObject(Object.fromEntries(columnsOf(part).map((column) => [column, cell])));
const RECORD_ROWS = new Map(RECORD_PARTS.map((part) => [part, z.array(recordRow(part))]));

const header = z.strictObject({
  tributary: z.literal("export"),
  format: z.number(),
  version: text,
  createdAt: time,
  workspace: z.strictObject({
    id: text,
    name: text,
    kind: z.enum(["live", "sandbox"]),
    createdAt: text,
    rateLimitPerMinute: count,
    allowlist: text,
    maxTokenLifetimeSeconds: count.nullable(),
    auditRetentionDays: count.nullable(),
    defaultRuleAt: text.nullable(),
    defaultBellAt: text.nullable(),
  }),
  left: z.strictObject({ passwords: texts, keys: texts, accounts: texts, options: texts, rules: texts }),
});
export type Header = z.output<typeof header>;

const end = z.strictObject({
  end: z.literal(true),
  rows: z.record(text, count),
  /** Of all lines before this one, with their line breaks. */
  sha256: text,
});
export type End = z.output<typeof end>;

const recordLine = z.strictObject({ part: z.enum(RECORD_PARTS), rows: z.array(z.unknown()) });
const graphLine = z.strictObject({ part: z.enum(COPY_PARTS), rows: z.array(z.unknown()) });

/** The rows of one part. */
export type RowsLine =
  | { part: RecordPart; rows: RecordRow[] }
  | { [P in CopyPart]: { part: P; rows: CopyRows[P][] } }[CopyPart];

export const headerLine = header;
export const endLine = end;

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
