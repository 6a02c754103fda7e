/** Answers an HTML page with a new nonce for each answer. Only scripts and styles with the nonce run. */
import type { RandomBytes } from "../../clock.ts";
import type { Middleware } from "../state.ts";

const NONCE_BYTES = 16;

interface NoncePage {
  toHtml: (nonce: string) => string;
  /** What the page may load besides scripts and styles. */
  sources: readonly string[];
  random: RandomBytes;
}

export function answerNoncePage({ toHtml, sources, random }: NoncePage): Middleware {
  return (ctx) => {
    const nonce = random(NONCE_BYTES).toString("base64url");
    const policy = [
      "default-src 'none'",
      `script-src 'nonce-${nonce}'`,
      `style-src 'nonce-${nonce}'`,
      ...sources,
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join("; ");
    ctx.set({ "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy });
    ctx.body = toHtml(nonce);
  };
}
