/** Cypher for what a source states: each statement is one node of a label, with the ids of its source and its sync. */

import { type ColumnUse, EDGE_KINDS } from "../../catalog/edge.ts";
import * as read from "./values.ts";

/** Of an edge or a reference that a connector states. A reference has no kind. */
export const LINK = {
  from: read.nodeId,
  to: read.nodeId,
  connectorId: read.connectorId,
  kind: (value: unknown) => (value === "" ? null : read.oneOf(EDGE_KINDS, value)),
  uses: read.json<ColumnUse[]>,
  since: read.integer,
};

export const SINCE = { since: (of: string): string => `coalesce(${of}.since, 0)` };
/** Where the fields of links are stored under another name. */
export const LINK_STORED = {
  ...SINCE,
  from: (of: string): string => `${of}.fromId`,
  to: (of: string): string => `${of}.toId`,
};

type Label = "Claim" | "EdgeClaim" | "Reference" | "Check" | "Moment" | "KeptNode" | "KeptLink" | "ResultChange";

/** The statements of a source that this sync did not repeat. A clause that reads or deletes `s` follows. */
export function staleCypher(label: Label): string {
  return `
MATCH (s:${label} {sourceId: $sourceId})
WHERE s.workspace = $workspace AND s.syncId <> $syncId`;
}

/** @param columns what is returned of `s` */
export function someCypher(label: Label, columns: string): string {
  return `
MATCH (s:${label} {sourceId: $sourceId})
WHERE s.workspace = $workspace
WITH s LIMIT $limit
RETURN ${columns}`;
}

export function deleteCypher(label: Label): string {
  return `${byIdCypher(label)}
DELETE s`;
}

/**
 * Keeps edges or references in the history before they are changed or deleted. What this moment itself added is not kept.
 * Each has an id, because the same claim ends only once after it began.
 */
export function keepCypher(label: "EdgeClaim" | "Reference"): string {
  return `${byIdCypher(label)} AND coalesce(s.since, 0) < $moment
CREATE (k:KeptLink {id: s.id + '-' + toString(coalesce(s.since, 0)), workspace: $workspace, fromId: s.fromId,
  toId: s.toId, kind: coalesce(s.kind, ''), connectorId: s.connectorId, uses: coalesce(s.uses, '[]'),
  since: coalesce(s.since, 0), beganAt: coalesce(s.beganAt, ''), until: $moment, endsAt: $endsAt})`;
}

function byIdCypher(label: Label): string {
  return `
UNWIND $ids AS id
MATCH (s:${label} {id: id})
WHERE s.workspace = $workspace`;
}
