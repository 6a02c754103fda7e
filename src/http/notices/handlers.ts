/** The page and the request by which a person ends the mails of a rule, and feeds. */
import { hash } from "node:crypto";

import { isAllowed } from "../../addresses/allowlist.ts";
import { AppError } from "../../errors.ts";
import type { Feed } from "../../notices/feed.ts";
import type { Unsubscribe } from "../../notices/unsubscribe.ts";
import type { Quota } from "../guard/quota.ts";
import type { Middleware } from "../state.ts";
import type { NOTICE_ENDPOINTS } from "./rows.ts";

const POLICY = "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** How many feeds one address may read, known ones or not. */
const OF_ONE_SOURCE = { rateLimitPerMinute: 600 };

interface NoticeParts {
  unsubscribe: Unsubscribe;
  openFeed: (address: { id: string; secret: string }) => Promise<Feed | null>;
  quota: Quota;
}

export function createNoticeHandlers({
  unsubscribe,
  openFeed,
  quota,
}: NoticeParts): Record<keyof typeof NOTICE_ENDPOINTS, Middleware> {
  return {
    openUnsubscribe: (ctx) => {
      // Without an address it posts to the page's own.
      sendPage(ctx, '<p>Get no more of these mails?</p><form method="post"><button>Unsubscribe</button></form>');
    },
    unsubscribe: async (ctx) => {
      const isOurs = await unsubscribe.end(ctx.params["token"] ?? "");
      if (!isOurs) throw new AppError("not_found", "This link is not valid.");
      sendPage(ctx, "<p>You get no more of these mails.</p>");
    },
    readFeed: async (ctx) => {
      const { id = "", secret = "" } = ctx.params;
      const { source } = ctx.state;
      await quota.take(ctx, { quotaId: `feeds ${source}`, security: OF_ONE_SOURCE }, 1);
      const feed = await openFeed({ id, secret });
      // It does not count as a failed login: nobody can guess a secret, and readers go on to ask for a feed that is gone.
      if (feed === null || !isAllowed(source, feed.security.allowlist))
        throw new AppError("not_found", "This address is not valid.");
      const { rule, security } = feed;
      await quota.take(ctx, { quotaId: rule.id, security }, 1);
      const body = await feed.print();
      const etag = `"${hash("sha256", body, "base64url")}"`;
      ctx.set({
        "Content-Type": "application/atom+xml; charset=utf-8",
        "Cache-Control": "private, no-cache",
        "Referrer-Policy": "no-referrer",
        ETag: etag,
      });
      // Not by `ctx.fresh`: readers also send "no-cache", which is meant for caches on the way.
      const known = ctx
        .get("If-None-Match")
        .replaceAll("W/", "")
        .split(/\s*,\s*/);
      if (known.includes(etag)) ctx.status = 304;
      else ctx.body = body;
    },
  };
}

function sendPage(ctx: Parameters<Middleware>[0], body: string): void {
  ctx.set({
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
  });
  ctx.body = `<!doctype html><html lang="en"><title>Tributary</title><meta name="viewport" content="width=device-width"><h1>Notifications</h1>${body}</html>`;
}
