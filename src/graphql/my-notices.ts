/** What the person who asks was told, and how much of it is unread. */
import type { Notice } from "../metadata/notice-records.ts";
import { badField } from "../errors.ts";
import { builder, objectType, queryField, requires, typed, typedOrNull } from "./builder.ts";
import type { GraphqlContext } from "./context.ts";
import { mutation, shows } from "./mutation.ts";
import { requirePerson } from "./my-lists.ts";
import { NoticeType } from "./notice.ts";

/** More are not counted, and not listed. */
const MOST = 100;
const FIRST = 20;
/** The visit of the person to the list; its label is the time up to which the person has read it. */
const PAGE = "notices";

interface MyNotices {
  unread: number;
  newest: Notice | null;
  readUntil: string | null;
}

const MyNoticesType = objectType<MyNotices>(
  "MyNotices",
  "What a person was told by rules of their own, and by rules that ring the bell.",
).with({
  unread: typed("NonNegativeInt", `How many are unread; ${MOST} means that many or more.`),
  newest: typedOrNull(NoticeType, "The newest one; null if there is none."),
  readUntil: typedOrNull("DateTime", "Notices that were made later are unread; null: all of them are."),
  notices: (t) =>
    t.field({
      ...typed([NoticeType], "The newest first."),
      args: {
        first: t.arg.int({ required: true, defaultValue: FIRST, description: `How many, 1 to ${MOST}.` }),
      },
      complexity: ({ first }) => ({ field: 1, multiplier: first }),
      resolve: (_box, { first }, context) => {
        if (first < 1 || first > MOST) throw badField("first", `must be between 1 and ${MOST}`);
        return context.services.metadata.notices.listOf(requirePerson(context).userId, first);
      },
    }),
});

async function read(context: GraphqlContext): Promise<MyNotices> {
  const person = requirePerson(context);
  const { notices, userLists } = context.services.metadata;
  const visit = (await userLists.list(person, "visit")).find(({ item }) => item === PAGE);
  const readUntil = visit?.label ?? null;
  const [newest = null] = await notices.listOf(person.userId, 1);
  return { unread: await notices.countOf(person.userId, readUntil ?? "", MOST), newest, readUntil };
}

queryField("myNotices", "self", {
  ...typed(MyNoticesType, "What the person who asks was told. Notices are kept for 30 days."),
  resolve: (_root, _args, context) => read(context),
});

builder.subscriptionField("notices", (t) =>
  t.field({
    type: MyNoticesType,
    description:
      "What the person who asks was told as it is now, and again when something is told or read. It comes as server-sent " +
      "events for at most four minutes. Subscribe again then.",
    extensions: requires("self"),
    subscribe: (_root, _args, context) => watchNotices(context),
    resolve: (box) => box,
  }),
);

/** Ends without an error if nobody waits any more. */
async function* watchNotices(context: GraphqlContext): AsyncGenerator<MyNotices, void, undefined> {
  const { services, signal } = context;
  for (let told: string | null = null; !signal.aborted; await services.noticeRules.watch.next(signal)) {
    const box = await read(context);
    const now = JSON.stringify([box.unread, box.newest?.id, box.newest?.createdAt]);
    if (now !== told) yield box;
    told = now;
  }
}

mutation("readNotices", {
  description: "Notes that the person who asks has read what was told up to a time.",
  requires: "self",
  input: "What the person has read.",
  fields: (t) => ({
    until: t.field({ type: "DateTime", required: true, description: "When the newest notice that was read was made." }),
  }),
  answer: shows("myNotices", MyNoticesType, "What the person was told, and how much of it is unread now."),
  resolve: async ({ until }, context) => {
    const { metadata, noticeRules } = context.services;
    const { readUntil, newest } = await read(context);
    // Nobody has read what comes later.
    const said = [until.toISOString(), newest?.createdAt ?? ""].toSorted()[0] ?? "";
    if (said > (readUntil ?? "")) {
      await metadata.userLists.put(requirePerson(context), "visit", PAGE, said);
      noticeRules.watch.changed();
    }
    return read(context);
  },
});
