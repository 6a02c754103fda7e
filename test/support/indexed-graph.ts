/** The embedded engine, all of whose walks and impacts are answered by the lineage index. */

import type { Impact } from "../../src/catalog/impact.ts";
import type { CatalogGraph, GraphReader } from "../../src/graph/catalog-graph.ts";
import { createReads } from "../../src/graph/sqlite/graph-reads.ts";
import { openSqliteGraph } from "../../src/graph/sqlite/index.ts";
import { type PackedImpact, unpackImpact } from "../../src/graph/sqlite/packed-impact.ts";
import { unpackLineage } from "../../src/graph/packed-lineage.ts";
import { openGraphFile } from "../../src/graph/sqlite/schema.ts";
import { createStatements } from "../../src/graph/sqlite/statements.ts";

/** After this many answers the lineage is loaded as a whole. Until then the index follows the writes. */
const LOADED_EVERY = 40;

function unpacked(packed: PackedImpact): Impact {
  const steps = unpackImpact(packed);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

export async function openIndexedGraph(path: string): Promise<CatalogGraph> {
  const graph = await openSqliteGraph({ path, lineageMiB: 0 });
  const db = openGraphFile(path);
  const reads = createReads(createStatements(db));
  let shared = reads.loadLineage(Infinity);
  let answers = 0;
  const lineage = () => {
    answers += 1;
    if (answers % LOADED_EVERY === 0) shared = reads.loadLineage(Infinity);
    return shared;
  };
  const indexed = {
    async walk(...[workspace, query]: Parameters<GraphReader["walk"]>) {
      const { answer } = reads.walk(workspace, query, lineage());
      return answer && unpackLineage(answer);
    },
    async assessImpact(...[workspace, query]: Parameters<GraphReader["assessImpact"]>) {
      const { answer } = await reads.assessImpact(workspace, query, lineage());
      return answer && unpacked(answer);
    },
    async close() {
      db.close();
      await graph.close();
    },
  };
  return new Proxy(graph, {
    get(target, key) {
      if (key in indexed) return Reflect.get(indexed, key) as unknown;
      const member: unknown = Reflect.get(target, key);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}
