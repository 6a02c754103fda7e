/** Notice rules: which events are told, and where to. */
import type { Selectable } from "kysely";

import { AppError, notFound } from "../errors.ts";
import type { NoticeRuleId, UserId, WorkspaceId } from "../ids.ts";
import { findEach, findFirst, hasRow, inTransaction, type StoreContext } from "./context.ts";
import { moveDigests, toDigestTime } from "./notice-queue.ts";
import type { NoticeRule, NoticeTarget } from "./notice-records.ts";
import type { Sealer } from "./sealer.ts";
import type { Tables } from "./tables.ts";

type RuleWords = Pick<
  NoticeRule,
  "name" | "channel" | "kinds" | "minRisk" | "aboutBy" | "about" | "origin" | "recipient" | "digestHour"
>;

/** What can be changed. A rule that is switched on has no reason any more. */
export type RuleChange = Partial<Omit<RuleWords, "channel"> & { disabled: boolean; target: NoticeTarget }>;

type DefaultRule = Pick<NoticeRule, "name" | "kinds"> & { channel: "email" | "bell" };

/** Who makes the rules that every workspace gets. They do not count among the rules that it may have. */
const SERVICE = "tributary";

/** The workspace, or a person of it. */
type Whose = Pick<NoticeRule, "workspaceId"> & { personId: UserId | "" | null };

