/** Turns an asset that a connector states into nodes of the graph: its own node and those of its columns. */
import type { ColumnLineage } from "../catalog/asset.ts";
import { columnRef, nodeId, type NodeRef, toFqn } from "../catalog/identity.ts";
import { type AssetStatement, type ColumnStatement, type NodeFacts, toFacts } from "../catalog/statement.ts";
import { fold, isStorableName } from "../catalog/text.ts";
import { type CrawlError, crawlError } from "../catalog/crawl.ts";
import type { NodeWrite } from "../graph/catalog-writes.ts";
import type { WorkspaceName } from "../ids.ts";
import type { AssetLineage } from "./column-lineage.ts";
import type { KnownRelation } from "./known-relations.ts";
import { isName, MAX_NAME_CHARACTERS } from "./sanitize-facts.ts";

/** A database, a schema and a table are three parts. */
const MAX_PARTS = 16;

export interface Expanded {
  nodes: NodeWrite[];
  errors?: CrawlError[];
  /** False if the asset or one of its columns was left out. */
  isWhole?: boolean;
}

/**
 * @param workspace the workspace's name, which is part of ids
 * @param lineage the state of the columns by their folded names; null if the asset has no SQL
 */
export function expandColumns(
  workspace: WorkspaceName,
  { ref, columns, columnsTraced, untraced }: AssetStatement,
  lineage: AssetLineage["columns"] | null,
): Expanded {
  const traced = columnsTraced && new Set(columnsTraced.map(fold));
  const errors: CrawlError[] = [];
  const nodes: NodeWrite[] = [];
  for (const [ordinal, column] of columns.entries()) {
    const fqn = toFqn(columnRef(ref, column.name));
    if (!isName(column.name)) {
      errors.push(badName("column", fqn));
      continue;
    }
    const columnLineage =
      lineage?.get(fold(column.name)) ??
      column.columnLineage ??
      (traced ? tracedColumn(traced, column.name, untraced) : null);
    nodes.push(columnNode(workspace, ref, { ...column, ordinal, columnLineage }));
  }
  return { nodes, errors, isWhole: nodes.length === columns.length };
}

interface Inferred {
  /** Names of columns that SQL names but nobody lists. They come after the listed columns. */
  names: readonly string[];
  /** The lineage of each column; null if the asset has no SQL. */
  lineageOf: (name: string) => ColumnLineage | null;
  /** What people documented about columns that the warehouse did not have when it was read. */
  documented: readonly ColumnStatement[];
}

export function expandInferred(
  workspace: WorkspaceName,
  { ref, columns, external }: Pick<KnownRelation, "ref" | "columns" | "external">,
  { names, lineageOf, documented }: Inferred,
): Expanded {
  const nodes = names.map((name, i) => {
    const written = documented.find((column) => fold(column.name) === fold(name));
    const facts = { ...written, name, inferred: true, ordinal: columns.length + i, columnLineage: lineageOf(name) };
    const node = columnNode(workspace, ref, facts);
    return external === undefined ? node : { ...node, existence: "referenced" as const };
  });
  return { nodes };
}

function columnNode(
  workspace: WorkspaceName,
  parent: NodeRef,
  facts: Partial<NodeFacts> & Pick<NodeFacts, "name">,
): NodeWrite {
  const own = columnRef(parent, facts.name);
  return {
    id: nodeId(workspace, own),
    type: "column",
    platform: parent.platform,
    parentId: nodeId(workspace, parent),
    facts: toFacts({ ...facts, fqn: toFqn(own), instance: parent.instance }),
  };
}

/** @param inferred names of columns that the statement does not list */
export function expandOwn(
  workspace: WorkspaceName,
  { ref, name, facts, columns, columnsTraced, untraced, columnsSeen }: AssetStatement,
  own: AssetLineage["own"] | null,
  inferred: readonly string[] = [],
): Expanded {
  const fqn = toFqn(ref);
  if (!isSound({ ref, name })) return { nodes: [], errors: [badName(ref.type, fqn)], isWhole: false };
  const columnNames = [...columns.map((column) => column.name).filter(isName), ...inferred];
  const columnLineage = own ?? (columnsTraced ? tracedAsset(columnsTraced, columns, untraced) : null);
  const seen = columnsSeen === true && { columnsSeen };
  const all = toFacts({ ...facts, name, fqn, instance: ref.instance, columnNames, columnLineage, ...seen });
  const id = nodeId(workspace, ref);
  return { nodes: [{ id, type: ref.type, platform: ref.platform, parentId: null, facts: all }] };
}

/** @param traced folded names of the columns with lineage from the source itself */
function tracedColumn(traced: ReadonlySet<string>, name: string, untraced: string | undefined): ColumnLineage {
  if (!traced.has(fold(name)))
    return { status: "unknown", reason: untraced ?? "its source does not say what it comes from" };
  return untraced === undefined ? { status: "known", reason: "" } : { status: "partial", reason: untraced };
}

function tracedAsset(
  names: readonly string[],
  columns: readonly ColumnStatement[],
  untraced: string | undefined,
): ColumnLineage {
  if (untraced !== undefined) return { status: names.length === 0 ? "unknown" : "partial", reason: untraced };
  const traced = new Set(names.map(fold));
  const known = columns.filter(({ name }) => traced.has(fold(name)));
  if (columns.length === 0) return { status: "partial", reason: "its source does not say which columns it has" };
  if (known.length === columns.length) return { status: "known", reason: "" };
  const reason = `its source gives the lineage of ${known.length} of its ${columns.length} columns`;
  return { status: known.length === 0 ? "unknown" : "partial", reason };
}

/** Whether the asset itself can be written, whatever its columns are. */
export function isSound({ ref, name }: Pick<AssetStatement, "ref" | "name">): boolean {
  return isSoundRef(ref) && isName(name);
}

export function isSoundRef({ platform, instance, parts, identifiedBy = parts }: NodeRef): boolean {
  const isPlaced = isName(platform) && isStorableName(instance) && instance.length <= MAX_NAME_CHARACTERS;
  return isPlaced && [parts, identifiedBy].every(areNames);
}

function areNames(parts: readonly string[]): boolean {
  return parts.length > 0 && parts.length <= MAX_PARTS && parts.every(isName);
}

function badName(noun: string, object: string): CrawlError {
  const message = `This ${noun} was left out: a name must be 1 to ${MAX_NAME_CHARACTERS} characters of valid Unicode, without control characters.`;
  return crawlError({ code: "invalid_name", message, object, stage: "write" });
}
