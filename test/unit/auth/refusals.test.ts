import { pino } from "pino";
import { beforeEach, expect, it } from "vitest";

import { createRefusalTrail } from "../../../src/auth/refusals.ts";
import { unavailable } from "../../../src/errors.ts";
import { openTestAuth, SOURCE } from "../../support/auth.ts";
import { MINUTE_MS } from "../../support/clock.ts";

const logged: string[] = [];
const log = pino({ level: "error" }, { write: (line: string) => void logged.push(line) });
beforeEach(() => {
  logged.length = 0;
});

it("A refusal is recorded once a minute for the same token and reason", async () => {
  const { createKey, enter, parts, trail, clock, admin } = await openTestAuth();
  const { noteRefusal } = createRefusalTrail({ ...parts, log });
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

it("Refusals are still recorded after the clock is set back", async () => {
  const { createKey, enter, parts, trail, clock } = await openTestAuth();
  const { noteRefusal } = createRefusalTrail({ ...parts, log });
  const principal = await enter((await createKey()).token);
  await noteRefusal(principal, "write", SOURCE);
  clock.advance(-60 * MINUTE_MS);
  await noteRefusal(principal, "write", SOURCE);
  clock.advance(MINUTE_MS);
  await noteRefusal(principal, "write", SOURCE);
  expect((await trail()).filter(({ action }) => action === "refused")).toHaveLength(2);
});

it("A lockout is in every workspace's audit trail", async () => {
  const { parts, store, trail } = await openTestAuth();
  await createRefusalTrail({ ...parts, log }).noteLockout("203.0.113.9");
  const lockout = { action: "lockout", actor: "", source: "203.0.113.9", subject: "", details: {} };
  expect(await trail()).toEqual([lockout]);
  const other = await store.workspaces.create({ name: "other", kind: "live" });
  const { items } = await store.audit.list(other.id, { after: null, limit: 10 });
  expect(items).toMatchObject([lockout]);
});

it("A refusal or lockout that cannot be written is logged, and recorded the next time", async () => {
  const { createKey, enter, parts, trail } = await openTestAuth();
  let isFull = true;
  const audit: typeof parts.store.audit = {
    ...parts.store.audit,
    append: async (event) => {
      if (isFull) throw unavailable("The metadata store cannot be written: the disk is full.");
      await parts.store.audit.append(event);
    },
  };
  const refusals = createRefusalTrail({ ...parts, store: { ...parts.store, audit }, log });
  const principal = await enter((await createKey()).token);
  await refusals.noteRefusal(principal, "write", SOURCE);
  await refusals.noteLockout(SOURCE);
  expect(logged).toHaveLength(2);
  isFull = false;
  await refusals.noteRefusal(principal, "write", SOURCE);
  expect((await trail()).filter(({ action }) => action === "refused")).toHaveLength(1);
});
