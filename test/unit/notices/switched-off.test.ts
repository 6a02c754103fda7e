/** Who is told that the service switched a notice rule off. */
import { expect, it } from "vitest";

import { addNoticeRule } from "../../../src/notices/rules.ts";
import type { UserId } from "../../../src/ids.ts";
import { MINUTE_MS } from "../../support/clock.ts";
import { decode, openMails } from "../../support/mails.ts";
import { openReceiver } from "../../support/notices.ts";

const OWN = { url: "", to: "", minRisk: null, aboutBy: "everything", about: "", digestHour: null } as const;
const KINDS = ["notice_rule_switched_off"] as const;

async function setUp() {
  const bench = await openMails();
  const { store, workspace, admin, clock, worker, work } = bench;
  await store.logins.noteLogin(workspace.id, admin.id);
  const ida = await bench.addPerson("ida@example.com");
  await worker.tell();
  return {
    ...bench,
    ida,
    async workOn() {
      await work();
      clock.advance(MINUTE_MS);
      await work();
    },
    readBell: async (id: UserId) =>
      (await store.notices.listOf(id, 10)).flatMap(({ events }) =>
        events.filter(({ kind }) => kind === KINDS[0]).map(({ name, note }) => `${name}: ${note}`),
      ),
  };
}

it("A rule of the workspace that fails is told to its admins by the bell and by mail, and to nobody else", async () => {
  await using receiver = await openReceiver();
  await using bench = await setUp();
  const { ida, server, admin, addRule, parts, origin } = bench;
  receiver.receiver.answer = (_request, response) => response.writeHead(410).end();
  await addRule({ url: receiver.url });
  for (const person of [{ id: ida, email: "ida@example.com" }, admin])
    await addNoticeRule({ ...parts, person }, origin, { ...OWN, name: "mine", channel: "bell", kinds: KINDS });
  await bench.happen("a");
  await bench.workOn();
  const told = "alerts: The receiver wants no more notices: the address answers 410.";
  // Once by the rule that every workspace has, and once by the admin's own.
  expect(await bench.readBell(admin.id)).toEqual([told, told]);
  expect(await bench.readBell(ida)).toEqual([]);
  const mails = server.mails.filter((mail) => decode(mail).includes("The notice rule alerts was switched off."));
  expect(mails.map(({ to }) => to)).toEqual([[admin.email]]);
});

it("A person's own rule that is switched off is told to that person alone, without its words", async () => {
  await using receiver = await openReceiver();
  await using bench = await setUp();
  const { ida, admin, server, runSql, store, workspace } = bench;
  await bench.addRule({ url: receiver.url, kinds: KINDS });
  const own = { ...bench.parts, person: { id: ida, email: "ida@example.com" } };
  const { rule } = await addNoticeRule(own, bench.origin, {
    ...OWN,
    name: "secret plan",
    channel: "email",
    kinds: ["certification_lapsed"],
  });
  await runSql(
    `with recursive counted(n) as (select 1 union all select n + 1 from counted where n < 1000)
     insert into notices (id, workspace_id, rule_id, number, events, events_total, status, created_at, tries_total, tries)
     select 'x' || cast(n as text), '${workspace.id}', '${rule.id}', -n, '[]', 1, 'waiting', '2026', 0, '[]' from counted`,
  );
  await bench.happen("a");
  await bench.workOn();
  expect((await store.noticeRules.findById(workspace.id, rule.id))?.disabledReason).toContain("More than 1000");
  expect(await bench.readBell(ida)).toEqual([": "]);
  expect(await bench.readBell(admin.id)).toEqual([]);
  const mails = server.mails.filter((mail) => decode(mail).includes("A notice rule of your own was switched off."));
  expect(mails.map(({ to }) => to)).toEqual([["ida@example.com"]]);
  expect(receiver.received).toEqual([]);
});

it("Who ends the mails of a rule is not told that it was switched off, and the admins are", async () => {
  await using bench = await setUp();
  const { ida, admin, parts, workspace } = bench;
  const { rule } = await bench.mailTo("ida@example.com");
  const path = parts.unsubscribe.pathFor({ workspaceId: workspace.id, ruleId: rule.id, email: rule.recipient });
  await parts.unsubscribe.end(path.split("/").at(-1) ?? "");
  await bench.workOn();
  expect(await bench.readBell(ida)).toEqual([]);
  expect(await bench.readBell(admin.id)).toEqual(["alerts: ida@example.com wants no more mails."]);
});
