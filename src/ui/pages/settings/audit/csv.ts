/** Audit events as a file, and the pages of what they are about. */
import { pathOfAsset, pathOfNode } from "../../../assets/asset-row.ts";
import { ACTIONS } from "./actions.ts";
import type { AuditEvent } from "./documents.ts";

const COLUMNS = ["at", "action", "what", "actor", "actor_name", "source", "subject", "subject_name", "details"];

/** A table after RFC 4180, with a line of headings. */
export function toCsv(events: readonly AuditEvent[]): string {
  const rows = events.map(({ at, action, actor, actorName, source, subject, subjectName, details }) => [
    at,
    action,
    ACTIONS[action],
    actor,
    actorName,
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

/** The page of what an event is about; null if there is none. */
export function pathOfSubject({ action, subject }: Pick<AuditEvent, "action" | "subject">): string | null {
  if (subject === null) return null;
  switch (action) {
    case "asset_edited":
      return pathOfAsset(subject);
    case "metric_certified":
    case "certification_withdrawn":
    case "certification_lapsed":
      return pathOfNode({ id: subject, type: "metric" });
    case "connector_added":
    case "connector_changed":
      return `/connectors/${subject}`;
    case "key_created":
    case "key_renamed":
      return "/settings/api";
    case "account_created":
    case "account_changed":
    case "secret_created":
    case "secret_revoked":
      return "/settings/api?tab=accounts";
    case "user_created":
    case "user_changed":
    case "person_invited":
      return "/settings/people";
    default:
      return null;
  }
}
