/** Notice rules: which events are told, and where to. */
import type { Selectable } from "kysely";

import { AppError, notFound } from "../errors.ts";
import type { NoticeRuleId, UserId, WorkspaceId } from "../ids.ts";
import { findEach, findFirst, inTransaction, type StoreContext } from "./context.ts";
import type { NoticeKind, NoticeRule, NoticeTarget } from "./notice-records.ts";
import type { Sealer } from "./sealer.ts";
import type { Tables } from "./tables.ts";

type RuleWords = Pick<
  NoticeRule,
  "name" | "channel" | "kinds" | "minRisk" | "aboutBy" | "about" | "origin" | "recipient"
>;

/** What can be changed. A rule that is switched on has no reason any more. */
export type RuleChange = Partial<Omit<RuleWords, "channel"> & { disabled: boolean; target: NoticeTarget }>;

/** The workspace, or a person of it. */
type Whose = Pick<NoticeRule, "workspaceId"> & { personId: UserId | "" | null };

export interface NoticeRuleStore {
  /**
   * @param most how many a workspace or a person may have
   * @throws AppError `conflict` if it has that many, or one of this name
   */
  create(
    rule: RuleWords & Pick<NoticeRule, "workspaceId" | "personId" | "createdBy">,
    target: NoticeTarget,
    most: number,
  ): Promise<NoticeRule>;
  /** The rules of the workspace, or those of a person, the oldest first. */
  list(workspaceId: WorkspaceId, personId?: UserId | null): Promise<NoticeRule[]>;
  /** All rules that are on, of the workspace and of persons. */
  listOn(workspaceId: WorkspaceId): Promise<NoticeRule[]>;
  /** The workspaces with a rule that is on. */
  listWorkspaces(): Promise<WorkspaceId[]>;
  findById(workspaceId: WorkspaceId, id: NoticeRuleId): Promise<NoticeRule | null>;
  /** In the order of `ids`; null for an id without a rule. */
  loadByIds(workspaceId: WorkspaceId, ids: readonly NoticeRuleId[]): Promise<(NoticeRule | null)[]>;
  /** Gives each workspace that has had none a rule that mails events to owners. */
  addDefaults(rule: { name: string; kinds: NoticeKind[] }): Promise<void>;
  /** @param email folded */
  optOut(id: NoticeRuleId, email: string): Promise<void>;
  hasOptedOut(id: NoticeRuleId, email: string): Promise<boolean>;
  /** @throws AppError `not_found` */
  getTarget(workspaceId: WorkspaceId, id: NoticeRuleId): Promise<NoticeTarget>;
  /** @throws AppError `not_found`, or `conflict` if another rule has the name */
  change(workspaceId: WorkspaceId, id: NoticeRuleId, change: RuleChange): Promise<NoticeRule>;
  /** Switches a rule off. The notices that wait have failed. Returns null if it is off already, or gone. */
  switchOff(workspaceId: WorkspaceId, id: NoticeRuleId, reason: string): Promise<NoticeRule | null>;
  /** Deletes a rule. Its notices are seen no more, and are swept when they are old. It must run in a transaction. */
  remove(workspaceId: WorkspaceId, id: NoticeRuleId): Promise<void>;
}

