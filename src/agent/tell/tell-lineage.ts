/** What a change affects, how data gets from one asset to another, and how two compare. */
import type { ChangeType } from "../../catalog/impact.ts";
import { fold } from "../../catalog/text.ts";
import type { Fact } from "../answer.ts";
import type { Affected, Thing } from "../catalog.ts";
import { changeOf, type Lookup } from "../lookup.ts";
import type { Aspect } from "../plan.ts";
import { tellAspect } from "./tell-aspects.ts";
import type { PlanOf, Tools } from "./tell-sets.ts";
import { shortestWay } from "./tell-whether.ts";
import {
  cite,
  citeAll,
  count,
  inTypeOrder,
  joinWords,
  listByType,
  listNames,
  named,
  plain,
  profile,
  sayOwnerOf,
  say,
} from "./words.ts";

const MAX_ROOTS = 3;
const MAX_OWNERS = 15;
const MAX_REASONS = 2;
const MAX_SHOWN = 200;
const MAX_SHARED = 5;
const MAX_SHOWN_COLUMNS = 20;

const DONE: Readonly<Record<ChangeType, string>> = {
  column_drop: "is dropped",
  asset_drop: "is dropped",
  column_rename: "is renamed",
  type_change: "changes its type",
  deprecate: "is deprecated",
};

export async function tellImpact(plan: PlanOf<"impact">, { lookup, finder }: Tools): Promise<Fact[]> {
  const { things } = await finder.find(plan.find);
  const facts = await Promise.all(things.slice(0, MAX_ROOTS).map((root) => tellOne(root, plan, lookup)));
  const left = things.slice(MAX_ROOTS);
  return [
    ...facts.flat(),
    ...(left.length === 0 ? [] : [say(`There are others of that name: ${listNames(left)}.`, citeAll(left))]),
  ];
}

async function tellOne(
  root: Thing,
  { change: asked, owners: asksOwners, isSafe }: PlanOf<"impact">,
  lookup: Lookup,
): Promise<Fact[]> {
  const change = changeOf(root.type, asked);
  const impact = await lookup.impact(root, change);
  if (impact === null) return [];
  const lead = `If ${named(root)} ${DONE[change]}`;
  const verdict = isSafe ? (impact.summary.total === 0 ? "Yes. " : "No. ") : "";
  const gaps: Fact[] = impact.isComplete
    ? []
    : [say("Part of the lineage could not be read, so more may be affected.")];
  if (impact.summary.total === 0)
    return [
      say(`${verdict}${lead}, nothing is affected, as far as the catalog knows.`, [cite(root, profile(root))]),
      ...gaps,
    ];
  const kept = impact.affected;
  const others = kept.filter(({ type }) => type !== "column");
  const loaded = await lookup.load(others.slice(0, MAX_SHOWN).map(({ id }) => id));
  const reasonOf = new Map(kept.map(({ id, reason }) => [id, reason]));
  const shown = inTypeOrder(
    loaded.length > 0 ? loaded : await lookup.load(kept.slice(0, MAX_SHOWN).map(({ id }) => id)),
  );
  const risks = (["high", "medium", "low"] as const)
    .filter((risk) => impact.summary[risk] > 0)
    .map((risk) => `${impact.summary[risk].toLocaleString("en-US")} at ${risk} risk`);
  const text = `${verdict}${lead}, ${impact.summary.total.toLocaleString("en-US")} ${impact.summary.total === 1 ? "asset or column is" : "assets and columns are"} affected: ${joinWords(risks)}. Among them: ${listByType(shown)}.`;
  const what: Fact = {
    text,
    about: [cite(root, profile(root)), ...shown.map((it) => cite(it, reasonOf.get(it.id) ?? profile(it)))],
  };
  const reasons = shown
    .slice(0, MAX_REASONS)
    .map((it): Fact => say(plain(reasonOf.get(it.id) ?? ""), [cite(it, reasonOf.get(it.id) ?? "")]));
  const checks: Fact[] = impact.checks.total === 0 ? [] : [say(`${count(impact.checks.total, "check")} would fail.`)];
  const owners = sayOwners(root, impact);
  return [...(asksOwners ? [...owners, what] : [what, ...reasons, ...checks, ...owners]), ...gaps];
}

function sayOwners(root: Thing, { owners }: Affected): Fact[] {
  const known = owners.filter((it) => sayOwnerOf(it) !== null);
  if (known.length === 0) return [];
  const shown = known.slice(0, MAX_OWNERS).map((it) => `${sayOwnerOf(it)} (${it.summary.total})`);
  const left = known.length - shown.length;
  return [
    say(
      `The owners to tell, with how much of theirs is affected: ${joinWords(left > 0 ? [...shown, count(left, "other")] : shown)}.`,
      [cite(root, profile(root))],
    ),
  ];
}

