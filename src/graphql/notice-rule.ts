/** Notice rules: which events are told, and where to. */
import type { InputFieldMap, InputShapeFromFields } from "@pothos/core";

import { AppError } from "../errors.ts";
import { toNoticeRuleId } from "../ids.ts";
import type { NoticeRule } from "../metadata/notice-records.ts";
import {
  addNoticeRule,
  type ChangedRule,
  changeNoticeRule,
  findNoticeRule,
  MAX_RULES,
  type NoticeRuleParts,
  removeNoticeRule,
  rotateNoticeSecret,
  testNoticeRule,
} from "../notices/rules.ts";
import { builder, emptyAsNull, listOf, objectType, queryField, textOrNull, typed, typedOrNull } from "./builder.ts";
import { pageArgs } from "./connection.ts";
import { type GraphqlContext, originOf } from "./context.ts";
import { Risk } from "./enums.ts";
import { given } from "./given.ts";
import { type InputBuilder, mutation, payload, shows, showsId } from "./mutation.ts";
import { NoticeConnection, noticePlace, NoticeType } from "./notice.ts";
import { NoticeChannelType, NoticeKindType, NoticeScopeType } from "./notice-enums.ts";
import { listStored } from "./stored-page.ts";
import { PersonType, toPerson } from "./person.ts";

const WORDS = {
  id: "The rule's id.",
  name: "1 to 100 characters, unique among the rules of the workspace, or among one's own.",
  kinds: "Which events it tells, at least one.",
  minRisk:
    "Of changes in the catalog, only those with at least this risk; null: all. It does not matter for other kinds.",
  about: "The address, tag or id that it is about; left out for everything.",
  url: "Where to post to: an https address. It is stored encrypted, and never shown again. Left out if it does not post.",
  digestHour:
    "Of mails: the hour (UTC, 0 to 23) at which what happened in a day is one mail; null to mail at once. Nothing is mailed if nothing happened.",
  rotate:
    "Gives a webhook a new secret, whose notices are signed with the present one as well for a day; or a feed a new address, and ends the present one.",
  to: "Of mails and bells: the address of a person of the workspace who has logged in; empty or left out for the owners of what is told.",
};

const NoticeRuleType = objectType<NoticeRule>(
  "NoticeRule",
  "A rule that says which events are told, and where to. Its address and secret are never shown.",
).with({
  id: typed("ID", "The rule's id."),
  name: typed("String", "Its name, unique in the workspace."),
  channel: typed(NoticeChannelType, "How it sends."),
  kinds: typed([NoticeKindType], "Which events it tells."),
  minRisk: typedOrNull(Risk, WORDS.minRisk),
  aboutBy: typed(NoticeScopeType, "What it is about."),
  about: emptyAsNull("The address, tag or id that it is about; null for everything."),
  origin: typed("String", "Where it posts to, without the path, which may be secret; empty for mails."),
  to: (t) =>
    t.string({
      ...textOrNull("recipient"),
      description:
        "Of mails and bells: the address of the person; null for the owners of what is told, and for others.",
    }),
  recipient: {
    ...typedOrNull(PersonType, "The person of `to`, by name."),
    resolve: ({ recipient }) => toPerson(recipient),
  },
  digestHour: typedOrNull("Int", WORDS.digestHour),
  createdAt: typed("DateTime", "When it was added."),
  createdBy: typed("String", "Who added it."),
  disabledAt: typedOrNull("DateTime", "When it was switched off; null if it is on."),
  disabledReason: emptyAsNull("Why the service switched it off; null if it is on, or if a person did."),
  failingSince: typedOrNull("DateTime", "Since when no notice has arrived; null if the last one did."),
  notices: (t) =>
    t.field({
      ...typed(NoticeConnection, "What it sent, the newest first. Notices are kept for 30 days after they ended."),
      args: pageArgs,
      complexity: (args) => ({ field: 1, multiplier: args.first }),
      resolve: ({ id }, args, context) =>
        listStored(args, context, {
          query: ["notices", id],
          list: (workspaceId, page) => context.services.metadata.notices.list(workspaceId, id, page),
          placeOf: ({ number }) => ({ number }),
          placeSchema: noticePlace,
          count: () => null,
        }),
    }),
});

