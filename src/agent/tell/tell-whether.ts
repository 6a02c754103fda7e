/** Yes or no, and why. */
import type { Fact } from "../answer.ts";
import type { Thing } from "../catalog.ts";
import type { Lookup } from "../lookup.ts";
import { type Along, type Aspect, type Condition, type Feature, only as onlyThose } from "../plan.ts";
import { tellAspect } from "./tell-aspects.ts";
import { sayCondition, sayThings } from "./read-as.ts";
import { cite, citeAll, inTypeOrder, joinWords, listNames, named, profile, tick } from "./words.ts";
import { amountOf, citedBy, isAre, type PlanOf, sayGaps, type Tools } from "./tell-sets.ts";

export async function tellWhether({ find, where, all }: PlanOf<"whether">, tools: Tools): Promise<Fact[]> {
  const { finder, names, lookup } = tools;
  if (where === undefined) {
    const found = await finder.find(find);
    const set = sayThings(find, names, found.total === 1);
    return found.things.length === 0
      ? [{ text: `No. There are no ${set}.`, about: await citedBy(find, lookup) }, ...sayGaps(found)]
      : [
          {
            text: `Yes. There ${isAre(found.total)} ${amountOf(found)} ${set}: ${listNames(inTypeOrder(found.things), found.total)}.`,
            about: [...(await citedBy(find, lookup)), ...citeAll(inTypeOrder(found.things))],
          },
        ];
  }
  const found = await finder.findAll(find);
  const met = await finder.decide(where, found.things);
  const [yes, no] = [
    found.things.filter(({ id }) => met.ids.has(id)),
    found.things.filter(({ id }) => !met.ids.has(id)),
  ];
  if (all) {
    const set = sayThings(find, names);
    return no.length === 0
      ? [{ text: `Yes. All ${amountOf(found)} ${set} are ${sayCondition(where, names)}.`, about: citeAll(yes) }]
      : [
          {
            text: `No. ${no.length.toLocaleString("en-US")} of ${amountOf(found)} ${set} ${isAre(no.length)} ${sayCondition({ is: "not", of: where }, names)}: ${listNames(no)}.`,
            about: citeAll(no),
          },
        ];
  }
  if (find.ids === undefined) {
    const set = sayThings(find, names);
    return yes.length === 0
      ? [
          { text: `No. No ${set} are ${sayCondition(where, names)}.`, about: await citedBy({ where }, lookup) },
          ...sayGaps(met),
        ]
      : [
          {
            text: `Yes. ${yes.length.toLocaleString("en-US")} ${set} ${isAre(yes.length)} ${sayCondition(where, names)}: ${listNames(yes)}.`,
            about: citeAll(yes),
          },
        ];
  }
  const about = [...citeAll(found.things), ...(await citedBy({ where }, lookup))];
  const [only] = found.things.length === 1 ? found.things : [];
  const aspect = only === undefined ? null : deciding(where);
  if (only !== undefined && aspect !== null) {
    const facts = await tellAspect({ tell: "aspect", find: { ids: [only.id] }, aspect }, tools);
    return [{ text: no.length === 0 ? "Yes." : "No.", about }, ...facts];
  }
  const why = only === undefined ? [] : await tellHow(where, only, tools);
  return no.length === 0
    ? [{ text: `Yes. ${listNames(yes)} ${isAre(yes.length)} ${sayCondition(where, names)}.`, about }, ...why]
    : [
        { text: `No. ${listNames(no)} ${isAre(no.length)} ${sayCondition({ is: "not", of: where }, names)}.`, about },
        ...why,
        ...sayGaps(met),
      ];
}

/** What of one asset decides whether it meets a condition. */
function deciding(where: Condition): Aspect | null {
  switch (where.is) {
    case "not":
      return deciding(where.of);
    case "owner":
      return "owner";
    case "certification":
    case "certified by":
      return "certification";
    case "materialization":
      return "materialization";
    case "kind":
      return "kind";
    case "tag":
      return "tags";
    case "data type":
      return "data type";
    case "checked by":
      return "checks";
    case "has":
      return DECIDING[where.feature] ?? null;
    default:
      return null;
  }
}

const DECIDING: Readonly<Partial<Record<Feature, Aspect>>> = {
  owner: "owner",
  description: "description",
  tags: "tags",
  columns: "columns",
  certification: "certification",
  checks: "checks",
  "failing checks": "checks",
  url: "place",
};

/** How one asset lies to another. */
async function tellHow(where: Condition, thing: Thing, tools: Tools): Promise<Fact[]> {
  if (where.is !== "along") return [];
  const { ids } = where.along.of;
  if (ids === undefined) return tellWhich(thing, where.along, tools);
  return ids.length === 1 ? tellWay(ids[0] ?? "", thing, where.along.way, tools.lookup) : [];
}

/** Which of a set one asset lies along. */
async function tellWhich({ id }: Thing, { way, of, depth }: Along, { finder }: Tools): Promise<Fact[]> {
  if (way !== "upstream" && way !== "downstream") return [];
  const back: Along = { way: way === "upstream" ? "downstream" : "upstream", of: { ids: [id] }, depth };
  const { things } = await finder.find(onlyThose(of, { is: "along", along: back }));
  const shown = inTypeOrder(things);
  return things.length === 0 ? [] : [{ text: `These are: ${listNames(shown)}.`, about: citeAll(shown) }];
}

async function tellWay(root: string, thing: Thing, way: string, lookup: Lookup): Promise<Fact[]> {
  if (way !== "upstream" && way !== "downstream") return [];
  const walk = await lookup.walk(root, way);
  const ids = shortestWay(walk, root, thing.id, way);
  if (ids === null) return [];
  const things = await lookup.load(way === "downstream" ? ids : ids.toReversed());
  return [{ text: `The path: ${things.map(named).join(" → ")}.`, about: citeAll(things) }];
}

/** Ids from the root of a walk to a node in it, along the fewest edges; null if it is not in it. */
export function shortestWay(
  { edges }: { edges: readonly { from: string; to: string }[] },
  root: string,
  to: string,
  way: "upstream" | "downstream",
): string[] | null {
  const next = Map.groupBy(edges, (edge) => (way === "downstream" ? edge.from : edge.to));
  const before = new Map<string, string | null>([[root, null]]);
  const queue = [root];
  for (const id of queue) {
    for (const edge of next.get(id) ?? []) {
      const far = way === "downstream" ? edge.to : edge.from;
      if (before.has(far)) continue;
      before.set(far, id);
      queue.push(far);
    }
  }
  if (!before.has(to)) return null;
  const path: string[] = [];
  for (let id: string | null = to; id !== null; id = before.get(id) ?? null) path.unshift(id);
  return path;
}
