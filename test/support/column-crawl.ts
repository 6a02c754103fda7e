/** Crawls of scripted tables with SQL, and ways to look at the resulting columns. */
import { columnRef, nodeId } from "../../src/catalog/identity.ts";
import type { CrawlEvent } from "../../src/connectors/connector.ts";
import { openCrawlBench } from "./crawl-bench.ts";
import { table, tableRef } from "./scripted-connector.ts";

export async function openColumnCrawl(...[graph, read]: Parameters<typeof openCrawlBench>) {
  const bench = await openCrawlBench(graph, read);
  const { workspace } = bench;

  /** The direct sources of a column, each with its uses. */
  const sourcesOf = async (name: string, column: string): Promise<string[]> => {
    const id = nodeId(workspace.name, columnRef(tableRef(name), column));
    const query = { id, direction: "upstream", first: 100, after: null } as const;
    const [found] = await bench.graph.loadNeighbours(workspace.id, [query]);
    return (found?.items ?? []).flatMap(({ node, uses }) =>
      uses.map(({ kind, transformation, expression }) => `${node.name} ${kind} ${transformation} ${expression}`),
    );
  };

  /** The names of the relations that it derives from. */
  const parentsOf = async (name: string): Promise<string[]> => {
    const query = { id: bench.idOf(name), direction: "upstream", first: 100, after: null } as const;
    const [found] = await bench.graph.loadNeighbours(workspace.id, [query]);
    return (found?.items ?? []).map(({ node }) => node.name);
  };

  /** The columns in their order. Inferred ones are marked with `?`. */
  const columnsOf = async (name: string): Promise<string[]> => {
    const [columns = []] = await bench.graph.loadColumns(workspace.id, [bench.idOf(name)]);
    return columns.map((column) => (column.inferred ? `${column.name}?` : column.name));
  };

  const lineageOf = async (name: string, column?: string) => {
    const node = await bench.find(column === undefined ? bench.idOf(name) : bench.columnIdOf(name, column));
    return node?.columnLineage;
  };
  return { ...bench, sourcesOf, parentsOf, columnsOf, lineageOf };
}

/** A table with columns as the warehouse lists them. */
export function seen(...[name, facts, columns]: Parameters<typeof table>): CrawlEvent & { kind: "asset" } {
  const { asset } = table(name, facts, columns);
  return { kind: "asset", asset: { ...asset, columnsSeen: true } };
}
