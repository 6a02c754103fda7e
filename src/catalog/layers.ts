/** How the statements of several connectors and of people are merged into the one node that is shown. */
import { type ConnectorId, type NodeId, toConnectorId, type WorkspaceId } from "../ids.ts";
import type { CatalogNode, Certification, Existence } from "./asset.ts";
import type { NodeType } from "./node-types.ts";
import { ONLY_REFERENCED } from "./coverage.ts";
import type { EditableField, EditStamp } from "./edits.ts";
import { sortKey } from "./identity.ts";
import type { NodeFacts } from "./statement.ts";
import { compareCodePoints } from "./text.ts";
import { type AssetUsage, withLatest } from "./usage.ts";

/** The connector id under which people state nodes and edges of their own. No crawl uses it. */
export const PEOPLE = toConnectorId("people");

/** What one connector states about a node in one scope. */
export interface ConnectorLayer {
  connectorId: ConnectorId;
  connectorName: string;
  scope: string;
  /** The higher one wins. If two are equal, the connector that was created first wins. */
  precedence: number;
  /** The same for SQL and lineage. These come from one connector and are never mixed. */
  lineagePrecedence: number;
  /** ISO 8601, UTC. */
  connectorCreatedAt: string;
  /** The type that the connector gives the node. */
  type: NodeType;
  /** Whether the connector states the node, or only names it in statements about other nodes. */
  existence: Existence;
  facts: NodeFacts;
}

/**
 * What people said. A key that is absent leaves the field to the connectors. It survives crawls and the removal of the
 * node.
 */
export interface Curation {
  description?: string;
  tags?: string[];
  owner?: string;
  certification?: Certification;
  certifiedBy?: string | null;
  certifiedAt?: string | null;
  /** Who edited each field last, even if the edit returned the field to the connectors. */
  edits?: Partial<Record<EditableField, EditStamp>>;
  /** A metric's `pending` ends when its source certifies it and `sourceCertification` differs from this text. */
  pendingOver?: string;
}

/** The parts of a node that never change. */
export interface NodeIdentity {
  id: NodeId;
  workspace: WorkspaceId;
  platform: string;
  parentId: NodeId | null;
}

/** A node as it is shown, without the two times, which its store adds, and without its usage: see `showUsage`. */
export type ShownNode = Omit<CatalogNode, "createdAt" | "updatedAt" | "usage"> & {
  /** Searched but never shown: see `search.ts`. */
  columnNames: string[];
};

/** A node as one connector states it, without what other connectors and people say. */
export interface StatedNode extends Omit<ShownNode, "columnNames"> {
  /** The source's own id of it; "" if unknown. */
  sourceId: string;
  /** Of `sql`, as in `NodeFacts`. Null if it is not known. */
  codeHash: string | null;
  /** As in `NodeFacts`. Null if the documentation does not list it. */
  documentedType: string | null;
  columnsSeen: boolean;
}

/**
 * Puts the older connector first. Equal ones are ordered by id and scope, so the order does not depend on which was
 * written first.
 */
function byAge(a: ConnectorLayer, b: ConnectorLayer): number {
  return (
    compareCodePoints(a.connectorCreatedAt, b.connectorCreatedAt) ||
    compareCodePoints(a.connectorId, b.connectorId) ||
    compareCodePoints(a.scope, b.scope)
  );
}

/** Puts connectors that only name the node last. */
function byPrecedence(a: ConnectorLayer, b: ConnectorLayer): number {
  return Number(isHeld(b)) - Number(isHeld(a)) || b.precedence - a.precedence || byAge(a, b);
}

/** The least precedence for the lineage of what a connector states as a model: it has that from the tool that builds it. */
const OF_A_MODEL = 250;

function byLineagePrecedence(a: ConnectorLayer, b: ConnectorLayer): number {
  const of = ({ type, lineagePrecedence }: ConnectorLayer): number =>
    type === "model" ? Math.max(lineagePrecedence, OF_A_MODEL) : lineagePrecedence;
  return of(b) - of(a) || b.lineagePrecedence - a.lineagePrecedence || byAge(a, b);
}

