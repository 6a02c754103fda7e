/** Orders, groups, and which has more: "the five most used models", "models per owner", "do more models use X than Y". */
import { type Counted, not, only, type Plan, type Things } from "../../plan.ts";
import type { Relation } from "../word-meanings.ts";
import { along, counted, described, far, inverse, lies, type Meanings, type Noun, those } from "./meanings.ts";
import { rulesFor } from "./notation.ts";

const { rules, rule } = rulesFor("Ask");
const count = rulesFor("Counted");
const ranked = rulesFor("Ranked");

// What is counted: "columns", "downstream models", "how many models read them"

count.rule("Measure", (of) => ({ of }));
count.rule("Direction Noun", (way, noun) => counted(far({ way }), noun));
count.rule("Noun Direction", (noun, way) => (noun.isNamed ? null : counted(far({ way }), noun)));
count.rule("[howmany] Noun [that] Relation Pronoun directly", (noun, { way }) => counted({ way, isFar: false }, noun));

/** All that lineage reaches is counted, unless the question says that direct neighbours are. */
const countedFar = ({ way, depth }: Relation, noun: Noun): Counted =>
  counted({ way, isFar: depth === undefined }, noun);

/** "by how many parents they have got" */
count.rule("Counted Pronoun have [have]", (by) => by);

// Orders

const rank = (noun: Noun, by: Counted, least: boolean, limit?: number): Meanings["Ranked"] | null =>
  noun.isNamed && noun.set.ids === undefined ? null : { set: noun.set, by, least, limit: limit ?? noun.amount ?? 1 };
ranked.rule("Noun [that] (with|have) Most Counted", (noun, least, by) => rank(noun, by, least));
ranked.rule("Superlative Noun", ({ by, least }, noun) => rank(noun, { of: by }, least));
ranked.rule("Number Superlative Noun", (amount, { by, least }, noun) => rank(noun, { of: by }, least, amount));
ranked.rule("Noun [be] Superlative", (noun, { by, least }) => rank(noun, { of: by }, least));
ranked.rule("top Noun (orderedby|per) Counted", (noun, by) => rank(noun, by, false), 0.1);
/** "which source feeds the most models", "the model that most models read" */
ranked.rule("Noun [that|be|that be] Relation Most Noun", (noun, relation, least, others) =>
  rank(noun, countedFar(inverse(relation), others), least),
);
ranked.rule("Noun [that|be|that be] Relation Most Noun [comma] HowFar", (noun, relation, least, others, how) =>
  rank(noun, countedFar({ way: inverse(relation).way, ...how }, others), least),
);
ranked.rule("Noun that Most Noun Relation", (noun, least, others, relation) =>
  rank(noun, countedFar(relation, others), least),
);
ranked.rule("Asked (have|with|that have|that with) Most Counted", ({ noun, how }, least, by) =>
  how === "list" ? rank(noun, by, least) : null,
);
ranked.rule("Asked [that] Relation Most Noun", ({ noun, how }, relation, least, others) =>
  how === "list" ? rank(noun, countedFar(inverse(relation), others), least) : null,
);
ranked.rule("sort Noun (orderedby|per) Counted", (noun, by) => ({ set: noun.set, by, least: false }));
ranked.rule("Ranked [comma] except [in] Schema", (found, area) => ({ ...found, set: only(found.set, not(area)) }));
/** What an order is by is told anyway. */
ranked.rule("Ranked [with|and] Pronoun Measure [amounts]", (found, _their, of) => (found.by.of === of ? found : null));
rule("Ask [comma] largestfirst", (plan) => ("least" in plan || plan.tell !== "groups" ? null : plan));
rule("[which|what|which be|what be] Ranked", ({ set, by: { of, among }, least, limit }) => ({
  tell: "list",
  find: set,
  order: { by: of, ...(among && { among }), ...(least && { least }) },
  ...(limit && { limit }),
}));

// Which of two has more

const isMore = (find: Things, than: Things, least: boolean): Plan => ({
  tell: "more",
  find,
  than,
  ...(least && { least }),
});
/** All that lies so: the amounts that are compared are of what lineage reaches, unless direct neighbours are asked for. */
const lying = (noun: Noun, relation: Relation, to: Noun): Things =>
  those(noun, along(relation.depth === undefined ? far(relation) : relation, to)).set;
