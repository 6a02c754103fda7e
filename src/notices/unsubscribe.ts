/** Links by which a person ends the mails of a rule without a login (RFC 8058). */
import { createHmac, createSecretKey, hkdfSync, timingSafeEqual } from "node:crypto";

import { z } from "zod";

import { fold } from "../catalog/text.ts";
import { type NoticeRuleId, toNoticeRuleId, toWorkspaceId, type WorkspaceId } from "../ids.ts";
import type { MetadataStore } from "../metadata/store.ts";
import { switchOff } from "./switch-off.ts";

export const UNSUBSCRIBE_PATH = "/notices/unsubscribe";
/** A longer token is none of ours. */
const MAX_TOKEN = 2_000;

interface Subscription {
  workspaceId: WorkspaceId;
  ruleId: NoticeRuleId;
  email: string;
}

export type Unsubscribe = ReturnType<typeof createUnsubscribe>;

const signed = z.tuple([z.string(), z.string(), z.string()]);

/** @param secretKey the service's secret, from which the signing key is derived (HKDF, RFC 5869) */
export function createUnsubscribe(store: Pick<MetadataStore, "noticeRules" | "transaction">, secretKey: Buffer) {
  const key = createSecretKey(Buffer.from(hkdfSync("sha256", secretKey, "", "tributary unsubscribe", 32)));
  const sign = (content: string): string => createHmac("sha256", key).update(content).digest("base64url");

  function read(token: string): Subscription | null {
    if (token.length > MAX_TOKEN) return null;
    const [content = "", signature = ""] = token.split(".");
    const [expected, given] = [Buffer.from(sign(content)), Buffer.from(signature)];
    if (expected.length !== given.length || !timingSafeEqual(expected, given)) return null;
    const [workspaceId, ruleId, email] = signed.parse(JSON.parse(Buffer.from(content, "base64url").toString()));
    return { workspaceId: toWorkspaceId(workspaceId), ruleId: toNoticeRuleId(ruleId), email };
  }

  return {
    /** The path of the link. It does not expire, as a mail may be read at any time. */
    pathFor({ workspaceId, ruleId, email }: Subscription): string {
      const content = Buffer.from(JSON.stringify([workspaceId, ruleId, email])).toString("base64url");
      return `${UNSUBSCRIBE_PATH}/${content}.${sign(content)}`;
    },
    /** @returns whether the token is ours; then the person gets no more mails of the rule */
    async end(token: string): Promise<boolean> {
      const subscription = read(token);
      if (subscription === null) return false;
      const { workspaceId, ruleId, email } = subscription;
      const rule = await store.noticeRules.findById(workspaceId, ruleId);
      if (rule !== null && fold(rule.recipient) === fold(email)) {
        await switchOff({ store }, rule, `${email} wants no more mails.`, email);
      } else if (rule !== null) await store.noticeRules.optOut(ruleId, fold(email));
      return true;
    },
  };
}
