/** The metadata store: access, connectors and syncs. */
import { Kysely } from "kysely";
import type { BaseLogger } from "pino";

import type { Clock, RandomBytes } from "../clock.ts";
import { startConnecting } from "../work/connecting.ts";
import { createAccessTokenStore } from "./access-tokens.ts";
import { createAccountStore } from "./accounts.ts";
import { createApiKeyStore } from "./api-keys.ts";
import { createAspectStore } from "./aspects.ts";
import { createAuditStore } from "./audit.ts";
import { createConnectorStore } from "./connectors.ts";
import { createRecordCopier } from "./copy.ts";
import { inTransaction, type StoreContext } from "./context.ts";
import { createCredentialStore } from "./credentials.ts";
import type { Engine } from "./engine.ts";
import { newId } from "./ids.ts";
import { createInboxStore } from "./inbox.ts";
import { createLoginLinkStore } from "./login-links.ts";
import { createLoginStore } from "./logins.ts";
import { createLineageAnswerStore } from "./lineage-answers.ts";
import { migrateToLatest } from "./migrations.ts";
import { createNoticeEventStore } from "./notice-events.ts";
import { createNoticeRuleStore } from "./notice-rules.ts";
import { createNoticeStore } from "./notices.ts";
import { createScheduleStore } from "./schedules.ts";
import { createSavedImpactStore } from "./saved-impacts.ts";
import { createSealer, type Sealer } from "./sealer.ts";
import { createSecurityStore } from "./security.ts";
import { createSessionStore } from "./sessions.ts";
import { checkSecretKey } from "./secret-key-check.ts";
import { openSqliteEngine } from "./sqlite.ts";
import type { Signals } from "./signals.ts";
import { RowsPlugin } from "./stored-values.ts";
import { createSyncLeases } from "./sync-leases.ts";
import { createSyncStore } from "./syncs.ts";
import type { Tables } from "./tables.ts";
import { createUserStore } from "./users.ts";
import { createUserListStore } from "./user-lists.ts";
import { createWorkerStore } from "./workers.ts";
import { createWorkspaceStore } from "./workspaces.ts";

/** The records about access. A security event changes them together with the audit trail. */
export type SecurityRepositories = ReturnType<typeof createSecurityRepositories>;

/** What one transaction may change. */
export type Repositories = ReturnType<typeof createRepositories>;

/**
 * Every call of the stores below names a workspace, and cannot see anything of another workspace. There are exceptions:
 * - `leases`, `schedules`, `workers` and `inbox.listWaiting` serve the crawler queue, which works for all workspaces, and
 *   `audit.listRetentions` and `savedImpacts.removeBefore` the sweeps of what is too old;
 * - `notices.claim`, `notices.removeOld` and `noticeEvents` serve the process that sends notices;
 * - `credentials` finds a token's workspace, and `logins` and `loginLinks` that of a person who comes with an address, an
 *   identity or a link;
 * - `lineageAnswers` are the same for all workspaces.
 *
 * Every method rejects with an `unavailable` AppError if the store cannot be reached.
 */
export interface MetadataStore extends Repositories, ReturnType<typeof createOtherStores> {
  signals: Pick<Signals, "send" | "listen">;
  /**
   * Changes several records at once. If `work` rejects, nothing changes.
   * @param work must use the stores that it gets; any other call would wait for the end of the transaction
   */
  transaction<T>(work: (nouns: Repositories) => Promise<T>): Promise<T>;
  /** The id of the whole store, which no other store has. */
  findId(): Promise<string>;
  /** Resolves if the store answers. */
  check(): Promise<void>;
  /** Resolves if the store accepts writes. It tries one that changes nothing. */
  checkWrites(): Promise<void>;
  close(): Promise<void>;
}

export interface MetadataStoreOptions {
  /** A file, or a URL of PostgreSQL, which may contain a password. */
  url: { kind: "sqlite"; path: string } | { kind: "postgres"; url: string };
  /** At least 32 bytes. Secret options are encrypted with a key derived from it. */
  secretKey: Buffer;
  clock: Clock;
  random: RandomBytes;
}

/**
 * Opens the store, makes it if there is none, and migrates it to the newest schema.
 * @throws AppError `unavailable`, whose message says why it cannot be opened; `UnusableStore` if waiting does not help
 */