/** The person who asks, whose own rules nobody else sees. */
function personOf(context: GraphqlContext): NonNullable<NoticeRuleParts["person"]> {
  const { actor } = originOf(context);
  if (actor.kind === "user") return { id: actor.id, email: actor.name };
  throw new AppError("forbidden", "Only a person has notice rules of their own, not a service account.");
}

const partsOf = ({ services }: GraphqlContext): NoticeRuleParts => services.noticeRules;
const ownPartsOf = (context: GraphqlContext): NoticeRuleParts => ({ ...partsOf(context), person: personOf(context) });

/** The rules of the workspace are the admins'. Those of a person are that person's alone. */
const RULES = [
  { my: "", whose: "of the workspace", requires: "admin", partsOf },
  { my: "My", whose: "of the person who asks, which nobody else sees", requires: "self", partsOf: ownPartsOf },
] as const;

/** The answer of a mutation that shows a secret once. */
const withSecret = payload<Awaited<ReturnType<typeof addNoticeRule>>>("A notice rule with its new secret.").with({
  noticeRule: (t) => t.expose("rule", typed(NoticeRuleType, "The rule.")),
  secret: typedOrNull(
    "String",
    "The secret by which a webhook verifies its notices, or the address of a feed. Shown only once; null for others.",
  ),
});

const idField = (t: InputBuilder) => ({ id: t.id({ required: true, description: WORDS.id }) });

for (const { my, whose, requires, partsOf: partsFor } of RULES) {
  queryField(my === "" ? "noticeRules" : "myNoticeRules", requires, {
    ...listOf(NoticeRuleType, `The notice rules ${whose}, the oldest first: at most ${MAX_RULES}.`, MAX_RULES),
    resolve: (_root, _args, context) => {
      const { store, person } = partsFor(context);
      return store.noticeRules.list(originOf(context).workspace.id, person?.id);
    },
  });

  queryField(my === "" ? "noticeRule" : "myNoticeRule", requires, {
    ...typedOrNull(NoticeRuleType, `A notice rule ${whose}, by its id; null if there is none.`),
    args: builder.args((t) => ({ id: t.id({ required: true, description: "Its id." }) })),
    resolve: (_root, { id }, context) => {
      const parts = partsFor(context);
      return findNoticeRule(parts.store, parts, originOf(context), toNoticeRuleId(id));
    },
  });

  mutation(`remove${my}NoticeRule`, {
    description: `Removes a notice rule ${whose}, with its notices. Those that wait are not sent.`,
    requires,
    input: "Which notice rule to remove.",
    fields: idField,
    answer: showsId("The rule's id."),
    resolve: async ({ id }, context) => {
      await removeNoticeRule(partsFor(context), originOf(context), toNoticeRuleId(id));
      return id;
    },
  });

  mutation(`rotate${my}NoticeSecret`, {
    description: WORDS.rotate,
    requires,
    input: "Which notice rule gets a new secret.",
    fields: idField,
    answer: withSecret,
    resolve: ({ id }, context) => rotateNoticeSecret(partsFor(context), originOf(context), toNoticeRuleId(id)),
  });
}

/** What everybody says about a rule that they add. */
const newFields = (t: InputBuilder) => ({
  name: t.string({ required: true, description: WORDS.name }),
  kinds: t.field({ type: [NoticeKindType], required: true, description: WORDS.kinds }),
  minRisk: t.field(typed(Risk, WORDS.minRisk)),
  aboutBy: t.field({
    type: NoticeScopeType,
    required: true,
    defaultValue: "everything",
    description: "What it is about.",
  }),
  about: t.string({ description: WORDS.about }),
  digestHour: t.int({ description: WORDS.digestHour }),
});

const targetFields = (t: InputBuilder) => ({
  url: t.string({ description: WORDS.url }),
  to: t.string({ description: WORDS.to }),
});