export function createNoticeRuleStore(context: StoreContext, sealer: Sealer): NoticeRuleStore {
  const { db, now, newId } = context;
  const rulesOf = (workspaceId: WorkspaceId) =>
    db.selectFrom("noticeRules").selectAll().where("workspaceId", "=", workspaceId);

  async function findRow(workspaceId: WorkspaceId, id: NoticeRuleId) {
    const row = await rulesOf(workspaceId).where("id", "=", id).executeTakeFirst();
    if (row === undefined) throw notFound("notice rule", id);
    return row;
  }

  async function requireFree({ workspaceId, personId }: Whose, name: string): Promise<void> {
    const taken = await rulesOf(workspaceId)
      .where("personId", "=", personId ?? "")
      .where("name", "=", name)
      .executeTakeFirst();
    if (taken !== undefined) throw new AppError("conflict", `There is a notice rule named ${name} already.`);
  }

  const failWaiting = (id: NoticeRuleId) =>
    db
      .updateTable("notices")
      .set({ status: "failed", endedAt: now() })
      .where((eb) => eb.and({ ruleId: id, status: "waiting" }))
      .execute();

  const create: NoticeRuleStore["create"] = async (rule, target, most) => {
    await requireFree(rule, rule.name);
    const { length } = await rulesOf(rule.workspaceId)
      .where("personId", "=", rule.personId ?? "")
      .execute();
    const who = rule.personId === null ? "workspace" : "person";
    if (length >= most) throw new AppError("conflict", `A ${who} has at most ${most} notice rules.`);
    const id = newId("nrl");
    const row = await db
      .insertInto("noticeRules")
      .values({
        ...rule,
        id,
        personId: rule.personId ?? "",
        kinds: JSON.stringify(rule.kinds),
        onSince: now(),
        sealed: sealer.seal(JSON.stringify(target), id),
        createdAt: now(),
        disabledAt: null,
        disabledReason: "",
        failingSince: null,
        lastNumber: 0,
        dueAt: null,
        workerId: null,
        leaseUntil: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return toNoticeRule(row);
  };

  return {
    create,
    async addDefaults({ name, kinds }) {
      const lacking = db.selectFrom("workspaces").select("id").where("defaultRuleAt", "is", null);
      for (const { id: workspaceId } of await lacking.execute()) {
        await inTransaction(db, async (trx) => {
          const { numUpdatedRows } = await trx
            .updateTable("workspaces")
            .set({ defaultRuleAt: now() })
            .where("id", "=", workspaceId)
            .where("defaultRuleAt", "is", null)
            .executeTakeFirst();
          const rules = createNoticeRuleStore({ ...context, db: trx }, sealer);
          const isTaken = (await rules.list(workspaceId)).some((rule) => rule.name === name);
          if (numUpdatedRows === 0n || isTaken) return;
          const words = { name, kinds, minRisk: null, aboutBy: "everything", about: "" } as const;
          const sent = { channel: "email", origin: "", recipient: "", personId: null, createdBy: "tributary" } as const;
          await rules.create({ ...words, ...sent, workspaceId }, { url: "", secrets: [] }, Infinity);
        });
      }
    },
    async optOut(ruleId, email) {
      await db
        .insertInto("noticeOptOuts")
        .values({ ruleId, email })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
    async hasOptedOut(ruleId, email) {
      const row = db
        .selectFrom("noticeOptOuts")
        .select("email")
        .where((eb) => eb.and({ ruleId, email }));
      return (await row.executeTakeFirst()) !== undefined;
    },
    async list(workspaceId, personId = null) {
      const rows = await rulesOf(workspaceId)
        .where("personId", "=", personId ?? "")
        .orderBy("createdAt")
        .orderBy("id")
        .execute();
      return rows.map(toNoticeRule);
    },
    async listOn(workspaceId) {
      const rows = await rulesOf(workspaceId).where("disabledAt", "is", null).execute();
      return rows.map(toNoticeRule);
    },
    async listWorkspaces() {
      const on = db.selectFrom("noticeRules").select("workspaceId").distinct().where("disabledAt", "is", null);
      return (await on.execute()).map(({ workspaceId }) => workspaceId);
    },
    findById: (workspaceId, id) => findFirst(rulesOf(workspaceId).where("id", "=", id), toNoticeRule),
    loadByIds: (workspaceId, ids) =>
      findEach(ids, rulesOf(workspaceId).where("id", "in", ids), ({ id }) => id, toNoticeRule),
    async getTarget(workspaceId, id) {
      return toTarget(sealer, await findRow(workspaceId, id));
    },
    async change(workspaceId, id, { disabled, target, kinds, ...words }) {
      const before = await findRow(workspaceId, id);
      if (words.name !== undefined && words.name !== before.name) await requireFree(before, words.name);
      const isSwitched = disabled !== undefined && disabled !== (before.disabledAt !== null);
      if (disabled === true) await failWaiting(id);
      const row = await db
        .updateTable("noticeRules")
        .set({
          ...words,
          ...(kinds === undefined ? {} : { kinds: JSON.stringify(kinds) }),
          ...(target === undefined ? {} : { sealed: sealer.seal(JSON.stringify(target), id) }),
          ...(isSwitched && {
            disabledAt: disabled ? now() : null,
            ...(!disabled && { onSince: now() }),
            disabledReason: "",
            failingSince: null,
            dueAt: null,
          }),
          // So that there is always something to set.
          origin: words.origin ?? before.origin,
        })
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirstOrThrow();
      return toNoticeRule(row);
    },
    async switchOff(workspaceId, id, reason) {
      const row = await db
        .updateTable("noticeRules")
        .set({ disabledAt: now(), disabledReason: reason, dueAt: null })
        .where((eb) => eb.and({ workspaceId, id }))
        .where("disabledAt", "is", null)
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) return null;
      await failWaiting(id);
      return toNoticeRule(row);
    },
    async remove(workspaceId, id) {
      await failWaiting(id);
      await db.deleteFrom("noticeOptOuts").where("ruleId", "=", id).execute();
      await db.deleteFrom("noticeRules").where("workspaceId", "=", workspaceId).where("id", "=", id).execute();
    },
  };
}

export function toTarget(
  sealer: Pick<Sealer, "open">,
  { id, sealed }: Pick<Selectable<Tables["noticeRules"]>, "id" | "sealed">,
): NoticeTarget {
  return JSON.parse(sealer.open(sealed, id));
}

export function toNoticeRule(row: Selectable<Tables["noticeRules"]>): NoticeRule {
  const { sealed: _sealed, lastNumber: _number, dueAt: _dueAt, workerId: _worker, leaseUntil: _until, ...rule } = row;
  return { ...rule, personId: rule.personId || null, kinds: JSON.parse(row.kinds) };
}
