/** Whole questions: lists, counts, yes or no, aspects, orders, groups, paths and comparisons. */
import { allOf, anyOf, type Aspect, only, type Plan, type Things } from "../../plan.ts";
import type { Relation } from "../word-meanings.ts";
import {
  along,
  ANYTHING,
  asPredicate,
  BEFORE,
  certifiedBy,
  columnsOf,
  compares,
  counts,
  described,
  direct,
  far,
  inverse,
  isAlong,
  lies,
  lists,
  type Meanings,
  neighbours,
  type Noun,
  path,
  reachFar,
  tells,
  tellsNamed,
  those,
  whether,
} from "./meanings.ts";
import { rulesFor } from "./notation.ts";

const { rules, rule } = rulesFor("Ask");
const aspectOf = rulesFor("AspectOf");
const ranked = rulesFor("Ranked");
const bare = rulesFor("Bare");

// Lists and counts

const orNull = <T>(value: T | null, use: (value: T) => Plan | null): Plan | null =>
  value === null ? null : use(value);
bare.rule(
  "Noun",
  ({ set, isNamed, amount }) => {
    if (isNamed) return { tell: "aspect", find: set, aspect: "everything" };
    return { tell: "list", find: set, ...(amount && { limit: amount }) };
  },
  0.08,
);
rule("(which|what|which be|what be|which of|who be) Noun [exist]", lists);
rule("Noun exist", lists);
rule("Noun Relation (which|what) Noun", (noun, relation, asked) =>
  asked.isNamed ? null : lists(usedBy(noun, relation, asked)),
);
rule("Noun be ownedby who", (noun) => tells("owner", noun));
rule("(which|what) Noun exist Condition", (noun, condition) => lists(those(noun, condition)));
rule("(which|what) Noun exist in Noun", (columns, holder) => orNull(columnsOf(columns, holder), lists));
rule("howmany Noun exist Condition", (noun, condition) => counts(those(noun, condition)));
rule("from which Noun be Noun Told", (asked, noun) =>
  asked.isNamed ? null : lists(usedBy(noun, { way: "downstream", isFar: false }, asked)),
);
rule("(which of|which in) Noun Condition", (noun, condition) => lists(those(noun, condition)));
rule("(of|in|from) Noun [comma] which Condition", (noun, condition) => lists(those(noun, condition)));
rule("which Noun comma Condition", (noun, condition) => lists(those(noun, condition)));
rule("(what|which|who) [do|all] Condition", (condition) => lists(those(ANYTHING, condition)), 0.05);
/** "what does X use", "which metrics does the dashboard show" */
const usedBy = (noun: Noun, relation: Relation, of = ANYTHING): Noun => those(of, along(inverse(relation), noun));
rule("(what|where|who) (do|be) Noun Relation [from]", (noun, relation) => lists(usedBy(noun, relation)));
rule("what (do|be) Noun Relation directly", (noun, relation) => lists(usedBy(noun, direct(relation))));
rule("[in|from|by|on] (which|what) Noun [do|be] Noun Relation", (asked, noun, relation) =>
  asked.isNamed ? null : lists(usedBy(noun, relation, asked)),
);
rule("(which|what) Noun do Noun have", (columns, holder) => orNull(columnsOf(columns, holder), lists));
rule("(which|what) Noun be (in|on) Noun", (columns, holder) => orNull(columnsOf(columns, holder), lists));
rule("(which|what) Neighbours do Noun have", (relation, noun) => lists(neighbours(relation, noun)));
rule("which Noun do Noun have Direction", (noun, root, way) => lists(those(noun, along(far({ way }), root))));
rule("what [be] Direction of Noun", (way, noun) => lists(neighbours(far({ way }), noun)));
rule("(which|what) Noun (do|be) Owner (own|contact)", (noun, owner) => lists(those(noun, owner)));
rule("[which] Noun Owner [be] own", (noun, owner) => lists(those(noun, owner)));
rule("what do Owner own", (owner) => lists(those(ANYTHING, owner)));
rule("what be ownedby Owner", (owner) => lists(those(ANYTHING, owner)));
rule("which Noun do Owner certify", (noun, owner) => orNull(certifiedBy(owner), (by) => lists(those(noun, by))), -0.01);
rule("what do Owner certify", (owner) => orNull(certifiedBy(owner), (by) => lists(those(ANYTHING, by))), -0.01);