export async function tellPath({ from, to }: PlanOf<"path">, { lookup, finder }: Tools): Promise<Fact[]> {
  const [starts, ends] = [(await finder.find(from)).things, (await finder.find(to)).things];
  const [a, b] = [starts[0], ends[0]];
  if (a === undefined || b === undefined) return [];
  const [there, back] = await Promise.all([wayBetween(a, b, lookup), wayBetween(b, a, lookup)]);
  const way = there.things ?? back.things;
  if (way === null) {
    const isSure = there.isSure && back.isSure;
    const text = isSure
      ? `There is no path: the catalog knows of no lineage between ${named(a)} and ${named(b)}.`
      : `No path was found between ${named(a)} and ${named(b)}; but both have more lineage than was looked at.`;
    return [{ text, about: citeAll([a, b]) }];
  }
  const turned = there.things === null ? `Data goes from ${named(b)} to ${named(a)}: ` : "";
  return [say(`${turned}${way.map(named).join(" → ")}, ${count(way.length - 1, "hop")}.`, citeAll(way))];
}

/** The shortest way down from one to the other. A table stands for its column where the other is no column. */
async function wayBetween(
  from: Thing,
  to: Thing,
  lookup: Lookup,
): Promise<{ things: Thing[] | null; isSure: boolean }> {
  const isMixed = (from.type === "column") !== (to.type === "column");
  const end = isMixed && to.type === "column" ? (to.parentId ?? to.id) : to.id;
  const starts = isMixed && from.type === "column" ? [from.id, from.parentId ?? from.id] : [from.id];
  let isSure = true;
  for (const start of starts) {
    const walk = await lookup.walk(start, "downstream");
    isSure &&= !walk.isCut;
    const ids = shortestWay(walk, start, end, "downstream");
    if (ids !== null) return { things: await lookup.load(ids), isSure };
  }
  return { things: null, isSure };
}

export async function tellComparison({ find, aspect: asked }: PlanOf<"comparison">, tools: Tools): Promise<Fact[]> {
  const { lookup, finder } = tools;
  const { things } = await finder.find(find);
  const [a, b] = things;
  if (a === undefined || b === undefined) return [];
  const ids = [a.id, b.id];
  if (asked === "columns") return tellColumnsApart(a, b, lookup);
  if (asked !== undefined) {
    const facts = await tellAspect({ tell: "aspect", find: { ids }, aspect: asked }, tools);
    const [one, two] = [a, b].map((thing) => VALUES_OF[asked]?.(thing));
    const verdict =
      one === undefined ? [] : [say(`The ${asked} is ${one === two ? "the same" : "different"}.`, citeAll([a, b]))];
    return [...verdict, ...facts];
  }
  const told = await Promise.all(
    (["everything", "definition"] as const).map((aspect) =>
      tellAspect({ tell: "aspect", find: { ids }, aspect }, tools),
    ),
  );
  const walks = await Promise.all(ids.map((id) => lookup.walk(id, "upstream")));
  const others = new Set(walks[1]?.nodes.map(({ id }) => id));
  const common = (walks[0]?.nodes ?? []).filter(({ id }) => others.has(id));
  const shared = await lookup.load(common.slice(0, MAX_SHARED).map(({ id }) => id));
  const text =
    common.length === 0
      ? `${named(a)} and ${named(b)} have no source in common.`
      : `Both come from ${count(common.length, "common source")}: ${listNames(shared, common.length)}.`;
  return [
    ...(told[a.definition === null ? 0 : 1] ?? []),
    ...(a.definition === null ? [] : await tellAspect({ tell: "aspect", find: { ids }, aspect: "owner" }, tools)),
    ...(await tellColumnsApart(a, b, lookup)),
    { text, about: citeAll([a, b, ...shared]) },
  ];
}

/** What of an asset is compared, where it is one value. */
const VALUES_OF: Readonly<Partial<Record<Aspect, (thing: Thing) => string>>> = {
  owner: ({ owner, ownerName }) => fold(owner || ownerName),
  certification: ({ certification }) => certification,
  materialization: ({ materialization }) => materialization,
  "data type": ({ dataType }) => fold(dataType),
  grain: ({ definition }) => definition?.grain ?? "",
  definition: ({ definition }) => definition?.expression ?? "",
  description: ({ description }) => description,
  tags: ({ tags }) => tags.toSorted().join(),
  place: ({ fqn }) => fqn.split(".").slice(0, -1).join("."),
};

/** Those of which no other has the name. */
function namedElse(columns: readonly Thing[], others: readonly Thing[]): Thing[] {
  const names = new Set(others.map(({ name }) => fold(name)));
  return columns.filter(({ name }) => !names.has(fold(name)));
}

/** Which columns only one of two relations has. */
async function tellColumnsApart(a: Thing, b: Thing, lookup: Lookup): Promise<Fact[]> {
  const [own, others] = await Promise.all([lookup.columns([a.id]), lookup.columns([b.id])]);
  if (own.length === 0 || others.length === 0) return [];
  const sides = [
    { of: a, columns: namedElse(own, others) },
    { of: b, columns: namedElse(others, own) },
  ].filter(({ columns }) => columns.length > 0);
  if (sides.length === 0) return [say(`Both have the same columns.`, citeAll([a, b]))];
  return sides.map(({ of, columns }) =>
    say(
      `Only ${named(of)} has ${columns.length === 1 ? "the column" : `the ${count(columns.length, "column")}`} ${listNames(columns)}.`,
      citeAll([of, ...columns.slice(0, MAX_SHOWN_COLUMNS)]),
    ),
  );
}
