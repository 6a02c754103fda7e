/** Mails of notice rules, sent to a real mail server on this machine. */
import { expect, it } from "vitest";

import { MINUTE_MS } from "../../support/clock.ts";
import { openCertified } from "../../support/certified.ts";
import { decode, openMails, settingsOf } from "../../support/mails.ts";
import { PUBLIC_URL } from "../../support/no-graph.ts";
import { openNotices } from "../../support/notices.ts";
import { present } from "../../support/present.ts";
import { type ReceivedMail, serveSmtp } from "../../support/smtp-server.ts";

function headerOf({ raw }: ReceivedMail, name: string): string {
  const unfolded = raw.slice(0, raw.indexOf("\r\n\r\n")).replaceAll(/\r\n[ \t]+/g, " ");
  return present(unfolded.split("\r\n").find((line) => line.startsWith(`${name}: `))).slice(name.length + 2);
}

it("A lapse is mailed to a person as text and as escaped HTML, with headers that end the mails in one click", async () => {
  await using bench = await openMails();
  await bench.addPerson("ida@example.com");
  await bench.mailTo("IDA@example.com");
  await bench.happen("Revenue <b>&\r\nBcc: eve@example.com");
  await bench.work();
  const mail = present(bench.server.mails[0]);
  expect(bench.server.mails).toHaveLength(1);
  expect(mail.to).toEqual(["ida@example.com"]);
  expect(headerOf(mail, "To")).toBe("ida@example.com");
  expect(mail.raw.slice(0, mail.raw.indexOf("\r\n\r\n"))).not.toMatch(/^Bcc/m);
  expect(headerOf(mail, "List-Unsubscribe-Post")).toBe("List-Unsubscribe=One-Click");
  expect(headerOf(mail, "List-Unsubscribe")).toMatch(new RegExp(`^<${PUBLIC_URL}/notices/unsubscribe/\\S+>$`));
  const text = decode(mail);
  expect(text).toContain("Revenue &lt;b&gt;&amp;\\u000d\\u000aBcc: eve@example.com lapsed.</a>");
  expect(text).toContain("- The certification of Revenue <b>&");
});

it("The link in a mail ends the mails of its rule, and a changed link does not", async () => {
  await using bench = await openMails();
  await bench.addPerson("ida@example.com");
  const { rule } = await bench.mailTo("ida@example.com");
  const { unsubscribe } = bench.parts;
  const path = unsubscribe.pathFor({ workspaceId: bench.workspace.id, ruleId: rule.id, email: rule.recipient });
  const token = present(path.split("/").at(-1));
  expect(await unsubscribe.end(`${token}x`)).toBe(false);
  expect(await unsubscribe.end("")).toBe(false);
  expect(await unsubscribe.end(token)).toBe(true);
  await bench.happen("a");
  await bench.work();
  expect(bench.server.mails).toEqual([]);
  const after = present(await bench.store.noticeRules.findById(bench.workspace.id, rule.id));
  expect(after.disabledReason).toBe("ida@example.com wants no more mails.");
});

it.each([
  ["a stranger", "eve@example.com"],
  ["a person who never logged in", "new@example.com"],
  ["two addresses", "ida@example.com, eve@example.com"],
])("A rule cannot mail to %s", async (_who, to) => {
  await using bench = await openMails();
  await bench.addPerson("ida@example.com");
  await bench.store.users.create({ workspaceId: bench.workspace.id, email: "new@example.com", role: "analyst" });
  await expect(bench.mailTo(to)).rejects.toMatchObject({ code: "bad_request" });
});

it("A mailbox that is refused holds up no other mail, and a server that is away is tried again", async () => {
  const bench = await openMails({ refuses: ["ida@example.com"] });
  await bench.addPerson("ida@example.com");
  const { rule } = await bench.mailTo("ida@example.com");
  await bench.happen("a");
  await bench.work();
  await bench.server.stop();
  const list = () => bench.store.notices.list(bench.workspace.id, rule.id, { after: null, limit: 5 });
  expect((await list()).items).toMatchObject([{ status: "failed", tries: [{ status: 550 }] }]);
  await bench.happen("b");
  await bench.work();
  expect((await list()).items).toMatchObject([{ status: "waiting", tries: [{ status: null }] }, { status: "failed" }]);
  expect(await bench.store.noticeRules.findById(bench.workspace.id, rule.id)).toMatchObject({ disabledAt: null });
});

it("A person who was disabled gets no more mails", async () => {
  await using bench = await openMails();
  const id = await bench.addPerson("ida@example.com");
  await bench.mailTo("ida@example.com");
  await bench.happen("a");
  await bench.store.users.setDisabled(bench.workspace.id, id, true);
  await bench.work();
  expect(bench.server.mails).toEqual([]);
});

it("Without a rule of their own, owners are told of lapses, each of those of their metrics, until they unsubscribe", async () => {
  await using server = await serveSmtp();
  const bench = await openCertified();
  const { store, workspace } = bench;
  const notices = openNotices(bench, {}, settingsOf(server.port));
  await notices.worker.tell();
  for (const email of ["grace@example.com", "ida@example.com"]) {
    const { id } = await store.users.create({ workspaceId: workspace.id, email, role: "analyst" });
    await store.logins.noteLogin(workspace.id, id);
  }
  const lapse = async (staging: string) => {
    const revenueFacts = { owner: "grace@example.com" };
    await bench.crawlPayments({ revenueFacts });
    await bench.certify();
    await bench.crawlPayments({ revenueFacts, staging });
    bench.clock.advance(MINUTE_MS);
    await notices.work();
    return server.mails.splice(0).map(({ to }) => to);
  };
  expect(await lapse("select gross, net, status from raw_payments where net > 0")).toEqual([["grace@example.com"]]);
  const findRule = async () => (await store.noticeRules.list(workspace.id)).find(({ channel }) => channel === "email");
  const { id: ruleId } = present(await findRule());
  const path = notices.parts.unsubscribe.pathFor({ workspaceId: workspace.id, ruleId, email: "grace@example.com" });
  expect(await notices.parts.unsubscribe.end(present(path.split("/").at(-1)))).toBe(true);
  expect(await lapse("select gross, net, status from raw_payments where net > 1")).toEqual([]);
  expect(await findRule()).toMatchObject({ disabledAt: null });
});
