/** Whole questions: lists, counts, yes or no, and aspects. */
import { not, type Aspect, type Plan, type Things } from "../../plan.ts";
import { resolvePrevious } from "../resolve-previous.ts";
import type { Relation } from "../word-meanings.ts";
import {
  along,
  ANYTHING,
  asPredicate,
  BEFORE,
  certifiedBy,
  columnsOf,
  described,
  far,
  has,
  HOLDERS,
  inverse,
  isAlong,
  isAnything,
  isColumns,
  lies,
  type Meanings,
  type Noun,
  PREVIOUS,
  tested,
  those,
  thoseDescribed,
} from "./meanings.ts";
import { holding } from "./conditions.ts";
import { rulesFor } from "./notation.ts";
import { answers, lists, narrowed, tells, tellsNamed, whether } from "./plans.ts";

const { rules, rule } = rulesFor("Ask");
const asked = rulesFor("Asked");
const aspectOf = rulesFor("AspectOf");
const bare = rulesFor("Bare");

const askedOf = (noun: Noun | null, how: Meanings["Asked"]["how"]) => noun && { noun, how };
const orNull = <T>(value: T | null, use: (value: T) => Plan | null): Plan | null =>
  value === null ? null : use(value);

// Which, how many, and whether there are

asked.rule("(which|what|which be|what be|which of|which one of|which in|who be) Noun", (noun) => ({
  noun,
  how: "list",
}));
asked.rule("[what be] howmany [of|in] Noun", (noun) => ({ noun, how: "count" }));
asked.rule("anythere Noun", (noun) => ({ noun, how: "whether" }));
asked.rule("(who|where)", () => ({ noun: ANYTHING, how: "list" }), 0.03);
asked.rule("(what|which|those) [one]", () => ({ noun: ANYTHING, how: "list" }), 0.03);
asked.rule("Asked (exist|do|all|comma|that|exist that)", (all) => all, 0.01);
/** "in marts, which models are certified" */
asked.rule("Condition comma Asked", (condition, { noun, how }) =>
  askedOf(isAnything(noun) ? null : thoseDescribed(noun, condition), how),
);
/** "of the models that use X, which are certified", "for X, which columns are tested" */
asked.rule("(of|in|from|for|on) Noun [comma] Asked", (of, { noun, how }) =>
  askedOf(isAnything(noun) ? of : columnsOf(noun, of), how),
);
asked.rule("Noun comma Asked", (of, { noun, how }) => askedOf(of.isNamed ? columnsOf(noun, of) : null, how));
/** "excluding views, which models ..." */
asked.rule("(except|without) Noun comma Asked", (other, { noun, how }) =>
  askedOf(thoseDescribed(noun, not({ is: "among", things: other.set })), how),
);
asked.rule("(except|without) Schema comma Asked", (schema, { noun, how }) =>
  askedOf(thoseDescribed(noun, not(schema)), how),
);
asked.rule("howmany", () => ({ noun: ANYTHING, how: "count" }), 0.03);

bare.rule(
  "Noun",
  ({ set, isNamed, amount }) => {
    if (isNamed) return { tell: "aspect", find: set, aspect: "everything" };
    return { tell: "list", find: set, ...(amount && { limit: amount }) };
  },
  0.08,
);
rule("Asked [do have]", (all) => answers(all, all.noun));
rule(
  "Asked Condition",
  (all, condition) => {
    // "which of A and B are certified"
    const { ids = [] } = all.noun.set;
    const isOfSeveral = ids.length > 1 || ids[0] === PREVIOUS;
    return orNull(thoseDescribed(isOfSeveral ? { ...all.noun, isNamed: false } : all.noun, condition), (noun) =>
      answers(all, noun),
    );
  },
  0.01,
);
rule("Asked do Pronoun have", (all) => (isColumns(all.noun) ? null : answers(all, all.noun)), 0.02);
/** "what ends up downstream of X, models only" */
const onlySuch = (plan: Plan, noun: Noun): Plan | null => (noun.isNamed ? null : narrowed(plan, noun.set));
rule("Ask comma only Noun", onlySuch);
rule("Ask comma Noun only", onlySuch);
/** "what does X use", "which metrics does the dashboard show" */
const usedBy = (noun: Noun, relation: Relation, of = ANYTHING): Noun => those(of, along(inverse(relation), noun));
rule("[in|from|by|on] Asked [do|be|have] Noun Relation [from]", (all, noun, relation) =>
  all.noun.isNamed ? null : answers(all, usedBy(noun, relation, all.noun)),
);
/** "by which models is it consumed" */
rule("(in|from|by|with) Asked be Noun Adjective", (all, noun, adjective) =>
  all.noun.isNamed || adjective.is !== "has" || adjective.feature !== "downstream"
    ? null
    : answers(all, usedBy(noun, { way: "upstream", isFar: false }, all.noun)),
);
rule("[in|from|by|on] Asked [do|be] Noun not Relation", (all, noun, relation) =>
  all.noun.isNamed ? null : answers(all, those(all.noun, not(along(far(inverse(relation)), noun)))),
);
/** "from which raw column does it come", "in which columns does it end up" */
const getting = (way: Relation["way"]) => (all: Meanings["Asked"], noun: Noun) =>
  all.noun.isNamed ? null : answers(all, usedBy(noun, far({ way }), all.noun));
