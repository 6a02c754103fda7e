/** Small lineages written as text, and the impact of changes on them as lines. */
import type { CatalogNode } from "../../src/catalog/asset.ts";
import { type NodeType, NODE_TYPES } from "../../src/catalog/node-types.ts";
import { type ColumnUse, TRANSFORMATIONS } from "../../src/catalog/edge.ts";
import { EVIDENCE_KINDS, type Impact, type ImpactQuery } from "../../src/catalog/impact.ts";
import type { Reference } from "../../src/catalog/reference.ts";
import type { NodeFacts } from "../../src/catalog/statement.ts";
import type { CatalogGraph } from "../../src/graph/catalog-graph.ts";
import type { EdgeWrite, NodeWrite } from "../../src/graph/catalog-writes.ts";
import type { NodeId, WorkspaceId } from "../../src/ids.ts";
import { columnOf, edgeOf, newWorkspace, nodeOf, stampOf } from "./graph-writes.ts";
import { present } from "./present.ts";
import { createReferenceGraph } from "./reference-graph.ts";

const DIRECT = new Set(["IDENTITY", "TRANSFORMATION", "AGGREGATION"]);

/**
 * One node or edge a line:
 *
 *     table raw(id, amount numeric)        a node; its columns, with types
 *     model stg(id known, amount) partial  its column lineage, and that of columns
 *     model odd unknown: no such function  why it is not known
 *     metric revenue known certified
 *     raw > stg                            an edge between assets
 *     job => raw                           one that materializes
 *     raw.amount > stg.amount              an edge between columns, without evidence
 *     raw.amount > stg.amount AGGREGATION sum(amount) | FILTER amount > 0
 *     raw.amount ~ stg                     an asset whose SQL names a column
 */
export interface DrawnLineage {
  workspace: WorkspaceId;
  graph: CatalogGraph;
  idOf: (name: string) => NodeId;
  nameOf: (id: NodeId) => string;
  assess: (root: string, change: ImpactQuery["change"], more?: Partial<ImpactQuery>) => Promise<Impact>;
  /** Each affected node as `name KIND: path`, in the order of the answer. */
  tell: (root: string, change: ImpactQuery["change"], more?: Partial<ImpactQuery>) => Promise<string[]>;
  /** The reason why a node is affected. */
  why: (name: string, root: string, change: ImpactQuery["change"], more?: Partial<ImpactQuery>) => Promise<string>;
}

/** @param facts further facts of nodes, by their names in the text */
export async function draw(
  lines: string,
  facts: Readonly<Record<string, Partial<NodeFacts>>> = {},
  graph: CatalogGraph = createReferenceGraph(),
): Promise<DrawnLineage> {
  const workspace = newWorkspace();
  const nodes = new Map<string, NodeWrite>();
  const edges: EdgeWrite[] = [];
  const references: Reference[] = [];
  const find = (name: string): NodeWrite => present(nodes.get(name));
  for (const line of lines.split("\n").map((each) => each.trim())) {
    const arrow = /^(\S+) (=?)> (\S+)(?: (.*))?$/.exec(line);
    const [, named, by] = /^(\S+) ~ (\S+)$/.exec(line) ?? [];
    if (named !== undefined && by !== undefined) references.push({ from: find(named).id, to: find(by).id });
    else if (arrow !== null) {
      const [, from = "", materializes = "", to = "", uses = ""] = arrow;
      edges.push(edgeOf(find(from), find(to), materializes === "" ? "derives" : "materializes", parseUses(uses)));
    } else if (line !== "") {
      for (const [name, node] of parseNode(workspace, line, facts)) nodes.set(name, node);
    }
  }
  const stamp = stampOf(workspace, "drawn", 1);
  await graph.writeNodes(stamp, "all", [...nodes.values()]);
  const refused: Reference[] = await graph.writeEdges(stamp, "all", edges);
  refused.push(...(await graph.writeReferences(stamp, "all", references)));
  if (refused.length > 0) throw new Error("an edge of the drawing cannot be");

  const names = new Map([...nodes].map(([name, { id }]) => [id, name]));
  const nameOf = (id: NodeId): string => present(names.get(id));
  const assess: DrawnLineage["assess"] = async (root, change, more) =>
    present(
      await graph.assessImpact(workspace, { root: find(root).id, change, newType: null, maxAffected: 1_000, ...more }),
    );
  return {
    workspace,
    graph,
    idOf: (name) => find(name).id,
    nameOf,
    assess,
    async tell(root, change, more) {
      const { affected } = await assess(root, change, more);
      return affected.map(({ id, path, evidence }) => {
        const kind = EVIDENCE_KINDS.findLast((each) => evidence.some((hop) => hop.kind === each));
        return `${nameOf(id)} ${kind}: ${path.map(nameOf).join(" ")}`;
      });
    },
    async why(name, root, change, more) {
      const { affected } = await assess(root, change, more);
      return present(affected.find(({ id }) => id === find(name).id)).reason;
    },
  };
}

function parseNode(
  workspace: WorkspaceId,
  line: string,
  facts: Readonly<Record<string, Partial<NodeFacts>>>,
): [string, NodeWrite][] {
  const [, noun = "", name = "", columns = "", words = ""] = /^(\w+) ([^\s(]+)(?:\(([^)]*)\))?(.*)$/.exec(line) ?? [];
  const type = present(
    NODE_TYPES.find((each): each is Exclude<NodeType, "column"> => each === noun && each !== "column"),
  );
  const node = nodeOf(workspace, type, `shop.${name}`, { name, ...parseFacts(words), ...facts[name] });
  const own = columns.split(",").filter((each) => each.trim() !== "");
  return [
    [name, node],
    ...own.map((column, ordinal): [string, NodeWrite] => {
      const [called = "", ...rest] = column.trim().split(" ");
      const full = `${name}.${called}`;
      return [full, columnOf(workspace, node, called, ordinal, { ...parseFacts(rest.join(" ")), ...facts[full] })];
    }),
  ];
}

function parseFacts(words: string): Partial<NodeFacts> {
  const [said = "", reason = ""] = words.split(/:\s*(.*)/s);
  const facts: Partial<NodeFacts> = {};
  for (const word of said.split(" ").filter((each) => each !== "")) {
    if (word === "certified") facts.certification = "certified";
    else if (word === "known" || word === "partial" || word === "unknown") {
      facts.columnLineage = { status: word, reason } satisfies CatalogNode["columnLineage"];
    } else facts.dataType = word;
  }
  return facts;
}

function parseUses(text: string): ColumnUse[] {
  return text
    .split(" | ")
    .filter((each) => each !== "")
    .map((each) => {
      const [word = "", ...expression] = each.split(" ");
      const transformation = present(TRANSFORMATIONS.find((known) => known === word));
      return {
        kind: DIRECT.has(word) ? "DIRECT" : "INDIRECT",
        transformation,
        expression: expression.join(" "),
      };
    });
}
