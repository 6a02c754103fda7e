/** Notices: what was sent by a notice rule, and each try. */
import { z } from "zod";

import { toNoticeId } from "../ids.ts";
import type { Notice, NoticeTry, ToldEvent } from "../metadata/notice-records.ts";
import { resendNotice } from "../notices/rules.ts";
import { builder, typed, typedOrNull } from "./builder.ts";
import { connectionType } from "./connection.ts";
import { originOf } from "./context.ts";
import { Risk } from "./enums.ts";
import { mutation, shows } from "./mutation.ts";
import { NoticeKindType, NoticeStatusType } from "./notice-enums.ts";

export const noticePlace: z.ZodType<{ number: number }> = z.object({ number: z.number().int() });

const NoticeTryType = builder.objectRef<NoticeTry>("NoticeTry").implement({
  description: "One try to deliver a notice.",
  fields: (t) => ({
    at: t.expose("at", typed("DateTime", "When.")),
    status: t.exposeInt("status", { nullable: true, description: "The HTTP status; null if there was no answer." }),
    answer: t.exposeString("answer", {
      description: "The first 200 characters of the answer, or why there was none.",
    }),
  }),
});

const NoticeEventType = builder.objectRef<ToldEvent>("NoticeEvent").implement({
  description: "An event that a notice tells.",
  fields: (t) => ({
    kind: t.expose("kind", typed(NoticeKindType, "What happened.")),
    at: t.expose("at", typed("DateTime", "When.")),
    subject: t.exposeID("subject", {
      description: "The id of the metric, connector or asset; of the table if a column changed.",
    }),
    name: t.exposeString("name", { description: "Its name." }),
    risk: t.expose("risk", typedOrNull(Risk, "The risk of a change; null if nothing could break by it.")),
    actor: t.exposeString("actor", { description: "Who did it: an address, or a part such as `connector shop`." }),
    note: t.exposeString("note", { description: "The reason; empty if there is none." }),
  }),
});

export const NoticeType = builder.objectRef<Notice>("Notice").implement({
  description: "A message that a notice rule sends.",
  fields: (t) => ({
    id: t.exposeID("id", { description: "Its id. A webhook sees it as `webhook-id`, the same at every try." }),
    status: t.expose("status", typed(NoticeStatusType, "Whether it has arrived.")),
    isTest: t.boolean({
      description: "Whether somebody asked for it as a test.",
      resolve: (it) => it.eventsTotal === 0,
    }),
    events: t.expose("events", {
      type: [NoticeEventType],
      description: "What it tells. A chat message lists the first ten; `eventsTotal` counts all.",
    }),
    eventsTotal: t.expose("eventsTotal", typed("NonNegativeInt", "How many events there were.")),
    createdAt: t.expose("createdAt", typed("DateTime", "When it was made.")),
    endedAt: t.expose("endedAt", typedOrNull("DateTime", "When it was delivered or failed; null while it waits.")),
    triesTotal: t.expose("triesTotal", typed("NonNegativeInt", "How many tries there were.")),
    tries: t.expose("tries", typed([NoticeTryType], "The last 20 tries, the oldest first.")),
  }),
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
