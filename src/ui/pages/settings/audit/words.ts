/** What the audit trail records, in words: what was done, to what, and its details. */
import { pathOfAsset, pathOfNode } from "../../../assets/asset-row.ts";
import type { AuditEvent } from "./documents.ts";

type Action = AuditEvent["action"];

export const ACTIONS: Readonly<Record<Action, string>> = {
  account_changed: "changed a service account",
  account_created: "made a service account",
  account_removed: "removed a service account",
  all_tokens_revoked: "revoked all tokens",
  asset_edit_refused: "was refused an edit of an asset",
  asset_edited: "edited an asset",
  audit_trimmed: "deleted old events",
  certification_lapsed: "ended a certification by a change",
  certification_withdrawn: "withdrew a certification",
  connector_added: "added a connector",
  connector_changed: "changed a connector",
  connector_removed: "removed a connector",
  workspace_imported: "imported the workspace",
  identity_bound: "was bound to single sign-on",
  invitation_cancelled: "cancelled an invitation",
  key_created: "made a key",
  key_renamed: "renamed a key",
  key_revoked: "revoked a key",
  lockout: "was locked out",
  logged_in: "logged in",
  logged_out: "logged out",
  login_failed: "could not log in",
  metric_certified: "certified a metric",
  notice_rule_added: "added a notice rule",
  notice_rule_changed: "changed a notice rule",
  notice_rule_removed: "removed a notice rule",
  notice_rule_switched_off: "switched a notice rule off",
  password_set: "set a password",
  person_invited: "invited a person",
  refused: "was refused",
  reset_link_created: "made a link for a new password",
  secret_created: "made a secret",
  secret_revoked: "revoked a secret",
  session_ended: "ended a session",
  setting_changed: "changed a setting",
  sync_cancelled: "cancelled a sync",
  token_issued: "got an access token",
  token_revoked: "revoked an access token",
  user_changed: "changed a user",
  user_created: "added a user",
};

export function toAction(text: string | null): Action | null {
  return text !== null && Object.hasOwn(ACTIONS, text) ? (text as Action) : null;
}

/** @param name such as `expiresAt` */
export function describeName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll("_", " ");
}

export function describeValue(value: unknown): string {
  if (value === null || value === "") return "none";
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(describeValue).join(", ");
  if (isChange(value)) return `${describeValue(value.from)} → ${describeValue(value.to)}`;
  return JSON.stringify(value);
}

function isChange(value: unknown): value is { from: unknown; to: unknown } {
  return typeof value === "object" && value !== null && Object.keys(value).toSorted().join(" ") === "from to";
}

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
    case "asset_edit_refused":
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
