/** `/notices/…`: where a link in a mail leads, and feeds, without a login. */
import { z } from "zod";

import { FEED_PATH } from "../../notices/feed.ts";
import { UNSUBSCRIBE_PATH } from "../../notices/unsubscribe.ts";
import type { Endpoint } from "../endpoint.ts";

const link = { path: `${UNSUBSCRIBE_PATH}/:token`, parameters: { token: "As the link in the mail has it." } } as const;
const PAGE = { description: "A page for people.", schema: z.string(), type: "text/html" } as const;

export const NOTICE_ENDPOINTS = {
  openUnsubscribe: {
    ...link,
    method: "GET",
    tag: "Login",
    summary: "Open the page that ends mails",
    description:
      "Asks whether to end the mails of a notice rule. It changes nothing, because programs open links in mails.",
    access: "public",
    answers: { 200: PAGE },
  },
  readFeed: {
    path: `${FEED_PATH}/:id/:secret`,
    parameters: { id: "The id of the notice rule.", secret: "As the address has it." },
    method: "GET",
    tag: "Login",
    summary: "Read a feed of notices",
    description:
      "What a notice rule told, as Atom 1.0. The secret in the address is the proof. It counts against a quota of its own.",
    access: "public",
    absent: true,
    answers: {
      200: { description: "The newest 50 notices.", schema: z.string(), type: "application/atom+xml" },
      304: { description: "Nothing was told since then." },
    },
  },
  unsubscribe: {
    ...link,
    method: "POST",
    tag: "Login",
    summary: "End the mails of a notice rule",
    description: "Ends the mails of one rule to one person (RFC 8058). The token in the address is the proof.",
    access: "public",
    absent: true,
    answers: { 200: PAGE },
  },
} as const satisfies Record<string, Endpoint>;
