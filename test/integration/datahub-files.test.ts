/** What becomes of the outputs that DataHub's own tests recorded, compared with what a plain reader finds in them. */
import { describe, expect, test } from "vitest";

import { createDataHubFileConnector } from "../../src/connectors/datahub/connector.ts";
import type { CopyPage, CopyPart, CopyRows } from "../../src/graph/graph-copy.ts";
import { openCrawls } from "../support/crawls.ts";
import { expectOf, hasRecordings, readRecording, recordingPath, recordings } from "../support/datahub.ts";

const type = createDataHubFileConnector();

async function openCatalog() {
  const crawls = await openCrawls((name) => (name === type.type ? type : null));
  const { graph, workspace } = crawls;

  async function rowsOf<Part extends CopyPart>(part: Part): Promise<CopyRows[Part][]> {
    const rows: CopyRows[Part][] = [];
    let after: string | null = null;
    do {
      const page: CopyPage<Part> = await graph.copyOut(workspace.id, part, { after, limit: 1_000 });
      rows.push(...page.rows);
      after = page.next;
    } while (after !== null);
    return rows;
  }
  return { ...crawls, rowsOf };
}

function isHeld({ claims }: Pick<CopyRows["assets"], "claims">): boolean {
  return claims.some(({ layer }) => layer.existence === "held");
}

function urnOf({ meta }: { meta: Record<string, unknown> }): string {
  return String(Object(meta["datahub"]).urn).toLowerCase();
}

/** The dataset of a column, as the plain reader writes it. */
function tableOf(column: string): string {
  return column.slice(0, column.lastIndexOf(")/") + 1);
}

describe.skipIf(!hasRecordings)("recorded outputs of DataHub, skipped without ../shared/data", () => {
  test.for(recordings)("%s becomes the assets, columns and edges of which it speaks", async (name) => {
    const expected = expectOf(readRecording(name));
    const { add, rowsOf } = await openCatalog();
    const crawl = await add({ type: type.type, name: "datahub", options: { location: recordingPath(name) } });

    const outcome = await crawl();

    expect(outcome.status).toBe("completed");
    expect(outcome.errors.filter(({ severity, code }) => severity === "error" || code !== "not_kept")).toEqual([]);
    const assets = (await rowsOf("assets")).filter(isHeld);
    const columns = await rowsOf("columns");
    const listed = columns.filter((row) => isHeld(row) && row.claims.every(({ layer }) => !layer.facts.inferred));
    const among = (urns: ReadonlySet<string>) =>
      new Set(
        assets.flatMap(({ id, claims }) => (claims.some(({ layer }) => urns.has(urnOf(layer.facts))) ? [id] : [])),
      );
    // The SQL of a view may yield columns that DataHub does not list.
    const [withSql, untraced] = [among(expected.withSql), among(expected.untraced)];
    expect({
      assets: assets.length,
      columns: listed.filter(({ parentId }) => parentId !== null && !withSql.has(parentId)).length,
    }).toEqual({
      assets: expected.assets.size,
      columns: [...expected.columns].filter((column) => !expected.withSql.has(tableOf(column))).length,
    });
    expect(listed.length).toBeGreaterThanOrEqual(expected.columns.size);

    const edges = await rowsOf("edges");
    const parents = new Map(columns.map(({ id, parentId }) => [id, parentId]));
    // Of a view of which DataHub knows no lineage of columns, the SQL tells more than the file.
    const told = edges.filter(
      ({ to, uses }) =>
        !untraced.has(parents.get(to) ?? to) && (uses.length === 0 || uses.some(({ kind }) => kind === "DIRECT")),
    );
    const ofColumns = told.filter(({ from }) => parents.has(from));
    expect({ assets: told.length - ofColumns.length, columns: ofColumns.length }).toEqual({
      assets: [...expected.assetEdges].filter((edge) => !expected.untraced.has(edge.split(" -> ")[1] ?? "")).length,
      columns: expected.columnEdges.size,
    });

    const again = await crawl();
    expect({ updated: again.assetsUpdated, removed: again.assetsRemoved }).toEqual({ updated: 0, removed: 0 });
    const known = new Set(edges.map(({ from, to, kind, uses }) => JSON.stringify([from, to, kind, uses])));
    const after = (await rowsOf("edges")).map(({ from, to, kind, uses }) => JSON.stringify([from, to, kind, uses]));
    expect(new Set(after)).toEqual(known);
  });
});
