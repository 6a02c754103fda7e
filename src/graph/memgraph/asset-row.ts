/** Reads the shown node from a row of an `:Asset`. */
import { type CatalogNode, CERTIFICATIONS, type ColumnLineage, EXISTENCES } from "../../catalog/asset.ts";
import { NODE_TYPES } from "../../catalog/node-types.ts";
import type { MetricDefinition } from "../../catalog/metric.ts";
import { toNodeId, type WorkspaceId } from "../../ids.ts";
import type { Row } from "./bolt.ts";
import { integerOrNull, oneOf, nodeIdOrNull, text, textOrNull, texts, usageOrNull } from "./values.ts";

/** Everything that a node shows, without its workspace, which the caller knows. */
const COLUMNS = [
  "id",
  "type",
  "existence",
  "key",
  "name",
  "fqn",
  "platform",
  "parentId",
  "ordinal",
  "dataType",
  "inferred",
  "description",
  "tags",
  "certification",
  "certifiedBy",
  "certifiedAt",
  "owner",
  "ownerName",
  "sourceConnector",
  "connectors",
  "lineageConnector",
  "url",
  "sql",
  "columnLineage",
  "gap",
  "materialization",
  "resourceTypes",
  "meta",
  "metric",
  "usage",
  "createdAt",
  "updatedAt",
] as const satisfies readonly (keyof CatalogNode)[];
type Column = (typeof COLUMNS)[number];

const INDEXES = new Map<Column, number>(COLUMNS.map((column, index) => [column, index]));

/** The columns of a node for RETURN, in the order that `toNode` reads them. */
export function nodeColumns(variable: string): string {
  return COLUMNS.map((column) => `${variable}.${column} AS ${column}`).join(", ");
}

/** Reads a node from a row that ends in `nodeColumns`. */
export function toNode(workspace: WorkspaceId, row: Row): CatalogNode {
  const first = row.length - COLUMNS.length;
  const cell = (column: Column): unknown => row[first + (INDEXES.get(column) ?? 0)];
  // Only stored-asset.ts writes the texts that are parsed here, from a CatalogNode's own.
  const metric = textOrNull(cell("metric"));
  const columnLineage = textOrNull(cell("columnLineage"));
  return {
    id: toNodeId(text(cell("id"))),
    workspace,
    type: oneOf(NODE_TYPES, cell("type")),
    existence: oneOf(EXISTENCES, cell("existence")),
    key: text(cell("key")),
    name: text(cell("name")),
    fqn: text(cell("fqn")),
    platform: text(cell("platform")),
    parentId: nodeIdOrNull(cell("parentId")),
    ordinal: integerOrNull(cell("ordinal")),
    dataType: text(cell("dataType")),
    inferred: cell("inferred") === true,
    description: text(cell("description")),
    tags: texts(cell("tags")),
    certification: oneOf(CERTIFICATIONS, cell("certification")),
    certifiedBy: textOrNull(cell("certifiedBy")),
    certifiedAt: textOrNull(cell("certifiedAt")),
    owner: text(cell("owner")),
    ownerName: text(cell("ownerName")),
    sourceConnector: text(cell("sourceConnector")),
    connectors: texts(cell("connectors")),
    lineageConnector: text(cell("lineageConnector")),
    url: textOrNull(cell("url")),
    sql: textOrNull(cell("sql")),
    columnLineage: columnLineage === null ? null : (JSON.parse(columnLineage) as ColumnLineage),
    gap: text(cell("gap")),
    materialization: text(cell("materialization")),
    resourceTypes: texts(cell("resourceTypes")),
    meta: JSON.parse(text(cell("meta"))) as CatalogNode["meta"],
    metric: metric === null ? null : (JSON.parse(metric) as MetricDefinition),
    usage: usageOrNull(cell("usage")),
    createdAt: text(cell("createdAt")),
    updatedAt: text(cell("updatedAt")),
  };
}
