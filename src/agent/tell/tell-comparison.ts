/** How two assets compare: in all, or in one aspect. */
import { fold } from "../../catalog/text.ts";
import type { Fact } from "../answer.ts";
import type { Thing } from "../catalog.ts";
import type { Lookup } from "../lookup.ts";
import type { Aspect } from "../plan.ts";
import { tellAspect } from "./tell-aspects.ts";
import type { PlanOf, Tools } from "./tell-sets.ts";
import { citeAll, count, listNames, named, say } from "./words.ts";

const MAX_SHARED = 5;
const MAX_SHOWN_COLUMNS = 20;

export async function tellComparison({ find, aspect: asked }: PlanOf<"comparison">, tools: Tools): Promise<Fact[]> {
  const { lookup, finder } = tools;
  const [a, b] = (await finder.find(find)).things;
  if (a === undefined || b === undefined) return [];
  const tellBoth = (aspect: Aspect): Promise<Fact[]> =>
    tellAspect({ tell: "aspect", find: { ids: [a.id, b.id] }, aspect }, tools);
  if (asked === "columns") return tellColumnsApart(a, b, lookup);
  if (asked !== undefined) {
    const facts = await tellBoth(asked);
    const [one, two] = [a, b].map((thing, i) => facts[i]?.text.replaceAll(named(thing), ""));
    return [say(`The ${asked} is ${one === two ? "the same" : "different"}.`, citeAll([a, b])), ...facts];
  }
  const aspects: Aspect[] = a.definition === null ? ["everything"] : ["definition", "owner"];
  return [
    ...(await Promise.all(aspects.map(tellBoth))).flat(),
    ...(await tellColumnsApart(a, b, lookup)),
    await tellShared(a, b, lookup),
  ];
}

async function tellShared(a: Thing, b: Thing, lookup: Lookup): Promise<Fact> {
  const [own, others] = await Promise.all([lookup.walk(a.id, "upstream"), lookup.walk(b.id, "upstream")]);
  const ids = new Set(own.nodes.map(({ id }) => id)).intersection(new Set(others.nodes.map(({ id }) => id)));
  const shared = await lookup.load([...ids].slice(0, MAX_SHARED));
  const text =
    ids.size === 0
      ? `${named(a)} and ${named(b)} have no source in common.`
      : `Both come from ${count(ids.size, "common source")}: ${listNames(shared, ids.size)}.`;
  return say(text, citeAll([a, b, ...shared]));
}

/** Which columns only one of two relations has. */
async function tellColumnsApart(a: Thing, b: Thing, lookup: Lookup): Promise<Fact[]> {
  const [own, others] = await Promise.all([lookup.columns([a.id]), lookup.columns([b.id])]);
  if (own.length === 0 || others.length === 0) return [];
  const facts = [...tellOnly(a, own, others), ...tellOnly(b, others, own)];
  return facts.length === 0 ? [say("Both have the same columns.", citeAll([a, b]))] : facts;
}

/** The columns of which no other has the name. */
function tellOnly(of: Thing, own: readonly Thing[], others: readonly Thing[]): Fact[] {
  const names = new Set(others.map(({ name }) => fold(name)));
  const apart = own.filter(({ name }) => !names.has(fold(name)));
  if (apart.length === 0) return [];
  const noun = apart.length === 1 ? "the column" : `the ${count(apart.length, "column")}`;
  const about = citeAll([of, ...apart.slice(0, MAX_SHOWN_COLUMNS)]);
  return [say(`Only ${named(of)} has ${noun} ${listNames(apart)}.`, about)];
}
