/** A pull request of a real dbt project that is built for another target, compared with the project after its sync. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type RunningApp, startApp } from "../support/app.ts";
import { present } from "../support/present.ts";

const FOLDER = join(import.meta.dirname, "../../../shared/data/dbt/fivetran_hubspot");

interface Manifest {
  nodes: Record<string, { schema: string; compiled_code?: string | null }>;
  sources: Record<string, { schema: string }>;
}

interface Report {
  summary: Record<string, number>;
  changes: { kind: string; fqn: string; new_name: string; confidence: number }[];
  affected: { fqn: string; state: string; risk: string }[];
  uncompared: { object: string; message: string }[];
}

/** The same project for the target of a pull request: each schema has another name, also in the SQL. */
function forTarget(prefix: string): Manifest {
  const manifest: Manifest = JSON.parse(readFileSync(join(FOLDER, "manifest.json"), "utf8"));
  const things = [...Object.values(manifest.nodes), ...Object.values(manifest.sources)];
  const schemas = new Set(things.map(({ schema }) => schema));
  for (const node of Object.values(manifest.nodes)) {
    for (const schema of schemas) {
      node.compiled_code = node.compiled_code?.replaceAll(`."${schema}".`, `."${prefix}${schema}".`) ?? null;
    }
  }
  for (const thing of things) thing.schema = `${prefix}${thing.schema}`;
  return manifest;
}

function rewrite({ nodes }: Manifest, id: string, from: string, to: string): void {
  const node = present(nodes[id]);
  if (node.compiled_code?.includes(from) !== true) throw new Error(`the SQL of ${id} does not hold ${from}`);
  node.compiled_code = node.compiled_code.replaceAll(from, to);
}

const STAGED = "model.hubspot.stg_hubspot__deal_pipeline";
const COLUMN = "postgres.public_hubspot.stg_hubspot__deal_pipeline.pipeline_label";

const stateIn = ({ affected }: Report) =>
  affected.find(({ fqn }) => fqn === "postgres.public_hubspot.int_hubspot__deals_enhanced.pipeline_label")?.state;

describe.skipIf(!existsSync(FOLDER))("hubspot, skipped without ../shared/data", () => {
  let running: RunningApp;
  beforeAll(async () => {
    running = await startApp({ env: { REQUEST_SECONDS: "600" } });
    const { metadata, queue, syncs } = running.app;
    const workspace = present(await metadata.workspaces.findByName("default"));
    const connector = await metadata.connectors.create({
      workspaceId: workspace.id,
      type: "dbt",
      name: "hubspot",
      options: { manifest: join(FOLDER, "manifest.json"), catalog: join(FOLDER, "catalog.json") },
      secretOptions: [],
    });
    const sync = await syncs.trigger({ workspaceId: workspace.id, connectorId: connector.id });
    await queue.wait(workspace.id, sync.id);
  });
  afterAll(() => running.close());

  async function assess(manifest: Manifest): Promise<Report> {
    const response = await fetch(`${running.url}/api/v1/lineage/impact/manifest`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${running.token}`,
        "content-type": "application/json",
        "content-encoding": "gzip",
      },
      body: new Uint8Array(gzipSync(JSON.stringify(manifest))),
    });
    expect(response.status).toBe(200);
    return (await response.json()) as Report;
  }

  it("A project that is built for another target has no change, and the report says once that the target differs", async () => {
    const report = await assess(forTarget("pr_7_"));
    expect(report).toMatchObject({ changes: [], affected: [] });
    const [note, ...others] = report.uncompared.filter(({ object }) => object === "");
    expect(note?.message).toMatch(/another target \(.*postgres\.public_hubspot is postgres\.pr_7_public_hubspot\)$/);
    expect(others.map(({ message }) => message)).toEqual([expect.stringMatching(/^the new types of \d+ columns/)]);
  });

  it("A project for another target has one renamed column, and the report names what breaks", async () => {
    const manifest = forTarget("pr_7_");
    rewrite(manifest, STAGED, "label as pipeline_label", "label as pipeline_title");
    const report = await assess(manifest);
    expect(report.changes).toMatchObject([{ kind: "column_renamed", fqn: COLUMN, new_name: "pipeline_title" }]);
    const broken = report.affected.filter(({ state }) => state === "affected").map(({ fqn }) => fqn);
    expect(broken).toContain("postgres.public_hubspot.int_hubspot__deals_enhanced.pipeline_label");

    const here = forTarget("");
    rewrite(here, STAGED, "label as pipeline_label", "label as pipeline_title");
    const same = await assess(here);
    expect(report.affected).toEqual(same.affected);
    expect(report.changes).toEqual(same.changes);
  });

  it("A project for another target follows users of the new name, and users of the table's present name", async () => {
    const manifest = forTarget("pr_7_");
    rewrite(manifest, STAGED, "label as pipeline_label", "label as pipeline_title");
    const reader = "model.hubspot.int_hubspot__deals_enhanced";
    const place = '"postgres"."pr_7_public_hubspot"."stg_hubspot__deal_pipeline"';
    rewrite(manifest, reader, place, place.replace("pr_7_", ""));
    const kept = await assess(manifest);
    rewrite(manifest, reader, "pipelines.pipeline_label", "pipelines.pipeline_title as pipeline_label");
    const followed = await assess(manifest);
    expect([stateIn(kept), stateIn(followed)]).toEqual(["affected", "adapted"]);
  });
});