export function createNoticeRuleStore(context: StoreContext, sealer: Sealer) {
  const { db, now, newId } = context;
  const rulesOf = (workspaceId: WorkspaceId) =>
    db.selectFrom("noticeRules").selectAll().where("workspaceId", "=", workspaceId);

  const getRow = (workspaceId: WorkspaceId, id: NoticeRuleId) =>
    rulesOf(workspaceId)
      .where("id", "=", id)
      .executeTakeFirstOrThrow(() => notFound("notice rule", id));

  async function requireFree({ workspaceId, personId }: Whose, name: string): Promise<void> {
    const own = rulesOf(workspaceId).where("personId", "=", personId ?? "");
    if (!(await hasRow(own.where("name", "=", name)))) return;
    throw new AppError("conflict", `There is a notice rule named ${name} already.`);
  }

  const failWaiting = (id: NoticeRuleId) =>
    db
      .updateTable("notices")
      .set({ status: "failed", endedAt: now() })
      .where((eb) => eb.and({ ruleId: id, status: "waiting" }))
      .execute();

  /**
   * @param most how many a workspace or a person may have
   * @throws AppError `conflict` if it has that many, or one of this name
   */
  const create = async (
    rule: RuleWords & Pick<NoticeRule, "workspaceId" | "personId" | "createdBy">,
    target: NoticeTarget,
    most: number,
  ) => {
    await requireFree(rule, rule.name);
    const { length } = await rulesOf(rule.workspaceId)
      .where("personId", "=", rule.personId ?? "")
      .where("createdBy", "!=", SERVICE)
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
        onSince: now(),
        sealed: sealer.seal(JSON.stringify(target), id),
        createdAt: now(),
        disabledReason: "",
        lastNumber: 0,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return toNoticeRule(row);
  };

  return {
    create,
    /** Gives each workspace that has had none a rule that tells owners, by mail or in the workspace. */
    async addDefaults({ name, kinds, channel }: DefaultRule): Promise<void> {
      const column = channel === "bell" ? "defaultBellAt" : "defaultRuleAt";
      const lacking = db.selectFrom("workspaces").select("id").where(column, "is", null);
      for (const { id: workspaceId } of await lacking.execute()) {
        await inTransaction(db, async (trx) => {
          const { numUpdatedRows } = await trx
            .updateTable("workspaces")
            .set({ [column]: now() })
            .where("id", "=", workspaceId)
            .where(column, "is", null)
            .executeTakeFirst();
          const rules = createNoticeRuleStore({ ...context, db: trx }, sealer);
          const isTaken = (await rules.list(workspaceId)).some((rule) => rule.name === name);
          if (numUpdatedRows === 0n || isTaken) return;
          const words = { name, kinds, minRisk: null, aboutBy: "everything", about: "" } as const;
          const sent = { channel, origin: "", recipient: "", digestHour: null } as const;
          const whose = { workspaceId, personId: null, createdBy: SERVICE };
          await rules.create({ ...words, ...sent, ...whose }, { url: "", secrets: [] }, Infinity);
        });
      }
    },
    /** @param email folded */
    async optOut(ruleId: NoticeRuleId, email: string): Promise<void> {
      await db
        .insertInto("noticeOptOuts")
        .values({ ruleId, email })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
    hasOptedOut(ruleId: NoticeRuleId, email: string): Promise<boolean> {
      const optOuts = db.selectFrom("noticeOptOuts").select("email");
      return hasRow(optOuts.where((eb) => eb.and({ ruleId, email })));
    },
    /** The rules of the workspace, or those of a person, the oldest first. */
    async list(workspaceId: WorkspaceId, personId: UserId | null = null) {
      const rows = await rulesOf(workspaceId)
        .where("personId", "=", personId ?? "")
        .orderBy("createdAt")
        .orderBy("id")
        .execute();
      return rows.map(toNoticeRule);
    },
    /** All rules that are on, of the workspace and of persons. */
    async listOn(workspaceId: WorkspaceId) {
      const rows = await rulesOf(workspaceId).where("disabledAt", "is", null).execute();
      return rows.map(toNoticeRule);
    },
    /** The workspaces with a rule that is on. */
    async listWorkspaces() {
      const on = db.selectFrom("noticeRules").select("workspaceId").distinct().where("disabledAt", "is", null);
      return (await on.execute()).map(({ workspaceId }) => workspaceId);
    },
    findById: (workspaceId: WorkspaceId, id: NoticeRuleId) =>
      findFirst(rulesOf(workspaceId).where("id", "=", id), toNoticeRule),
    /** A feed that is on, in whichever workspace. */
    findFeed: (id: NoticeRuleId) =>
      findFirst(
        db
          .selectFrom("noticeRules")
          .selectAll()
          .where((eb) => eb.and({ id, channel: "feed" }))
          .where("disabledAt", "is", null),
        (row) => ({ rule: toNoticeRule(row), target: toTarget(sealer, row) }),
      ),
    /** In the order of `ids`; null for an id without a rule. */
    loadByIds: (workspaceId: WorkspaceId, ids: readonly NoticeRuleId[]) =>
      findEach(ids, rulesOf(workspaceId).where("id", "in", ids), ({ id }) => id, toNoticeRule),
    /** @throws AppError `not_found` */
    async getTarget(workspaceId: WorkspaceId, id: NoticeRuleId) {
      return toTarget(sealer, await getRow(workspaceId, id));
    },
    /** @throws AppError `not_found`, or `conflict` if another rule has the name */
    async change(workspaceId: WorkspaceId, id: NoticeRuleId, { disabled, target, ...words }: RuleChange) {
      const before = await getRow(workspaceId, id);
      if (words.name !== undefined && words.name !== before.name) await requireFree(before, words.name);
      const isSwitched = disabled !== undefined && disabled !== (before.disabledAt !== null);
      if (disabled === true) await failWaiting(id);
      if (words.digestHour !== undefined) await moveDigests(db, id, toDigestTime(words.digestHour, now()));
      const row = await db
        .updateTable("noticeRules")
        .set({
          ...words,
          ...(target === undefined ? {} : { sealed: sealer.seal(JSON.stringify(target), id) }),
          ...(isSwitched && {
            disabledAt: disabled ? now() : null,
            ...(!disabled && { onSince: now() }),
            disabledReason: "",
            failingSince: null,
            dueAt: null,
          }),
          // Whoever takes the rule then sees when its next notice is due now.
          ...(words.digestHour !== undefined && before.dueAt !== null && !isSwitched && { dueAt: now() }),
          // So that there is always something to set.
          origin: words.origin ?? before.origin,
        })
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirstOrThrow();
      return toNoticeRule(row);
    },
    /** Switches a rule off. The notices that wait have failed. Returns null if it is off already, or gone. */
    async switchOff(workspaceId: WorkspaceId, id: NoticeRuleId, reason: string) {
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
    /** Deletes a rule. Its notices are seen no more, and are swept when they are old. It must run in a transaction. */
    async remove(workspaceId: WorkspaceId, id: NoticeRuleId) {
      await failWaiting(id);
      await db.updateTable("notices").set({ personId: null }).where("ruleId", "=", id).execute();
      await db.deleteFrom("noticeOptOuts").where("ruleId", "=", id).execute();
      await db.deleteFrom("noticeRules").where("workspaceId", "=", workspaceId).where("id", "=", id).execute();
    },
  };
}

export function toTarget(
  sealer: Pick<Sealer, "open">,
  { id, sealed }: Pick<Selectable<Tables["noticeRules"]>, "id" | "sealed">,
): NoticeTarget {
  // A rule that came with a workspace from another store has lost its address.
  return sealed === "" ? { url: "", secrets: [] } : JSON.parse(sealer.open(sealed, id));
}

export function toNoticeRule(row: Selectable<Tables["noticeRules"]>): NoticeRule {
  const { sealed: _sealed, lastNumber: _number, dueAt: _dueAt, workerId: _worker, leaseUntil: _until, ...rule } = row;
  return { ...rule, personId: rule.personId || null };
}
