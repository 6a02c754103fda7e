/** What is true of things: "certified", "without an owner", "that feed both A and B", "tagged pii but not used by any dashboard". */
import { allOf, anyOf, type Condition, type Counted, type Things } from "../../plan.ts";
import { addDays } from "../dates.ts";
import type { Compared, Relation } from "../word-meanings.ts";
import {
  affected,
  along,
  alongEach,
  alongNone,
  asPredicate,
  certifiedBy,
  counted,
  described,
  far,
  goesFar,
  has,
  hasAny,
  hasNone,
  HOLDERS,
  inverse,
  isAlong,
  isAnything,
  isColumns,
  lies,
  type Meanings,
  type Noun,
  onlyAlong,
  so,
  tested,
  those,
} from "./meanings.ts";
import { rulesFor } from "./notation.ts";

const { rules, rule } = rulesFor("Condition");
const relation = rulesFor("Relation");
const howFar = rulesFor("HowFar");
const schema = rulesFor("Schema");
const tag = rulesFor("Tag");
const owner = rulesFor("Owner");
const only = rulesFor("OnlyRelation");
const having = rulesFor("Having");
const tests = rulesFor("Tests");
const span = rulesFor("Span");

/** What is not so is not so however far lineage is followed, unless the question says how far. */
const not = (condition: Condition): Condition => so(false, condition);

// Joined

rule("Adjective", (adjective) => adjective);
rule("(be|do|both) Condition", (condition) => condition);
rule("be only Adjective", (adjective) => adjective);
rule("[be|do|have] not Condition", not);
rule(
  "Condition (and|but|comma|andthat|comma but|comma and) Condition",
  // Nothing is certified and pending: each of the two is meant, or none.
  (a, b) => (a.is === "certification" && b.is === "certification" ? null : allOf(a, b)),
  0.05,
);
rule("Condition (and not|but not|butnot|comma not|except) Condition", (a, b) => allOf(a, not(b)), 0.02);
rule("Condition or Condition", anyOf, 0.05);
rule("[be] neither Condition (or|and) Condition", (a, b) => allOf(not(a), not(b)));

// By lineage

relation.rule("Verb", (verb) => verb);
relation.rule("be Relation", (verb) => verb);
howFar.rule("directly", () => ({ isFar: false, depth: 1 }));
howFar.rule("far", () => ({ isFar: true }));
howFar.rule("[in|to] Number hops", (depth) => ({ isFar: true, depth }));
relation.rule("HowFar Relation", (how, { way }) => ({ way, ...how }));
relation.rule("Relation HowFar", ({ way }, how) => ({ way, ...how }));

