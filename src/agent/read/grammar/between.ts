/** How two things lie to each other: paths from one to the other, what differs, and what they have in common. */
import { allOf, asWhether, type Plan } from "../../plan.ts";
import type { Relation } from "../word-meanings.ts";
import { along, ANYTHING, described, far, isColumns, lies, type Noun, those, union } from "./meanings.ts";
import { rulesFor } from "./notation.ts";
import { compares, lists, path } from "./plans.ts";

const { rules, rule } = rulesFor("Ask");
export const betweenRules = rules;

// Paths

const isGoing = (from: Noun, relation: Relation, to: Noun): Plan | null =>
  relation.way === "downstream" ? path(to, from) : path(from, to);
rule("[what be|which] path (from|between|of) Noun (to|and) Noun", path);
rule("from Noun to Noun", path);
rule("how [do] get from Noun (to|in) Noun", path);
rule("how [do] get Noun (to|in) Noun", path);
rule("(how|what path) (do|be) Noun (get to|get in|connected|path to|path in) Noun", path);
rule("how do Noun Relation Noun", isGoing);
rule("howmany hops [be] (from|between) Noun (to|and) Noun", path);
// Origins

const origins = (noun: Noun): Plan | null =>
  noun.isNamed
    ? lists(those(isColumns(noun) ? described({ types: ["column"] }) : ANYTHING, along(far({ way: "upstream" }), noun)))
    : null;
rule("trace Noun [back]", origins);
rule("where be get Noun", origins);
// Comparisons

const comparesBoth = (both: Noun | null): Plan | null => both && compares(both);
/** "which column is in A but missing in B" */
rule("Asked [be] in Noun but (without|not) [in] Noun", (all, a, b) =>
  isColumns(all.noun) ? comparesBoth(union(a, b, "and")) : null,
);
/** "what columns does A have that B does not" */
rule("Asked do Noun have that Noun do not [have]", (all, a, b) => (isColumns(all.noun) ? compares(a, b) : null));
rule("Noun versus Noun comma Asked be in one (not|but not|and not|butnot) in", (a, b, all) =>
  isColumns(all.noun) ? compares(a, b) : null,
);
rule("compare Noun [to|versus|and] Noun", compares);
rule("[what be|what|how do|how be|everythingabout] difference [in|of] Noun", compares);
rule("(how do|how be|what make) Noun (difference|compare)", compares);
rule("Noun versus Noun [comma what be difference|comma same]", compares);
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
const orNone = (both: Noun | null, relation: Relation): Plan | null => both && shared(both, relation, ANYTHING);
rule("what do Noun common [in]", (noun) => shared(noun, far({ way: "upstream" }), ANYTHING));
rule("what do Noun common Direction", (noun, way) => shared(noun, far({ way }), ANYTHING));
/** "which upstreams do A and B have in common", "do they have an ancestor in common" */
rule("(which|what) Neighbours do Noun common", (relation, noun) => shared(noun, relation, ANYTHING));
rule("Noun [versus|and] Noun comma (which|what) Neighbours do Pronoun common", (a, b, relation) =>
  orNone(union(a, b, "and"), relation),
);
rule("Noun comma what do Pronoun common", (noun) => shared(noun, far({ way: "upstream" }), ANYTHING));
rule("do Noun have [one] Neighbours common", (noun, relation) => {
  const plan = shared(noun, relation, ANYTHING);
  return plan && asWhether(plan);
});
rule("do Noun common Noun Direction", (noun, base, way) => {
  const plan = base.isNamed ? null : shared(noun, far({ way }), base);
  return plan && asWhether(plan);
});
