/** Where a column comes from: its own parents first, with how; then where their values come in; then what only decides. */
import type { CatalogNode } from "../../catalog/asset.ts";
import type { ColumnUse } from "../../catalog/edge.ts";
import type { Neighbour } from "../../graph/catalog-graph.ts";
import type { Fact } from "../answer.ts";
import type { AgentCatalog } from "../catalog.ts";
import { cite, count, joinWords, listNames, MAX_NAMES, named, nameOf, plain, profile, shorten } from "./words.ts";

/** Columns whose own sources are looked at. */
const MAX_LOOKED = 200;
/** Parents that are read of each. */
const MAX_PARENTS = 200;
const MAX_EXPRESSION = 80;

/** Whether values go from the one to the other; where it is not known how, they may. */
function givesValues({ uses }: Neighbour): boolean {
  return uses.length === 0 || uses.some(({ kind }) => kind === "DIRECT");
}

/** "copies `a.b`" where it does nothing else; else what is done with it. */
function sayHow(node: CatalogNode, uses: readonly ColumnUse[]): string {
  const direct = uses.filter(({ kind }) => kind === "DIRECT");
  if (direct.length === 0) return `comes from ${named(node)}`;
  const use =
    direct.find(({ transformation }) => transformation === "AGGREGATION") ??
    direct.find(({ transformation }) => transformation !== "IDENTITY");
  if (use === undefined) return `copies ${named(node)}`;
  const verb = use.transformation === "AGGREGATION" ? "aggregates" : "is worked out from";
  const expression = shorten(plain(use.expression), MAX_EXPRESSION).replaceAll("`", "'");
  return `${verb} ${named(node)}${expression === "" ? "" : ` by \`${expression}\``}`;
}

/** Null where nothing gives it its values, as far as is known. */
export async function sayOrigin(root: CatalogNode, catalog: AgentCatalog): Promise<Fact[] | null> {
  const parents = await catalog.neighbours(root.id, "upstream", MAX_PARENTS);
  const giving = parents.items.filter(givesValues);
  if (giving.length === 0) return null;
  const shown = giving.slice(0, MAX_NAMES);
  const more = giving.length - shown.length;
  const how = joinWords([
    ...shown.map(({ node, uses }) => sayHow(node, uses)),
    ...(more > 0 ? [`uses ${count(more, "more column")}`] : []),
  ]);
  const first: Fact = {
    text: `${named(root)} ${how}.`,
    about: [cite(root, profile(root)), ...shown.map(({ node }) => cite(node, `${nameOf(node)} feeds ${nameOf(root)}`))],
  };
  const last = await sayEnds(
    root,
    giving.map(({ node }) => node),
    catalog,
  );
  const deciding = parents.items.filter((parent) => !givesValues(parent)).map(({ node }) => node);
  return [first, ...last, ...sayDeciding(root, deciding, parents.total - giving.length)];
}

async function sayEnds(root: CatalogNode, giving: readonly CatalogNode[], catalog: AgentCatalog): Promise<Fact[]> {
  const { ends, isAll } = await findEnds(giving, catalog);
  const far = ends.filter(({ id }) => giving.every((node) => node.id !== id));
  if (far.length === 0) return [];
  const about = far.slice(0, MAX_NAMES).map((node) => cite(node, `${node.fqn}: where values of ${root.fqn} come in`));
  return [{ text: `In the end its values come from ${isAll ? "" : "at least "}${listNames(far)}.`, about }];
}

/** @param total of which some may not have been read */
function sayDeciding(root: CatalogNode, deciding: readonly CatalogNode[], total: number): Fact[] {
  if (total === 0) return [];
  const text =
    total === 1
      ? "1 other column gives it no values: it only joins, filters or groups its rows."
      : `${total.toLocaleString("en-US")} other columns give it no values: they only join, filter or group its rows.`;
  const about = deciding
    .slice(0, MAX_NAMES)
    .map((node) => cite(node, `${nameOf(node)} decides on rows of ${nameOf(root)}`));
  return [{ text, about }];
}

/** The columns that values come from and that have none of their own to come from, the nearest first. */
async function findEnds(
  start: readonly CatalogNode[],
  catalog: AgentCatalog,
): Promise<{ ends: CatalogNode[]; isAll: boolean }> {
  const seen = new Set(start.map(({ id }) => id));
  const ends: CatalogNode[] = [];
  let level = [...start];
  for (let looked = 0; level.length > 0;) {
    const now = level.slice(0, MAX_LOOKED - looked);
    if (now.length === 0) return { ends, isAll: false };
    looked += now.length;
    const found = await Promise.all(now.map(({ id }) => catalog.neighbours(id, "upstream", MAX_PARENTS)));
    const parents = found.map(({ items }) => items.filter(givesValues).map(({ node }) => node));
    ends.push(...now.filter((_, i) => parents[i]?.length === 0));
    const next = new Map(parents.flat().map((node) => [node.id, node]));
    level = [...level.slice(now.length), ...[...next.values()].filter(({ id }) => !seen.has(id))];
    for (const id of next.keys()) seen.add(id);
  }
  return { ends, isAll: true };
}
