import { DatabaseSync } from "node:sqlite";

import { expect, it, vi } from "vitest";

import { openTestMetadata } from "../../support/metadata-store.ts";

it("a page of the audit trail is read along an index, in its order, however many events there are", async () => {
  const { store, workspace, runSql } = await openTestMetadata();
  const prepare = vi.spyOn(DatabaseSync.prototype, "prepare");
  const page = { after: null, limit: 5 };
  const filters = [
    {},
    { action: "user_created" },
    { since: "2026-01-01" },
    { until: "2027-01-01" },
    { actor: "ada" },
  ] as const;
  for (const filter of filters) await store.audit.list(workspace.id, { ...page, ...filter });
  await store.audit.list(workspace.id, { after: { at: "2026-05-01", id: "aud_1" }, limit: 5 });
  const statements = prepare.mock.calls.map(([sql]) => sql).filter((sql) => sql.includes("audit_events"));
  prepare.mockRestore();
  expect(statements).toHaveLength(filters.length + 1);
  for (const statement of statements) {
    const plan = (await runSql(`EXPLAIN QUERY PLAN ${statement}`)).map(({ detail }) => String(detail)).join("\n");
    // Only events of one millisecond, and what was found for the page, may still be sorted.
    expect(plan).not.toMatch(/SCAN audit_events|SEARCH audit_events.*\nUSE TEMP B-TREE FOR ORDER BY/);
    expect(plan).toMatch(/SEARCH audit_events USING INDEX audit_events_by_time/);
  }
});
