/**
 * A workspace's records as rows that move to another metadata store, of this engine or another. Secrets stay behind:
 * passwords, API keys, secrets of service accounts, secret options of connectors, and sessions.
 */
import { CamelCasePlugin, type Kysely, sql } from "kysely";

import { AppError } from "../errors.ts";
import { toWorkspaceName, type WorkspaceId } from "../ids.ts";
import { findFirst, hasRow, inTransaction, type StoreContext } from "./context.ts";
import { COPIED_TABLES, columnsOf, toColumns, type RecordPart, type RecordRow } from "./copied-tables.ts";
import type { Workspace } from "./records.ts";
import type { Tables } from "./tables.ts";
import { UNFINISHED } from "./workspace-row.ts";

/** A workspace with its settings. */
export interface CopiedWorkspace extends Workspace {
  rateLimitPerMinute: number;
  /** JSON. */
  allowlist: string;
  maxTokenLifetimeSeconds: number | null;
  auditRetentionDays: number | null;
  defaultRuleAt: string | null;
  defaultBellAt: string | null;
}

/** What stays behind, by names that people know. */
export interface SecretsLeft {
  /** E-mail addresses. */
  passwords: string[];
  /** Names and prefixes. */
  keys: string[];
  /** Service accounts with a valid secret. */
  accounts: string[];
  /** Secret options, such as `warehouse: password`. */
  options: string[];
  /** Notice rules with an address, by name. */
  rules: string[];
  /** Notice rules by mail that were on, by name. */
  mails: string[];
  /** The e-mail addresses of those who have an invitation that they can still use. */
  invitations: string[];
}

/** The same tables, to be asked by names that are known only when they run. */
type AnyTables = Record<RecordPart, RecordRow>;

