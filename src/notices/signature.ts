/** Secrets and signatures of webhooks, by the Standard Webhooks specification. */
import { Webhook } from "standardwebhooks";

import type { RandomBytes } from "../clock.ts";
import type { NoticeTarget } from "../metadata/notice-records.ts";

const SECRET_BYTES = 32;
/** How long the secret before the last rotation stays valid. */
const OVERLAP_MS = 24 * 60 * 60 * 1_000;

export function createWebhookSecret(random: RandomBytes): string {
  return `whsec_${random(SECRET_BYTES).toString("base64")}`;
}

/** Puts a new secret before the present one, which stays valid for a day. */
export function rotateSecrets(secrets: NoticeTarget["secrets"], secret: string, now: Date): NoticeTarget["secrets"] {
  const until = new Date(now.getTime() + OVERLAP_MS).toISOString();
  const [present] = secrets;
  return [{ secret, until: null }, ...(present === undefined ? [] : [{ secret: present.secret, until }])];
}

/**
 * The headers of one try.
 * @param id the same at every try
 */
export function signWebhook(
  { secrets }: Pick<NoticeTarget, "secrets">,
  { id, body, now }: { id: string; body: string; now: Date },
): Record<string, string> {
  const valid = secrets.filter(({ until }) => until === null || until > now.toISOString());
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(now.getTime() / 1_000)),
    "webhook-signature": valid.map(({ secret }) => new Webhook(secret).sign(id, now, body)).join(" "),
  };
}
