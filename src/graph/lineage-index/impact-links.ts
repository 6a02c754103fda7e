/** Follows a change along the index, as `ImpactSource` asks for it. */
import { EDGE_KINDS } from "../../catalog/edge.ts";
import type { AssetStep, ColumnStep, OwnColumn, Pair, SpreadNode, Step } from "../../catalog/impact/source.ts";
import { statusOf, typeOf } from "./facts.ts";
import type { LineageIndex } from "./lineage-index.ts";
import { followedBit, kindOf, toUse, useRank } from "./mark.ts";
import type { NodeNumber } from "./rows.ts";

const COLUMN_LEVEL = followedBit("column");
const ASSET_LEVEL = followedBit("asset");
const MATERIALIZES = EDGE_KINDS.indexOf("materializes");

/** The table or model of a column; null for other nodes, and if it is not in the catalog. */
function parentOf({ links }: LineageIndex, node: NodeNumber): NodeNumber | null {
  const { ends, start, end } = links.columns.in(node);
  return start < end ? (ends[start] ?? null) : null;
}

export function columnsOf(index: LineageIndex, datasets: readonly NodeNumber[]): OwnColumn[] {
  const columns: OwnColumn[] = [];
  for (const dataset of datasets) {
    for (const column of endsOf(index, "columns", dataset)) {
      columns.push({ dataset, column, lineage: statusOf(index.facts(column)) });
    }
  }
  return columns;
}

export function columnSteps(index: LineageIndex, from: readonly NodeNumber[]): ColumnStep[] {
  const steps: ColumnStep[] = [];
  for (const node of from) {
    eachPair(index, node, COLUMN_LEVEL, (to, marks) => {
      steps.push({ from: node, to, use: toUse(Math.max(...marks.map(useRank))) });
    });
  }
  return steps;
}

export function assetSteps(index: LineageIndex, from: readonly NodeNumber[]): AssetStep[] {
  const steps: AssetStep[] = [];
  for (const node of from) {
    eachPair(index, node, ASSET_LEVEL, (to, marks) => {
      steps.push({ from: node, to, materializes: marks.some((mark) => kindOf(mark) === MATERIALIZES) });
    });
  }
  return steps;
}

export function referenceSteps(index: LineageIndex, columns: readonly NodeNumber[]): Step[] {
  return columns.flatMap((from) => endsOf(index, "references", from).map((to) => ({ from, to })));
}

/** Whether any column of the first has an edge to the second, or to a column of it. */
export function isBound(index: LineageIndex, [from, to]: Pair): boolean {
  return [to, ...endsOf(index, "columns", to)].some((node) => {
    const { ends, marks, start, end } = index.links.edges.in(node);
    for (let i = start; i < end; i++) {
      const isOfColumns = ((marks[i] ?? 0) & COLUMN_LEVEL) !== 0;
      if (isOfColumns && parentOf(index, ends[i] ?? 0) === from) return true;
    }
    return false;
  });
}

/** What a change needs to know of a node. */
export function spreadNodeOf(index: LineageIndex, node: NodeNumber, key: () => string): SpreadNode {
  const facts = index.facts(node);
  const type = typeOf(facts);
  return { type, key, parent: parentOf(index, node), lineage: type === "column" ? null : statusOf(facts) };
}

function endsOf({ links }: LineageIndex, kind: "columns" | "references", node: NodeNumber): NodeNumber[] {
  const { ends, start, end } = links[kind].out(node);
  return Array.prototype.slice.call(ends, start, end) as NodeNumber[];
}

/** The marks of all edges at a level to each node, which follow each other. */
function eachPair(
  { links }: LineageIndex,
  node: NodeNumber,
  level: number,
  visit: (to: NodeNumber, marks: readonly number[]) => void,
): void {
  const { ends, marks, start, end } = links.edges.out(node);
  let together: number[] = [];
  for (let i = start; i < end; i++) {
    const mark = marks[i] ?? 0;
    if ((mark & level) !== 0) together.push(mark);
    const isLast = i + 1 === end || ends[i + 1] !== ends[i];
    if (!isLast || together.length === 0) continue;
    visit(ends[i] ?? 0, together);
    together = [];
  }
}