rule("from Asked (do|be) Noun [far] get", getting("downstream"));
rule("(in|to) Asked (do|be) Noun [far] get", getting("upstream"));
/** "where does X take its order_id from" */
rule("where do Noun get Noun from", (holder, column) =>
  orNull(columnsOf(column, holder), (noun) => lists(usedBy(noun, { way: "downstream", isFar: false }))),
);
rule("where do Noun get Pronoun Noun from", (holder, _its, column) =>
  orNull(columnsOf(column, holder), (noun) => lists(usedBy(noun, { way: "downstream", isFar: false }))),
);
/** "where does it come from, which raw column" */
rule("where do Noun Relation comma (what|which) Noun", (noun, relation, all) =>
  all.isNamed ? null : lists(usedBy(noun, relation, all)),
);
/** "the email column in crm_contacts: who owns it" */
rule("Noun comma Ask", (noun, plan) =>
  noun.isNamed && JSON.stringify(plan).includes(PREVIOUS)
    ? resolvePrevious(plan, { tell: "aspect", find: noun.set, aspect: "everything" })
    : null,
);
rule("Noun be ownedby who", (noun) => tells("owner", noun));
rule("Noun Relation (which|what) Noun", (noun, relation, all) =>
  all.isNamed ? null : lists(usedBy(noun, relation, all)),
);
rule("from which Noun be Noun Told", (all, noun) =>
  all.isNamed ? null : lists(usedBy(noun, { way: "downstream", isFar: false }, all)),
);
rule("Asked do Noun have", (all, holder) => orNull(columnsOf(all.noun, holder), (found) => answers(all, found)));
rule("Asked (exist|have|be) [in|on|of] Noun", (all, holder) =>
  orNull(columnsOf(all.noun, holder), (found) => answers(all, found)),
);
rule("[in|of] Asked [do|be] Noun Told", (all, columns, told) =>
  told === "place" && isColumns(columns) && !all.noun.isNamed
    ? answers(all, those(all.noun, lies("parents", columns.set)))
    : null,
);
rule("Asked [do|be] Owner (own|contact)", (all, owner) => answers(all, those(all.noun, owner)));
rule(
  "Asked (do|have) Owner certify",
  (all, owner) => orNull(certifiedBy(owner), (by) => answers(all, those(all.noun, by))),
  -0.01,
);

// Yes or no

/** A path is as good as an edge where it is asked whether one uses the other. */
rule("(be|do|have) [of] Noun [that] Condition", (noun, condition) =>
  noun.isNamed || noun.set.isEvery ? whether(noun.set, condition) : whether(those(noun, condition).set),
);
/** "are the metrics of X all certified" */
rule("(be|do|have) Noun all Condition", ({ set, isNamed }, condition) =>
  isNamed && set.ids?.[0] !== PREVIOUS ? null : whether({ ...set, isEvery: true }, condition),
);
/** "(is it true that) net_revenue is certified" */
rule("Noun [be] Condition", (noun, condition) => (noun.isNamed ? whether(noun.set, condition) : null), 0.3);
const hasFeature = (noun: Noun, feature: Meanings["Feature"]): Plan | null =>
  noun.isNamed || noun.set.isEvery ? whether(noun.set, has(feature)) : null;
