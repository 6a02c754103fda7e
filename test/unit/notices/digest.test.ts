/** Daily mails of notice rules, sent to a real mail server on this machine. */
import { expect, it } from "vitest";

import { changeNoticeRule } from "../../../src/notices/rules.ts";
import { DAY_MS, MINUTE_MS } from "../../support/clock.ts";
import { decode, openMails } from "../../support/mails.ts";
import { present } from "../../support/present.ts";

const HOUR_MS = 60 * MINUTE_MS;

/** At midnight UTC, with a rule that mails at six. */
async function openDigest() {
  const bench = await openMails();
  await bench.addPerson("ida@example.com");
  const { rule } = await bench.mailTo("ida@example.com", { digestHour: 6 });
  const listed = async () =>
    (await bench.store.notices.list(bench.workspace.id, rule.id, { after: null, limit: 50 })).items;
  return Object.assign(bench, { rule, listed });
}

it("What happens in a day is one mail at the hour of the rule, and a day without events has no mail", async () => {
  await using bench = await openDigest();
  for (const name of ["a", "b", "c"]) {
    await bench.happen(name);
    await bench.work();
    bench.clock.advance(HOUR_MS);
  }
  expect(bench.server.mails).toEqual([]);
  bench.clock.advance(3 * HOUR_MS - 1);
  await bench.work();
  expect(bench.server.mails).toEqual([]);
  bench.clock.advance(1);
  await bench.work();
  expect(bench.server.mails).toHaveLength(1);
  const text = decode(present(bench.server.mails[0]));
  for (const name of ["a", "b", "c"]) expect(text).toContain(`The certification of ${name} lapsed.`);
  await bench.happen("d");
  for (let hour = 0; hour < 72; hour++, bench.clock.advance(HOUR_MS)) await bench.work();
  expect(bench.server.mails).toHaveLength(2);
  expect(await bench.listed()).toMatchObject([{ eventsTotal: 1 }, { eventsTotal: 3, status: "delivered" }]);
});

it("Of several workers one sends the digest, and if it is killed another one does", async () => {
  await using bench = await openDigest();
  await bench.happen("a");
  await bench.work();
  bench.clock.advance(6 * HOUR_MS);
  const killed = await bench.store.notices.claim({
    workerId: "killed",
    now: bench.clock.now(),
    until: new Date(bench.clock.now().getTime() + MINUTE_MS),
  });
  expect(killed?.notice?.events).toHaveLength(1);
  // What happens after the mail was begun is in the next one.
  await bench.happen("b");
  const workers = [bench.worker, bench.createWorker(), bench.createWorker()];
  await Promise.all(workers.map((worker) => bench.work(worker)));
  expect(bench.server.mails).toEqual([]);
  bench.clock.advance(2 * MINUTE_MS);
  await Promise.all(workers.map((worker) => bench.work(worker)));
  expect(bench.server.mails).toHaveLength(1);
  bench.clock.advance(DAY_MS);
  await Promise.all(workers.map((worker) => bench.work(worker)));
  expect(bench.server.mails.map((mail) => /certification of (\w) /.exec(decode(mail))?.[1])).toEqual(["a", "b"]);
});

it("A digest lists 50 events and counts the others", async () => {
  await using bench = await openDigest();
  for (let i = 0; i < 60; i++) {
    await bench.happen(`metric${i}`);
    await bench.worker.tell();
  }
  bench.clock.advance(6 * HOUR_MS);
  await bench.work();
  expect(await bench.listed()).toMatchObject([{ eventsTotal: 60 }]);
  expect((await bench.listed())[0]?.events).toHaveLength(50);
  expect(bench.server.mails[0]?.raw).toContain("and 10 more");
});

it("A rule with another hour mails what it gathered at that hour, and a rule without one at once", async () => {
  await using bench = await openDigest();
  const change = (digestHour: number | null) =>
    changeNoticeRule(bench.parts, bench.origin, bench.rule.id, { digestHour });
  await bench.happen("a");
  await bench.work();
  await change(2);
  bench.clock.advance(2 * HOUR_MS);
  await bench.work();
  expect(bench.server.mails).toHaveLength(1);
  await bench.happen("b");
  await bench.work();
  await change(null);
  await bench.work();
  expect(bench.server.mails).toHaveLength(2);
});

it.each([25, -1, 1.5, Number.NaN])("The hour %s is refused", async (digestHour) => {
  await using bench = await openDigest();
  const refusal = { code: "bad_request", details: [{ field: "digestHour" }] };
  await expect(bench.mailTo("ida@example.com", { name: "other", digestHour })).rejects.toMatchObject(refusal);
  await expect(changeNoticeRule(bench.parts, bench.origin, bench.rule.id, { digestHour })).rejects.toMatchObject(
    refusal,
  );
});

it("Only mails can be gathered for a day", async () => {
  await using bench = await openDigest();
  await expect(
    bench.addRule({ name: "chat", channel: "slack", url: "https://hooks.slack.com/x", digestHour: 6 }),
  ).rejects.toMatchObject({ details: [{ field: "digestHour" }] });
});
