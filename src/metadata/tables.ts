/**
 * The tables as Kysely sees them. Times are ISO 8601 text. Lists and maps are JSON text, which `stored-values.ts` reads and
 * writes: the same on every engine.
 */
import type { Generated } from "kysely";

import type { AspectRow } from "../catalog/aspect.ts";
import type { ConnectorId, NoticeRuleId, UserId, WorkspaceId, WorkspaceName } from "../ids.ts";
import type {
  AccessToken,
  ApiKey,
  AuditEvent,
  ClientSecret,
  SaltedHash,
  ServiceAccount,
  Sync,
  SyncError,
  User,
  UserItem,
  UserList,
  WorkspaceKind,
} from "./records.ts";
import type { Notice, NoticeCursor, NoticeEvent, NoticeRule } from "./notice-records.ts";
import type { LoginLink, Session } from "./login-records.ts";

/** These columns have a default, so an insert may leave them out. */
type WithDefaults<Columns, Defaulted extends keyof Columns> = Omit<Columns, Defaulted> & {
  [Column in Defaulted]: Generated<Columns[Column]>;
};

export interface Tables {
  /** One row. */
  store: {
    /** Random. A graph store notes it, so that it cannot be used with two metadata stores. */
    id: string;
    /** Follows from the secret key. See `secret-key-check.ts`. */
    secretKeyCheck: string;
  };
  workspaces: {
    id: WorkspaceId;
    name: WorkspaceName;
    kind: WorkspaceKind;
    createdAt: string;
    rateLimitPerMinute: Generated<number>;
    allowlist: Generated<string[]>;
    maxTokenLifetimeSeconds: number | null;
    /** How many days audit events are kept; null: for ever. */
    auditRetentionDays: Generated<number | null>;
    /** When it got its first notice rule that mails to owners; null: it has not had one. */
    defaultRuleAt: Generated<string | null>;
    /** The same for its first rule that tells owners in the workspace. */
    defaultBellAt: Generated<string | null>;
  };
  users: WithDefaults<
    Omit<User, "hasPassword" | "sso"> & {
      /** A PHC string of argon2id. Null: the user has no password. */
      password: string | null;
      /** Both are null, or neither. */
      ssoIssuer: string | null;
      ssoSubject: string | null;
      /** When all sessions of the user were last ended; null: never. No earlier login proves the user any more. */
      loginsEndedAt: string | null;
    },
    "name" | "grants" | "password" | "ssoIssuer" | "ssoSubject" | "lastLoginAt" | "loginsEndedAt"
  >;
  /** `lookup` is the part of the cookie by which a session is found. */
  sessions: Session & SaltedHash & { lookup: string };
  userItems: UserItem & { workspaceId: WorkspaceId; userId: UserId; list: UserList };
  loginLinks: LoginLink & SaltedHash & { lookup: string };
  /** `createdBy` is not a foreign key: a key may exist longer than its creator, and is then refused. */
  apiKeys: ApiKey & SaltedHash;
  serviceAccounts: ServiceAccount;
  clientSecrets: ClientSecret & SaltedHash;
  accessTokens: AccessToken & SaltedHash;
  auditEvents: AuditEvent;
  columnLineage: {
    /** See `statementKey` in sql-lineage. */
    key: string;
    answer: string;
    usedAt: string;
  };
  connectors: {
    id: ConnectorId;
    workspaceId: WorkspaceId;
    name: string;
    type: string;
    /** Options that are not secret. */
    options: Record<string, string>;
    /** The secret options, each sealed: see `sealer.ts`. */
    secrets: Record<string, string>;
    state: Record<string, string> | null;
    createdAt: string;
    /**
     * The name that the graph has for the connector. It differs from `name` while a change of the name is not finished.
     */
    knownAs: string;
    /** Null: they were never changed. */
    optionsChangedAt: string | null;
    disabledAt: string | null;
    removingAt: string | null;
    /** When it runs by itself; null if it runs only on request. */
    cron: Generated<string | null>;
    /** An IANA name. */
    timeZone: Generated<string>;
    nextRunAt: Generated<string | null>;
    /** The largest share of what it stated, in percent, that a crawl removes without confirmation. */
    removalShare: Generated<number>;
    /**
     * The number of its last run. A run is a sync that a worker took, or an attempt to apply a subject of its inbox. A
     * later run has a higher number. See `runs.ts`.
     */
    runs: Generated<number>;
    /** When its last message arrived; null if none has. */
    receivedAt: Generated<string | null>;
    /** When the first aspect came that no sync has read; null if syncs have read all of them. */
    unreadSince: Generated<string | null>;
    /** When its last aspect came; null if none has. */
    aspectsAt: Generated<string | null>;
    /** How much its aspects take. */
    aspectBytes: Generated<number>;
  };
  /** See `aspects.ts`. */
  aspects: AspectRow & { connectorId: ConnectorId };
  inboxSubjects: {
    workspaceId: WorkspaceId;
    connectorId: ConnectorId;
    subject: string;
    /** Grows with each message or note. */
    version: number;
    /** The newest version that is completely in the graph. */
    appliedVersion: Generated<number>;
    /** How many attempts have begun. */
    attempts: Generated<number>;
    /** The process that applies it, until `leaseUntil` unless it renews. Both are null if no process does. */
    processId: Generated<string | null>;
    leaseUntil: Generated<string | null>;
    expiresAt: string | null;
    /** The errors of the last attempt. */
    errors: Generated<SyncError[]>;
    errorsTotal: Generated<number>;
    /** 1 if one of them has severity `error`. */
    failed: Generated<number>;
  };
  inboxMessages: {
    connectorId: ConnectorId;
    subject: string;
    /** Of a note, the subject that wrote it. */
    key: string;
    body: string;
    isNote: 0 | 1;
  };
  savedImpacts: {
    workspaceId: WorkspaceId;
    /** Follows from the content. */
    id: string;
    savedAt: string;
    /** Of the body. */
    bytes: number;
    /** Packed JSON, in base64. */
    body: string;
  };
  noticeRules: Omit<NoticeRule, "personId"> & {
    /** "" for a rule of the workspace, because a null would not make its name unique. */
    personId: UserId | "";
    /** The address and the secrets, sealed: see `sealer.ts`. */
    sealed: string;
    /** The number of its newest notice. */
    lastNumber: number;
    /** When its next notice is to be sent; null if none waits. */
    dueAt: string | null;
    /** The process that sends its next notice, until `leaseUntil`. Both are null if none does. */
    workerId: string | null;
    leaseUntil: string | null;
  };
  noticeEvents: NoticeEvent & {
    /** Events are handled in this order. */
    number: number;
  };
  /** How far the history of each workspace has been told. */
  noticeCursors: { workspaceId: WorkspaceId } & NoticeCursor;
  /** Who gets no mails of a rule about owners, by folded address. */
  noticeOptOuts: { ruleId: NoticeRuleId; email: string };
  notices: Notice;
  /** The processes that work. */
  workers: {
    id: string;
    seenAt: string;
  };
  syncs: WithDefaults<
    Omit<Sync, "unkept"> & {
      /** JSON. The column of this name in `aspects` is plain text. */
      unkept: string;
      /** Counts the connector's syncs from 1. The newest has the highest number. */
      number: number;
      /** The worker that runs the sync, until `leaseUntil` unless it renews. Both are null if the sync is not running. */
      workerId: string | null;
      leaseUntil: string | null;
      /** How many workers took the sync and neither finished nor returned it. */
      attempts: number;
    },
    | "assetsDiscovered"
    | "assetsUpdated"
    | "assetsRemoved"
    | "errors"
    | "errorsTotal"
    | "unkept"
    | "progress"
    | "progressLabel"
    | "attempts"
    | "confirmRemoval"
    | "run"
    | "failedTries"
  >;
}