rule("[do|have] Noun have Feature", hasFeature, 0.02);
rule("have Noun Feature", hasFeature, 0.02);
rule("anythere Feature (of|for|on|in) Noun", (feature, noun) => hasFeature(noun, feature), -0.05);
rule("anythere Tests (of|for|on|in) Noun", (tests, noun) => whether(noun.set, tests), -0.05);
rule("do tests Noun", (noun) => (noun.isNamed ? whether(noun.set, has("checks")) : null));
rule("(do|be) tests Check of Noun", (check, noun) => whether(noun.set, tested(...check)), -0.05);
rule("be Check of Noun tested", (check, noun) => whether(noun.set, tested(...check)), -0.05);
/** "do we test that order_id is unique in fct_orders" */
rule("do tests [that|if] Noun be Check", (noun, check) => (noun.isNamed ? whether(noun.set, tested(...check)) : null));
rule("do tests [that|if] Noun be Check (in|of|on) Noun", (column, check, holder) =>
  orNull(columnsOf(column, holder), ({ set }) => whether(set, tested(...check))),
);
/** "and did they pass": their last results are told with them */
rule("(do|have|be) Pronoun [all] pass", () => tells("checks", BEFORE));
rule("do own Noun", (noun) => whether(noun.set, has("owner")));
rule("(be|do) Noun exist", (noun) => answers({ how: "whether" }, noun));
rule(
  "(do|be) Condition",
  (condition) => (isAlong(described({ where: condition })) ? whether(those(ANYTHING, condition).set) : null),
  0.1,
);
rule("be [of] Noun Types", (noun, types) => {
  const condition = asPredicate(types);
  if (noun.isNamed || condition === null) return null;
  return noun.set.isEvery ? whether(noun.set, condition) : whether(those(noun, condition).set);
});
/** "is X a metric", "is X one of the certified metrics in finance" */
rule(
  "be Noun [be|one of|of] Noun",
  (noun, { set: { types, where, ids }, isNamed }) => {
    if (!noun.isNamed || isNamed || types === undefined || ids !== undefined) return null;
    const isOfType = noun.set.types?.every((type) => types.includes(type)) === true;
    const things: Things = { types, ...(where && { where }) };
    return whether(noun.set, isOfType && where !== undefined ? where : { is: "among", things });
  },
  0.1,
);
/** "is order_id unique in fct_orders" */
rule("be Noun Condition (in|of|on|for) Noun", (column, condition, holder) =>
  orNull(column.isNamed && !isAlong(described({ where: condition })) ? columnsOf(column, holder) : null, ({ set }) =>
    whether(set, condition),
  ),
);
rule("[in|of|for] Asked [do] (tests|be tests|tested) [for] Check", (all, check) =>
  all.noun.isNamed ? null : answers(all, those(all.noun, tested(...check))),
);
rule("[be] Noun [comma] Made or [be] Made", (noun) => tellsNamed("materialization", noun));
rule("[be] Noun [comma] Types or Types", (noun) => tellsNamed("kind", noun));
rule("(what|which) kindof Types be Noun", (_types, noun) => tellsNamed("kind", noun));
rule("(what|which) kindof Types be Noun comma Types or Types", (_types, noun) => tellsNamed("kind", noun));
rule("be Noun Made or be Pronoun Made", (noun) => tellsNamed("materialization", noun));
rule("(do|be) trust Noun", (noun) =>
  noun.isNamed ? whether(noun.set, { is: "certification", any: ["certified"] }) : null,
);
rule("(be|do) Owner own Noun", (owner, noun) => whether(noun.set, owner));

// Aspects of what is named

