import { DatabaseSync } from "node:sqlite";

import { expect, it, vi } from "vitest";

import type { MetadataStore } from "../../../src/metadata/store.ts";
import { openTestMetadata, type TestMetadata } from "../../support/metadata-store.ts";
import { present } from "../../support/present.ts";

/** The statements that some work runs, each with SQLite's plan for it. */
async function plansOf({ store, runSql }: TestMetadata, work: (store: MetadataStore) => Promise<unknown>) {
  const prepare = vi.spyOn(DatabaseSync.prototype, "prepare");
  await work(store);
  const statements = prepare.mock.calls.map(([sql]) => sql).filter((sql) => /^(?:select|update|delete)/.test(sql));
  prepare.mockRestore();
  return Promise.all(
    statements.map(async (statement) => {
      const plan = await runSql(`EXPLAIN QUERY PLAN ${statement}`);
      return { statement, plan: plan.map(({ detail }) => String(detail)).join("\n") };
    }),
  );
}

it("A page of the audit trail is read along an index in its order, however many events there are", async () => {
  const metadata = await openTestMetadata();
  const { id } = metadata.workspace;
  const filters = [
    {},
    { action: "user_created" },
    { since: "2026-01-01" },
    { until: "2027-01-01" },
    { actor: "ada" },
  ] as const;
  const plans = await plansOf(metadata, async (store) => {
    for (const filter of filters) await store.audit.list(id, { after: null, limit: 5, ...filter });
    await store.audit.list(id, { after: { at: "2026-05-01", id: "aud_1" }, limit: 5 });
  });
  expect(plans).toHaveLength(filters.length + 1);
  for (const { plan } of plans) {
    // Only events of the same millisecond, and those of the page, may still be sorted.
    expect(plan).not.toMatch(/SCAN audit_events|SEARCH audit_events.*\nUSE TEMP B-TREE FOR ORDER BY/);
    expect(plan).toMatch(/SEARCH audit_events USING INDEX audit_events_by_time/);
  }
});

it("Writing a subject and reading its errors read nothing of the other subjects of their connector", async () => {
  const metadata = await openTestMetadata();
  const connector = await metadata.addConnector("events");
  const subject = { workspaceId: metadata.workspace.id, connectorId: connector.id, subject: "job:load" };
  const plans = await plansOf(metadata, async ({ inbox }) => {
    for (const notes of [[{ subject: "path:lake", body: "{}" }], []]) {
      await inbox.add(subject, [{ subject: subject.subject, key: "run 1", body: "{}" }]);
      const open = present(await inbox.begin(subject, "here"));
      await inbox.prune(open, ["run 1"], "{}");
      await inbox.end(open, { notes, expiresAt: null, errors: [], errorsTotal: 0 });
    }
    await inbox.loadReceptions(subject.workspaceId, [subject.connectorId]);
    await inbox.listWaiting(5);
  });
  const ofConnector =
    /(?:SCAN|SEARCH) inbox_(?:messages|subjects) USING (?:COVERING )?INDEX sqlite_autoindex_\w+ \(connector_id=\?\)/;
  expect(plans.filter(({ plan }) => ofConnector.test(plan))).toEqual([]);
});

it("saving an impact and deleting old ones read no body of another one", async () => {
  const metadata = await openTestMetadata();
  const plans = await plansOf(metadata, async ({ savedImpacts }) => {
    await savedImpacts.save(metadata.workspace.id, { id: "a", body: "body" });
    await savedImpacts.removeBefore("2021");
  });
  expect(plans).toHaveLength(2);
  for (const { plan } of plans) expect(plan).toMatch(/COVERING INDEX saved_impacts_(?:newest|time)/);
  for (const { plan } of plans) expect(plan).not.toMatch(/SCAN saved_impacts/);
});
