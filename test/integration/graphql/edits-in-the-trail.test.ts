import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { fromCommandLine } from "../../../src/auth/origin.ts";
import { getDefaultWorkspace, getFirstAdmin } from "../../../src/cli/start/workspace.ts";
import { toNodeId } from "../../../src/ids.ts";
import { editAsset } from "../../../src/ingest/edit-asset.ts";
import { type RunningApp, startApp } from "../../support/app.ts";
import { createGraphqlClient, type GraphqlClient } from "../../support/graphql-client.ts";
import { present } from "../../support/present.ts";
import { at } from "../../support/rest-client.ts";

const UPDATE = `mutation ($input: UpdateAssetsInput!) {
  updateAssets(input: $input) { assets { id tags owner edits { field by } } }
}`;
const TRAIL = `query ($action: AuditAction!) {
  auditEvents(first: 10, action: $action) { nodes { actor by { name address } subject subjectName details } }
}`;

describe("Edits in the audit trail", () => {
  let running: RunningApp;
  let ask: GraphqlClient;
  let ids: string[];
  beforeAll(async () => {
    running = await startApp({ sample: true });
    ask = createGraphqlClient(running);
    const { data } = await ask("{ assets(first: 3) { nodes { id } } }");
    ids = [0, 1, 2].map((i) => String(at(data, "assets", "nodes", i, "id")));
  });
  afterAll(() => running?.close());

  const edit = async (input: object) =>
    (await ask("mutation ($input: UpdateAssetInput!) { updateAsset(input: $input) { asset { id } } }", { input }))
      .message;
  const refuse = async (input: object) => (await ask(UPDATE, { input })).message;
  const readTrail = async (action: string) => at((await ask(TRAIL, { action })).data, "auditEvents", "nodes");

  it("Several assets get tags and an owner at once, and the trail has each of them as a single edit", async () => {
    await ask('mutation ($id: ID!) { updateAsset(input: { id: $id, tags: ["own"] }) { asset { id } } }', {
      id: ids[0],
    });
    const input = { ids: [...ids, ids[0]], addTags: ["finance"], owner: "ada@example.com" };
    const { data, message } = await ask(UPDATE, { input });
    expect(message).toBe("");
    const assets = at(data, "updateAssets", "assets");
    expect(assets).toHaveLength(3);
    expect(assets).toMatchObject(ids.map((id) => ({ id, owner: "ada@example.com" })));
    expect(at(assets, 0, "tags")).toEqual(["own", "finance"]);
    const trail = await readTrail("asset_edited");
    expect(trail).toHaveLength(4);
    expect(trail).toMatchObject([
      { details: { owner: { to: "ada@example.com" } }, subjectName: expect.stringContaining(".") },
      { details: { owner: { to: "ada@example.com" } } },
      { details: { owner: { to: "ada@example.com" } } },
      { subject: ids[0], details: { tags: { to: ["own"] } } },
    ]);
    // The same tags again, and no owner: nothing changes, so the trail does not either.
    await ask(UPDATE, { input: { ids, addTags: ["finance"] } });
    expect(await readTrail("asset_edited")).toHaveLength(4);
  });

  it("An edit is refused if the asset no longer shows what its editor saw", async () => {
    const [id] = ids;
    expect(await edit({ id, description: "One.", tags: ["a", "b"], owner: "eve@example.com" })).toBe("");
    expect(await edit({ id, description: "Two.", expected: { description: "None." } })).toBe(
      "The description has been changed meanwhile: it is now “One.”.",
    );
    expect(await edit({ id, tags: [], expected: { tags: ["a"] } })).toBe(
      "The tags have been changed meanwhile: they are now “a, b”.",
    );
    const expected = { description: "One.", tags: ["a", "b"], owner: "eve@example.com" };
    expect(await edit({ id, description: "Two.", tags: [], owner: "", expected })).toBe("");
    // What is not edited may be anything.
    expect(await edit({ id, description: "Three.", expected: { description: "Two.", tags: ["a"] } })).toBe("");
  });

  it("Of two edits at once that saw the same, one is made and the trail says that the other was not", async () => {
    const { graph, metadata: store, clock } = running.app;
    const workspace = await getDefaultWorkspace(store);
    const origin = fromCommandLine(workspace, await getFirstAdmin(store, workspace));
    const id = toNodeId(String(ids[1]));
    const bothLooked = Promise.withResolvers<void>();
    let looks = 0;
    const parts = {
      store,
      clock,
      graph: {
        ...graph,
        async loadNodes(...args: Parameters<typeof graph.loadNodes>) {
          const loaded = await graph.loadNodes(...args);
          looks += 1;
          if (looks === 2) bothLooked.resolve();
          await bothLooked.promise;
          return loaded;
        },
      },
    };
    const [before] = await graph.loadNodes(workspace.id, [id]);
    const seen = { description: present(before).description };
    const made = await Promise.allSettled(
      ["Ours.", "Theirs."].map((description) => editAsset(parts, origin, id, { description }, seen)),
    );
    const [after] = await graph.loadNodes(workspace.id, [id]);
    const shown = present(after).description;
    expect(made.filter(({ status }) => status === "fulfilled")).toMatchObject([{ value: { description: shown } }]);
    const reason = `The description has been changed meanwhile: it is now “${shown}”.`;
    expect(made.filter(({ status }) => status === "rejected")).toMatchObject([
      { reason: { code: "conflict", message: reason } },
    ]);
    expect(await readTrail("asset_edit_refused")).toMatchObject([{ subject: id, details: { reason } }]);
  });

  it("None of several assets is edited if one does not exist, a tag is blank, or there are more than 100", async () => {
    const before = await readTrail("asset_edited");
    expect(await refuse({ ids: [...ids, "ast_none"], addTags: ["x"] })).toMatch(/^No asset/);
    expect(await refuse({ ids, addTags: [" "] })).toMatch(/tags/);
    expect(await refuse({ ids, owner: "nobody" })).toMatch(/e-mail/);
    expect(await refuse({ ids: Array.from({ length: 101 }, (_, i) => `ast_${i}`), addTags: ["x"] })).toMatch(
      /at most 100/,
    );
    expect(await readTrail("asset_edited")).toEqual(before);
  });

  it("The trail names the metric that a person certified, and who it was", async () => {
    const input = { name: "refunds", kind: "simple", expression: "sum(refunded_eur)" };
    const define = "mutation ($input: DefineMetricInput!) { defineMetric(input: $input) { metric { id } } }";
    const id = at((await ask(define, { input })).data, "defineMetric", "metric", "id");
    const act = (name: string) =>
      ask(`mutation ($id: ID!) { ${name}(input: { id: $id, note: "As agreed." }) { __typename } }`, { id });
    expect((await act("certifyMetric")).message).toBe("");
    expect((await act("certifyMetric")).message).toMatch(/certified already/);
    expect((await act("withdrawCertification")).message).toBe("");
    const event = { subject: id, subjectName: "refunds", details: { metric: "refunds", note: "As agreed." } };
    expect(at(await readTrail("metric_certified"), 0)).toMatchObject({
      ...event,
      by: { name: "admin@localhost.localdomain", address: "admin@localhost.localdomain" },
    });
    expect(await readTrail("certification_withdrawn")).toMatchObject([event]);
  });

  it("The trail tells a person's name and the present name of what was changed", async () => {
    const { data } = await ask(
      'mutation { createServiceAccount(input: { name: "airflow", role: analyst }) { serviceAccount { id } } }',
    );
    const id = at(data, "createServiceAccount", "serviceAccount", "id");
    expect(await readTrail("account_created")).toMatchObject([{ subject: id, subjectName: "airflow" }]);
    await ask("mutation ($id: ID!) { removeServiceAccount(input: { id: $id }) { id } }", { id });
    expect(await readTrail("account_removed")).toMatchObject([{ subject: id, subjectName: "airflow" }]);
  });
});
