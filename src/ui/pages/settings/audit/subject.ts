/** What an audit event is about: its name and its page. */
import { pathOfAsset, pathOfNode } from "../../../assets/asset-row.ts";
import type { AuditEvent } from "./documents.ts";

type Subject = Pick<AuditEvent, "action" | "subject">;

/** What each kind of id is called if the object has no name, and the page on which these objects are. */
const KINDS: Readonly<Record<string, { noun: string; page?: string }>> = {
  acc: { noun: "a service account", page: "/settings/api?tab=accounts" },
  con: { noun: "a connector" },
  key: { noun: "a key", page: "/settings/api" },
  lnk: { noun: "an invitation", page: "/settings/people" },
  nrl: { noun: "a notice rule", page: "/settings/notices" },
  ses: { noun: "a session", page: "/settings/people" },
  syn: { noun: "a sync" },
  tok: { noun: "an access token" },
  usr: { noun: "a user", page: "/settings/people" },
};

const kindOf = (subject: string) => KINDS[subject.slice(0, subject.indexOf("_"))];

export function nameOfSubject(subject: string, name: string | null): string {
  return name ?? kindOf(subject)?.noun ?? subject;
}

/** Null if it has no page. */
export function pathOfSubject({ action, subject }: Subject): string | null {
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
    case "account_removed":
    case "invitation_cancelled":
    case "key_revoked":
    case "notice_rule_removed":
      return null;
    default:
      return kindOf(subject)?.page ?? null;
  }
}
