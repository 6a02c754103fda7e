/** The page and the request by which a person ends the mails of a rule. */
import { AppError } from "../../errors.ts";
import type { Unsubscribe } from "../../notices/unsubscribe.ts";
import type { Middleware } from "../state.ts";
import type { NOTICE_ENDPOINTS } from "./rows.ts";

const POLICY = "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

export function createNoticeHandlers({
  unsubscribe,
}: {
  unsubscribe: Unsubscribe;
}): Record<keyof typeof NOTICE_ENDPOINTS, Middleware> {
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