rule("Relation Noun", alongEach);
rule("Relation Noun both HowFar", ({ way }, noun, how) => alongEach({ way, ...how }, noun), -0.15);
rule("[be|do|have] not Relation Noun", alongNone, -0.05);
rule("Condition [comma] HowFar", goesFar, 0.02);
rule("Relation Noun HowFar", ({ way }, noun, how) => alongEach({ way, ...how }, noun), -0.1);
rule("in Number hops of Noun", (depth, noun) => {
  const either = (way: Relation["way"]): Condition => along({ way, isFar: true, depth }, noun);
  return anyOf(either("upstream"), either("downstream"));
});
rule("between Noun and Noun", (a, b) =>
  a.isNamed && b.isNamed ? allOf(lies("downstream", a.set), lies("upstream", b.set)) : null,
);
const alongBoth = (verb: Relation, a: Noun, b: Noun): Condition | undefined => allOf(along(verb, a), along(verb, b));
rule("Relation both Noun and Noun", alongBoth, -0.15);
rule("Relation both Noun and Noun HowFar", ({ way }, a, b, how) => alongBoth({ way, ...how }, a, b), -0.3);
rule("[be|do|have] not Relation both Noun and Noun", (verb, a, b) => invert(alongBoth(verb, a, b)), -0.3);
rule("Relation Noun [comma] and (in|of|from|by|to) Noun", (verb, a, b) => allOf(along(verb, a), along(verb, b)), -0.05);
rule("Relation Noun [comma] (but|and) not [in|of|from|by|to] Noun", (verb, a, b) =>
  allOf(along(verb, a), not(along(verb, b))),
);
rule(
  "Relation Noun butnot Noun",
  (verb, a, b) => (a.isNamed === b.isNamed ? allOf(along(verb, a), not(along(verb, b))) : null),
  -0.05,
);
const inSchema = described({ types: [...HOLDERS] });
rule("Relation Schema", (verb, area) => along(verb, those(inSchema, area)), 0.05);
rule("Relation Schema HowFar", ({ way }, area, how) => along({ way, ...how }, those(inSchema, area)), -0.05);
rule("Relation nothing", (verb) => not(hasAny(inverse(verb))));
rule("nothing [be] Relation", (verb) => not(hasAny(verb)));
only.rule("OnlyVerb", (verb) => verb);
only.rule("only Relation", (verb) => verb);
only.rule("Relation only", (verb) => verb);
rule("OnlyRelation Noun", onlyAlong);
/** "computed from both X and another metric" */
rule("Relation other Noun", (verb, noun) => (noun.isNamed ? null : along(verb, noun)));
rule("Relation [both] Noun and other", alongOthers);
rule("Relation [both] Noun and other Noun", alongOthers);
rule("Relation no Noun", (verb, noun) => not(along(verb.depth === undefined ? far(verb) : verb, noun)));
rule("no Noun Relation", (noun, verb) => not(along(far(inverse(verb)), noun)));
// "that the board report uses"
rule("Noun Relation", (noun, verb) => (isAnything(noun) ? null : along(inverse(verb), noun)), 0.15);
rule("[do|be] break ChangeOf", affected);

// By what it has

having.rule("(have|with)", () => true);
having.rule("(have no|with no|have not|do not have|do have no|without|no|with neither|have neither)", () => false);
tests.rule("Check tests", (check) => tested(...check));
tests.rule("Quoted tests", (name) => tested(name));
rule("Having Tests", so);
rule("Having Tests (and|or) Tests", (is, a, b) => (is ? allOf(a, b) : allOf(not(a), not(b))));
rule("Having Check", (is, check) => so(is, tested(...check)));
rule("tested (for|by|in) Tests", (condition) => condition);
rule("tested [for|by|in] Check", (check) => tested(...check));
rule("[be|do] Rule", (check) => tested(...check), 0.02);
rule("(nothing|no) tests", () => hasNone("checks"));
rule("Condition (in|of|for) Pronoun", (condition) =>
  condition.is === "has" || condition.is === "checked by" || isAlong(described({ where: condition }))
    ? condition
    : null,
);
rule("Having Feature", (is, feature) => (is ? has(feature) : hasNone(feature)));
// "whose certification is pending"
rule(
  "with Feature [be] Adjective",
  (feature, adjective) => (feature === "certification" && adjective.is === feature ? adjective : null),
  -0.05,
);
rule("Having [both] Feature and Feature", (is, a, b) => (is ? allOf(has(a), has(b)) : hasNone(a, b)));
rule("Having Feature or Feature", (is, a, b) => (is ? anyOf(has(a), has(b)) : hasNone(a, b)));
rule("Having Feature [comma] (and|but) (no|without|not) Feature", (is, a, b) =>
  allOf(is ? has(a) : hasNone(a), hasNone(b)),
);
// "with no tests but a description"
rule("Having Feature [comma] but Feature", (is, a, b) => (is ? null : allOf(hasNone(a), has(b))));
rule("Having Compare Number Counted", (is, compare, amount, by) => so(is, measured(by, compare(amount))));
rule("Having Number ormore Counted", (is, amount, by) => so(is, measured(by, { least: amount })));
rule("Having Number orless Counted", (is, amount, by) => so(is, measured(by, { most: amount })));
rule("Having Number Counted", (is, amount, by) => so(is, measured(by, { least: amount, most: amount })));
rule("Relation Compare Number Noun", (verb, compare, amount, noun) =>
  noun.isNamed ? null : measured(counted({ ...inverse(verb), isFar: verb.isFar }, noun), compare(amount)),
);
/** "without anything upstream", "with dashboards downstream" */
rule("Having Noun Direction", (is, noun, way) =>
  noun.isNamed ? null : so(is, isAnything(noun) ? has(way) : along(inverse(far({ way })), noun)),
);
rule("(have|with) nothing Direction", (way) => not(has(way)));
// "has downstream dashboards": it is upstream of them.
// A table has columns; a column is of a table. Columns that lineage describes are rarely meant.
rule("Having Noun", (is, noun) => (isAlong(noun) ? null : holding(is, noun)));
rule("Having Noun", (is, noun) => (isAlong(noun) ? holding(is, noun) : null), 0.15);
rule("Having Noun butnot Noun", (is, noun, other) =>
  is && isColumns(noun) && isColumns(other) ? allOf(lies("parents", noun.set), not(lies("parents", other.set))) : null,
);
/** "where valid_from exists but valid_to does not" */
rule("with Noun exist [comma] but Noun (do|be) not [exist]", (a, b) =>
  allOf(holding(true, a) ?? undefined, holding(false, b) ?? undefined),
);
rule("compute Noun", (noun) => (noun.isNamed ? holding(true, noun) : null), 0.02);
rule("(in|of|from) Noun", (noun) => (noun.isNamed && isHolder(noun) ? lies("columns", noun.set) : null), 0.3);

