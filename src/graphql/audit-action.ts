/** What the audit trail records. */
import type { AuditAction as AuditActionWord } from "../metadata/records.ts";
import { builder } from "./builder.ts";

export const AuditAction = builder.enumType("AuditAction", {
  description: "What the audit trail records.",
  values: {
    key_created: { description: "An API key was made." },
    key_renamed: { description: "An API key got another name." },
    key_revoked: { description: "An API key was revoked." },
    account_created: { description: "A service account was made." },
    account_changed: { description: "A service account's role changed, or it was disabled or enabled." },
    account_removed: { description: "A service account was removed, with its secrets and tokens." },
    secret_created: { description: "A service account got a secret." },
    secret_revoked: { description: "A service account's secret was revoked." },
    token_issued: { description: "A service account got an access token." },
    token_revoked: { description: "An access token was revoked." },
    all_tokens_revoked: {
      description: "Every key and access token of the workspace was revoked, and every session ended.",
    },
    user_created: { description: "A user was added." },
    user_changed: { description: "A user's role or grants changed, or the user was disabled or enabled." },
    person_invited: { description: "A person got a one-time link to log in for the first time." },
    invitation_cancelled: { description: "An invitation was cancelled before anybody used it." },
    reset_link_created: { description: "A one-time link was made, by which a person can set a new password." },
    password_set: { description: "A person's password was set, by the person or with a one-time link." },
    identity_bound: { description: "A user was bound to a person at the provider of single sign-on." },
    logged_in: { description: "A person logged in." },
    login_failed: { description: "Somebody tried to log in with a wrong password or an unknown address." },
    logged_out: { description: "A person logged out." },
    session_ended: { description: "A person ended another session of theirs." },
    setting_changed: { description: "A security setting changed." },
    audit_trimmed: { description: "Events that were older than the workspace keeps them were deleted." },
    connector_added: { description: "A connector was added." },
    connector_changed: { description: "A connector's name or options changed, or it was disabled or enabled." },
    workspace_imported: { description: "The workspace was made from an export of another service." },
    connector_removed: { description: "A connector was removed, with everything that only it had stated." },
    sync_cancelled: { description: "A sync was cancelled." },
    asset_edited: { description: "A person edited an asset's description, tags or owner." },
    metric_certified: { description: "A person or its source certified a metric." },
    certification_withdrawn: { description: "A person or its source withdrew the certification of a metric." },
    certification_lapsed: {
      description: "The certification of a metric ended, because something that the metric depends on changed.",
    },
    refused: { description: "A token tried something that it may not do, and was refused." },
    lockout: { description: "A client was locked out after too many wrong tokens or passwords." },
  } satisfies Record<AuditActionWord, { description: string }>,
});
