/** What the phrases of questions mean, by what a line of `phrases.ts` begins with. */
import { CERTIFICATIONS } from "../../catalog/asset.ts";
import { NODE_TYPES } from "../../catalog/node-types.ts";
import { ASPECTS, type Condition, DBT_KINDS, FEATURES, GROUPS, isSpan, MEASURES, not, type Things } from "../plan.ts";
import { type Part, ROLES, type Word } from "./cue.ts";

const type = (set: Things): Word => ({ is: "type", set });
const says = (where: Condition): Word => ({ is: "adjective", where });
const bound = (of: (amount: number) => { least?: number; most?: number }): Word => ({ is: "compare", bound: of });

/** Words that their line does not say by itself. */
const MEANINGS: Readonly<Record<string, Word>> = {
  asset: type({}),
  dataset: type({ types: ["table", "model"] }),
  // The subject of a verb lies so to its object.
  reads: { is: "relation", way: "downstream", depth: 1 },
  fills: { is: "relation", way: "upstream", depth: 1 },
  uses: { is: "relation", way: "downstream", isLoose: true },
  "depends on": { is: "relation", way: "downstream" },
  "used by": { is: "relation", way: "upstream", isLoose: true },
  feeds: { is: "relation", way: "upstream" },
  raw: says({ is: "kind", any: ["source"] }),
  "not certified": says(not({ is: "certification", any: ["certified"] })),
  person: { is: "part", group: "owner" },
  kind: { is: "part", aspect: "kind", group: "type" },
  schema: { is: "part", aspect: "place", group: "schema" },
  url: { is: "part", aspect: "place", feature: "url" },
  lineage: { is: "part", aspect: "sources and uses", way: "both" },
  inputs: { is: "part", feature: "upstream", measure: "upstream", way: "upstream", isLoose: true },
  upstream: { is: "part", feature: "upstream", measure: "all upstream", way: "upstream" },
  users: { is: "part", feature: "downstream", measure: "downstream", way: "downstream", isLoose: true },
  downstream: { is: "part", feature: "downstream", measure: "all downstream", way: "downstream" },
  drop: { is: "change", change: "column_drop" },
  rename: { is: "change", change: "column_rename" },
  "change type": { is: "change", change: "type_change" },
  deprecate: { is: "change", change: "deprecate" },
  alter: { is: "change", change: "column_drop", isVague: true },
  "most used": { is: "most", least: false, by: "downstream" },
  "least used": { is: "most", least: true, by: "downstream" },
  most: { is: "most", least: false },
  fewest: { is: "most", least: true },
  more: { is: "more", least: false },
  fewer: { is: "more", least: true },
  over: bound((n) => ({ least: n + 1 })),
  "at least": bound((n) => ({ least: n })),
  under: bound((n) => ({ most: n - 1 })),
  "at most": bound((n) => ({ most: n })),
  exactly: bound((n) => ({ least: n, most: n })),
};

/** @throws Error if nothing is meant by it */
export function meaningOf(key: string): Word {
  const same = <T extends string>(all: readonly T[]): T | undefined => all.find((each) => each === key);
  const [, with_, named] = /^(with|without) (.*)$/.exec(key) ?? [];
  const feature = FEATURES.find((each) => each === named);
  const [, of, values = ""] = /^(of type|check) (.*)$/.exec(key) ?? [];
  const [kind, node, stated] = [same(DBT_KINDS.slice(0, 3)), same(NODE_TYPES), same(CERTIFICATIONS)];
  const role = same(ROLES);
  const since = key.replace("since ", "");
  if (since !== key && isSpan(since)) return { is: "span", since };
  if (MEANINGS[key] !== undefined) return MEANINGS[key];
  if (feature !== undefined) return says(with_ === "with" ? { is: "has", feature } : not({ is: "has", feature }));
  if (of !== undefined) {
    const any = values.split(" ");
    return of === "check" ? { is: "check", any } : says({ is: "data type", any });
  }
  if (kind !== undefined) return type({ types: ["table"], where: { is: "kind", any: [kind] } });
  if (node !== undefined) return type({ types: [node] });
  if (stated !== undefined) return says({ is: "certification", any: [stated] });
  if (role !== undefined) return { is: role };
  const group = GROUPS.find((each) => each === key || `${each}s` === key);
  const part: Part = { is: "part", aspect: same(ASPECTS), feature: same(FEATURES), measure: same(MEASURES), group };
  if (Object.values(part).filter(Boolean).length === 1) throw new Error(`${key} means nothing`);
  return part;
}