rule("(anythere|be|do) More Noun [exist] than Noun", (least, a, b) => {
  // "more certified models than pending ones"
  const set = b.set.types === undefined && a.set.types ? { ...b.set, types: a.set.types } : b.set;
  return a.isNamed || b.isNamed ? null : isMore(a.set, set, least);
});
rule("(anythere|be|do) More Noun [exist] than Condition", (least, a, where) =>
  a.isNamed ? null : isMore(a.set, { ...(a.set.types && { types: a.set.types }), where }, least),
);
/** "the number of views versus the number of tables" */
rule("howmany Noun versus [howmany] Noun", (a, b) => (a.isNamed || b.isNamed ? null : isMore(a.set, b.set, false)));
rule("howmany Made versus [howmany] Made", (a, b) =>
  isMore({ types: ["model"], where: a }, { types: ["model"], where: b }, false),
);
/** "more certified than pending metrics", "more views than tables" */
rule("(anythere|be|do) More Adjective than Adjective Noun [exist]", (least, a, b, noun) =>
  noun.isNamed ? null : isMore(those(noun, a).set, those(noun, b).set, least),
);
rule(
  "(anythere|be|do) More Made [exist] than Made [exist]",
  (least, a, b) => isMore({ types: ["model"], where: a }, { types: ["model"], where: b }, least),
  -0.1,
);
rule("do More Noun Relation Noun than [of] Noun", (least, noun, relation, a, b) =>
  a.isNamed && b.isNamed ? isMore(lying(noun, relation, a), lying(noun, relation, b), least) : null,
);
rule("do More Noun Relation Noun than Relation Noun", (least, noun, relation, a, _again, b) =>
  a.isNamed && b.isNamed ? isMore(lying(noun, relation, a), lying(noun, relation, b), least) : null,
);
rule("do Noun Relation More Noun than Noun [do]", (a, relation, least, noun, b) =>
  a.isNamed && b.isNamed ? isMore(lying(noun, inverse(relation), a), lying(noun, inverse(relation), b), least) : null,
);
rule("do Noun have More Counted than Noun [do|have]", (a, least, by, b) => {
  const [x, y] = [setOf(by, a), setOf(by, b)];
  return x === null || y === null || !a.isNamed || !b.isNamed ? null : isMore(x, y, least);
});

/** What is counted of a thing, as a set of its own; null for what is no asset. */
function setOf({ of, among = {} }: Counted, noun: Noun): Things | null {
  if (of === "columns") return { types: ["column"], where: lies("columns", noun.set) };
  const [, all, way] = /^(all )?(upstream|downstream)$/.exec(of) ?? [];
  if (way !== "upstream" && way !== "downstream") return null;
  return those(described(among), along({ way, isFar: all !== undefined, ...(all === undefined && { depth: 1 }) }, noun))
    .set;
}

// Groups

const groups = (find: Things, by: Meanings["Group"], more: { limit?: number; least?: boolean } = {}): Plan => ({
  tell: "groups",
  find,
  by,
  ...more,
});
const first = (least: boolean): { limit: number; least?: boolean } => ({ limit: 1, ...(least && { least }) });
rule("in which Group be Most [of] Noun", (by, least, { set }) => groups(set, by, first(least)));
rule("who (own|have) Most Noun", (least, { set }) => groups(set, "owner", first(least)));
rule("[which|what] Group (have|own|be on|with) Most [of] Noun [in]", (by, least, { set }) =>
  groups(set, by, first(least)),
);
rule(
  "[howmany] Noun [exist|do|be in] per Group [have|own|exist]",
  ({ set, isNamed }, by) => (isNamed ? null : groups(set, by)),
  -0.1,
);
rule("per Group [comma] howmany Noun [exist|be in|have|own]", (by, { set, isNamed }) =>
  isNamed ? null : groups(set, by),
);
rule(
  "[which|what|what be|howmany|all] Group [exist|be used]",
  (by) => (by === "connector" ? null : groups({}, by)),
  0.1,
);
rule("(which|howmany) Group (own|have) Noun", (by, { set, isNamed }) => (isNamed ? null : groups(set, by)), -0.05);
rule("[which|what] Group (own|have) Noun [comma] except Owner", (by, { set, isNamed }, owner) =>
  isNamed || by !== "owner" ? null : groups(only(set, not(owner)), by),
);
rule("who own Noun", ({ set, isNamed }) => (isNamed ? null : groups(set, "owner")), -0.05);

export const orderRules = [...count.rules, ...ranked.rules, ...rules];