type Said<Fields extends (t: InputBuilder) => InputFieldMap> = InputShapeFromFields<ReturnType<Fields>>;

/** What is said, with what was left out. */
function toWords({ minRisk = null, about, digestHour = null, ...said }: Said<typeof newFields>) {
  return { ...said, minRisk, about: about ?? "", digestHour };
}

mutation("createNoticeRule", {
  description: "Adds a notice rule. It tells what happens from then on.",
  requires: "admin",
  input: "A notice rule to add.",
  fields: (t) => ({
    ...newFields(t),
    ...targetFields(t),
    channel: t.field({ type: NoticeChannelType, required: true, description: "How it sends." }),
  }),
  answer: withSecret,
  resolve: ({ channel, url, to, ...said }, context) => {
    const rule = { ...toWords(said), channel, url: url ?? "", to: to ?? "" };
    return addNoticeRule(partsOf(context), originOf(context), rule);
  },
});

mutation("createMyNoticeRule", {
  description: "Adds a notice rule of the person who asks. It tells that person what happens from then on.",
  requires: "self",
  input: "A notice rule of one's own, which tells oneself.",
  fields: (t) => ({
    ...newFields(t),
    channel: t.field({
      type: NoticeChannelType,
      required: true,
      defaultValue: "email",
      description: "How it tells: email, bell or feed. All of them ring the bell.",
    }),
  }),
  answer: withSecret,
  resolve: ({ channel, ...said }, context) =>
    addNoticeRule(ownPartsOf(context), originOf(context), { ...toWords(said), channel, url: "", to: "" }),
});

/** What everybody can change about a rule that they may change. */
const changedFields = (t: InputBuilder) => ({
  ...idField(t),
  name: t.string({ description: WORDS.name }),
  kinds: t.field(typed([NoticeKindType], WORDS.kinds)),
  minRisk: t.field(typed(Risk, WORDS.minRisk)),
  aboutBy: t.field(typed(NoticeScopeType, "What it is about.")),
  about: t.string({ description: WORDS.about }),
  digestHour: t.int({ description: WORDS.digestHour }),
  disabled: t.boolean({
    description:
      "True switches it off: notices that wait have failed. False switches it on, for what happens from then on.",
  }),
});

/** What is to change. A null takes the risk and the hour away. */
function toChange({ minRisk, digestHour, ...said }: Omit<Said<typeof changedFields>, "id">): ChangedRule {
  return {
    ...given(said),
    ...(minRisk !== undefined && { minRisk }),
    ...(digestHour !== undefined && { digestHour }),
  };
}

mutation("updateNoticeRule", {
  description: "Changes a notice rule, or switches it off or on.",
  requires: "admin",
  input: "What to change about a notice rule. Everything else stays as it is.",
  fields: (t) => ({ ...changedFields(t), ...targetFields(t) }),
  answer: shows("noticeRule", NoticeRuleType, "The rule."),
  resolve: ({ id, url, to, ...changed }, context) =>
    changeNoticeRule(partsOf(context), originOf(context), toNoticeRuleId(id), {
      ...toChange(changed),
      ...given({ url, to }),
    }),
});

mutation("updateMyNoticeRule", {
  description: "Changes a notice rule of the person who asks, or switches it off or on.",
  requires: "self",
  input: "What to change about a notice rule of one's own. Everything else stays as it is.",
  fields: changedFields,
  answer: shows("noticeRule", NoticeRuleType, "The rule."),
  resolve: ({ id, ...changed }, context) =>
    changeNoticeRule(ownPartsOf(context), originOf(context), toNoticeRuleId(id), toChange(changed)),
});

mutation("testNoticeRule", {
  description: "Sends a test now, also if the rule is off, and waits for the answer.",
  requires: "admin",
  input: "Which notice rule to test.",
  fields: idField,
  answer: shows("notice", NoticeType, "The test, with its only try."),
  resolve: ({ id }, context) => testNoticeRule(partsOf(context), originOf(context), toNoticeRuleId(id)),
});
