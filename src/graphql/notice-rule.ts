/** Notice rules: which events are told, and where to. */
import type { InputShapeFromFields } from "@pothos/core";

import { toNoticeRuleId } from "../ids.ts";
import type { NoticeRule } from "../metadata/notice-records.ts";
import {
  addNoticeRule,
  type ChangedRule,
  changeNoticeRule,
  isOf,
  MAX_RULES,
  type NoticeRuleParts,
  removeNoticeRule,
  rotateNoticeSecret,
  testNoticeRule,
} from "../notices/rules.ts";
import { builder, objectType, requires, textOrNull, typed, typedOrNull } from "./builder.ts";
import { pageArgs } from "./connection.ts";
import { type GraphqlContext, originOf } from "./context.ts";
import { Risk } from "./enums.ts";
import { answers, type InputBuilder, mutation, shows, showsId } from "./mutation.ts";
import { NoticeConnection, noticePlace, NoticeType } from "./notice.ts";
import { NoticeChannelType, NoticeKindType, NoticeScopeType } from "./notice-enums.ts";
import { listStored } from "./stored-page.ts";
import { PersonType, toPerson } from "./person.ts";

export const WORDS = {
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

export const NoticeRuleType = builder.objectRef<NoticeRule>("NoticeRule").implement({
  description: "A rule that says which events are told, and where to. Its address and secret are never shown.",
  fields: (t) => ({
    id: t.exposeID("id", { description: "The rule's id." }),
    name: t.exposeString("name", { description: "Its name, unique in the workspace." }),
    channel: t.expose("channel", typed(NoticeChannelType, "How it sends.")),
    kinds: t.expose("kinds", typed([NoticeKindType], "Which events it tells.")),
    minRisk: t.expose("minRisk", typedOrNull(Risk, WORDS.minRisk)),
    aboutBy: t.expose("aboutBy", typed(NoticeScopeType, "What it is about.")),
    about: t.string({
      ...textOrNull("about"),
      description: "The address, tag or id that it is about; null for everything.",
    }),
    origin: t.exposeString("origin", {
      description: "Where it posts to, without the path, which may be secret; empty for mails.",
    }),
    to: t.string({
      ...textOrNull("recipient"),
      description:
        "Of mails and bells: the address of the person; null for the owners of what is told, and for others.",
    }),
    recipient: t.field({
      ...typedOrNull(PersonType, "The person of `to`, by name."),
      resolve: ({ recipient }) => toPerson(recipient),
    }),
    digestHour: t.exposeInt("digestHour", { nullable: true, description: WORDS.digestHour }),
    createdAt: t.expose("createdAt", typed("DateTime", "When it was added.")),
    createdBy: t.exposeString("createdBy", { description: "Who added it." }),
    disabledAt: t.expose("disabledAt", typedOrNull("DateTime", "When it was switched off; null if it is on.")),
    disabledReason: t.string({
      ...textOrNull("disabledReason"),
      description: "Why the service switched it off; null if it is on, or if a person did.",
    }),
    failingSince: t.expose(
      "failingSince",
      typedOrNull("DateTime", "Since when no notice has arrived; null if the last one did."),
    ),
    notices: t.field({
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
  }),
});

/** Rules of the workspace are the admins'. Those of a person are that person's alone. */
export async function findRule(id: string, context: GraphqlContext, person?: NoticeRuleParts["person"]) {
  const { workspace } = originOf(context);
  const rule = await context.services.metadata.noticeRules.findById(workspace.id, toNoticeRuleId(id));
  return rule !== null && isOf(rule, person === undefined ? {} : { person }) ? rule : null;
}

builder.queryFields((t) => ({
  noticeRules: t.field({
    ...typed([NoticeRuleType], `The notice rules of the workspace, the oldest first. It has at most ${MAX_RULES}.`),
    extensions: requires("admin"),
    complexity: { field: 1, multiplier: MAX_RULES },
    resolve: (_root, _args, context) => context.services.metadata.noticeRules.list(originOf(context).workspace.id),
  }),
  noticeRule: t.field({
    ...typedOrNull(NoticeRuleType, "A notice rule of the workspace by its id; null if there is none."),
    extensions: requires("admin"),
    args: { id: t.arg.id({ required: true, description: "Its id." }) },
    resolve: (_root, { id }, context) => findRule(id, context),
  }),
}));

interface WithSecret {
  rule: NoticeRule;
  secret: string | null;
}

/** The answer of a mutation that shows a secret once. */
export function answersSecret(name: string) {
  const type = objectType<WithSecret>(`${name}Payload`, "A notice rule with its new secret.", (t) => ({
    noticeRule: t.expose("rule", typed(NoticeRuleType, "The rule.")),
    secret: t.exposeString("secret", {
      nullable: true,
      description:
        "The secret by which a webhook verifies its notices, or the address of a feed. Shown only once; null for others.",
    }),
  }));
  return answers(type);
}

mutation("createNoticeRule", {
  description: "Adds a notice rule. It tells what happens from then on.",
  requires: "admin",
  input: "A notice rule to add.",
  fields: (t) => ({
    name: t.string({ required: true, description: WORDS.name }),
    channel: t.field({ type: NoticeChannelType, required: true, description: "How it sends." }),
    kinds: t.field({ type: [NoticeKindType], required: true, description: WORDS.kinds }),
    minRisk: t.field(typed(Risk, WORDS.minRisk)),
    aboutBy: t.field({
      type: NoticeScopeType,
      required: true,
      defaultValue: "everything",
      description: "What it is about.",
    }),
    about: t.string({ description: WORDS.about }),
    url: t.string({ description: WORDS.url }),
    to: t.string({ description: WORDS.to }),
    digestHour: t.int({ description: WORDS.digestHour }),
  }),
  answer: answersSecret("CreateNoticeRule"),
  resolve: (input, context) =>
    addNoticeRule(context.services.noticeRules, originOf(context), {
      ...input,
      about: input.about ?? "",
      url: input.url ?? "",
      to: input.to ?? "",
      minRisk: input.minRisk ?? null,
      digestHour: input.digestHour ?? null,
    }),
});

/** What everybody can change about a rule that they may change. */
export function changedFields(t: InputBuilder) {
  return {
    id: t.id({ required: true, description: WORDS.id }),
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
  };
}

type Changed = Omit<InputShapeFromFields<ReturnType<typeof changedFields>>, "id">;

/** What is given, without nulls. */
export function given({ name, kinds, minRisk, aboutBy, about, digestHour, disabled }: Changed): ChangedRule {
  return {
    ...(name != null && { name }),
    ...(kinds != null && { kinds }),
    ...(minRisk !== undefined && { minRisk }),
    ...(aboutBy != null && { aboutBy }),
    ...(about != null && { about }),
    ...(digestHour !== undefined && { digestHour }),
    ...(disabled != null && { disabled }),
  };
}

mutation("updateNoticeRule", {
  description: "Changes a notice rule, or switches it off or on.",
  requires: "admin",
  input: "What to change about a notice rule. Everything else stays as it is.",
  fields: (t) => ({
    ...changedFields(t),
    url: t.string({ description: WORDS.url }),
    to: t.string({ description: WORDS.to }),
  }),
  answer: shows("noticeRule", NoticeRuleType, "The rule."),
  resolve: ({ id, url, to, ...changed }, context) =>
    changeNoticeRule(context.services.noticeRules, originOf(context), toNoticeRuleId(id), {
      ...given(changed),
      ...(url != null && { url }),
      ...(to != null && { to }),
    }),
});

mutation("removeNoticeRule", {
  description: "Removes a notice rule with its notices. Those that wait are not sent.",
  requires: "admin",
  input: "Which notice rule to remove.",
  fields: (t) => ({ id: t.id({ required: true, description: WORDS.id }) }),
  answer: showsId("The rule's id."),
  resolve: async ({ id }, context) => {
    await removeNoticeRule(context.services.noticeRules, originOf(context), toNoticeRuleId(id));
    return id;
  },
});

mutation("testNoticeRule", {
  description: "Sends a test now, also if the rule is off, and waits for the answer.",
  requires: "admin",
  input: "Which notice rule to test.",
  fields: (t) => ({ id: t.id({ required: true, description: WORDS.id }) }),
  answer: shows("notice", NoticeType, "The test, with its only try."),
  resolve: ({ id }, context) => testNoticeRule(context.services.noticeRules, originOf(context), toNoticeRuleId(id)),
});

mutation("rotateNoticeSecret", {
  description: WORDS.rotate,
  requires: "admin",
  input: "Which notice rule gets a new secret.",
  fields: (t) => ({ id: t.id({ required: true, description: WORDS.id }) }),
  answer: answersSecret("RotateNoticeSecret"),
  resolve: ({ id }, context) => rotateNoticeSecret(context.services.noticeRules, originOf(context), toNoticeRuleId(id)),
});
