/** What an answer about an asset's SQL says of its columns: their states, and the edges into them. */
import type { ColumnLineage } from "../catalog/asset.ts";
import { type ColumnUse, joinUses } from "../catalog/edge.ts";
import { columnRef, nodeId, type NodeRef } from "../catalog/identity.ts";
import { MAX_COLUMNS } from "../catalog/limits.ts";
import type { AssetStatement, ColumnStatement } from "../catalog/statement.ts";
import { fold } from "../catalog/text.ts";
import type { EdgeWrite } from "../graph/catalog-graph.ts";
import type { ColumnParent, LineageAnswer, OutputColumn } from "../sql-lineage/request.ts";
import { isName } from "./sound-facts.ts";

/** A table or model that the SQL may read. */
export interface KnownRelation {
  ref: NodeRef;
  /** Names of its columns; empty when they are not known. */
  columns: readonly string[];
}

export interface AssetLineage {
  /** The statement, with the columns of the answer where its connector knows of none. */
  statement: AssetStatement;
  own: ColumnLineage;
  /** By the columns' folded names. */
  columns: ReadonlyMap<string, ColumnLineage>;
  edges: EdgeWrite[];
}

/** The reason of a column that is documented, or in the warehouse, and not in the SQL. */
export const NOT_YIELDED = "the SQL yields no column of this name";

export const KNOWN: ColumnLineage = { status: "known", reason: "" };

/**
 * @param workspace the workspace's name, which ids are made of
 * @param parents the relations of the request, in its order
 */
export function toAssetLineage(
  workspace: string,
  stated: AssetStatement,
  parents: readonly KnownRelation[],
  answer: LineageAnswer,
): AssetLineage {
  if ("unresolved" in answer) {
    const unknown = { status: "unknown", reason: answer.unresolved } as const;
    const columns = new Map(stated.columns.map(({ name }) => [fold(name), unknown]));
    return { statement: stated, own: withBasis(unknown, answer), columns, edges: [] };
  }
  const outputs = new Map(answer.columns.toReversed().map((column) => [fold(column.name), column]));
  const added = stated.columns.length === 0 ? columnsOf(answer.columns, answer.incomplete) : [];
  if (typeof added === "string") {
    const own = withBasis({ status: "partial", reason: added }, answer);
    return { statement: stated, own, columns: new Map(), edges: [] };
  }
  const statement = added.length === 0 ? stated : { ...stated, columns: added };
  const readable = parents.map(toReadable);
  const columns = new Map<string, ColumnLineage>();
  const edges: EdgeWrite[] = [];
  for (const { name } of statement.columns) {
    const output = outputs.get(fold(name));
    const to = nodeId(workspace, columnRef(statement.ref, name));
    const { uses, missing } = usesOf(workspace, output?.parents ?? [], readable);
    for (const [from, own] of uses) edges.push({ from, to, kind: "derives", uses: joinUses(own) });
    columns.set(fold(name), stateOf(output, missing, answer.incomplete));
  }
  const own = withBasis(summarize(statement.columns, columns, answer.incomplete), answer);
  return { statement, own, columns, edges };
}

/** The state of an asset, with the name of its whole SQL. */
export function withBasis(own: ColumnLineage, { digest }: LineageAnswer): ColumnLineage {
  return digest === undefined ? own : { ...own, basis: digest };
}

/** The columns that a statement yields, or why they are not all known. */
function columnsOf(outputs: readonly OutputColumn[], incomplete: string | null): ColumnStatement[] | string {
  if (incomplete !== null) return incomplete;
  if (outputs.length > MAX_COLUMNS) {
    return `the columns are not stated, and the SQL yields ${outputs.length} of them, where ${MAX_COLUMNS} are kept`;
  }
  const names = new Set(outputs.map(({ name }) => fold(name)));
  if (names.size < outputs.length) return "the columns are not stated, and the SQL yields several of one name";
  if (!outputs.every(({ name }) => isName(name))) return "the columns are not stated, and the SQL leaves some unnamed";
  return outputs.map(({ name }) => ({ name, dataType: "", description: "", tags: [] }));
}

/** A relation as many of its columns are looked up. */
interface Readable {
  ref: NodeRef;
  /** Folded. */
  names: ReadonlySet<string>;
}

export function toReadable({ ref, columns }: KnownRelation): Readable {
  return { ref, names: new Set(columns.map(fold)) };
}

/** By the parent columns' ids, and why some parents may have no column to point to. */
export function usesOf(
  workspace: string,
  parents: readonly ColumnParent[],
  relations: readonly Readable[],
): { uses: Map<string, ColumnUse[]>; missing: string | null } {
  const uses = new Map<string, ColumnUse[]>();
  let missing: string | null = null;
  for (const { relation: place, column, kind, transformation, expression } of parents) {
    const relation = relations[place];
    if (relation === undefined || !relation.names.has(fold(column))) {
      missing ??= `the column ${[...(relation?.ref.parts.slice(-1) ?? []), column].join(".")} is not in the catalog`;
      continue;
    }
    const id = nodeId(workspace, columnRef(relation.ref, column));
    uses.set(id, [...(uses.get(id) ?? []), { kind, transformation, expression }]);
  }
  return { uses, missing };
}

function stateOf(output: OutputColumn | undefined, missing: string | null, incomplete: string | null): ColumnLineage {
  if (output === undefined) return { status: "unknown", reason: incomplete ?? NOT_YIELDED };
  const reason = output.unresolved ?? missing;
  if (reason === null) return output.basis === null ? KNOWN : { ...KNOWN, basis: output.basis };
  return { status: output.parents.length === 0 ? "unknown" : "partial", reason };
}

/** What holds for the asset: known when all its columns are. */
function summarize(
  stated: readonly ColumnStatement[],
  columns: ReadonlyMap<string, ColumnLineage>,
  incomplete: string | null,
): ColumnLineage {
  const states = stated.flatMap(({ name }) => {
    const state = columns.get(fold(name));
    return state === undefined || state.status === "known" ? [] : [{ name, ...state }];
  });
  const [first, ...others] = states;
  if (first === undefined) return incomplete === null ? KNOWN : { status: "partial", reason: incomplete };
  const more = others.length === 0 ? "" : ` (and ${others.length} more of ${stated.length} columns)`;
  const none = states.length === stated.length && states.every(({ status }) => status === "unknown");
  return { status: none ? "unknown" : "partial", reason: `${first.name}: ${first.reason}${more}` };
}
