/** What two assets have in common, and what tells them apart. */
import type { CatalogNode } from "../../catalog/asset.ts";
import type { Fact } from "../answer.ts";
import { viewNode } from "./actions.ts";
import type { Answerer } from "./ask.ts";
import { sayCertification, sayDefinition, sayOwner, sayWhat } from "./describe.ts";
import { cite, count, listNames, named, profile } from "./words.ts";

/** Common sources that are named; the others are counted. */
const MAX_SHARED = 5;

function sayShared(
  a: CatalogNode,
  b: CatalogNode,
  shared: readonly CatalogNode[],
  { amount, isAll }: { amount: number; isAll: boolean },
): Fact {
  const about = [a, b].map((node) => cite(node, profile(node)));
  if (shared.length === 0)
    return {
      text: `${named(a)} and ${named(b)} have no source in common${isAll ? "" : " among those that were looked at"}.`,
      about,
    };
  return {
    text: `Both come from ${isAll ? "" : "at least "}${count(amount, "common source")}: ${listNames(shared, amount)}.`,
    about: [...about, ...shared.map((node) => cite(node, `${node.fqn} feeds both ${a.name} and ${b.name}`))],
  };
}

export const answerCompare: Answerer = async ({ subjects, catalog }) => {
  const [a, b] = subjects;
  if (a === undefined || b === undefined) return null;
  const walks = await Promise.all([a, b].map(({ id }) => catalog.walk(id, "upstream")));
  const others = new Set(walks[1]?.nodes.map(({ id }) => id));
  const common = walks[0]?.nodes.filter(({ id }) => others.has(id)) ?? [];
  const shared = (await catalog.load(common.slice(0, MAX_SHARED).map(({ id }) => id))).filter((node) => node !== null);
  const isAll = walks.every((walk) => walk?.truncated !== true);
  const facts = [a, b].flatMap((node) => {
    const certified = node.certifiedBy === null ? null : sayCertification(node);
    return [sayWhat(node), sayDefinition(node), sayOwner(node), certified];
  });
  return {
    facts: [
      ...facts.filter((fact): fact is Fact => fact !== null),
      sayShared(a, b, shared, { amount: common.length, isAll }),
    ],
    actions: [viewNode(a), viewNode(b)],
  };
};
