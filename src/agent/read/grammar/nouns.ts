/** Noun phrases: "certified models in finance that nothing uses", "the columns of fct_orders", "Jonas's dashboards". */
import { type Condition, not, only } from "../../plan.ts";
import type { WordMeanings } from "../word-meanings.ts";
import {
  along,
  ANYTHING,
  BEFORE,
  columnsOf,
  described,
  far,
  goesFar,
  HOLDERS,
  isAlong,
  isAnything,
  isColumns,
  isReport,
  lies,
  type Noun,
  neighbours,
  ofTypes,
  ofWord,
  reachFar,
  tested,
  saying,
  those,
  thoseDescribed,
  union,
} from "./meanings.ts";
import { rulesFor } from "./notation.ts";

const { rules, rule } = rulesFor("Noun");
export const nounRules = rules;

rule("Types", ofWord);
rule("Pronoun", () => BEFORE, 0.1);
rule("that", () => BEFORE, 0.3);
const ofBefore = ({ types }: WordMeanings["Types"]): Noun => ({
  ...BEFORE,
  set: { ...BEFORE.set, ...(types && { types }) },
});
rule("Pronoun Types", (_it, types) => ofBefore(types), 0.1);
rule("all Noun", (noun) => (noun.isNamed ? noun : { ...noun, set: { ...noun.set, isEvery: true } }), 0.02);
rule("both Noun", (noun) => (noun.isNamed ? noun : null), 0.02);
rule("everything", () => described({ isEvery: true }));
rule("Number Noun", (amount, noun) => (noun.isNamed ? null : { ...noun, amount }));
rule("Adjective Noun", (adjective, noun) => {
  // A column is of a source, and is none itself.
  const isOfKind = isColumns(noun) && adjective.is === "kind";
  return thoseDescribed(noun, isOfKind ? lies("columns", { types: [...HOLDERS], where: adjective }) : adjective);
});
rule("Rule Noun", (check, noun) => (isColumns(noun) ? thoseDescribed(noun, tested(...check)) : null));
/** "certified and pending metrics": those that are one or the other */
rule("Adjective (and|or) Adjective Noun", (a, b, noun) =>
  a.is === "certification" && b.is === "certification"
    ? thoseDescribed(noun, { is: "certification", any: [...a.any, ...b.any] })
    : null,
);
/** "the pending model customer_value" */
rule(
  "Adjective Noun",
  (adjective, noun) => (noun.isNamed && noun.set.ids ? { isNamed: true, set: only(noun.set, adjective) } : null),
  0.2,
);
rule(
  "Noun (of|from|in) Schema",
  (noun, schema) => (noun.isNamed && noun.set.ids ? { isNamed: true, set: only(noun.set, schema) } : null),
  -0.1,
);
rule("Tag Noun", (tag, noun) => (isAnything(noun) ? null : thoseDescribed(noun, tag)), 0.08);
// A metric lies in no schema: it is of the area whose tables it is computed from.
const inArea = described({ types: [...HOLDERS] });
rule(
  "Schema Noun",
  (schema, noun) => {
    if (isAnything(noun)) return null;
    return thoseDescribed(noun, isReport(noun.set) ? along(far({ way: "downstream" }), those(inArea, schema)) : schema);
  },
  0.05,
);
/** "which marts": what lies in an area of the warehouse that is called by what is in it. */
rule("Schema", (schema) => described({ types: isRaw(schema) ? [...HOLDERS] : ["model"], where: schema }), 0.3);
function isRaw(schema: Condition): boolean {
  return (
    schema.is === "schema" && schema.any.some((name) => /(?:^|[._])(?:raw|src|source|sources)(?:[._]|$)/i.test(name))
  );
}
rule("Owner 's Noun", (owner, noun) => thoseDescribed(noun, owner));
/** "which of Jonas metrics", with its apostrophe forgotten */
rule("Owner Noun", (owner, noun) => (isAnything(noun) ? null : thoseDescribed(noun, owner)), 0.15);
rule("Noun [that] Condition", (noun, condition) => (isAlong(noun) ? null : thoseDescribed(noun, condition)));
// What follows "models upstream of tables that …" is said of the tables, the nearer noun.
rule("Noun [that] Condition", (noun, condition) => (isAlong(noun) ? thoseDescribed(noun, condition) : null), 0.03);
rule("Noun comma Condition", thoseDescribed, 0.2);
/** "upstream of X, 2 hops" */
rule("Noun [comma] HowFar", ({ set, ...noun }, how) =>
  set.where?.is === "along" && !noun.isNamed ? { ...noun, set: { ...set, where: goesFar(set.where, how) } } : null,
);

// "views" are models that are built so; a table may be anything.
rule("Made", (made) => (isTable(made) ? null : described({ types: ["model"], where: made })), 0.02);
rule("Made Noun", (made, noun) => (isColumns(noun) ? null : thoseDescribed(noun, made)));
function isTable(made: Condition): boolean {
  return made.is === "materialization" && made.any.includes("table");
}

// "the orders table", "dashboard trading floor": the word must fit the name.
rule("Types [named] Noun", ({ types }, noun) => ofTypes(types, noun), -0.05);
rule("Noun Types", (noun, { types }) => ofTypes(types, noun), -0.05);
/** "the Google Ads data" */
rule("Noun data", (noun) => (noun.isNamed && !isColumns(noun) ? noun : null), 0.1);

rule("Noun (and|comma and) Noun", (a, b) => union(a, b, "and"), 0.1);
rule("Noun (or|comma or) Noun", (a, b) => union(a, b, "or"), 0.1);
rule("Noun comma Noun", (a, b) => union(a, b, "comma"), 0.1);
rule("Noun (except|butnot|comma except) Noun", (noun, other) =>
  isColumns(noun) === isColumns(other) ? thoseDescribed(noun, not({ is: "among", things: other.set })) : null,
);
rule("Noun (except|butnot|comma except) [in] Schema", (noun, schema) => thoseDescribed(noun, not(schema)));
rule("Noun (except|butnot|but not) Condition", (noun, condition) => thoseDescribed(noun, not(reachFar(condition))));

// Columns of tables

rule("Noun (of|in|from|for|with) Noun", columnsOf);
rule("Noun Noun", (holder, columns) => (holder.isNamed ? columnsOf(columns, holder) : null), 0.2);

// Neighbours

rule("Neighbours (of|for|to|in) Noun", neighbours);
rule("Noun [comma] Neighbours", (noun, relation) => (noun.isNamed ? neighbours(relation, noun) : null), 0.15);
// Text: what no word or name explains is looked for in names and descriptions.

rule("Text", (words) => ({ ...saying(ANYTHING, words), isNamed: true }), 0.6);
rule("Text Types", (words, types) => saying(ofWord(types), words), 0.1);
/** A name with more words than the name has: they must be in what is said of it. */
rule(
  "Text Noun",
  (words, noun) =>
    noun.set.ids && noun.isNamed ? { isNamed: true, set: only(noun.set, { is: "text", words }) } : null,
  0.1,
);

const text = rulesFor("Text");
text.rule("Text Text", (a, b) => `${a} ${b}`);
const words = rulesFor("Words");
words.rule("Text", (word) => word, -0.4);
words.rule("Word", (word) => word);
words.rule("Words Words", (a, b) => `${a} ${b}`);
export const textRules = [...text.rules, ...words.rules];
