/** Notice rules of a person, which nobody else sees. */
import { AppError } from "../errors.ts";
import { toNoticeRuleId } from "../ids.ts";
import {
  addNoticeRule,
  changeNoticeRule,
  MAX_RULES,
  type NoticeRuleParts,
  removeNoticeRule,
  rotateNoticeSecret,
} from "../notices/rules.ts";
import { builder, requires, typed, typedOrNull } from "./builder.ts";
import { type GraphqlContext, originOf } from "./context.ts";
import { Risk } from "./enums.ts";
import { mutation, shows, showsId } from "./mutation.ts";
import { NoticeChannelType, NoticeKindType, NoticeScopeType } from "./notice-enums.ts";
import { answersSecret, changedFields, findRule, given, NoticeRuleType, WORDS } from "./notice-rule.ts";

function personOf(context: GraphqlContext): NonNullable<NoticeRuleParts["person"]> {
  const { actor } = originOf(context);
  if (actor.kind === "user") return { id: actor.id, email: actor.name };
  throw new AppError("forbidden", "Only a person has notice rules of their own, not a service account.");
}

function ownParts(context: GraphqlContext): NoticeRuleParts {
  return { ...context.services.noticeRules, person: personOf(context) };
}

builder.queryFields((t) => ({
  myNoticeRules: t.field({
    type: [NoticeRuleType],
    description: `The notice rules of the person who asks, the oldest first: at most ${MAX_RULES}. Nobody else sees them.`,
    extensions: requires("self"),
    complexity: { field: 1, multiplier: MAX_RULES },
    resolve: (_root, _args, context) =>
      context.services.metadata.noticeRules.list(originOf(context).workspace.id, personOf(context).id),
  }),
  myNoticeRule: t.field({
    ...typedOrNull(NoticeRuleType, "A notice rule of the person who asks, by its id; null if there is none."),
    extensions: requires("self"),
    args: { id: t.arg.id({ required: true, description: "Its id." }) },
    resolve: (_root, { id }, context) => findRule(id, context, personOf(context)),
  }),
}));

mutation("createMyNoticeRule", {
  description: "Adds a notice rule of the person who asks. It tells that person what happens from then on.",
  requires: "self",
  input: "A notice rule of one's own, which tells oneself.",
  fields: (t) => ({
    name: t.string({ required: true, description: "1 to 100 characters, unique among one's own rules." }),
    channel: t.field({
      type: NoticeChannelType,
      required: true,
      defaultValue: "email",
      description: "How it tells: email, bell or feed. All of them ring the bell.",
    }),
    kinds: t.field({ type: [NoticeKindType], required: true, description: WORDS.kinds }),
    minRisk: t.field(typed(Risk, WORDS.minRisk)),
    aboutBy: t.field({ type: NoticeScopeType, required: true, description: "What it is about." }),
    about: t.string({ description: WORDS.about }),
    digestHour: t.int({ description: WORDS.digestHour }),
  }),
  answer: answersSecret("CreateMyNoticeRule"),
  resolve: (input, context) => {
    const words = {
      ...input,
      about: input.about ?? "",
      minRisk: input.minRisk ?? null,
      digestHour: input.digestHour ?? null,
    };
    return addNoticeRule(ownParts(context), originOf(context), { ...words, url: "", to: "" });
  },
});

mutation("updateMyNoticeRule", {
  description: "Changes a notice rule of the person who asks, or switches it off or on.",
  requires: "self",
  input: "What to change about a notice rule of one's own. Everything else stays as it is.",
  fields: changedFields,
  answer: shows("noticeRule", NoticeRuleType, "The rule."),
  resolve: ({ id, ...changed }, context) =>
    changeNoticeRule(ownParts(context), originOf(context), toNoticeRuleId(id), given(changed)),
});

mutation("removeMyNoticeRule", {
  description: "Removes a notice rule of the person who asks.",
  requires: "self",
  input: "Which notice rule of one's own to remove.",
  fields: (t) => ({ id: t.id({ required: true, description: WORDS.id }) }),
  answer: showsId("The rule's id."),
  resolve: async ({ id }, context) => {
    await removeNoticeRule(ownParts(context), originOf(context), toNoticeRuleId(id));
    return id;
  },
});

mutation("rotateMyNoticeSecret", {
  description: WORDS.rotate,
  requires: "self",
  input: "Which notice rule of one's own gets a new address.",
  fields: (t) => ({ id: t.id({ required: true, description: WORDS.id }) }),
  answer: answersSecret("RotateMyNoticeSecret"),
  resolve: ({ id }, context) => rotateNoticeSecret(ownParts(context), originOf(context), toNoticeRuleId(id)),
});