export function createRecordCopier({ db, now }: Pick<StoreContext, "db" | "now">) {
  // `copied-tables.ts` names the columns that each table has. Their values move as they are stored.
  const anyDb = db.withoutPlugins().withPlugin(new CamelCasePlugin()) as unknown as Kysely<AnyTables>;
  /** The workspace's rows of a part. Syncs that have not ended are left out. */
  const rowsOf = (workspaceId: WorkspaceId, part: RecordPart) =>
    anyDb
      .selectFrom(part)
      .$call((query) =>
        part === "inboxMessages" || part === "aspects"
          ? query.where("connectorId", "in", (own) =>
              own.selectFrom("connectors").select("id").where("workspaceId", "=", workspaceId),
            )
          : part === "noticeOptOuts"
            ? query.where("ruleId", "in", (own) =>
                own.selectFrom("noticeRules").select("id").where("workspaceId", "=", workspaceId),
              )
            : query.where("workspaceId", "=", workspaceId),
      )
      .$if(part === "syncs", (query) => query.where("status", "not in", ["queued", "running"]));
  return {
    /** The workspace as it moves; null if there is none of that name. */
    findWorkspace: (name: string): Promise<CopiedWorkspace | null> =>
      findFirst(db.selectFrom("workspaces").selectAll().where("name", "=", toWorkspaceName(name)), (row) => {
        return { ...row, allowlist: JSON.stringify(row.allowlist) };
      }),
    /**
     * Makes the workspace with the same id under a name that nobody can give, so that nothing sees it before `end`. It may
     * be repeated with the same mark.
     * @param mark what is copied
     * @throws AppError `conflict` if the store has a workspace of the name, or the beginning of another copy
     */
    async begin(workspace: CopiedWorkspace, mark: string): Promise<void> {
      const name = toWorkspaceName(`${workspace.name} ${UNFINISHED} ${mark}`);
      await inTransaction(db, async (trx) => {
        await requireFree(trx, workspace);
        const begun = await trx
          .selectFrom("workspaces")
          .select("name")
          .where("id", "=", workspace.id)
          .executeTakeFirst();
        if (begun === undefined)
          await trx
            .insertInto("workspaces")
            .values({ ...workspace, name, allowlist: sql`${workspace.allowlist}` })
            .execute();
        else if (begun.name !== name) {
          throw new AppError(
            "conflict",
            `Another copy of the workspace ${workspace.name} was begun here. Use empty stores.`,
          );
        }
      });
    },
    /**
     * Gives the workspace its name.
     * @throws AppError `conflict` if another one got it meanwhile
     */
    async end(workspace: CopiedWorkspace): Promise<void> {
      await inTransaction(db, async (trx) => {
        await requireFree(trx, workspace);
        await trx.updateTable("workspaces").set({ name: workspace.name }).where("id", "=", workspace.id).execute();
      });
    },
    /**
     * One page of a part, in the order of its key.
     * @param after `next` of the page before it; null for the first
     */
    async copyOut(
      workspaceId: WorkspaceId,
      part: RecordPart,
      { after, limit }: { after: string | null; limit: number },
    ): Promise<{ rows: RecordRow[]; next: string | null }> {
      const { key } = COPIED_TABLES[part];
      const from = after === null ? null : (JSON.parse(after) as string[]);
      const rows: RecordRow[] = await rowsOf(workspaceId, part)
        .select([...columnsOf(part)])
        .$if(from !== null, (query) =>
          query.where(({ eb, and, or }) =>
            or(
              key.map((column, i) =>
                and([
                  ...key.slice(0, i).map((one, j) => eb(one, "=", from?.[j] ?? "")),
                  eb(column, ">", from?.[i] ?? ""),
                ]),
              ),
            ),
          ),
        )
        .$call((query) => key.reduce((ordered, column) => ordered.orderBy(column), query))
        .limit(limit)
        .execute();
      const last = rows.at(-1);
      const next = last === undefined || rows.length < limit ? null : JSON.stringify(key.map((column) => last[column]));
      return { rows, next };
    },
    /** How many rows all pages of a part have together. */
    async countRows(workspaceId: WorkspaceId, part: RecordPart): Promise<number> {
      const { amount } = await rowsOf(workspaceId, part)
        .select(({ fn }) => fn.countAll().as("amount"))
        .executeTakeFirstOrThrow();
      return Number(amount);
    },
    /**
     * Writes rows of a part. Rows that are there already stay as they are.
     * @throws TypeError for a row that is not of this part and workspace
     */
    async copyIn(workspaceId: WorkspaceId, part: RecordPart, rows: readonly RecordRow[]): Promise<void> {
      if (rows.length === 0) return;
      const { key, staying, instead } = COPIED_TABLES[part];
      const at = now();
      const values = rows.map((row): RecordRow =>
        Object.assign(toColumns(part, row, workspaceId), staying, instead?.(row, at)),
      );
      await anyDb
        .insertInto(part)
        .values(values)
        .onConflict((conflict) => conflict.columns([...key]).doNothing())
        .execute();
    },
    async listSecrets(workspaceId: WorkspaceId): Promise<SecretsLeft> {
      const passwords = await db
        .selectFrom("users")
        .select("email")
        .where("workspaceId", "=", workspaceId)
        .where("password", "is not", null)
        .orderBy("email")
        .execute();
      const keys = await db
        .selectFrom("apiKeys")
        .select(["name", "prefix"])
        .where("workspaceId", "=", workspaceId)
        .where("revokedAt", "is", null)
        .orderBy("name")
        .execute();
      const accounts = await db
        .selectFrom("serviceAccounts")
        .innerJoin("clientSecrets", "clientSecrets.accountId", "serviceAccounts.id")
        .select("serviceAccounts.name")
        .distinct()
        .where("serviceAccounts.workspaceId", "=", workspaceId)
        .where("clientSecrets.revokedAt", "is", null)
        .orderBy("serviceAccounts.name")
        .execute();
      const connectors = await db
        .selectFrom("connectors")
        .select(["name", "secrets"])
        .where("workspaceId", "=", workspaceId)
        .orderBy("name")
        .execute();
      const rules = await db
        .selectFrom("noticeRules")
        .select(["name", "channel", "disabledAt"])
        .where("workspaceId", "=", workspaceId)
        .where("channel", "!=", "bell")
        .orderBy("name")
        .execute();
      const invitations = await db
        .selectFrom("loginLinks")
        .select("email")
        .where((eb) => eb.and({ workspaceId, kind: "invitation" }))
        .where("expiresAt", ">", now())
        .orderBy("email")
        .execute();
      return {
        rules: rules.flatMap(({ name, channel }) => (channel === "email" ? [] : [name])),
        mails: rules.flatMap(({ name, channel, disabledAt }) =>
          channel === "email" && disabledAt === null ? [name] : [],
        ),
        invitations: invitations.flatMap(({ email }) => email ?? []),
        passwords: passwords.map(({ email }) => email),
        keys: keys.map(({ name, prefix }) => `${name} (${prefix}…)`),
        accounts: accounts.map(({ name }) => name),
        options: connectors.flatMap(({ name, secrets }) => Object.keys(secrets).map((option) => `${name}: ${option}`)),
      };
    },
  };
}

/** @throws AppError `conflict` */
async function requireFree(db: Kysely<Tables>, { name }: CopiedWorkspace): Promise<void> {
  if (!(await hasRow(db.selectFrom("workspaces").select("id").where("name", "=", name)))) return;
  throw new AppError(
    "conflict",
    `There is a workspace ${name} here. Import into stores of their own, before their first start.`,
  );
}
