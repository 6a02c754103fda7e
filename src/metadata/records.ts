/** What the metadata store keeps: who may come in, and which crawls there are. No fact about an asset. */
import type { CrawlError, SyncMode } from "../catalog/crawl.ts";

export type WorkspaceKind = "live" | "sandbox";

export interface Workspace {
  id: string;
  /** Unique; what `--workspace` names. */
  name: string;
  kind: WorkspaceKind;
  createdAt: string;
}

export const ROLES = ["analyst", "engineer", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** What can be granted to a user beside the role. */
export const PERMISSIONS = ["api:manage", "metrics:certify"] as const;
export type Permission = (typeof PERMISSIONS)[number];

export interface User {
  id: string;
  workspaceId: string;
  email: string;
  role: Role;
  grants: Permission[];
  createdAt: string;
  /** Null: active. */
  disabledAt: string | null;
}

/** A program that gets its tokens by OAuth client credentials. */
export interface ServiceAccount {
  id: string;
  workspaceId: string;
  /** Unique in its workspace. */
  name: string;
  role: Role;
  /** What OAuth knows it by; no secret. */
  clientId: string;
  createdAt: string;
  /** Null: active. */
  disabledAt: string | null;
}

/** One of an account's secrets, of which two may be valid at once. */
export interface ClientSecret {
  id: string;
  accountId: string;
  createdAt: string;
  revokedAt: string | null;
  /** When a token was last got by it; null: never. */
  lastUsedAt: string | null;
}

/** An OAuth access token of a service account. */
export interface AccessToken {
  id: string;
  workspaceId: string;
  accountId: string;
  prefix: string;
  scopes: Scope[];
  createdAt: string;
  expiresAt: string;
  revokedAt: string | null;
}

export const SCOPES = ["read", "write", "admin"] as const;
export type Scope = (typeof SCOPES)[number];

export interface ApiKey {
  id: string;
  workspaceId: string;
  /** The user or service account whose permissions bound it. */
  createdBy: string;
  name: string;
  /** The first characters of the token, by which it is looked up and recognised; no secret. */
  prefix: string;
  scopes: Scope[];
  createdAt: string;
  /** Null: never. */
  expiresAt: string | null;
  revokedAt: string | null;
  /** To the minute; null: never. */
  lastUsedAt: string | null;
}

/** What a workspace's admins decide about its tokens. */
export interface SecuritySettings {
  /** Requests in any 60 seconds, per key or OAuth client: 1 to 10,000. */
  rateLimitPerMinute: number;
  /** CIDRs from which tokens are taken; empty: from anywhere. */
  allowlist: string[];
  /** Seconds from a token's creation; null: no bound but its own. */
  maxTokenLifetimeSeconds: number | null;
}

export const DEFAULT_RATE_LIMIT = 1_000;
export const MAX_RATE_LIMIT = 10_000;

export type AuditAction =
  | "key_created"
  | "key_renamed"
  | "key_revoked"
  | "account_created"
  | "account_changed"
  | "secret_created"
  | "secret_revoked"
  | "token_issued"
  | "token_revoked"
  | "all_tokens_revoked"
  | "user_created"
  | "user_changed"
  | "setting_changed"
  | "connector_added"
  | "connector_changed"
  | "connector_removed"
  | "sync_cancelled"
  | "asset_edited"
  | "refused"
  | "lockout";

/** A security event; never changed once written. */
export interface AuditEvent {
  id: string;
  /** Null where no workspace is known, as for a lockout. */
  workspaceId: string | null;
  action: AuditAction;
  /** Who did it: an e-mail address, a service account's name, or "" when unknown. */
  actor: string;
  /** The address that it came from, or `command line`. */
  source: string;
  /** The id of what it was done to; "" where there is none. */
  subject: string;
  /** More about it, such as the values before and after. Never a secret. */
  details: Record<string, unknown>;
  at: string;
}

export interface Connector {
  id: string;
  workspaceId: string;
  /** Unique in its workspace; assets carry it. */
  name: string;
  /** The name by which the graph knows it: another one than `name` while a change of the name is under way. */
  knownAs: string;
  type: string;
  /** Secret options decrypted: for the crawl only. */
  options: Record<string, string>;
  /** What the last crawl without errors left for the next incremental one. */
  state: Record<string, string> | null;
  createdAt: string;
  /** Null: enabled. */
  disabledAt: string | null;
  /** Since when it is being removed: it never crawls again. Null: it is not. */
  removingAt: string | null;
}

export type SyncStatus = "queued" | "running" | "completed" | "failed" | "cancelled";

/** An item of a sync's `errors`. */
export interface SyncError extends CrawlError {
  /** ISO 8601, UTC. */
  occurredAt: string;
}

export interface Sync {
  id: string;
  workspaceId: string;
  connectorId: string;
  status: SyncStatus;
  mode: SyncMode;
  queuedAt: string;
  startedAt: string | null;
  completedAt: string | null;
  estimatedDurationSeconds: number;
  assetsDiscovered: number;
  assetsUpdated: number;
  assetsRemoved: number;
  /** At most 100, in the order in which they occurred: errors before warnings, then the first. */
  errors: SyncError[];
  /** All of them, kept or not. */
  errorsTotal: number;
  /** 0 to 1, and what is being done; for people who wait. */
  progress: number;
  progressLabel: string;
  /** When somebody asked for the end of a running sync; null: nobody did. */
  cancelRequestedAt: string | null;
}

export const MAX_KEPT_SYNC_ERRORS = 100;

/** How far a running sync is. */
export interface CrawlProgress {
  /** 0 to 1. */
  fraction: number;
  label: string;
}

/** A sync that was asked for. */
export interface TriggeredSync extends Sync {
  /** Whether an earlier request queued it. */
  isRepeat: boolean;
}

/** How a run ended, as its sync will say. */
export interface CrawlOutcome {
  status: "completed" | "failed" | "cancelled";
  assetsDiscovered: number;
  assetsUpdated: number;
  assetsRemoved: number;
  /** At most 100, in the order in which they occurred: errors before warnings, then the first. */
  errors: SyncError[];
  /** All of them, kept or not. */
  errorsTotal: number;
  /** For the connector's next incremental crawl; null leaves what there is. */
  state: Record<string, string> | null;
}
