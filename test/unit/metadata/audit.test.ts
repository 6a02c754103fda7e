import { describe, expect, it } from "vitest";

import type { AuditPosition } from "../../../src/metadata/audit.ts";
import type { AuditAction } from "../../../src/metadata/audit-actions.ts";
import type { AuditEvent } from "../../../src/metadata/records.ts";
import { openTestMetadata, type TestMetadata } from "../../support/metadata-store.ts";

function append({ store, workspace }: TestMetadata, action: AuditAction, subject: string): Promise<void> {
  const event = { workspaceId: workspace.id, actor: "ada@example.com", source: "192.0.2.1", details: { n: 1 } };
  return store.audit.append({ ...event, action, subject });
}

async function readAll({ store, workspace }: TestMetadata, limit: number, action?: AuditAction): Promise<AuditEvent[]> {
  const events: AuditEvent[] = [];
  let after: AuditPosition | null = null;
  for (;;) {
    const page = { after, limit, ...(action && { action }) };
    const { items, hasMore } = await store.audit.list(workspace.id, page);
    events.push(...items);
    if (!hasMore) return events;
    after = items.at(-1) ?? null;
  }
}

describe("The audit trail", () => {
  it("The audit trail is read in pages, the newest event first, without gap or repeat", async () => {
    const metadata = await openTestMetadata();
    for (let i = 0; i < 25; i++) {
      await append(metadata, i % 5 === 0 ? "key_revoked" : "key_created", String(i));
      // Some events have the same time.
      if (i % 3 === 0) metadata.clock.advance(1);
    }
    const whole = await readAll(metadata, 100);
    expect(whole).toHaveLength(25);
    expect(whole.map(({ at }) => at)).toEqual(whole.map(({ at }) => at).toSorted((a, b) => (a < b ? 1 : -1)));
    expect(await readAll(metadata, 4)).toEqual(whole);
    expect(await readAll(metadata, 2, "key_revoked")).toEqual(whole.filter(({ action }) => action === "key_revoked"));
    expect(whole.at(-1)).toMatchObject({ id: expect.stringMatching(/^aud_/), subject: "0", details: { n: 1 } });
  });

  it("Of several audit events with one key only the first is written, also at the same time", async () => {
    const metadata = await openTestMetadata();
    const { store, workspace } = metadata;
    const event = {
      workspaceId: workspace.id,
      action: "certification_lapsed",
      source: "service",
      subject: "m",
      details: {},
    } as const;
    await store.audit.append({ ...event, actor: "connector shop" }, "m 1 lapse");
    await Promise.all(
      ["m 1 lapse", "m 1 lapse", "m 2 lapse", undefined, undefined].map((key) =>
        store.audit.append({ ...event, actor: "tributary" }, key),
      ),
    );
    const actors = (await readAll(metadata, 100)).map(({ actor }) => actor);
    expect(actors.toSorted()).toEqual(["connector shop", "tributary", "tributary", "tributary"]);
  });

  it("The audit trail shows nothing of another workspace", async () => {
    const metadata = await openTestMetadata();
    await append(metadata, "key_created", "key_1");
    const workspace = await metadata.store.workspaces.create({ name: "other", kind: "live" });
    expect(await readAll({ ...metadata, workspace }, 10)).toEqual([]);
  });

  it("A failed transaction leaves no event in the audit trail, and blocks no other writer", async () => {
    const metadata = await openTestMetadata();
    const { store, workspace, admin } = metadata;
    const failed = store.transaction(async (nouns) => {
      await nouns.users.setGrants(workspace.id, admin.id, ["api:manage"]);
      await append({ ...metadata, store: { ...store, ...nouns } }, "user_changed", admin.id);
      throw new Error("changed my mind");
    });
    await expect(failed).rejects.toThrow("changed my mind");
    expect(await readAll(metadata, 10)).toEqual([]);
    expect(await store.users.findById(workspace.id, admin.id)).toEqual(admin);
  });
});
