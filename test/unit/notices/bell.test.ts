/** What people are told in the workspace itself. */
import { getEventListeners } from "node:events";

import { expect, it } from "vitest";

import { addNoticeRule, removeNoticeRule, testNoticeRule } from "../../../src/notices/rules.ts";
import { MINUTE_MS } from "../../support/clock.ts";
import { openCertified } from "../../support/certified.ts";
import { openMails } from "../../support/mails.ts";
import { openNotices } from "../../support/notices.ts";

const OWN = { url: "", to: "", minRisk: null, aboutBy: "everything", about: "", digestHour: null } as const;

it("Without a rule of their own and without mails, owners read of lapses in the workspace, each of those of their metrics", async () => {
  const bench = await openCertified();
  const { store, workspace } = bench;
  const { worker } = openNotices(bench);
  await worker.tell();
  const [grace, ida] = await Promise.all(
    ["grace@example.com", "ida@example.com"].map(async (email) => {
      const { id } = await store.users.create({ workspaceId: workspace.id, email, role: "analyst" });
      await store.logins.noteLogin(workspace.id, id);
      return id;
    }),
  );
  const revenueFacts = { owner: "grace@example.com" };
  await bench.crawlPayments({ revenueFacts });
  await bench.certify();
  await bench.crawlPayments({
    revenueFacts,
    staging: "select gross, net, status from raw_payments where net > 0",
  });
  bench.clock.advance(MINUTE_MS);
  await worker.tell();
  const read = async (id: typeof grace) => (id === undefined ? [] : await store.notices.listOf(id, 10));
  expect(await read(grace)).toMatchObject([{ status: "delivered", events: [{ kind: "certification_lapsed" }] }]);
  expect(await read(ida)).toEqual([]);
});

it("A rule of a person tells that person in the workspace too, by mail or not, until the rule is removed", async () => {
  await using bench = await openMails();
  const { store, parts, origin } = bench;
  const email = "ida@example.com";
  const id = await bench.addPerson(email);
  const own = { ...parts, person: { id, email } };
  const add = (channel: "email" | "bell") =>
    addNoticeRule(own, origin, { ...OWN, name: channel, channel, kinds: ["certification_lapsed"] });
  await add("bell");
  const { rule } = await add("email");
  await bench.happen("a");
  await bench.work();
  expect(bench.server.mails).toHaveLength(1);
  expect(await store.notices.listOf(id, 10)).toHaveLength(2);
  expect(await store.notices.countOf(id, "", 10)).toBe(2);
  expect(await store.notices.countOf(id, "", 1)).toBe(1);
  expect(await store.notices.countOf(id, bench.clock.now().toISOString(), 10)).toBe(0);
  await removeNoticeRule(own, origin, rule.id);
  expect(await store.notices.listOf(id, 10)).toHaveLength(1);
});

it("A bell is not tested, because nothing is sent by it", async () => {
  await using bench = await openMails();
  const { rule } = await bench.addRule({ channel: "bell" });
  await expect(testNoticeRule(bench.parts, bench.origin, rule.id)).rejects.toMatchObject({ code: "conflict" });
});

it("Those who wait are woken when somebody is told something, and when the request ends", async () => {
  await using bench = await openMails();
  const id = await bench.addPerson("ida@example.com");
  const own = { ...bench.parts, person: { id, email: "ida@example.com" } };
  await addNoticeRule(own, bench.origin, { ...OWN, name: "a", channel: "bell", kinds: ["certification_lapsed"] });
  const woken = bench.parts.watch.next(new AbortController().signal);
  await bench.happen("a");
  await bench.work();
  await expect(woken).resolves.toBeUndefined();
  const leaving = new AbortController();
  const again = bench.parts.watch.next(leaving.signal);
  bench.parts.watch.changed();
  await again;
  expect(getEventListeners(leaving.signal, "abort")).toEqual([]);
  const left = bench.parts.watch.next(leaving.signal);
  leaving.abort();
  await expect(left).resolves.toBeUndefined();
});
