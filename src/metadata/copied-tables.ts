/** Which columns of each table move with a workspace to another metadata store. */
import type { WorkspaceId } from "../ids.ts";
import { toBoundValue } from "./bound-value.ts";
import type { Tables } from "./tables.ts";

/** One row by its columns. */
export type RecordRow = Record<string, string | number | null>;

/** In the order in which they are written: rows need those of the parts before them. */
export const RECORD_PARTS = [
  "users",
  "userItems",
  "serviceAccounts",
  "connectors",
  "syncs",
  "inboxSubjects",
  "inboxMessages",
  "aspects",
  "noticeRules",
  "noticeOptOuts",
  "auditEvents",
] as const;
export type RecordPart = (typeof RECORD_PARTS)[number];

interface Table<P extends RecordPart> {
  columns: readonly (keyof Tables[P] & string)[];
  /** Columns of a row as they are in the other store, where these differ. */
  instead?: (row: RecordRow) => RecordRow;
  key: readonly (keyof Tables[P] & string)[];
}

/** Why a notice rule is off after a move. */
const MOVED = "It came here with the workspace. Switch it on here once it is off there.";

export const COPIED_TABLES: { [P in RecordPart]: Table<P> } = {
  users: {
    columns: [
      "id",
      "workspaceId",
      "email",
      "role",
      "createdAt",
      "grants",
      "disabledAt",
      "name",
      "ssoIssuer",
      "ssoSubject",
      "lastLoginAt",
    ],
    key: ["id"],
  },
  userItems: {
    columns: ["workspaceId", "userId", "list", "item", "label", "at"],
    key: ["userId", "list", "item"],
  },
  serviceAccounts: {
    columns: ["id", "workspaceId", "name", "role", "clientId", "createdAt", "disabledAt"],
    key: ["id"],
  },
  connectors: {
    columns: [
      "id",
      "workspaceId",
      "name",
      "type",
      "options",
      "state",
      "createdAt",
      "knownAs",
      "optionsChangedAt",
      "disabledAt",
      "removingAt",
      "cron",
      "timeZone",
      "nextRunAt",
      "removalShare",
      "runs",
      "receivedAt",
      "unreadSince",
      "aspectsAt",
      "aspectBytes",
    ],
    instead: () => ({ secrets: "{}" }),
    key: ["id"],
  },
  syncs: {
    columns: [
      "id",
      "workspaceId",
      "connectorId",
      "number",
      "status",
      "mode",
      "queuedAt",
      "startedAt",
      "completedAt",
      "estimatedDurationSeconds",
      "assetsDiscovered",
      "assetsUpdated",
      "assetsRemoved",
      "errors",
      "errorsTotal",
      "unkept",
      "progress",
      "progressLabel",
      "attempts",
      "cancelRequestedAt",
      "confirmRemoval",
      "run",
      "failedTries",
    ],
    key: ["id"],
  },
  inboxSubjects: {
    columns: [
      "workspaceId",
      "connectorId",
      "subject",
      "version",
      "appliedVersion",
      "attempts",
      "expiresAt",
      "errors",
      "errorsTotal",
      "failed",
    ],
    key: ["connectorId", "subject"],
  },
  inboxMessages: {
    columns: ["connectorId", "subject", "key", "body", "isNote"],
    key: ["connectorId", "subject", "key"],
  },
  aspects: {
    columns: ["connectorId", "entity", "urn", "aspect", "part", "at", "body", "unkept"],
    key: ["connectorId", "urn", "aspect", "part"],
  },
  noticeRules: {
    columns: [
      "id",
      "workspaceId",
      "personId",
      "name",
      "channel",
      "kinds",
      "minRisk",
      "aboutBy",
      "about",
      "origin",
      "recipient",
      "digestHour",
      "createdAt",
      "createdBy",
      "onSince",
      "disabledAt",
      "disabledReason",
    ],
    // Both stores must not tell the same, and the addresses stay behind.
    instead: ({ disabledAt, disabledReason, onSince }) => ({
      sealed: "",
      lastNumber: 0,
      disabledAt: disabledAt ?? onSince ?? null,
      disabledReason: disabledAt === null ? MOVED : (disabledReason ?? ""),
    }),
    key: ["id"],
  },
  noticeOptOuts: {
    columns: ["ruleId", "email"],
    key: ["ruleId", "email"],
  },
  auditEvents: {
    columns: ["id", "workspaceId", "action", "actor", "source", "subject", "details", "at"],
    key: ["id"],
  },
};

/** The columns of a part's rows, all of which are there. */
export function columnsOf(part: RecordPart): readonly string[] {
  return COPIED_TABLES[part].columns;
}

/** @throws TypeError if the row has other columns, or is of another workspace */
export function toColumns(part: RecordPart, row: RecordRow, workspaceId: WorkspaceId): RecordRow {
  const names: readonly string[] = COPIED_TABLES[part].columns;
  const given = Object.keys(row);
  const isWhole = given.length === names.length && names.every((name) => Object.hasOwn(row, name));
  if (!isWhole) throw new TypeError(`a row of ${part} has other columns: ${given.join(", ")}`);
  if (names.includes("workspaceId") && row["workspaceId"] !== workspaceId) {
    throw new TypeError(`a row of ${part} is of another workspace`);
  }
  for (const value of Object.values(row)) toBoundValue(value);
  return { ...row };
}
