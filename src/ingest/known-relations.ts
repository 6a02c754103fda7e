/** The tables and models that a crawl knows, and their columns that SQL may name. */
import { columnRef, nodeId, type NodeRef } from "../catalog/identity.ts";
import { MAX_COLUMNS } from "../catalog/limits.ts";
import type { AssetStatement } from "../catalog/statement.ts";
import { compareCodePoints, fold } from "../catalog/text.ts";
import type { NamedNode } from "../graph/name-node.ts";
import type { NodeId, WorkspaceName } from "../ids.ts";
import type { LineageRequest, Relation } from "../sql-lineage/request.ts";
import { isName } from "./sanitize-facts.ts";

export interface KnownRelation {
  ref: NodeRef;
  /** Names of the columns that the source or its SQL lists. */
  columns: readonly string[];
  /** The same names, folded. */
  names: ReadonlySet<string>;
  completeness: Relation["completeness"];
  inlinedAs: string;
  /** Columns that SQL names but nobody lists: spellings by folded names. */
  inferred: Map<string, string>;
  /** Whether the graph already has the listed columns, so that edges may start there. */
  isWritten: boolean;
  /** Only for a relation that this connector names and does not state. */
  external?: ExternalRelation;
}

interface ExternalRelation {
  node: NamedNode;
  /** Its listed columns, by folded names. */
  columns: ReadonlyMap<string, NamedNode>;
  /** Folded names of the columns that SQL names. */
  named: Set<string>;
}

/** By their ids. */
export type Relations = Map<NodeId, KnownRelation>;

/** A relation with these columns, of which nothing else is known yet. */
export function newRelation(
  ref: NodeRef,
  columns: readonly string[],
  completeness: KnownRelation["completeness"],
): KnownRelation {
  const names = new Set(columns.map(fold));
  return { ref, columns, names, completeness, inlinedAs: "", inferred: new Map(), isWritten: false };
}

/** What the statement alone says about the relation. */
export function toKnownRelation(
  statement: Pick<AssetStatement, "ref" | "facts" | "columns" | "columnsSeen" | "inlinedAs">,
): KnownRelation {
  const { ref, facts, columns, columnsSeen = false } = statement;
  const inlinedAs = (facts.sql ?? null) === null ? "" : (statement.inlinedAs ?? "");
  const names = columns.map(({ name }) => name).filter(isName);
  // Copied, so that it does not keep the chunks of the source in memory.
  const kept = structuredClone({ ref, columns: names, inlinedAs });
  return { ...newRelation(kept.ref, kept.columns, columnsSeen ? "seen" : "some"), inlinedAs: kept.inlinedAs };
}

/** The relation as the reader of SQL needs it. */
export function toRelation({ ref, columns, completeness, inlinedAs }: KnownRelation): Relation {
  const [name = "", schema = "", database = ""] = ref.parts.toReversed();
  return { database, schema, name, columns, completeness, inlinedAs };
}

/** Asks for the lineage of SQL that may name these relations. */
export function toRequest(sql: string, dialect: string, relations: readonly KnownRelation[]): LineageRequest {
  return { sql, dialect, relations: relations.map(toRelation) };
}

/** A column that SQL names, as a node of the graph. */
export interface NamedColumn {
  id: NodeId;
  /** Whether the graph gets it only after all SQL of the scope has been read. */
  late: boolean;
}

/**
 * Finds the column of a relation that SQL names. If the relation does not list it, it is added as inferred, unless the
 * list is known to be complete.
 * @returns null if the relation has no such column
 */
export function nameColumn(workspace: WorkspaceName, relation: KnownRelation, name: string): NamedColumn | null {
  const folded = fold(name);
  const isListed = relation.names.has(folded);
  if (!isListed && !infer(relation, name)) return null;
  relation.external?.named.add(folded);
  return { id: nodeId(workspace, columnRef(relation.ref, name)), late: !isListed || !relation.isWritten };
}

function infer({ names, inferred, completeness }: KnownRelation, name: string): boolean {
  const folded = fold(name);
  const known = inferred.get(folded);
  // If there are several spellings, it takes the same one, whatever statement is read first.
  if (known !== undefined && compareCodePoints(known, name) <= 0) return true;
  if (known === undefined && names.size + inferred.size >= MAX_COLUMNS) return false;
  if (completeness === "all" || !isName(name)) return false;
  inferred.set(folded, name);
  return true;
}

/** The order does not depend on which SQL was read first. */
export function inferredColumns({ inferred }: KnownRelation): string[] {
  return [...inferred].toSorted(([a], [b]) => compareCodePoints(a, b)).map(([, name]) => name);
}
