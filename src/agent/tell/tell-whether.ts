/** Yes or no, and why. */
import type { Certification } from "../../catalog/asset.ts";
import type { Fact } from "../answer.ts";
import type { Thing } from "../catalog.ts";
import type { Lookup } from "../lookup.ts";
import { type Along, type Condition, only } from "../plan.ts";
import { kindOf } from "../run/is-met.ts";
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
  const why = await tellWhy(where, found.things, tools);
  return no.length === 0
    ? [{ text: `Yes. ${listNames(yes)} ${isAre(yes.length)} ${sayCondition(where, names)}.`, about }, ...why]
    : [
        { text: `No. ${listNames(no)} ${isAre(no.length)} ${sayCondition({ is: "not", of: where }, names)}.`, about },
        ...why,
        ...sayGaps(met),
      ];
}

const SAID: Readonly<Record<Certification, string>> = {
  certified: "certified",
  pending: "pending certification",
  deprecated: "deprecated",
  none: "not certified, and nobody has said anything of it",
};

/** What decides a yes or a no. */
async function tellWhy(where: Condition, things: readonly Thing[], tools: Tools): Promise<Fact[]> {
  const { lookup } = tools;
  const [thing] = things;
  if (thing === undefined || things.length > 1) return [];
  const is = where.is === "not" ? where.of.is : where.is;
  const say = (text: string): Fact[] => [{ text, about: [cite(thing, profile(thing))] }];
  if (is === "owner" || (is === "has" && JSON.stringify(where).includes('"owner"')))
    return say(
      thing.owner || thing.ownerName ? `Its owner is ${thing.owner || tick(thing.ownerName)}.` : "It has no owner.",
    );
  if (is === "certification")
    return say(
      `It is ${SAID[thing.certification]}${thing.certifiedBy === null ? "" : `, by ${thing.certifiedBy}`}${thing.certifiedAt === null ? "" : ` on ${thing.certifiedAt.slice(0, 10)}`}.`,
    );
  if (is === "materialization") return say(`It is materialized as ${tick(thing.materialization || "unknown")}.`);
  if (is === "kind") return say(`It is a dbt ${kindOf(thing) ?? "exposure"}.`);
  if (is === "tag")
    return say(
      thing.tags.length === 0 ? "It has no tags." : `Its tags: ${joinWords(thing.tags.map((tag) => tick(tag)))}.`,
    );
  if (where.is === "along" && where.along.of.ids === undefined) return tellWhich(thing, where.along, tools);
  if (where.is === "along" && where.along.of.ids?.length === 1)
    return tellWay(where.along.of.ids[0] ?? "", thing, where.along.way, lookup);
  return [];
}

/** Which of a set one asset lies along. */
async function tellWhich({ id }: Thing, { way, of, depth }: Along, { finder }: Tools): Promise<Fact[]> {
  if (way !== "upstream" && way !== "downstream") return [];
  const back: Along = { way: way === "upstream" ? "downstream" : "upstream", of: { ids: [id] }, depth };
  const { things } = await finder.find(only(of, { is: "along", along: back }));
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
