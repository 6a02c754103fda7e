import { expect, it } from "vitest";

import { createRefusalTrail } from "../../../src/auth/refusals.ts";
import { openTestAuth, SOURCE } from "../../support/auth.ts";
import { MINUTE_MS } from "../../support/clock.ts";

it("A refusal is noted once a minute for the same token and reason", async () => {
  const { createKey, enter, parts, trail, clock, admin } = await openTestAuth();
  const { noteRefusal } = createRefusalTrail(parts);
  const { key, token } = await createKey();
  const [principal, other] = [await enter(token), await enter((await createKey()).token)];
  clock.advance(1);
  await noteRefusal(principal, "write", SOURCE);
  clock.advance(MINUTE_MS - 1);
  await noteRefusal(principal, "write", SOURCE);
  expect((await trail()).slice(2)).toEqual([
    { action: "refused", actor: admin.email, source: SOURCE, subject: key.id, details: { required: "write" } },
  ]);
  await noteRefusal(principal, "admin", SOURCE);
  await noteRefusal(other, "write", SOURCE);
  clock.advance(1);
  await noteRefusal(principal, "write", SOURCE);
  expect((await trail()).slice(2)).toHaveLength(4);
});

it("A clock that is set back keeps no refusal out of the trail", async () => {
  const { createKey, enter, parts, trail, clock } = await openTestAuth();
  const { noteRefusal } = createRefusalTrail(parts);
  const principal = await enter((await createKey()).token);
  await noteRefusal(principal, "write", SOURCE);
  clock.advance(-60 * MINUTE_MS);
  await noteRefusal(principal, "write", SOURCE);
  clock.advance(MINUTE_MS);
  await noteRefusal(principal, "write", SOURCE);
  expect((await trail()).filter(({ action }) => action === "refused")).toHaveLength(2);
});

it("A lockout is on every workspace's list", async () => {
  const { parts, store, trail } = await openTestAuth();
  await createRefusalTrail(parts).noteLockout("203.0.113.9");
  const lockout = { action: "lockout", actor: "", source: "203.0.113.9", subject: "", details: {} };
  expect(await trail()).toEqual([lockout]);
  const other = await store.workspaces.create({ name: "other", kind: "live" });
  const { items } = await store.audit.list(other.id, { after: null, limit: 10 });
  expect(items).toMatchObject([lockout]);
});