aspectOf.rule("Aspect (of|for|in|on|behind) Noun", tells);
/** "the columns of X and their types": columns are told with their types. */
aspectOf.rule("AspectOf and Pronoun Aspect", (plan, _its, aspect) =>
  plan.tell === "aspect" && plan.aspect === "columns" && aspect === "data type" ? plan : null,
);
aspectOf.rule("(of|for|in|on) Noun comma (what be|who be|what|which|which be) Aspect", (noun, aspect) =>
  tells(aspect, noun),
);
aspectOf.rule("Noun 's Aspect", (noun, aspect) => tells(aspect, noun));
aspectOf.rule("Aspect Noun", tellsNamed, 0.1);
aspectOf.rule("Noun Aspect", (noun, aspect) => tellsNamed(aspect, noun), 0.15);
rule("[what be|which|who be|when be] AspectOf", (plan) => plan);
rule(
  "(which|what|howmany) Aspect (do|be|be in|be on|be of|have|exist on|exist for|exist in|exist of) Noun [have|use]",
  tells,
);
rule("(which|what) Aspect tests [in|for] Noun", (aspect, noun) => (aspect === "checks" ? tells(aspect, noun) : null));
rule("(which|what) [tests] tests [in|for] Noun", (noun) => tellsNamed("checks", noun), 0.05);
rule("what be Told in Noun", (_told, noun) => tellsNamed("everything", noun), 0.05);
const isTold = (noun: Noun, told: Aspect): Plan | null => tellsNamed(told, noun);
rule("(how|when|where|what|why) (be|do|have|can) Noun [be] Told", isTold);
/** "(tell me) how X is computed" */
rule("(how|when|where) Noun be Told [in]", isTold, 0.02);
rule("how Told be Noun", (told, noun) => isTold(noun, told));
/** "dashboards with their owners" */
rule("[which|what] Noun (with|and) Pronoun Aspect", (noun, _their, aspect) => tells(aspect, noun));
rule("how (be|do) Told Noun", (told, noun) => isTold(noun, told));
rule("[by] which Aspect do Told Noun", (aspect, told, noun) => (aspect === told ? isTold(noun, told) : null));
rule("[by] which Aspect (do|can) Noun [be] Told", (aspect, noun, told) =>
  isTold(noun, aspect === told ? aspect : told),
);
rule("in Asked (do seek|exist|be) Noun", (all, columns) => {
  const where = holding(true, { ...columns, joined: "and" });
  return where && !all.noun.isNamed ? answers(all, those(all.noun, where)) : null;
});
rule("where do seek Noun", (noun) => tellsNamed("place", noun));
rule("where (be|do) Noun [live]", (noun) => tellsNamed("place", noun));
rule("[from] which connector do Noun Relation", (noun) => tellsNamed("place", noun), -0.05);
rule("who [be|do] (own|contact|behind) Noun", (noun) => tells("owner", noun));
rule("have certify Noun", (noun) => whether(noun.set, { is: "certification", any: ["certified"] }));
rule("(who|whose) (do|be) Noun [belong|ownedby]", (noun) => tells("owner", noun));
rule("who [have] certify Noun", (noun) => tells("certification", noun));
rule("when", () => tells("certification", BEFORE), 0.05);
rule("(by who|who do that)", () => tells("certification", BEFORE), 0.05);
rule("who (do|certify) Pronoun", () => tells("certification", BEFORE), 0.05);
rule("why be not Noun Adjective", (noun) => tellsNamed("trail", noun));
rule("why be Noun [not|no] Adjective", (noun) => tellsNamed("trail", noun));
rule("(what|which) [do|be] instead Noun", (noun) => tellsNamed("trail", noun));
rule("(what be|what do|how be) row Noun [everythingabout|Told]", (noun) => tellsNamed("description", noun), -0.1);
/** "which tests check accepted values, and on which columns" */
const checkedSo = (check: string[]): Plan | null => lists(those(described({ types: ["column"] }), tested(...check)));
rule("(which|what|which of) tests [be] (tests|for) Check", checkedSo);
rule("(which|what|which of) tests [be] (tests|for) Check comma and in which Types", checkedSo);
rule("(what|which) (be|Types be) Check (of|for|in) Noun", (check, noun) =>
  lists(those(those(described({ types: ["column"] }), lies("columns", noun.set)), tested(...check))),
);
rule("what Noun be", (noun) => tellsNamed("everything", noun), 0.05);
rule("what Noun everythingabout", (noun) => tellsNamed("everything", noun), 0.05);
rule("(what|who) be Noun [everythingabout]", (noun) => tellsNamed("everything", noun));
rule("[what] [do] everythingabout Noun", (noun) => tellsNamed("everything", noun));
rule("what do Noun (do|everythingabout)", (noun) => tellsNamed("everything", noun));
rule("what do Noun have [in]", (noun) =>
  tellsNamed(noun.set.types?.every((type) => HOLDERS.includes(type)) ? "columns" : "everything", noun),
);
rule("what do Noun everythingabout (in|for|of) Noun", (columns, holder) =>
  orNull(columnsOf(columns, holder), (noun) => tellsNamed("everything", noun)),
);

export const askRules = [...bare.rules, ...asked.rules, ...aspectOf.rules, ...rules];
