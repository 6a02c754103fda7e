/** Feeds: what a rule tells, as Atom 1.0 (RFC 4287) at an address with a secret in it. */
import { hash, timingSafeEqual } from "node:crypto";

import type { RandomBytes } from "../clock.ts";
import { type NoticeRuleId, toNoticeRuleId } from "../ids.ts";
import type { Notice, NoticeRule } from "../metadata/notice-records.ts";
import type { SecuritySettings } from "../metadata/records.ts";
import type { MetadataStore } from "../metadata/store.ts";
import { escapeXml, toHeadline } from "./lines.ts";
import { toLines } from "./message.ts";

export const FEED_PATH = "/notices/feed";
const SECRET_BYTES = 32;
const ENTRIES = 50;

/** @returns a secret, and its hash, which is all that is stored: 256 random bits need no slow hash */
export function createFeedSecret(random: RandomBytes): { secret: string; hashed: string } {
  const secret = random(SECRET_BYTES).toString("base64url");
  return { secret, hashed: toHash(secret) };
}

export function feedUrl(publicUrl: string, id: NoticeRuleId, secret: string): string {
  return `${publicUrl}${FEED_PATH}/${id}/${secret}`;
}

export interface Feed {
  rule: NoticeRule;
  security: SecuritySettings;
  /** Makes the document. */
  print(): Promise<string>;
}

interface FeedParts {
  store: Pick<MetadataStore, "noticeRules" | "notices" | "users" | "workspaces" | "security">;
  publicUrl: () => string;
}

/** @returns null if there is no such feed, it is off, or the person whose feed it is was disabled */
export async function openFeed(
  { store, publicUrl }: FeedParts,
  { id, secret }: { id: string; secret: string },
): Promise<Feed | null> {
  const found = await store.noticeRules.findFeed(toNoticeRuleId(id));
  const [kept] = found?.target.secrets ?? [];
  if (found === null || kept === undefined) return null;
  if (!timingSafeEqual(Buffer.from(kept.secret), Buffer.from(toHash(secret)))) return null;
  const { rule } = found;
  const { workspaceId, personId } = rule;
  const owner = personId === null ? null : await store.users.findById(workspaceId, personId);
  if (personId !== null && (owner === null || owner.disabledAt !== null)) return null;
  return {
    rule,
    security: await store.security.get(workspaceId),
    async print() {
      const workspace = (await store.workspaces.findById(workspaceId))?.name ?? "";
      const { items } = await store.notices.list(workspaceId, rule.id, { after: null, limit: ENTRIES });
      return toAtom(rule, items, { workspace, publicUrl: publicUrl(), unsubscribeUrl: "" });
    },
  };
}

function toHash(secret: string): string {
  return hash("sha256", secret, "base64url");
}

function toAtom({ id, name, createdAt }: NoticeRule, notices: readonly Notice[], parts: Parameters<typeof toLines>[1]) {
  // It names no address of its own, because that is a secret.
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<id>urn:tributary:${id}</id>`,
    `<title>${escapeXml(`Tributary: ${parts.workspace}, ${name}`)}</title>`,
    `<updated>${notices[0]?.createdAt ?? createdAt}</updated>`,
    "<author><name>Tributary</name></author>",
    `<link href="${escapeXml(parts.publicUrl)}/"/>`,
    ...notices.map((notice) => toEntry(notice, parts)),
    "</feed>",
    "",
  ].join("\n");
}

function toEntry(notice: Notice, parts: Parameters<typeof toLines>[1]): string {
  const { lines, more } = toLines(notice, parts);
  const content = [
    ...lines.map(({ text, note }) => `${text} ${note}`.trim()),
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
  return [
    "<entry>",
    `<id>urn:tributary:${notice.id}</id>`,
    `<title>${escapeXml(toHeadline({ lines, more }))}</title>`,
    `<updated>${notice.createdAt}</updated>`,
    `<link href="${escapeXml(lines[0]?.url ?? parts.publicUrl)}"/>`,
    `<content type="text">${content.map(escapeXml).join("\n")}</content>`,
    "</entry>",
  ].join("");
}
