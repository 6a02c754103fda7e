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

/** The columns that move, by their names. */
const MOVING = {
  users: ["id workspaceId email role createdAt grants disabledAt name ssoIssuer ssoSubject lastLoginAt"],
  userItems: ["workspaceId userId list item label at"],
  serviceAccounts: ["id workspaceId name role clientId createdAt disabledAt"],
  connectors: [
    "id workspaceId name type options state createdAt knownAs optionsChangedAt disabledAt removingAt cron timeZone",
    "nextRunAt removalShare runs receivedAt unreadSince aspectsAt aspectBytes",
  ],
  syncs: [
    "id workspaceId connectorId number status mode queuedAt startedAt completedAt estimatedDurationSeconds run",
    "assetsDiscovered assetsUpdated assetsRemoved errors errorsTotal unkept progress progressLabel attempts",
    "cancelRequestedAt confirmRemoval failedTries",
  ],
  inboxSubjects: [
    "workspaceId connectorId subject version appliedVersion attempts expiresAt errors errorsTotal failed",
  ],
  inboxMessages: ["connectorId subject key body isNote"],
  aspects: ["connectorId entity urn aspect part at body unkept"],
  noticeRules: [
    "id workspaceId personId name channel kinds minRisk aboutBy about origin recipient digestHour createdAt createdBy",
    "onSince disabledAt disabledReason",
  ],
  noticeOptOuts: ["ruleId email"],
  auditEvents: ["id workspaceId action actor source subject details at"],
} as const satisfies Record<RecordPart, readonly string[]>;

type Word<Text extends string> = Text extends `${infer First} ${infer Others}` ? First | Word<Others> : Text;
type Staying<P extends RecordPart> = Exclude<keyof Tables[P], Word<(typeof MOVING)[P][number]>>;

interface Table<P extends RecordPart> {
  /** Every other column of the table, and what it holds in the other store. */
  staying: Record<Staying<P>, string | number | null>;
  /**
   * Columns that move, where they differ in the other store.
   * @param at when the row is written there
   */
  instead?: (row: RecordRow, at: string) => RecordRow;
  key: readonly (keyof Tables[P] & string)[];
}

/** Why a notice rule is off after a move. */
const MOVED = "It came here with the workspace. Switch it on here once it is off there.";

export const COPIED_TABLES: { [P in RecordPart]: Table<P> } = {
  users: { staying: { password: null, loginsEndedAt: null }, key: ["id"] },
  userItems: { staying: {}, key: ["userId", "list", "item"] },
  serviceAccounts: { staying: {}, key: ["id"] },
  connectors: { staying: { secrets: "{}" }, key: ["id"] },
  syncs: { staying: { workerId: null, leaseUntil: null, nextTryAt: null }, key: ["id"] },
  inboxSubjects: { staying: { processId: null, leaseUntil: null }, key: ["connectorId", "subject"] },
  inboxMessages: { staying: {}, key: ["connectorId", "subject", "key"] },
  aspects: { staying: {}, key: ["connectorId", "urn", "aspect", "part"] },
  noticeRules: {
    // The addresses stay behind.
    staying: { sealed: "", lastNumber: 0, failingSince: null, dueAt: null, workerId: null, leaseUntil: null },
    // Both stores must not tell the same. What a bell tells stays in its store.
    instead: ({ disabledAt, channel }, at) => ({
      onSince: at,
      ...(disabledAt === null && channel !== "bell" && { disabledAt: at, disabledReason: MOVED }),
    }),
    key: ["id"],
  },
  noticeOptOuts: { staying: {}, key: ["ruleId", "email"] },
  auditEvents: { staying: {}, key: ["id"] },
};

/** The columns of a part's rows, all of which are there. */
export function columnsOf(part: RecordPart): readonly string[] {
  return MOVING[part].flatMap((names) => names.split(" "));
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
