/** How the words of several connectors and of people become the one thing that is shown. */
import type { CatalogNode, Certification, Existence, NodeType } from "./asset.ts";
import type { EditableField, EditStamp } from "./edits.ts";
import { sortKey } from "./identity.ts";
import type { NodeFacts } from "./statement.ts";
import { compareCodePoints } from "./text.ts";

/**
 * The connector's id under which people state nodes and edges of their own. No crawl is theirs, and an edge of theirs
 * needs only that both its ends are seen.
 */
export const PEOPLE = "people";

/** What one connector says of a node in one scope. */
export interface ConnectorLayer {
  connectorId: string;
  connectorName: string;
  scope: string;
  /** Higher wins; of equal ones the connector that was created first. */
  precedence: number;
  /** The same for SQL and lineage, of which nothing is mixed. */
  lineagePrecedence: number;
  /** ISO 8601, UTC. */
  connectorCreatedAt: string;
  /** What the connector takes the node for. */
  type: NodeType;
  /** Whether the connector states the node, or only names it in what it states of others. */
  existence: Existence;
  facts: NodeFacts;
}

/** What people said; an absent key leaves the connectors' word. Survives crawls and the node's removal. */
export interface Curation {
  description?: string;
  tags?: string[];
  owner?: string;
  certification?: Certification;
  certifiedBy?: string | null;
  certifiedAt?: string | null;
  /** Who edited each field last, also where the edit gave it back to the connectors. */
  edits?: Partial<Record<EditableField, EditStamp>>;
  /** A metric's `pending` holds only as long as the connectors' word is this, as `vouchingOf` tells it. */
  pendingOver?: string;
}

/** What is fixed for a node's life. */
export interface NodeIdentity {
  id: string;
  workspace: string;
  platform: string;
  parentId: string | null;
}

/** A node as shown, but for the two times that its store keeps. */
export type ShownNode = Omit<CatalogNode, "createdAt" | "updatedAt"> & {
  /** Searched, never shown: see `search.ts`. */
  columnNames: string[];
};

/** A node as one connector alone states it, whoever else holds it. */
export interface StatedNode extends Omit<ShownNode, "columnNames"> {
  /** The source's own id of it; "" when unknown. */
  sourceId: string;
}

/** The older connector first; ties by id and scope, so that the order never depends on arrival. */
function byAge(a: ConnectorLayer, b: ConnectorLayer): number {
  return (
    compareCodePoints(a.connectorCreatedAt, b.connectorCreatedAt) ||
    compareCodePoints(a.connectorId, b.connectorId) ||
    compareCodePoints(a.scope, b.scope)
  );
}

/** Whoever only names a node comes last. */
function byPrecedence(a: ConnectorLayer, b: ConnectorLayer): number {
  return Number(isHeld(b)) - Number(isHeld(a)) || b.precedence - a.precedence || byAge(a, b);
}

function byLineagePrecedence(a: ConnectorLayer, b: ConnectorLayer): number {
  return b.lineagePrecedence - a.lineagePrecedence || byAge(a, b);
}

export function isHeld({ existence }: Pick<ConnectorLayer, "existence">): boolean {
  return existence === "held";
}

function tellsLineage({ facts: { sql, columnLineage } }: ConnectorLayer): boolean {
  return sql !== null || columnLineage !== null;
}

/**
 * The connector whose SQL and lineage of a node are shown, and nobody else's: the first that has any. Its lineage is also
 * that of the node's columns.
 * @returns its id; null where no connector has any
 */
export function lineageHolder(layers: readonly ConnectorLayer[]): string | null {
  return layers.filter(tellsLineage).toSorted(byLineagePrecedence)[0]?.connectorId ?? null;
}

/** A relation is a model while anybody states it as one, else a table. Naming it so does not make it one. */
function typeOf(ordered: readonly ConnectorLayer[], { type }: ConnectorLayer): NodeType {
  if (type !== "table" && type !== "model") return type;
  return ordered.some((layer) => layer.type === "model" && isHeld(layer)) ? "model" : "table";
}

/** Why lineage may be missing, from the lineage that is shown, else from what crawls left out. */
function gapOf(lineage: CatalogNode["columnLineage"], facts: readonly NodeFacts[]): string {
  if (lineage !== null && lineage.status !== "known") return lineage.reason || "its SQL could not be read in full";
  return facts.find(({ gap }) => gap !== "")?.gap ?? "";
}

/** The facts that say how far the node can be trusted. */
function certifierOf(layers: readonly ConnectorLayer[]): NodeFacts | undefined {
  return layers.toSorted(byPrecedence).find(({ facts }) => facts.certification !== null)?.facts;
}

/** The connectors' word on the certification as one text, which differs wherever they vouch anew; "" for none. */
export function vouchingOf(layers: readonly ConnectorLayer[]): string {
  const certifier = certifierOf(layers);
  if (certifier === undefined) return "";
  return JSON.stringify([certifier.certification, certifier.certifiedBy, certifier.certifiedAt]);
}

