/**
 * The records of the metadata store: who has access, and which connectors and syncs there are. It holds no fact about
 * an asset.
 */
import type { CrawlError, SyncMode, Unkept } from "../catalog/crawl.ts";
import type { AuditAction } from "./audit-actions.ts";
import type { AccountId, ConnectorId, SecretId, SyncId, TokenId, UserId, WorkspaceId, WorkspaceName } from "../ids.ts";

export type WorkspaceKind = "live" | "sandbox";

export interface Workspace {
  id: WorkspaceId;
  /** Unique. `--workspace` takes this name. */
  name: WorkspaceName;
  kind: WorkspaceKind;
  createdAt: string;
}

export const ROLES = ["analyst", "engineer", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** Permissions that can be granted to a user in addition to the role. */
export const PERMISSIONS = ["api:manage", "metrics:certify"] as const;
export type Permission = (typeof PERMISSIONS)[number];

export interface User {
  id: UserId;
  workspaceId: WorkspaceId;
  email: string;
  /** The name for people; "" if nobody gave one. */
  name: string;
  role: Role;
  grants: Permission[];
  createdAt: string;
  /** Null: the user is active. */
  disabledAt: string | null;
  /** When the user last logged in; null: never. */
  lastLoginAt: string | null;
  /** Whether the user can log in with a password. */
  hasPassword: boolean;
  /** Whether the user can log in by single sign-on. */
  sso: boolean;
}

/** The salted hash by which a token or secret is checked. */
export interface SaltedHash {
  salt: string;
  hash: string;
}

/** A program that gets its tokens by OAuth client credentials. */
export interface ServiceAccount {
  id: AccountId;
  workspaceId: WorkspaceId;
  /** Unique in its workspace. */
  name: string;
  role: Role;
  /** The id that the account uses for OAuth. It is not a secret. */
  clientId: string;
  createdAt: string;
  /** Null: active. */
  disabledAt: string | null;
}

/** One secret of an account. Two may be valid at once. */
export interface ClientSecret {
  id: SecretId;
  accountId: AccountId;
  createdAt: string;
  /** Null: it never expires. */
  expiresAt: string | null;
  revokedAt: string | null;
  /** When it was last used to get a token; null: never. */
  lastUsedAt: string | null;
}

/** An OAuth access token of a service account. */
export interface AccessToken {
  id: TokenId;
  workspaceId: WorkspaceId;
  accountId: AccountId;
  prefix: string;
  scopes: Scope[];
  createdAt: string;
  expiresAt: string;
  revokedAt: string | null;
}

export const SCOPES = ["read", "write", "admin"] as const;
export type Scope = (typeof SCOPES)[number];

export interface ApiKey {
  id: TokenId;
  workspaceId: WorkspaceId;
  /** The user or service account whose permissions limit the key. */
  createdBy: UserId | AccountId;
  name: string;
  /** The first characters of the token. The key is found and shown by them. They are not a secret. */
  prefix: string;
  scopes: Scope[];
  /** CIDRs from which the key is accepted; empty: from everywhere that the workspace accepts. */
  networks: string[];
  createdAt: string;
  /** Null: it never expires. */
  expiresAt: string | null;
  revokedAt: string | null;
  /** To the minute; null: never used. */
  lastUsedAt: string | null;
}

/** The rules for tokens that the admins of a workspace set. */
export interface SecuritySettings {
  /** Requests in any 60 seconds, for each key or OAuth client: 1 to 10,000. */
  rateLimitPerMinute: number;
  /** CIDRs from which tokens are accepted; empty: from everywhere. */
  allowlist: string[];
  /** Seconds from the creation of a token; null: only the token's own limit counts. */
  maxTokenLifetimeSeconds: number | null;
}

export const DEFAULT_RATE_LIMIT = 1_000;
export const MAX_RATE_LIMIT = 10_000;

/** A security event. It never changes after it is written, and is deleted only when the workspace keeps none so old. */
export interface AuditEvent {
  id: string;
  /** Null if the workspace is not known, as for a lockout. */
  workspaceId: WorkspaceId | null;
  action: AuditAction;
  /** Who did it: an e-mail address, a service account's name, or a part such as `connector shop`; "" if unknown. */
  actor: string;
  /** The address of the request, `command line`, or `service` for what the service does by itself. */
  source: string;
  /** The id of the object that was changed; "" if there is none. */
  subject: string;
  /** More details, such as the values before and after. Never a secret. */
  details: Record<string, unknown>;
  at: string;
}

export interface Connector {
  id: ConnectorId;
  workspaceId: WorkspaceId;
  /** Unique in its workspace. Assets show it. */
  name: string;
  /** The name that the graph has for it. It differs from `name` while a change of the name is not finished. */
  knownAs: string;
  type: string;
  /** Includes the decrypted secret options. Only the crawl may use these. */
  options: Record<string, string>;
  /** What the last crawl without errors stored for the next incremental one. */
  state: Record<string, string> | null;
  createdAt: string;
  /** Null: enabled. */
  disabledAt: string | null;
  /** When its removal began. It never crawls again. Null: it is not being removed. */
  removingAt: string | null;
  /** When the last message came that others sent to it; null: none did. */
  receivedAt: string | null;
  /** Null: it crawls only when it is asked to. */
  schedule: Schedule | null;
  /** The largest share of what it stated, in percent, that a crawl removes without confirmation. */
  removalShare: number;
}

/** When a connector crawls by itself. */
export interface Schedule {
  /** A cron expression. */
  cron: string;
  /** An IANA name, such as `Europe/Berlin`. */
  timeZone: string;
  /** ISO 8601, UTC. Null if there is no later time. */
  nextRunAt: string | null;
}

export type SyncStatus = "queued" | "running" | "completed" | "failed" | "cancelled";

/** An entry of a sync's `errors`. */
export interface SyncError extends CrawlError {
  /** ISO 8601, UTC. */
  occurredAt: string;
}

export interface Sync {
  id: SyncId;
  workspaceId: WorkspaceId;
  connectorId: ConnectorId;
  status: SyncStatus;
  mode: SyncMode;
  queuedAt: string;
  startedAt: string | null;
  completedAt: string | null;
  estimatedDurationSeconds: number;
  assetsDiscovered: number;
  assetsUpdated: number;
  assetsRemoved: number;
  /**
   * At most 100. If there were more, errors are kept before warnings, and earlier ones before later ones. They are in
   * the order in which they occurred.
   */
  errors: SyncError[];
  /** The number of all errors and warnings, kept or not. */
  errorsTotal: number;
  /** What came and is not kept. */
  unkept: Unkept[];
  /** 0 to 1, and a text that says what is being done, for people who wait. */
  progress: number;
  progressLabel: string;
  /** When somebody asked to cancel a running sync; null: nobody did. */
  cancelRequestedAt: string | null;
  /** Whether it may remove any share of what the connector stated. */
  confirmRemoval: boolean;
  /** The number of its run. A later run of the connector has a higher one. 0: no worker took it yet. */
  run: number;
  /** How often it failed for a reason that may pass, and was queued again. Then `errors` are those of its last try. */
  failedTries: number;
  /** When it is tried again; null unless it is queued after a failed try. */
  nextTryAt: string | null;
}

export const MAX_KEPT_SYNC_ERRORS = 100;

/** How far a running sync is. */
export interface CrawlProgress {
  /** 0 to 1. */
  fraction: number;
  label: string;
}

/** The sync that answers a request. */
export interface TriggeredSync extends Sync {
  /** Whether an earlier request had queued it. */
  isRepeat: boolean;
}

/** The result of a crawl, which is written to its sync. */
export interface CrawlOutcome extends Pick<
  Sync,
  "assetsDiscovered" | "assetsUpdated" | "assetsRemoved" | "errors" | "errorsTotal" | "unkept"
> {
  status: "completed" | "failed" | "cancelled";
  /** For the connector's next incremental crawl; null keeps the state as it is. */
  state: Record<string, string> | null;
}

/**
 * seen: the assets and metrics that the person opened. favourite: those that the person marked. Both have ids of nodes.
 * search: searches of the catalog, each as the query of its address. step: the pages that the person has opened once.
 */
export type UserList = "seen" | "favourite" | "search" | "step" | "visit";

export interface UserItem {
  item: string;
  /** The name that the person gave it; "" if it has none. */
  label: string;
  /** ISO 8601, UTC: when it was last put into the list. */
  at: string;
}
