/**
 * Finds the assets that fail when a column goes away or gets another name: those whose own SQL names the column or an unchanged
 * copy of it, whatever they use it for. Assets that read a failing one are not among them; they keep their own evidence.
 */
import { compareLabels, type Hop, hopTo, type Label } from "./label.ts";
import type { LoadedGraph } from "./loaded-graph.ts";
import { NodeMap } from "./node-map.ts";
import type { Handle, KeyOrder } from "./source.ts";
import type { Beginning } from "./spread.ts";

/** The path to each asset that fails. A known use is better than a bare reference; then the shortest path is the best. */
export async function findFailing({ root, labels }: Beginning, graph: LoadedGraph): Promise<NodeMap<Label>> {
  const { get, byKey } = graph;
  const broken = labels.filter(({ node, effect, whole }) => {
    return effect === "breaks" && (whole !== null || get(node).type === "column");
  });
  const copies = await followCopies(broken, graph);
  const failing = new NodeMap<Label>();
  const fail = (before: Label, node: Handle, hop: Hop): void => {
    if (node === root) return;
    const label = hopTo(node, before, hop);
    const known = failing.get(node);
    if (known === undefined || compareFailing(label, known, byKey) < 0) failing.set(node, label);
  };

  if (copies.size === 0) return failing;
  const references = await graph.referencesTo(copies.keys());
  const named = new NodeMap<Set<Handle>>();
  for (const { from, to } of references) {
    named.set(from, (named.get(from) ?? new Set()).add(to));
    const before = copies.get(from);
    if (before !== undefined) fail(before, to, { kind: "INDIRECT", level: "column", from, to, isReference: true });
  }
  const uses = await graph.usesOf(copies.keys());
  for (const before of copies.values()) {
    for (const { from, to, use } of uses.get(before.node) ?? []) {
      // What takes values of the column is at high risk already.
      if (use !== "INDIRECT") continue;
      const { type, parent } = get(to);
      const hop: Hop = { kind: "INDIRECT", level: "column", from, to };
      // A metric or dashboard has an edge from a column only if its own SQL or question names the column.
      if (type !== "column") fail(before, to, hop);
      else if (parent !== null && named.get(from)?.has(parent) === true) fail(before, parent, hop);
    }
  }
  return failing;
}

/** The columns that change and their unchanged copies in other assets, each by its shortest path. */
export async function followCopies(changed: readonly Label[], graph: LoadedGraph): Promise<NodeMap<Label>> {
  const { get, byKey } = graph;
  const copies = new NodeMap<Label>();
  for (let reached = changed; reached.length > 0;) {
    for (const label of reached) copies.set(label.node, label);
    const uses = await graph.usesOf(reached.map(({ node }) => node));
    const next = new NodeMap<Label>();
    for (const before of reached) {
      for (const { from, to, use } of uses.get(before.node) ?? []) {
        if (use !== "COPY" || get(to).type !== "column" || copies.has(to)) continue;
        const label = hopTo(to, before, { kind: "DIRECT", level: "column", from, to });
        const known = next.get(to);
        if (known === undefined || compareLabels(label, known, byKey) < 0) next.set(to, label);
      }
    }
    reached = next.values();
  }
  return copies;
}

function compareFailing(a: Label, b: Label, byKey: KeyOrder): number {
  return Number(isReference(a)) - Number(isReference(b)) || compareLabels(a, b, byKey);
}

function isReference({ last }: Label): boolean {
  return last?.hop.isReference === true;
}