export function isHeld({ existence }: Pick<ConnectorLayer, "existence">): boolean {
  return existence === "held";
}

function hasLineage({ facts: { sql, columnLineage } }: ConnectorLayer): boolean {
  return sql !== null || columnLineage !== null;
}

/** Whether its connector knows more of the lineage than that it is not known. */
function knowsLineage({ facts: { sql, columnLineage } }: ConnectorLayer): boolean {
  return sql !== null || (columnLineage !== null && columnLineage.status !== "unknown");
}

/**
 * The connector whose SQL and lineage of a node are shown: the first by `lineagePrecedence` that knows any, else the first
 * that says why it is not known. Its lineage is also used for the node's columns.
 * @returns the connector's id; null if no connector has SQL or lineage
 */
export function lineageOwner(layers: readonly ConnectorLayer[]): ConnectorId | null {
  const ordered = layers.filter(hasLineage).toSorted(byLineagePrecedence);
  return (ordered.find(knowsLineage) ?? ordered[0])?.connectorId ?? null;
}

/**
 * A relation is a model while any connector states it as one, else a table. A connector that only names it does not
 * count.
 */
function typeOf(ordered: readonly ConnectorLayer[], { type }: ConnectorLayer): NodeType {
  if (type !== "table" && type !== "model") return type;
  return ordered.some((layer) => layer.type === "model" && isHeld(layer)) ? "model" : "table";
}

/**
 * Why lineage may be missing: the reason in the lineage that is shown, else what a crawl left out, else that nobody
 * states the node.
 */
function gapOf(lineage: CatalogNode["columnLineage"], layers: readonly ConnectorLayer[]): string {
  if (lineage !== null && lineage.status !== "known") return lineage.reason || "its SQL could not be read in full";
  const left = layers.find(({ facts: { gap } }) => gap !== "");
  return left?.facts.gap ?? (layers.some(isHeld) ? "" : ONLY_REFERENCED);
}

/** The facts of the first connector that says anything about the certification. */
function certifierOf(layers: readonly ConnectorLayer[]): NodeFacts | undefined {
  return layers.toSorted(byPrecedence).find(({ facts }) => facts.certification !== null)?.facts;
}

/**
 * What the connectors say about the certification, as one text; "" for nothing. A new certification by the source
 * changes it.
 */
export function sourceCertification(layers: readonly ConnectorLayer[]): string {
  const certifier = certifierOf(layers);
  if (certifier === undefined) return "";
  return JSON.stringify([certifier.certification, certifier.certifiedBy, certifier.certifiedAt]);
}

/**
 * Whether the source has certified the node again after the node was set to pending against the source's certification.
 */
function isCertifiedAgain({ pendingOver }: Curation, layers: readonly ConnectorLayer[]): boolean {
  if (pendingOver === undefined || certifierOf(layers)?.certification !== "certified") return false;
  return sourceCertification(layers) !== pendingOver;
}

/** A metric is either certified or pending. */
function toShownCertification(type: NodeType, certification: Certification): Certification {
  return type === "metric" && certification !== "certified" ? "pending" : certification;
}

/**
 * Sorts keys, because their order means nothing: equal values are then written as equal text, and no engine sees a
 * change.
 */
function inKeyOrder(entries: readonly [string, unknown][]): Record<string, unknown> {
  const ordered = entries.toSorted(([a], [b]) => compareCodePoints(a, b));
  return Object.fromEntries(ordered.map(([key, value]) => [key, withOrderedKeys(value)]));
}

function withOrderedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withOrderedKeys);
  return typeof value === "object" && value !== null ? inKeyOrder(Object.entries(value)) : value;
}

/**
 * Merges the layers of one node. What a person said comes first, then the first connector that knows the value. Tags
 * are the union over all connectors, unless a person set them. `meta` is merged key by key. SQL and lineage come from
 * one connector. The owner and the materialization come from the first connector by `lineagePrecedence` that knows them. A
 * role of a database is the owner only if nobody states another one.
 * @param layers at least one
 * @param parentLineageOwner for a column: the lineage owner of its table or model; null if that has none
 */
