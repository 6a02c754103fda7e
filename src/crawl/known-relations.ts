/** The tables and models that a crawl knows, with the columns that SQL may name of them. */
import type { CatalogNode } from "../catalog/asset.ts";
import { columnRef, nodeId, type NodeRef } from "../catalog/identity.ts";
import { MAX_COLUMNS } from "../catalog/limits.ts";
import type { AssetStatement } from "../catalog/statement.ts";
import { compareCodePoints, fold } from "../catalog/text.ts";
import type { Relation } from "../sql-lineage/request.ts";
import { isName } from "./sound-facts.ts";

export interface KnownRelation {
  ref: NodeRef;
  /** Names of the columns that are listed: by the source, or by its SQL. */
  columns: readonly string[];
  /** The same, folded. */
  names: ReadonlySet<string>;
  completeness: Relation["completeness"];
  inlinedAs: string;
  /** Columns that SQL names and nobody lists: spellings by folded names. */
  inferred: Map<string, string>;
  /** Whether the graph has the listed columns already, so that edges may lead from them. */
  isWritten: boolean;
  /** Of a relation that only other connectors hold. */
  elsewhere?: Elsewhere;
}

interface Elsewhere {
  node: CatalogNode;
  /** Its listed columns, by folded names. */
  columns: ReadonlyMap<string, CatalogNode>;
  /** Folded names of those that SQL names. */
  named: Set<string>;
}

/** By their ids. */
export type Relations = Map<string, KnownRelation>;

/** As far as its statement alone goes. */
export function toKnownRelation({ ref, columns, columnsSeen = false, inlinedAs = "" }: AssetStatement): KnownRelation {
  const names = columns.map(({ name }) => name).filter(isName);
  // Copied: what is kept must not keep the source's chunks alive.
  const kept = structuredClone({ ref, columns: names, inlinedAs });
  return {
    ...kept,
    names: new Set(names.map(fold)),
    completeness: columnsSeen ? "seen" : "some",
    inferred: new Map(),
    isWritten: false,
  };
}

/** As the reader of SQL is told of it. */
export function toRelation({ ref, columns, completeness, inlinedAs }: KnownRelation): Relation {
  const [name = "", schema = "", database = ""] = ref.parts.toReversed();
  return { database, schema, name, columns, completeness, inlinedAs };
}

/** A column that SQL names, as the graph knows it. */
export interface NamedColumn {
  id: string;
  /** The graph has it only when all SQL of the scope was read. */
  late: boolean;
}

/**
 * Finds the column that SQL names of a relation. One that the relation does not list is added to it as inferred, unless
 * its list is known to be complete.
 * @returns null where the relation has no such column
 */
export function nameColumn(workspace: string, relation: KnownRelation, name: string): NamedColumn | null {
  const folded = fold(name);
  const isListed = relation.names.has(folded);
  if (!isListed && !infer(relation, name)) return null;
  relation.elsewhere?.named.add(folded);
  return { id: nodeId(workspace, columnRef(relation.ref, name)), late: !isListed || !relation.isWritten };
}

function infer({ names, inferred, completeness }: KnownRelation, name: string): boolean {
  const folded = fold(name);
  const known = inferred.get(folded);
  // Of several spellings always the same one, whichever statement is read first.
  if (known !== undefined && compareCodePoints(known, name) <= 0) return true;
  if (known === undefined && names.size + inferred.size >= MAX_COLUMNS) return false;
  if (completeness === "all" || !isName(name)) return false;
  inferred.set(folded, name);
  return true;
}

/** In an order that never depends on which SQL was read first. */
export function inferredColumns({ inferred }: KnownRelation): string[] {
  return [...inferred].toSorted(([a], [b]) => compareCodePoints(a, b)).map(([, name]) => name);
}
