import type { NoticeRule } from "../metadata/notice-records.ts";
import type { MetadataStore } from "../metadata/store.ts";

/** The service itself, as the audit trail names it. */
const SERVICE = "tributary";

/** Switches a rule off, and says so in the audit trail, of which a notice tells. */
export function switchOff(
  { store }: { store: Pick<MetadataStore, "transaction"> },
  { workspaceId, id, name, personId }: NoticeRule,
  reason: string,
  actor = SERVICE,
): Promise<void> {
  return store.transaction(async ({ noticeRules, audit }) => {
    if ((await noticeRules.switchOff(workspaceId, id, reason)) === null) return;
    const details = personId === null ? { name, reason } : { own: true };
    const event = { workspaceId, actor, source: "service", subject: id, details };
    await audit.append({ ...event, action: "notice_rule_switched_off" });
  });
}
