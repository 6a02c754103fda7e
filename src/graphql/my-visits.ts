/** When each person was on a page that lists what is new. */
import { typedOrNull, wordsType } from "./builder.ts";
import { payload, mutation } from "./mutation.ts";
import { requirePerson } from "./my-lists.ts";

/** A person who opens the page again within this time goes on with the same visit. */
const VISIT_MS = 30 * 60_000;

const VisitedPage = wordsType<"changes">("VisitedPage", "A page that lists what is new.", {
  changes: "The page of changes.",
});

mutation("noteVisit", {
  description:
    "Notes that the person who asks is on a page, and answers when they were there last. Within half an hour it is one visit.",
  requires: "self",
  input: "What the person opened.",
  fields: (t) => ({ page: t.field({ type: VisitedPage, required: true, description: "The page." }) }),
  answer: payload<{ before: string | null }>().with({
    before: typedOrNull("DateTime", "When the person was last there before this visit; null at the first one."),
  }),
  resolve: async ({ page }, context) => {
    const person = requirePerson(context);
    const { userLists } = context.services.metadata;
    const last = (await userLists.list(person, "visit")).find(({ item }) => item === page);
    const passed = context.services.auth.clock.now().getTime() - Date.parse(last?.at ?? "");
    // The label is the time of the visit before this one.
    const before = last === undefined || passed < VISIT_MS ? (last?.label ?? "") : last.at;
    await userLists.put(person, "visit", page, before);
    return { before: before === "" ? null : before };
  },
});
