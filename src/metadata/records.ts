/** What the metadata store keeps: who may come in, and which crawls there are. No fact about an asset. */
import type { CrawlError, SyncMode } from "../connectors/connector.ts";

export const WORKSPACE_KINDS = ["live", "sandbox"] as const;
export type WorkspaceKind = (typeof WORKSPACE_KINDS)[number];

export interface Workspace {
  id: string;
  /** Unique; what `--workspace` names. */
  name: string;
  kind: WorkspaceKind;
  createdAt: string;
}

const ROLES = ["analyst", "engineer", "admin"] as const;
export type Role = (typeof ROLES)[number];

export interface User {
  id: string;
  workspaceId: string;
  email: string;
  role: Role;
  createdAt: string;
}

export const SCOPES = ["read", "write", "admin"] as const;
export type Scope = (typeof SCOPES)[number];

export interface ApiKey {
  id: string;
  workspaceId: string;
  /** The user whose permissions bound it. */
  createdBy: string;
  name: string;
  /** The first characters of the token, by which it is looked up and recognised; no secret. */
  prefix: string;
  scopes: Scope[];
  createdAt: string;
  /** Null: never. */
  expiresAt: string | null;
  revokedAt: string | null;
}

export interface Connector {
  id: string;
  workspaceId: string;
  /** Unique in its workspace, and never changed: assets carry it. */
  name: string;
  type: string;
  /** Secret options decrypted: for the crawl only. */
  options: Record<string, string>;
  /** What the last crawl without errors left for the next incremental one. */
  state: Record<string, string> | null;
  createdAt: string;
}

export const SYNC_STATUSES = ["queued", "running", "completed", "failed", "cancelled"] as const;
export type SyncStatus = (typeof SYNC_STATUSES)[number];

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
  /** The first 100. */
  errors: SyncError[];
  /** All of them, kept or not. */
  errorsTotal: number;
  /** 0 to 1, and what is being done; for people who wait. */
  progress: number;
  progressLabel: string;
}

export const MAX_KEPT_SYNC_ERRORS = 100;

/** How far a running sync is. */
export interface CrawlProgress {
  /** 0 to 1. */
  fraction: number;
  label: string;
}

/** How a run ended, as its sync will say. */
export interface CrawlOutcome {
  status: "completed" | "failed";
  assetsDiscovered: number;
  assetsUpdated: number;
  assetsRemoved: number;
  /** The first 100. */
  errors: SyncError[];
  /** All of them, kept or not. */
  errorsTotal: number;
  /** For the connector's next incremental crawl; null leaves what there is. */
  state: Record<string, string> | null;
}