rule("[what be] howmany [of] Noun [exist|do have]", counts);
rule("howmany of Noun Condition", (noun, condition) => counts(those(noun, condition)));
rule("(of|in) Noun [comma] howmany Condition", (noun, condition) => counts(those(noun, condition)));
rule("howmany Noun (do|be) Noun Relation", (asked, noun, relation) =>
  asked.isNamed ? null : counts(usedBy(noun, relation, asked)),
);
rule("howmany Noun do Noun have", (columns, holder) => orNull(columnsOf(columns, holder), counts));
rule("howmany Noun (have|be in|be on|be of) Noun", (columns, holder) =>
  orNull(columnsOf(columns, holder), (found) => ({ tell: "count", find: found.set })),
);
rule("howmany Neighbours (do|of|have) Noun [have]", (relation, noun) => counts(neighbours(relation, noun)));
rule("howmany Noun [do] Owner own", (noun, owner) => counts(those(noun, owner)));
rule("howmany Noun (do|have) Owner certify", (noun, owner) =>
  orNull(certifiedBy(owner), (by) => counts(those(noun, by))),
);

// Yes or no

/** A path is as good as an edge where it is asked whether one uses the other. */
rule("(be|do|have) Noun [that] Condition", (noun, condition) =>
  noun.isNamed ? whether(noun.set, reachFar(condition)) : whether(those(noun, reachFar(condition)).set),
);
rule(
  "[do|have] Noun have Feature",
  (noun, feature) => (noun.isNamed ? whether(noun.set, { is: "has", feature }) : null),
  0.02,
);
rule(
  "(do|be) Noun (have|in) Noun",
  (a, b) => orNull(columnsOf(b, a) ?? columnsOf(a, b), ({ set }) => whether(set)),
  0.02,
);
rule(
  "(be|do|have) all Noun Condition",
  (noun, condition) => (noun.isNamed ? null : whether(noun.set, condition, true)),
  -0.1,
);
rule("have Noun Feature", (noun, feature) => (noun.isNamed ? whether(noun.set, { is: "has", feature }) : null), 0.02);
/** "(is it true that) net_revenue is certified" */
rule("Noun be Condition", (noun, condition) => (noun.isNamed ? whether(noun.set, reachFar(condition)) : null), 0.3);
const isThere = (noun: Noun): Plan | null => (noun.isNamed && noun.set.where?.is !== "text" ? null : whether(noun.set));
rule("anythere Noun [exist]", isThere);
rule("(be|do) Noun exist", isThere);
rule("(do|be) nothing Condition", (condition) => whether(those(ANYTHING, condition).set));
rule(
  "(do|be) Condition",
  (condition) => (isAlong(described({ where: condition })) ? whether(those(ANYTHING, condition).set) : null),
  0.1,
);
rule("be [of] Noun Types", (noun, types) => {
  const condition = asPredicate(types);
  return noun.isNamed || condition === null ? null : whether(those(noun, condition).set);
});
rule("be Noun [be] Types", (noun, { types, where }) => {
  if (!noun.isNamed || types === undefined) return null;
  return whether(noun.set, where ?? { is: "among", things: { types, ...(noun.set.ids && { ids: noun.set.ids }) } });
});
rule("(do|be) trust Noun", (noun) =>
  noun.isNamed ? whether(noun.set, { is: "certification", any: ["certified"] }) : null,
);
rule("be Noun Owner", (noun, owner) => whether(noun.set, owner));
rule("(be|do) Owner own Noun", (owner, noun) => whether(noun.set, owner));

// Aspects of what is named

