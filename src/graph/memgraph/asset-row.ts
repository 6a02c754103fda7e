/** Reads the shown node from a row of an `:Asset`. */
import { type CatalogNode, CERTIFICATIONS, type ColumnLineage, EXISTENCES } from "../../catalog/asset.ts";
import { NODE_TYPES } from "../../catalog/node-types.ts";
import type { MetricDefinition } from "../../catalog/metric.ts";
import type { WorkspaceId } from "../../ids.ts";
import type { Row } from "./bolt.ts";
import { columns } from "./columns.ts";
import * as read from "./values.ts";

/** Everything that a node shows, without its workspace, which the caller knows. */
const NODE = columns({
  id: read.nodeId,
  type: read.word(NODE_TYPES),
  existence: read.word(EXISTENCES),
  key: read.text,
  name: read.text,
  fqn: read.text,
  platform: read.text,
  parentId: read.nodeIdOrNull,
  ordinal: read.integerOrNull,
  dataType: read.text,
  inferred: read.flag,
  description: read.text,
  tags: read.texts,
  certification: read.word(CERTIFICATIONS),
  certifiedBy: read.textOrNull,
  certifiedAt: read.textOrNull,
  owner: read.text,
  ownerName: read.text,
  sourceConnector: read.text,
  connectors: read.texts,
  lineageConnector: read.text,
  url: read.textOrNull,
  sql: read.textOrNull,
  // Only stored-asset.ts writes the texts that are parsed here, from a CatalogNode's own.
  columnLineage: read.jsonOrNull<ColumnLineage>,
  gap: read.text,
  materialization: read.text,
  resourceTypes: read.texts,
  meta: read.json<CatalogNode["meta"]>,
  metric: read.jsonOrNull<MetricDefinition>,
  usage: read.usageOrNull,
  createdAt: read.text,
  updatedAt: read.text,
} satisfies { [Name in Exclude<keyof CatalogNode, "workspace">]: (value: unknown) => CatalogNode[Name] });

/** The columns of a node for RETURN. */
export const nodeColumns = NODE.of;

/** Reads a node from a row that ends in `nodeColumns`. */
export function toNode(workspace: WorkspaceId, row: Row): CatalogNode {
  return { workspace, ...NODE.read(row) };
}
