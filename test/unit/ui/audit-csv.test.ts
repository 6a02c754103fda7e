import { expect, it } from "vitest";

import { toCsv } from "../../../src/ui/pages/settings/audit/csv.ts";
import { nameOfSubject, pathOfSubject } from "../../../src/ui/pages/settings/audit/words.ts";

const EVENT = {
  id: "aud_1",
  at: "2026-01-02T03:04:05.000Z",
  action: "connector_added",
  actor: "ada@example.com",
  by: { address: "ada@example.com", name: "Ada Lovelace" },
  source: "192.0.2.1",
  subject: "con_1",
  subjectName: "shop",
  details: { name: "shop" },
} as const;

it("The CSV of the audit trail quotes every cell and doubles quotes", () => {
  const [headings, row] = toCsv([EVENT]).split("\r\n");
  expect(headings).toMatch(/^"at","action","what","actor"/);
  expect(row).toBe(
    '"2026-01-02T03:04:05.000Z","connector_added","added a connector","ada@example.com","Ada Lovelace","192.0.2.1","con_1","shop","{""name"":""shop""}"',
  );
});

it.each(["=1+1", "+1", "-1", "@sum(A1)", "\t=1", "\r=1"])("The CSV shows the formula %j as a text", (subjectName) => {
  expect(toCsv([{ ...EVENT, subjectName }])).toContain(`"'${subjectName}"`);
});

it("An audit event leads to the page of what it is about, unless that has none", () => {
  expect(pathOfSubject(EVENT)).toBe("/connectors/con_1");
  expect(pathOfSubject({ action: "metric_certified", subject: "met_1" })).toBe("/metrics/met_1");
  expect(pathOfSubject({ action: "connector_removed", subject: "con_1" })).toBeNull();
  expect(pathOfSubject({ action: "logged_in", subject: "ses_1" })).toBe("/settings/people");
  expect(pathOfSubject({ action: "password_set", subject: "usr_1" })).toBe("/settings/people");
  expect(pathOfSubject({ action: "key_revoked", subject: "key_1" })).toBeNull();
  expect(pathOfSubject({ action: "lockout", subject: null })).toBeNull();
});

it("What an audit event is about has a name, or is said by its kind, and never by an id of people or sessions", () => {
  expect(nameOfSubject("ses_1", "Ada Lovelace")).toBe("Ada Lovelace");
  expect(nameOfSubject("ses_1", null)).toBe("a session");
  expect(nameOfSubject("usr_1", null)).toBe("a user");
  expect(nameOfSubject("auditRetentionDays", null)).toBe("auditRetentionDays");
});
