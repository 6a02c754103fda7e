/** Columns of a workspace and its security settings, for queries that join them to other tables. */
import type { WorkspaceId, WorkspaceName } from "../ids.ts";
import type { SecuritySettings, Workspace, WorkspaceKind } from "./records.ts";

/** Stands in the name of a copy that is not whole yet. Nobody can give such a name, because it has spaces. */
export const UNFINISHED = "copying";

export const WORKSPACE_COLUMNS = [
  "workspaces.id as workspaceId",
  "workspaces.name as workspaceName",
  "workspaces.kind as workspaceKind",
  "workspaces.createdAt as workspaceCreatedAt",
  "workspaces.rateLimitPerMinute",
  "workspaces.allowlist",
  "workspaces.maxTokenLifetimeSeconds",
] as const;

interface WorkspaceRow {
  workspaceId: WorkspaceId;
  workspaceName: WorkspaceName;
  workspaceKind: WorkspaceKind;
  workspaceCreatedAt: string;
}

export function toWorkspace(row: WorkspaceRow): Workspace {
  return { id: row.workspaceId, name: row.workspaceName, kind: row.workspaceKind, createdAt: row.workspaceCreatedAt };
}

export function toSecurity(row: SecuritySettings): SecuritySettings {
  const { rateLimitPerMinute, allowlist, maxTokenLifetimeSeconds } = row;
  return { rateLimitPerMinute, allowlist, maxTokenLifetimeSeconds };
}
