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
  /** Every column of the table, and whether it moves. */
  columns: Record<keyof Tables[P] & string, boolean>;
  /**
   * Columns of a row as they are in the other store, where these differ.
   * @param at when it is written there
   */
  instead?: (row: RecordRow, at: string) => RecordRow;
  key: readonly (keyof Tables[P] & string)[];
}

/** Why a notice rule is off after a move. */
const MOVED = "It came here with the workspace. Switch it on here once it is off there.";

export const COPIED_TABLES: { [P in RecordPart]: Table<P> } = {
  users: {
    columns: {
      id: true,
      workspaceId: true,
      email: true,
      role: true,
      createdAt: true,
      grants: true,
      disabledAt: true,
      name: true,
      ssoIssuer: true,
      ssoSubject: true,
      lastLoginAt: true,
      password: false,
      loginsEndedAt: false,
    },
    key: ["id"],
  },
  userItems: {
    columns: { workspaceId: true, userId: true, list: true, item: true, label: true, at: true },
    key: ["userId", "list", "item"],
  },
  serviceAccounts: {
    columns: { id: true, workspaceId: true, name: true, role: true, clientId: true, createdAt: true, disabledAt: true },
    key: ["id"],
  },
  connectors: {
    columns: {
      id: true,
      workspaceId: true,
      name: true,
      type: true,
      options: true,
      state: true,
      createdAt: true,
      knownAs: true,
      optionsChangedAt: true,
      disabledAt: true,
      removingAt: true,
      cron: true,
      timeZone: true,
      nextRunAt: true,
      removalShare: true,
      runs: true,
      receivedAt: true,
      unreadSince: true,
      aspectsAt: true,
      aspectBytes: true,
      secrets: false,
    },
    instead: () => ({ secrets: "{}" }),
    key: ["id"],
  },
  syncs: {
    columns: {
      id: true,
      workspaceId: true,
      connectorId: true,
      number: true,
      status: true,
      mode: true,
      queuedAt: true,
      startedAt: true,
      completedAt: true,
      estimatedDurationSeconds: true,
      assetsDiscovered: true,
      assetsUpdated: true,
      assetsRemoved: true,
      errors: true,
      errorsTotal: true,
      unkept: true,
      progress: true,
      progressLabel: true,
      attempts: true,
      cancelRequestedAt: true,
      confirmRemoval: true,
      run: true,
      failedTries: true,
      workerId: false,
      leaseUntil: false,
      nextTryAt: false,
    },
    key: ["id"],
  },
  inboxSubjects: {
    columns: {
      workspaceId: true,
      connectorId: true,
      subject: true,
      version: true,
      appliedVersion: true,
      attempts: true,
      expiresAt: true,
      errors: true,
      errorsTotal: true,
      failed: true,
      processId: false,
      leaseUntil: false,
    },
    key: ["connectorId", "subject"],
  },
  inboxMessages: {
    columns: { connectorId: true, subject: true, key: true, body: true, isNote: true },
    key: ["connectorId", "subject", "key"],
  },
  aspects: {
    columns: {
      connectorId: true,
      entity: true,
      urn: true,
      aspect: true,
      part: true,
      at: true,
      body: true,
      unkept: true,
    },
    key: ["connectorId", "urn", "aspect", "part"],
  },
  noticeRules: {
    columns: {
      id: true,
      workspaceId: true,
      personId: true,
      name: true,
      channel: true,
      kinds: true,
      minRisk: true,
      aboutBy: true,
      about: true,
      origin: true,
      recipient: true,
      digestHour: true,
      createdAt: true,
      createdBy: true,
      onSince: true,
      disabledAt: true,
      disabledReason: true,
      sealed: false,
      lastNumber: false,
      failingSince: false,
      dueAt: false,
      workerId: false,
      leaseUntil: false,
    },
    // Both stores must not tell the same, and the addresses stay behind. What a bell tells stays in its store.
    instead: ({ disabledAt, channel }, at) => ({
      sealed: "",
      lastNumber: 0,
      onSince: at,
      ...(disabledAt === null && channel !== "bell" && { disabledAt: at, disabledReason: MOVED }),
    }),
    key: ["id"],
  },
  noticeOptOuts: {
    columns: { ruleId: true, email: true },
    key: ["ruleId", "email"],
  },
  auditEvents: {
    columns: {
      id: true,
      workspaceId: true,
      action: true,
      actor: true,
      source: true,
      subject: true,
      details: true,
      at: true,
    },
    key: ["id"],
  },
};

/** The columns of a part's rows, all of which are there. */
export function columnsOf(part: RecordPart): readonly string[] {
  return Object.entries(COPIED_TABLES[part].columns).flatMap(([column, moves]) => (moves ? [column] : []));
}

/** @throws TypeError if the row has other columns, or is of another workspace */
export function toColumns(part: RecordPart, row: RecordRow, workspaceId: WorkspaceId): RecordRow {
  const names = columnsOf(part);
  const given = Object.keys(row);
  const isWhole = given.length === names.length && names.every((name) => Object.hasOwn(row, name));
  if (!isWhole) throw new TypeError(`a row of ${part} has other columns: ${given.join(", ")}`);
  if (names.includes("workspaceId") && row["workspaceId"] !== workspaceId) {
    throw new TypeError(`a row of ${part} is of another workspace`);
  }
  for (const value of Object.values(row)) toBoundValue(value);
  return { ...row };
}