aspectOf.rule("Aspect (of|for|in|on) Noun", tells);
aspectOf.rule("Noun 's Aspect", (noun, aspect) => tells(aspect, noun));
aspectOf.rule("Aspect Noun", tellsNamed, 0.1);
aspectOf.rule("Noun Aspect", (noun, aspect) => tellsNamed(aspect, noun), 0.15);
rule("[what be|which|who be|when be] AspectOf", (plan) => plan);
rule("(which|what) Aspect (do|be|be in|be on|be of|have) Noun [have|use]", tells);
rule("(which|what) Aspect exist (on|for|in|of) Noun", tells);
rule("Noun [comma] Types or Types", (noun) => tellsNamed("materialization", noun));
rule("what be Told in Noun", (_told, noun) => tellsNamed("everything", noun), 0.05);
rule("how Aspect be Noun", tells);
const isTold = (noun: Noun, told: Aspect): Plan | null => tellsNamed(told, noun);
rule("(how|when|where|what|why) (be|do|have|can) Noun [be] Told", isTold);
rule("how (be|do) Told Noun", (told, noun) => isTold(noun, told));
rule("how Told be Noun", (told, noun) => isTold(noun, told));
rule("[by] which Aspect (do|can) Noun [be] Told", (aspect, noun, told) =>
  isTold(noun, aspect === told ? aspect : told),
);
rule("be Noun Told", (noun, told) => (told === "freshness" ? isTold(noun, told) : null));
rule("where (be|do) Noun [live]", (noun) => tellsNamed("place", noun));
rule("which connector (be|have|do) Noun [from]", (noun) => tellsNamed("place", noun), -0.05);
rule("which connector Relation Noun", (_brings, noun) => tellsNamed("place", noun), -0.05);
rule("[from] which connector do Noun Relation", (noun) => tellsNamed("place", noun), -0.05);
rule("who [be|do] (own|contact|behind) Noun", (noun) => tells("owner", noun));
rule("(who|whose) (do|be) Noun [belong|ownedby]", (noun) => tells("owner", noun));
rule("who Noun ownedby", (noun) => tells("owner", noun));
rule("whose Noun be Noun", (_types, noun) => tells("owner", noun));
rule("who [have] certify Noun", (noun) => tells("certification", noun));
rule("(when|who) be Noun (certify|certifiedby)", (noun) => tells("certification", noun));
rule("when", () => tells("certification", BEFORE), 0.05);
rule("(by who|who do that)", () => tells("certification", BEFORE), 0.05);
rule("who (do|certify) Pronoun", () => tells("certification", BEFORE), 0.05);
rule("why be Noun [not|no] Adjective", (noun) => tellsNamed("trail", noun));
rule("why do Noun Change Aspect", (noun) => tellsNamed("trail", noun));
rule("(what|who) be Noun [everythingabout]", (noun) => tellsNamed("everything", noun));
rule("[what] [do] everythingabout Noun", (noun) => tellsNamed("everything", noun));
rule("what do Noun (do|everythingabout)", (noun) => tellsNamed("everything", noun));

// Orders

const rank = (noun: Noun, by: Meanings["Measure"], least: boolean, limit?: number): Meanings["Ranked"] | null =>
  noun.isNamed ? null : { set: noun.set, by, least, limit: limit ?? noun.amount ?? 1 };
ranked.rule("Noun [that] (with|have) most Measure", (noun, by) => rank(noun, by, false));
ranked.rule("Noun [that] (with|have) least Measure", (noun, by) => rank(noun, by, true));
ranked.rule("Superlative Noun", ({ by, least }, noun) => rank(noun, by, least));
ranked.rule("Number Superlative Noun", (amount, { by, least }, noun) => rank(noun, by, least, amount));
ranked.rule("Noun [be] Superlative", (noun, { by, least }) => rank(noun, by, least));
ranked.rule("top Noun (orderedby|per) Measure", (noun, by) => rank(noun, by, false), 0.1);
ranked.rule(
  "Noun orderedby Measure",
  (noun, by) => (noun.isNamed ? null : { set: noun.set, by, least: false, limit: noun.amount }),
  0.1,
);
ranked.rule("Ranked Condition", (all, condition) => ({ ...all, set: only(all.set, condition) }));
rule("[which|what|which be|what be] Ranked", ({ set, by, least, limit }) => {
  return { tell: "list", find: set, order: { by, ...(least && { least }) }, ...(limit && { limit }) };
});

// Groups

