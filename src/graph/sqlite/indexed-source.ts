/** What the impact of a change reads, if the lineage is in memory: from the file only keys, evidence, checks and what is shown. */
import type { Handle, ImpactSource, Judged, SpreadNode } from "../../catalog/impact/source.ts";
import { compareCodePoints } from "../../catalog/text.ts";
import { GAP } from "../lineage-index/facts.ts";
import {
  assetSteps,
  columnsOf,
  columnSteps,
  isBound,
  referenceSteps,
  spreadNodeOf,
} from "../lineage-index/impact-links.ts";
import type { LineageIndex } from "../lineage-index/lineage-index.ts";
import { cover } from "./coverage.ts";
import { type Statements, text } from "./statements.ts";

/**
 * @param index caught up with the transaction, which has begun
 * @param file answers what the index does not know
 */
export function indexedSource(sql: Statements, index: LineageIndex, file: ImpactSource): ImpactSource {
  const keys = new Map<Handle, string>();
  const keyOf = (node: Handle): string =>
    keys.getOrInsertComputed(node, () =>
      text(sql.get("SELECT key FROM nodes WHERE seq = $node", { node }) ?? {}, "key"),
    );
  const standings = new Map<string, Judged>();
  const judgedOf = (standing: string): Judged =>
    standings.getOrInsertComputed(standing, () => {
      // The fields that `lineageRows` selects of what node-rows.ts writes.
      const [certification, owner, ownerName] = JSON.parse(standing) as [Judged["certification"], string, string];
      return { certification, owner, ownerName };
    });
  return {
    ...file,
    loadNodes: (nodes) => nodes.map((node) => new IndexedNode(spreadNodeOf(index, node), () => keyOf(node))),
    byKey(a, b) {
      const [one, two] = [index.rank(a), index.rank(b)];
      return one > 0 && two > 0 ? one - two : compareCodePoints(keyOf(a), keyOf(b));
    },
    judge: (nodes) => nodes.map((node) => judgedOf(index.standing(node))),
    listColumns: (datasets) => columnsOf(index, datasets),
    followColumns: (from) => columnSteps(index, from),
    followAssets: (from) => assetSteps(index, from),
    followReferences: (columns) => referenceSteps(index, columns),
    areBound: (pairs) => pairs.map((pair) => isBound(index, pair)),
    cover: (nodes) =>
      cover(
        sql,
        nodes.map((node) => ({
          seq: node,
          gap: Number((index.facts(node) & GAP) !== 0),
          sources: index.sources(node),
        })),
      ),
  };
}

/** A node whose key is read when it is asked for: hardly ever. */
class IndexedNode implements SpreadNode {
  readonly type: SpreadNode["type"];
  readonly parent: SpreadNode["parent"];
  readonly lineage: SpreadNode["lineage"];
  readonly #readKey: () => string;

  constructor({ type, parent, lineage }: Omit<SpreadNode, "key">, readKey: () => string) {
    this.type = type;
    this.parent = parent;
    this.lineage = lineage;
    this.#readKey = readKey;
  }

  get key(): string {
    return this.#readKey();
  }
}
