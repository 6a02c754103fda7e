/** Turns an answer about an asset's SQL into the state of its columns and the edges into them. */
import type { ColumnLineage } from "../catalog/asset.ts";
import { type ColumnUse, joinUses } from "../catalog/edge.ts";
import { columnRef, nodeId } from "../catalog/identity.ts";
import type { AssetStatement } from "../catalog/statement.ts";
import { fold } from "../catalog/text.ts";
import type { EdgeWrite } from "../graph/catalog-writes.ts";
import type { NodeId, WorkspaceName } from "../ids.ts";
import type { ColumnParent, LineageAnswer, OutputColumn } from "../sql-lineage/request.ts";
import { type KnownRelation, type NamedColumn, nameColumn } from "./known-relations.ts";
import type { OutputColumns } from "./output-columns.ts";

/** A column at the upstream end of an edge, and how it is used. */
export interface ColumnUsage {
  from: NamedColumn;
  /** Each use once, in the order of `joinUses`. */
  uses: readonly ColumnUse[];
}

/** What the SQL of an asset says about the asset itself. */
export interface QueryLineage {
  own: ColumnLineage;
  edges: EdgeWrite[];
  /** Like `edges`, but from columns that are written only after all SQL of the scope has been read. */
  lateEdges: EdgeWrite[];
  /** The columns that its SQL names, for any use or for none. */
  named: NamedColumn[];
}

export interface AssetLineage extends QueryLineage {
  id: NodeId;
  /** The statement, with the columns that its SQL yields. */
  statement: AssetStatement;
  /** By the columns' folded names. */
  columns: ReadonlyMap<string, ColumnLineage>;
  /** Ids of the relations that its SQL may read. */
  sourceIds: NodeId[];
  /** Ids of the relations that its SQL names but that its connector does not list as sources. */
  found: NodeId[];
  /** Why its SQL may yield more columns; null if these are all. */
  incomplete: string | null;
  /** Names of columns that people documented but that do not exist. */
  leftOut: string[];
}

/**
 * The reason of a column that the warehouse had when it was read, and that the SQL does not yield. Older SQL may have
 * filled it, so what it comes from is not known.
 */
export const NOT_YIELDED = "the SQL yields no column of this name";

/** The reason of a column that a snapshot adds to those of its SQL. */
export const ADDED = "the SQL does not yield it: the tool that runs the SQL adds it";

export const KNOWN: ColumnLineage = { status: "known", reason: "" };

export interface ReadAsset {
  id: NodeId;
  statement: AssetStatement;
  outputColumns: OutputColumns;
  answer: LineageAnswer;
  /** The relations of the request, in its order, with the columns that are known by now. */
  sources: readonly KnownRelation[];
  sourceIds: NodeId[];
  found: NodeId[];
  /** Whether its SQL was read without what its tool does with it, because that could not be read. */
  isReadAlone: boolean;
}

/** @param workspace the workspace's name, which is part of ids */
export function toAssetLineage(
  workspace: WorkspaceName,
  { answer, sources, isReadAlone, ...asset }: ReadAsset,
): AssetLineage {
  const { id, statement, found, sourceIds } = asset;
  const { outputs, incomplete, leftOut } = asset.outputColumns;
  const find = createFinder(workspace, sources);
  const columns = new Map<string, ColumnLineage>();
  const lineage = { id, statement, columns, edges: [], lateEdges: [], sourceIds, found, incomplete, leftOut };
  const added = new Set(statement.columnsAdded?.map(fold));
  const ofAdded: ColumnLineage = { status: isReadAlone ? "unknown" : "known", reason: ADDED };
  const ofNotYielded: ColumnLineage = { status: "unknown", reason: incomplete ?? NOT_YIELDED };
  const all: AssetLineage = { ...lineage, own: KNOWN, named: [] };
  for (const { name } of statement.columns) {
    const key = fold(name);
    const output = outputs.get(key) ?? fieldOf(key, outputs, sources);
    const to = nodeId(workspace, columnRef(statement.ref, name));
    const { usages, missing } = usagesOf(output?.parents ?? [], find);
    for (const { from, uses } of usages) {
      // A column of an incremental model that keeps its own values is no information.
      if (from.id === to) continue;
      (from.late ? all.lateEdges : all.edges).push({ from: from.id, to, kind: "derives", uses });
    }
    const ofMissing = added.has(key) ? ofAdded : ofNotYielded;
    columns.set(key, output === undefined ? ofMissing : stateOf(output, missing));
  }
  const named = "unresolved" in answer ? [] : answer.named;
  const namedColumns = new Map<NodeId, NamedColumn>();
  for (const { relation, column } of named) {
    const from = find(relation, column);
    if (typeof from !== "string") namedColumns.set(from.id, from);
  }
  const whole = summarize(statement, columns, answer, incomplete);
  const ids = sources.map(({ ref }) => nodeId(workspace, ref));
  const own = { ...withBasis(weaken(whole, statement), answer), ...decidedBy(answer, { ids, find }) };
  for (const [key, state] of columns) columns.set(key, weaken(state, statement));
  return { ...all, named: [...namedColumns.values()], own };
}