const groups = (find: Things, by: Meanings["Group"], more: { limit?: number; least?: boolean } = {}): Plan => ({
  tell: "groups",
  find,
  by,
  ...more,
});
ranked.rule("Noun that most Noun Relation [directly]", (noun) => rank(noun, "downstream", false));
rule("in which Group be most [of] Noun", (by, { set }) => groups(set, by, { limit: 1 }));
rule("who (own|have) most Noun", ({ set }) => groups(set, "owner", { limit: 1 }));
rule("who (own|have) least Noun", ({ set }) => groups(set, "owner", { limit: 1, least: true }));
rule("(which|what) Group (have|own|be on) most [of] Noun [in]", (by, { set }) => groups(set, by, { limit: 1 }));
rule("Group with most Noun", (by, { set }) => groups(set, by, { limit: 1 }));
rule("[which] Group (have|with) least Noun", (by, { set }) => groups(set, by, { limit: 1, least: true }));
rule(
  "[howmany] Noun [exist|do|be in] per Group [have|own]",
  ({ set, isNamed }, by) => (isNamed ? null : groups(set, by)),
  -0.1,
);
const isPlace = (by: Meanings["Group"]): boolean => by !== "connector";
rule("[which|what|what be|howmany|all] Group [exist|be used]", (by) => (isPlace(by) ? groups({}, by) : null), 0.1);
rule("(which|howmany) Group (own|have) Noun", (by, { set, isNamed }) => (isNamed ? null : groups(set, by)), -0.05);
rule("who own Noun", ({ set, isNamed }) => (isNamed ? null : groups(set, "owner")), -0.05);

// Paths

const isGoing = (from: Noun, relation: Relation, to: Noun): Plan | null =>
  relation.way === "downstream" ? path(to, from) : path(from, to);
rule("[what be|which] path (from|between|of) Noun (to|and) Noun", path);
rule("path Noun to Noun", path);
rule("from Noun to Noun", path);
rule("how [do] get from Noun (to|in) Noun", path);
rule("how [do] get Noun (to|in) Noun", path);
rule("(how|by which path|what path) (do|be) Noun (get to|get in|connected|path to|path in) Noun", path);
rule("how do Noun Relation Noun", isGoing);
rule("howmany hops [be] (from|between) Noun (to|and) Noun", path);
rule("(howmany hops|how far) be Noun from Noun", path);
rule("how be Noun and Noun connected", path);
rule("how be Noun connected", ({ set: { ids = [] } }) => {
  const [from, to] = ids;
  return from && to ? { tell: "path", from: { ids: [from] }, to: { ids: [to] } } : null;
});
const isJoined = (from: Noun, to: Noun): Plan | null =>
  from.isNamed && to.isNamed ? whether(to.set, anyOf(lies("downstream", from.set), lies("upstream", from.set))) : null;
rule("(anythere|do exist|do) path [exist] (from|between) Noun (to|and) Noun", isJoined, -0.1);
rule("be Noun connected Noun", isJoined, -0.1);

// Comparisons

rule("compare Noun [to|versus|and] Noun", compares);
rule("compare Noun", compares);
rule("[what be|what|how do|how be] difference [in|of] Noun", compares);
rule("what be difference of Noun to Noun", compares);
rule("(how do|how be|what make) Noun (difference|compare)", compares);
rule("(how do|how be) Noun (difference|compare) [to|from] Noun", compares);
rule("Noun versus Noun [comma what be difference|comma same]", compares);
rule("Noun comma what be difference", compares);
rule("Noun or Noun comma what be difference", compares);
rule("be Noun same", compares);
rule("be Noun same Noun", compares);
rule("be Noun (and|or) Noun same", compares);
/** What two have in common, either way. */
const shared = (noun: Noun, relation: Relation, base: Noun): Plan | null => {
  const ids = noun.set.ids ?? [];
  if (ids.length < 2) return null;
  return lists(
    those(
      base,
      allOf(...ids.map((id) => along(relation, { set: { ids: [id] }, isNamed: true }))) ?? lies("upstream", noun.set),
    ),
  );
};
rule("what do Noun both Relation [directly]", (noun, relation) => shared(noun, inverse(relation), ANYTHING), -0.1);
rule("what do Noun common", (noun) => shared(noun, far({ way: "upstream" }), ANYTHING));
rule("which Noun do Noun common", (base, noun) => (base.isNamed ? null : shared(noun, far({ way: "upstream" }), base)));
rule("which Neighbours do Noun common", (relation, noun) => shared(noun, relation, ANYTHING));

export const askRules = [...bare.rules, ...aspectOf.rules, ...ranked.rules, ...rules];
