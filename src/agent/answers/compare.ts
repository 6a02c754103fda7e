/** What two assets have in common, and what tells them apart. */
import type { CatalogNode } from "../../catalog/asset.ts";
import type { Fact } from "../answer.ts";
import { viewNode } from "./actions.ts";
import type { Answerer } from "./ask.ts";
import { sayCertification, sayDefinition, sayOwner, sayWhat } from "./describe.ts";
import { cite, listNames, named, profile } from "./words.ts";

function sayShared(a: CatalogNode, b: CatalogNode, shared: readonly CatalogNode[]): Fact {
  const about = [a, b].map((node) => cite(node, profile(node)));
  if (shared.length === 0) return { text: `${named(a)} and ${named(b)} have no source in common.`, about };
  return {
    text: `Both come from ${listNames(shared, shared.length, 5)}.`,
    about: [
      ...about,
      ...shared.slice(0, 5).map((node) => cite(node, `${node.fqn} feeds both ${a.name} and ${b.name}`)),
    ],
  };
}

export const answerCompare: Answerer = async ({ subjects, catalog }) => {
  const [a, b] = subjects;
  if (a === undefined || b === undefined) return null;
  const walks = await Promise.all([a, b].map(({ id }) => catalog.walk(id, "upstream")));
  const others = new Set(walks[1]?.nodes.map(({ id }) => id));
  const common = walks[0]?.nodes.filter(({ id }) => others.has(id)).slice(0, 5) ?? [];
  const shared = (await catalog.load(common.map(({ id }) => id))).filter((node) => node !== null);
  const facts = [a, b].flatMap((node) => {
    const certified = node.certifiedBy === null ? null : sayCertification(node);
    return [sayWhat(node), sayDefinition(node), sayOwner(node), certified];
  });
  return {
    facts: [...facts.filter((fact): fact is Fact => fact !== null), sayShared(a, b, shared)],
    actions: [viewNode(a), viewNode(b)],
  };
};