export function showNode(
  identity: NodeIdentity,
  layers: readonly ConnectorLayer[],
  curation: Curation,
  parentLineageOwner: ConnectorId | null = null,
): ShownNode {
  const ordered = layers.toSorted(byPrecedence);
  const facts = ordered.map((layer) => layer.facts);
  const [first] = ordered;
  if (first === undefined) throw new Error(`node ${identity.id} has no layer to show`);
  const firstKnown = <T>(pick: (f: NodeFacts) => T, unknown: T): T =>
    facts.map(pick).find((value) => value !== unknown) ?? unknown;
  const type = typeOf(ordered, first);
  const certifier = certifierOf(ordered);
  // The tool that builds a table knows better who owns it and how it is built than the warehouse, which knows a role.
  const byBuilder = layers.toSorted(byLineagePrecedence).map((layer) => layer.facts);
  const owned = byBuilder.filter((f) => f.owner !== "" || f.ownerName !== "");
  const ownership = owned.find((f) => f.ownedByRole === undefined) ?? owned[0];
  const curated = isCertifiedAgain(curation, ordered) ? undefined : curation.certification;
  const held = ordered.filter(isHeld);
  const connectors = [...new Set(held.map((layer) => layer.connectorName))];
  const owner = type === "column" ? parentLineageOwner : lineageOwner(ordered);
  const lineageLayer = ordered
    .filter((layer) => hasLineage(layer) && (owner === null || layer.connectorId === owner))
    .toSorted(byLineagePrecedence)[0];
  const columnLineage = lineageLayer?.facts.columnLineage ?? null;
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
    lineageConnector: lineageLayer?.connectorName ?? "",
    url: firstKnown((f) => f.url, null),
    sql: lineageLayer?.facts.sql ?? null,
    columnLineage,
    gap: gapOf(columnLineage, ordered),
    materialization: byBuilder.find((f) => f.materialization !== "")?.materialization ?? "",
    resourceTypes: [...new Set(facts.flatMap((f) => f.resourceTypes))].toSorted(compareCodePoints),
    meta: inKeyOrder(facts.toReversed().flatMap((f) => Object.entries(f.meta))),
    metric: firstKnown((f) => f.metric, null),
    columnNames: facts.find((f) => f.columnNames.length > 0)?.columnNames ?? [],
  };
}

/** How much the node is used: what the first connector by `precedence` says that knows it. `latest` is merged as `meta` is. */
export function showUsage(layers: readonly ConnectorLayer[]): AssetUsage | null {
  const known = layers.filter(({ facts }) => facts.usage !== undefined || facts.latest !== undefined);
  if (known.length === 0) return null;
  const facts = known.toSorted(byPrecedence).map((layer) => layer.facts);
  const latest = inKeyOrder(facts.toReversed().flatMap((f) => Object.entries(f.latest ?? {})));
  return withLatest(facts.find(({ usage }) => usage !== undefined)?.usage, latest);
}

/**
 * The node as one connector states it.
 * @param layers what that connector states about the node, one layer for each scope
 * @returns a list of one; an empty list if the connector does not state the node
 */
export function showStatement(
  { id, workspace, platform, parentId }: NodeIdentity,
  layers: readonly ConnectorLayer[],
): StatedNode[] {
  const stated = layers.filter(isHeld);
  if (stated.length === 0) return [];
  const { columnNames: _, ...shown } = showNode({ id, workspace, platform, parentId }, stated, {});
  const named = stated.toSorted(byPrecedence).find(({ facts }) => facts.sourceId !== "");
  const [documented] = stated.flatMap(({ facts }) => facts.documentedType ?? []);
  return [
    {
      ...shown,
      sourceId: named?.facts.sourceId ?? "",
      codeHash:
        stated.find(({ facts }) => facts.codeHash !== undefined && facts.sql === shown.sql)?.facts.codeHash ?? null,
      documentedType: documented ?? null,
      columnsSeen: stated.some(({ facts }) => facts.columnsSeen === true),
    },
  ];
}

/** Names the connector whose statements are listed, and the types of nodes. */
export interface StatementQuery {
  connector: { id: ConnectorId; name: string };
  types: readonly NodeType[];
}