function alongOthers(verb: Relation, noun: Noun, others: Noun = noun): Condition | null | undefined {
  const { ids, types } = noun.set;
  if (ids === undefined || (others !== noun && others.isNamed)) return null;
  const set: Things = { ...(types && { types }), ...(others !== noun && others.set) };
  const rest = { types: set.types, where: allOf(set.where, not({ is: "among", things: { ids } })) };
  return allOf(along(verb, noun), along(verb, described(rest)));
}

/** What has "A and B" has each of them; what has not "A and B" has none. */
export function holding(is: boolean, noun: Noun): Condition | null | undefined {
  if (!isColumns(noun)) return null;
  const { where } = noun.set;
  const each = is && noun.joined === "and" && where?.is === "any" ? where.of : [];
  if (each.length === 0) return so(is, lies("parents", noun.set));
  return allOf(
    ...each.map((one) => lies("parents", one.is === "among" ? one.things : { types: ["column"], where: one })),
  );
}

function measured({ of, among }: Counted, compared: Compared): Condition {
  return { is: "measure", of, ...(among && { among }), ...compared };
}

/** Whether it has columns. */
function isHolder({ set: { types } }: Noun): boolean {
  return types !== undefined && types.every((type) => HOLDERS.includes(type));
}

// By where it lies, whose it is, and what is said of it

