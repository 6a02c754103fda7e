/** Notices: what was sent by a notice rule, and each try. */
import { z } from "zod";

import { toNoticeId } from "../ids.ts";
import type { Notice, NoticeTry, ToldEvent } from "../metadata/notice-records.ts";
import { KIND_WORDS } from "../notices/kinds.ts";
import { pathOf } from "../notices/message.ts";
import { resendNotice } from "../notices/rules.ts";
import { objectType, typed, typedOrNull } from "./builder.ts";
import { connectionType } from "./connection.ts";
import { originOf } from "./context.ts";
import { Risk } from "./enums.ts";
import { mutation, shows } from "./mutation.ts";
import { NoticeKindType, NoticeStatusType } from "./notice-enums.ts";

export const noticePlace: z.ZodType<{ number: number }> = z.object({ number: z.number().int() });

const NoticeTryType = objectType<NoticeTry>("NoticeTry", "One try to deliver a notice.").with({
  at: typed("DateTime", "When."),
  status: typedOrNull("Int", "The HTTP status; null if there was no answer."),
  answer: typed("String", "The first 200 characters of the answer, or why there was none."),
});

const NoticeEventType = objectType<ToldEvent>("NoticeEvent", "An event that a notice tells.").with({
  kind: typed(NoticeKindType, "What happened."),
  at: typed("DateTime", "When."),
  subject: typed("ID", "The id of the metric, connector, notice rule or asset; of the table if a column changed."),
  name: typed("String", "Its name; empty for a notice rule of a person's own."),
  text: { ...typed("String", "What happened in one sentence."), resolve: (event) => KIND_WORDS[event.kind].say(event) },
  path: { ...typed("String", "The path of its page in the workspace."), resolve: pathOf },
  risk: typedOrNull(Risk, "The risk of a change; null if nothing could break by it."),
  actor: typed("String", "Who did it: an address, or a part such as `connector shop`."),
  note: typed("String", "The reason; empty if there is none."),
});

export const NoticeType = objectType<Notice>("Notice", "A message that a notice rule sends.").with({
  id: typed("ID", "Its id. A webhook sees it as `webhook-id`, the same at every try."),
  status: typed(NoticeStatusType, "Whether it has arrived."),
  isTest: { ...typed("Boolean", "Whether somebody asked for it as a test."), resolve: (it) => it.eventsTotal === 0 },
  events: typed([NoticeEventType], "What it tells. A chat message lists the first ten; `eventsTotal` counts all."),
  eventsTotal: typed("NonNegativeInt", "How many events there were."),
  createdAt: typed("DateTime", "When it was made."),
  endedAt: typedOrNull("DateTime", "When it was delivered or failed; null while it waits."),
  triesTotal: typed("NonNegativeInt", "How many tries there were."),
  tries: typed([NoticeTryType], "The last 20 tries, the oldest first."),
});

// They are as many as were sent in 30 days, and are not counted.
export const NoticeConnection = connectionType("Notice", "notice", NoticeType, null);

mutation("resendNotice", {
  description: "Sends a notice again, with the same id, after those of its rule that wait.",
  requires: "admin",
  input: "Which notice to send again.",
  fields: (t) => ({ id: t.id({ required: true, description: "Its id." }) }),
  answer: shows("notice", NoticeType, "The notice, which waits."),
  resolve: ({ id }, context) => resendNotice(context.services.noticeRules, originOf(context), toNoticeId(id)),
});
