/** What the audit trail records, in words. */
import type { AuditEvent } from "./documents.ts";

type Action = AuditEvent["action"];

export const ACTIONS: Readonly<Record<Action, string>> = {
  account_changed: "changed a service account",
  account_created: "made a service account",
  account_removed: "removed a service account",
  all_tokens_revoked: "revoked all tokens",
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
