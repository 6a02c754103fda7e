/** Audit events as a file. */
import { ACTIONS } from "./words.ts";
import type { AuditEvent } from "./documents.ts";

const COLUMNS = ["at", "action", "what", "actor", "actor_name", "source", "subject", "subject_name", "details"];

/** A table after RFC 4180, with a line of headings. */
export function toCsv(events: readonly AuditEvent[]): string {
  const rows = events.map(({ at, action, actor, by, source, subject, subjectName, details }) => [
    at,
    action,
    ACTIONS[action],
    actor,
    by?.name ?? null,
    source,
    subject,
    subjectName,
    JSON.stringify(details),
  ]);
  return [COLUMNS, ...rows].map((cells) => `${cells.map(toCell).join(",")}\r\n`).join("");
}

/** What a spreadsheet would run as a formula. An apostrophe before it makes it a text (OWASP, CSV Injection). */
const FORMULA = /^[=+\-@\t\r]/;

function toCell(value: string | null): string {
  const text = value ?? "";
  return `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
}
