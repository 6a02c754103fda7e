/** Each form of a what-if shows what it could not know. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type RunningApp, startApp } from "../support/app.ts";
import { runCommandHere } from "../support/command-line.ts";
import { edgeOf, nodeOf, stampOf } from "../support/graph-writes.ts";
import { createGraphqlClient } from "../support/graphql-client.ts";
import { present } from "../support/present.ts";

const REASON = "its SQL could not be parsed";

let running: RunningApp;
const ids = { raw: "", known: "", torn: "", named: "" };
beforeAll(async () => {
  running = await startApp();
  const { id: workspace } = present(await running.app.metadata.workspaces.findByName("default"));
  const [raw, known] = [nodeOf(workspace, "table", "shop.raw"), nodeOf(workspace, "model", "shop.known")];
  const torn = nodeOf(workspace, "model", "shop.torn", { gap: REASON });
  const named = nodeOf(workspace, "table", "lake.named");
  const stamp = stampOf(workspace, "shop", 1);
  await running.app.graph.writeNodes(stamp, "all", [raw, known, torn, { ...named, existence: "referenced" }]);
  await running.app.graph.writeEdges(stamp, "all", [
    edgeOf(raw, known, "derives"),
    edgeOf(raw, torn, "derives"),
    edgeOf(named, known, "derives"),
  ]);
  Object.assign(ids, { raw: raw.id, known: known.id, torn: torn.id, named: named.id });
});
afterAll(() => running.close());

function impactOf(name: string, format: string) {
  const env = { DATA_DIR: running.app.settings.dataDir, PORT: "0" };
  return runCommandHere(["impact", name, "--change", "deprecate", "--format", format], env);
}

describe("gaps of a what-if", () => {
  it("The gaps of a what-if are in its JSON and in GraphQL", async () => {
    const json = JSON.parse((await impactOf("shop.raw", "json")).stdout);
    const gaps = [{ asset_id: ids.torn, reason: REASON }];
    expect(json.completeness).toEqual({ complete: false, as_of: null, gaps, gaps_total: 1 });
    const query = `query ($id: ID!) { changeSetImpact(changes: [{ id: $id, changeType: deprecate }]) {
      completeness { complete asOf gapsTotal gaps { assetId reason } } } }`;
    expect((await createGraphqlClient(running)(query, { id: ids.raw })).data).toEqual({
      changeSetImpact: {
        completeness: { complete: false, asOf: null, gapsTotal: 1, gaps: [{ assetId: ids.torn, reason: REASON }] },
      },
    });
  });

  it("The gaps of a what-if are in its tables and in its Markdown, by the names of the assets", async () => {
    const { stdout } = await impactOf("shop.raw", "table");
    expect(stdout).toContain(
      "Lineage of 1 asset or metric may be missing (one of its connectors never completed a sync).",
    );
    expect(stdout).toMatch(/^LINEAGE MAY BE MISSING +WHY\n *shop\.torn +its SQL could not be parsed$/m);
    const markdown = (await impactOf("shop.raw", "markdown")).stdout;
    expect(markdown).toContain("Lineage of 1 asset or metric may be missing");
    expect(markdown).toContain("| `shop.torn` | its SQL could not be parsed |");
  });

  it("A what-if shows no gaps if nothing is known to be missing", async () => {
    const { stdout } = await impactOf("shop.known", "table");
    expect(stdout).not.toContain("missing");
    expect((await impactOf("shop.known", "markdown")).stdout).not.toContain("missing");
  });
});

describe("an asset's existence", () => {
  it("An asset says whether a connector states it, or only names it", async () => {
    const query = "query ($id: ID!) { asset(id: $id) { existence } }";
    const ask = createGraphqlClient(running);
    expect((await ask(query, { id: ids.known })).data).toEqual({ asset: { existence: "held" } });
    expect((await ask(query, { id: ids.named })).data).toEqual({ asset: { existence: "referenced" } });
  });
});