export async function openMetadataStore(options: MetadataStoreOptions): Promise<MetadataStore> {
  const engine = await openEngine(options.url, () => {});
  const db = createDatabase(engine);
  const now = () => options.clock.now().toISOString();
  try {
    const store = createStore(db, engine, options);
    await inTransaction(db, async (trx) => {
      await migrateToLatest(trx, engine, now);
      const id = newId("sto", options.random);
      await checkSecretKey(trx, { secretKey: options.secretKey, id, location: engine.location });
    });
    return store;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/**
 * Does the same for a store on another machine, which may start later. Until then, every call of the store rejects with
 * an `unavailable` AppError.
 * @returns the store, and a promise that resolves when it can be used. It rejects with `UnusableStore`.
 * @throws UnusableStore if the URL names a file that cannot be read
 */
export async function awaitMetadataStore(
  options: MetadataStoreOptions,
  log: Pick<BaseLogger, "info" | "warn">,
): Promise<{ store: MetadataStore; connected: Promise<void> }> {
  const engine = await openEngine(options.url, () => connecting.requireReady());
  const connecting = startConnecting({
    name: "The metadata store",
    location: engine.location,
    log,
    prepare: async () => (await openMetadataStore(options)).close(),
  });
  const store = createStore(createDatabase(engine), engine, options);
  const close = async (): Promise<void> => {
    await connecting.stop();
    await store.close();
  };
  return { store: { ...store, close }, connected: connecting.connected };
}

async function openEngine(url: MetadataStoreOptions["url"], requireReady: () => void): Promise<Engine> {
  if (url.kind === "sqlite") return openSqliteEngine(url.path);
  // Loaded only here, because the embedded store does not need the driver.
  const { openPostgresEngine } = await import("./postgres/engine.ts");
  return openPostgresEngine({ url: url.url, requireReady });
}

function createDatabase({ dialect }: Engine): Kysely<Tables> {
  return new Kysely<Tables>({ dialect, plugins: [new RowsPlugin()] });
}

function createStore(
  db: Kysely<Tables>,
  { tryWrite, withoutFlush, skipLocked, isContention, signals }: Engine,
  { secretKey, clock, random }: MetadataStoreOptions,
): MetadataStore {
  const sealer = createSealer(secretKey, random);
  const context: StoreContext = {
    db,
    now: () => clock.now().toISOString(),
    newId: (prefix) => newId(prefix, random),
    withoutFlush,
    skipLocked,
    isContention,
  };
  return {
    ...createRepositories(context, sealer),
    ...createOtherStores(context),
    signals,
    transaction: (work) => inTransaction(db, (trx) => work(createRepositories({ ...context, db: trx }, sealer))),
    async findId() {
      return (await db.selectFrom("store").select("id").executeTakeFirstOrThrow()).id;
    },
    async check() {
      await db.selectFrom("workspaces").select("id").limit(1).execute();
    },
    async checkWrites() {
      await tryWrite(db.withoutPlugins());
    },
    async close() {
      await signals.close();
      await db.destroy();
    },
  };
}

function createSecurityRepositories(context: StoreContext) {
  return {
    users: createUserStore(context),
    logins: createLoginStore(context),
    loginLinks: createLoginLinkStore(context),
    sessions: createSessionStore(context),
    keys: createApiKeyStore(context),
    accounts: createAccountStore(context),
    accessTokens: createAccessTokenStore(context),
    security: createSecurityStore(context),
    audit: createAuditStore(context),
  };
}

function createRepositories(context: StoreContext, sealer: Sealer) {
  return {
    ...createSecurityRepositories(context),
    connectors: createConnectorStore(context, sealer),
    syncs: createSyncStore(context),
    inbox: createInboxStore(context),
    aspects: createAspectStore(context),
    noticeRules: createNoticeRuleStore(context, sealer),
    notices: createNoticeStore(context, sealer),
    noticeEvents: createNoticeEventStore(context),
  };
}

function createOtherStores(context: StoreContext) {
  return {
    workspaces: createWorkspaceStore(context),
    credentials: createCredentialStore(context),
    leases: createSyncLeases(context),
    schedules: createScheduleStore(context),
    workers: createWorkerStore(context),
    lineageAnswers: createLineageAnswerStore(context),
    savedImpacts: createSavedImpactStore(context),
    userLists: createUserListStore(context),
    /** Moves a workspace to another store. */
    copier: createRecordCopier(context),
  };
}
