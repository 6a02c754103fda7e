import type { NoticeRule } from "../metadata/notice-records.ts";
import type { MetadataStore } from "../metadata/store.ts";

/** Switches a rule off, and says so in the audit trail. */
export function switchOff(
  { store }: { store: Pick<MetadataStore, "transaction"> },
  { workspaceId, id, name, personId }: NoticeRule,
  reason: string,
): Promise<void> {
  return store.transaction(async ({ noticeRules, audit }) => {
    if ((await noticeRules.switchOff(workspaceId, id, reason)) === null) return;
    const details = personId === null ? { name, reason } : { own: true };
    const event = { workspaceId, actor: "tributary", source: "service", subject: id, details };
    await audit.append({ ...event, action: "notice_rule_switched_off" });
  });
}