/** Adds the hash of the whole SQL to an asset's state. */
export function withBasis(own: ColumnLineage, { digest }: { digest?: string | undefined }): ColumnLineage {
  return digest === undefined ? own : { ...own, basis: digest };
}

/**
 * The relations that the SQL reads, and what decides its rows.
 * @param ids of the relations of the request
 */
function decidedBy(
  answer: LineageAnswer,
  { ids, find }: { ids: readonly NodeId[]; find: FindColumn },
): Pick<ColumnLineage, "reads" | "rows"> {
  const reads = answer.reads?.flatMap((index) => ids[index] ?? []);
  const rows = "unresolved" in answer ? undefined : answer.rows;
  const from = rows?.from.map(({ relation, column }) => find(relation, column)) ?? [];
  const known = from.flatMap((column) => (typeof column === "string" ? [] : [column.id]));
  return {
    ...(reads && { reads }),
    ...(rows && known.length === from.length && { rows: { basis: rows.basis, from: known } }),
  };
}

/** Finds a column of one of a request's relations, or returns the reason why there is none. */
type FindColumn = (index: number, column: string) => NamedColumn | string;

/** Looks each column up once, because many statements use one column for everything that they yield. */
export function createFinder(workspace: WorkspaceName, relations: readonly KnownRelation[]): FindColumn {
  const found = new Map<string, NamedColumn | string>();
  return (index, column) =>
    found.getOrInsertComputed(`${index} ${column}`, () => {
      const relation = relations[index];
      const path = [...(relation?.ref.parts.slice(-1) ?? []), column].join(".");
      const named = relation === undefined ? null : nameColumn(workspace, relation, column);
      return named ?? `the column ${path} is not in the catalog`;
    });
}

/** The parents' columns, each once, and the reason if a parent's column is not known. */
export function usagesOf(
  parents: readonly ColumnParent[],
  find: FindColumn,
): { usages: Iterable<ColumnUsage>; missing: string | null } {
  const usages = new Map<string, ColumnUsage>();
  let missing: string | null = null;
  for (const parent of parents) {
    const from = find(parent.relation, parent.column);
    if (typeof from === "string") {
      missing ??= from;
      continue;
    }
    const before = usages.get(from.id)?.uses ?? [];
    const own = toUses(parent);
    usages.set(from.id, { from, uses: before.length === 0 ? own : joinUses([...before, ...own]) });
  }
  return { usages: usages.values(), missing };
}

const usesOfParents = new WeakMap<ColumnParent, readonly ColumnUse[]>();

/** Returns the same list each time, because many columns share a parent. */
function toUses(parent: ColumnParent): readonly ColumnUse[] {
  const { kind, transformation, expression } = parent;
  return usesOfParents.getOrInsertComputed(parent, () => [{ kind, transformation, expression }]);
}

/**
 * The origin of a nested column, such as `address.city`, if the SQL yields only the whole column. If the whole is an
 * unchanged copy of a column with the same field, the nested column comes from that field. If not, it comes from what
 * the whole comes from.
 */
function fieldOf(
  key: string,
  outputs: ReadonlyMap<string, OutputColumn>,
  sources: readonly KnownRelation[],
): OutputColumn | undefined {
  for (let dot = key.lastIndexOf("."); dot > 0; dot = key.lastIndexOf(".", dot - 1)) {
    const whole = outputs.get(key.slice(0, dot));
    if (whole === undefined) continue;
    const field = key.slice(dot);
    const parents = whole.parents.map((parent) => {
      const same = parent.column + field;
      const isCopied = parent.transformation === "IDENTITY" && sources[parent.relation]?.names.has(fold(same));
      return isCopied ? { ...parent, column: same } : parent;
    });
    return { ...whole, parents };
  }
  return undefined;
}

export function stateOf(output: OutputColumn, missing: string | null): ColumnLineage {
  const reason = output.unresolved ?? missing;
  if (reason === null) return output.basis === null ? KNOWN : { ...KNOWN, basis: output.basis };
  return { status: output.parents.length === 0 ? "unknown" : "partial", reason };
}

/** What is known of an asset or column whose asset may read more than its SQL names. */
function weaken(state: ColumnLineage, { readsMore }: AssetStatement): ColumnLineage {
  return readsMore === undefined || state.status !== "known" ? state : { status: "partial", reason: readsMore };
}

/** The state of the asset. It is known if all its columns and all uses are known. */
function summarize(
  { columns: stated }: AssetStatement,
  columns: ReadonlyMap<string, ColumnLineage>,
  answer: LineageAnswer,
  incomplete: string | null,
): ColumnLineage {
  if ("unresolved" in answer) return { status: "unknown", reason: answer.unresolved };
  const states = stated.flatMap(({ name }) => {
    const state = columns.get(fold(name));
    return state === undefined || state.status === "known" ? [] : [{ name, ...state }];
  });
  const [first, ...others] = states;
  if (first === undefined) {
    const gap = incomplete ?? answer.unresolvedUse;
    return gap === null ? KNOWN : { status: "partial", reason: gap };
  }
  const more = others.length === 0 ? "" : ` (and ${others.length} more of ${stated.length} columns)`;
  const none = states.length === stated.length && states.every(({ status }) => status === "unknown");
  return { status: none ? "unknown" : "partial", reason: `${first.name}: ${first.reason}${more}` };
}