/** Whether the connectors certify the node anew, after it was found pending in spite of what they said. */
function isVouchedAnew({ pendingOver }: Curation, layers: readonly ConnectorLayer[]): boolean {
  if (pendingOver === undefined || certifierOf(layers)?.certification !== "certified") return false;
  return vouchingOf(layers) !== pendingOver;
}

/** A metric is certified or waits to be. */
function toShownCertification(type: NodeType, certification: Certification): Certification {
  return type === "metric" && certification !== "certified" ? "pending" : certification;
}

/** The order of keys says nothing, so that what is the same is also written the same: no engine takes it for a change. */
function inKeyOrder(entries: readonly [string, unknown][]): Record<string, unknown> {
  const ordered = entries.toSorted(([a], [b]) => compareCodePoints(a, b));
  return Object.fromEntries(ordered.map(([key, value]) => [key, withOrderedKeys(value)]));
}

function withOrderedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withOrderedKeys);
  return typeof value === "object" && value !== null ? inKeyOrder(Object.entries(value)) : value;
}

/**
 * Merges the layers of one node. A person's word comes first, then the first connector that knows;
 * tags are the union of all connectors' unless a person set them, and `meta` is joined key by key. SQL and lineage are one
 * connector's.
 * @param layers at least one
 * @param believed of a column: the lineage holder of the table or model that it belongs to; null where that has none
 */
export function showNode(
  identity: NodeIdentity,
  layers: readonly ConnectorLayer[],
  curation: Curation,
  believed: string | null = null,
): ShownNode {
  const ordered = layers.toSorted(byPrecedence);
  const facts = ordered.map((layer) => layer.facts);
  const [first] = ordered;
  if (first === undefined) throw new Error(`node ${identity.id} has no layer to show`);
  const firstKnown = <T>(pick: (f: NodeFacts) => T, unknown: T): T =>
    facts.map(pick).find((value) => value !== unknown) ?? unknown;
  const type = typeOf(ordered, first);
  const certifier = certifierOf(ordered);
  const ownership = facts.find((f) => f.owner !== "" || f.ownerName !== "");
  const curated = isVouchedAnew(curation, ordered) ? undefined : curation.certification;
  const held = ordered.filter(isHeld);
  const connectors = [...new Set(held.map((layer) => layer.connectorName))];
  const holder = type === "column" ? believed : lineageHolder(ordered);
  const teller = ordered
    .filter((layer) => tellsLineage(layer) && (holder === null || layer.connectorId === holder))
    .toSorted(byLineagePrecedence)[0];
  const columnLineage = teller?.facts.columnLineage ?? null;
  return {
    ...identity,
    type,
    existence: held.length > 0 ? "held" : "referenced",
    key: sortKey(first.facts.fqn, identity.id),
    name: first.facts.name,
    fqn: first.facts.fqn,
    ordinal: firstKnown((f) => f.ordinal, null),
    dataType: firstKnown((f) => f.dataType, ""),
    inferred: (held.length > 0 ? held : ordered).every((layer) => layer.facts.inferred),
    description: curation.description ?? firstKnown((f) => f.description, ""),
    tags: curation.tags ?? [...new Set(facts.flatMap((f) => f.tags))].toSorted(compareCodePoints),
    certification: toShownCertification(type, curated ?? certifier?.certification ?? "none"),
    certifiedBy: curated === undefined ? (certifier?.certifiedBy ?? null) : (curation.certifiedBy ?? null),
    certifiedAt: curated === undefined ? (certifier?.certifiedAt ?? null) : (curation.certifiedAt ?? null),
    owner: curation.owner ?? ownership?.owner ?? "",
    ownerName: curation.owner === undefined ? (ownership?.ownerName ?? "") : "",
    sourceConnector: connectors[0] ?? "",
    connectors,
    lineageConnector: teller?.connectorName ?? "",
    url: firstKnown((f) => f.url, null),
    sql: teller?.facts.sql ?? null,
    columnLineage,
    gap: gapOf(columnLineage, facts),
    materialization: firstKnown((f) => f.materialization, ""),
    meta: inKeyOrder(facts.toReversed().flatMap((f) => Object.entries(f.meta))),
    metric: firstKnown((f) => f.metric, null),
    columnNames: facts.find((f) => f.columnNames.length > 0)?.columnNames ?? [],
  };
}

/**
 * @param layers what one connector says of the node, one for each scope
 * @returns a list of one; an empty one where the connector does not state it
 */
export function showStatement(
  { id, workspace, platform, parentId }: NodeIdentity,
  layers: readonly ConnectorLayer[],
): StatedNode[] {
  const stated = layers.filter(isHeld);
  if (stated.length === 0) return [];
  const { columnNames: _, ...shown } = showNode({ id, workspace, platform, parentId }, stated, {});
  const named = stated.toSorted(byPrecedence).find(({ facts }) => facts.sourceId !== "");
  return [{ ...shown, sourceId: named?.facts.sourceId ?? "" }];
}