rule("[be] (in|from|of|by) [schema] Schema [schema]", (area) => area);
rule("[be] outside [schema] Schema [schema]", not);
// What is from an area lies there or is made from what lies there.
rule(
  "[be] not from [schema] Schema",
  (area) => allOf(not(area), not(along(far({ way: "downstream" }), those(inSchema, area)))),
  -0.1,
);
rule("(tagged|with|be|have|holding|namedlike) Tag [tagged]", (value) => value);
rule("tagged [both] Tag and Tag", (a, b) => allOf(a, b));
rule("(ownedby|own by|by|of|from) Owner", (value) => value);
rule("Owner own", (value) => value);
rule("(ownedby nothing|nothing own)", () => hasNone("owner"));
rule("[have] nothing [have] Adjective", not);
rule("certifiedby Owner", certifiedBy);
rule("Owner [have] certify", certifiedBy);
span.rule("[in] Date", (date) => date);
span.rule("since Date", ({ from }) => ({ from }));
span.rule("after Date", ({ to }) => ({ from: addDays(to, 1) }));
span.rule("until Date", ({ to }) => ({ to }));
span.rule("before Date", ({ from }) => ({ to: addDays(from, -1) }));
rule("Adjective Span", dated);
rule("Told Span", updated);
rule("[be] added Span", (date) => ({ is: "date", of: "added", ...date }));
// A type by its own name; a word such as "text" means several.
rule("type Adjective", (adjective) => (adjective.is === "data type" && adjective.any.length === 1 ? adjective : null));
rule("type Words", (word) => ({ is: "data type", any: [word] }), 0.05);
rule("be Types", asPredicate, 0.05);
rule("[be] neither Types or Types", (a, b) =>
  allOf(invert(asPredicate(a)) ?? undefined, invert(asPredicate(b)) ?? undefined),
);
rule("[be] neither Condition or Types", (a, b) => allOf(not(a), invert(asPredicate(b)) ?? undefined));
rule("be not Types", (types) => invert(asPredicate(types)));
rule("[be|materialized|be materialized] Made", (made) => made, 0.05);
rule("be Made butnot Made", (made) => made);
rule("(with|have) materialization Made", (made) => made);

/** Words that a part of a name has at most: "which store sold the most last week" asks for none. */
const MAX_PART = 3;
function namePart(words: string): Condition | null {
  return words.split(" ").length > MAX_PART ? null : { is: "name part", any: [asName(words)] };
}
const asName = (words: string): string => words.replaceAll(" ", "_");
const MAX_HELD = 2;
rule("holding Words", (words) => (words.split(" ").length > MAX_HELD ? null : { is: "text", words }), 0.05);
rule("holding Quoted", (words) => ({ is: "text", words }));
rule("about Words [name]", (words) => ({ is: "text", words }), 0.05);
rule("about Quoted", (words) => ({ is: "text", words }));
rule("named Words", (words) => ({ is: "name", any: [...new Set([asName(words), words])] }), 0.05);
rule("named Quoted", (name) => ({ is: "name", any: [name] }));
rule("named Noun", ({ set }) => (set.where?.is === "name" && set.ids === undefined ? set.where : null), -0.1);
rule("namedlike Words", (words) => namePart(words), 0.05);
rule("(with|have) Quoted [in] name", (part) => ({ is: "name part", any: [part] }));
rule("(with|have) Words [in] name", (words) => ({ is: "name part", any: [asName(words)] }), 0.05);
rule("namedlike Quoted", (part) => ({ is: "name part", any: [part] }));
rule("beginning Words", (words) => ({ is: "name part", any: [asName(words)], begins: true }), 0.05);
rule("beginning Schema", (part) => (part.is === "name part" ? part : null));

function dated(adjective: Condition, date: Meanings["Span"]): Condition | undefined {
  return adjective.is === "certification" ? allOf(adjective, { is: "date", of: "certified", ...date }) : undefined;
}

function updated(told: Meanings["Told"], date: Meanings["Span"]): Condition | null {
  return told === "freshness" ? { is: "date", of: "updated", ...date } : null;
}

function invert(condition: Condition | null | undefined): Condition | null {
  return condition ? not(condition) : null;
}

// Values

schema.rule("Schema or Schema", anyOf);
schema.rule("Schema and Schema", anyOf, 0.05);
tag.rule("Tag or Tag", anyOf);
owner.rule("Owner or Owner", anyOf);
owner.rule("Owner and Owner", anyOf, 0.05);
owner.rule("Owner Group", (value, group) => (group === "owner" ? value : null));

export const conditionRules = [relation, howFar, schema, tag, owner, only, having, tests, span]
  .flatMap((each) => each.rules)
  .concat(rules);
