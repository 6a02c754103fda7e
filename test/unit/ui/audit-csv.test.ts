import { expect, it } from "vitest";

import { pathOfSubject, toCsv } from "../../../src/ui/pages/settings/audit/csv.ts";

const EVENT = {
  id: "aud_1",
  at: "2026-01-02T03:04:05.000Z",
  action: "connector_added",
  actor: "ada@example.com",
  actorName: "Ada Lovelace",
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
  expect(pathOfSubject({ action: "lockout", subject: null })).toBeNull();
});
