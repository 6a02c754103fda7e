/**
 * The nodes that meet a plan's conditions, found by checking all of them in memory. The real finder is compared with
 * it.
 */
import { fold } from "../../src/catalog/text.ts";
import type { Condition, Feature, Measure, Things } from "../../src/agent/plan.ts";
import type { EdgeWrite, NodeWrite } from "../../src/graph/catalog-writes.ts";

/** The most hops that lineage follows, and the value for nodes that it does not reach. */
const MOST = 1_000;
const NEVER = Infinity;

export interface SmallCatalog {
  nodes: readonly NodeWrite[];
  edges: readonly EdgeWrite[];
  connector: string;
}

/** @returns the ids, in the order of the catalog's nodes */
export function findNaively(catalog: SmallCatalog, things: Things): string[] {
  const { types, ids, where } = things;
  return catalog.nodes
    .filter(
      (node) =>
        (types === undefined || types.includes(node.type)) &&
        (ids === undefined || ids.includes(node.id)) &&
        (where === undefined || isMet(catalog, node, where)),
    )
    .map(({ id }) => id);
}

function isMet(catalog: SmallCatalog, node: NodeWrite, condition: Condition): boolean {
  const { facts } = node;
  switch (condition.is) {
    case "all":
      return condition.of.every((each) => isMet(catalog, node, each));
    case "any":
      return condition.of.some((each) => isMet(catalog, node, each));
    case "not":
      return !isMet(catalog, node, condition.of);
    case "certification":
      return condition.any.includes(facts.certification ?? "none");
    case "certified by":
      return fold(facts.certifiedBy ?? "") === fold(condition.who);
    case "owner":
      return [facts.owner, facts.ownerName].some((owner) => owner !== "" && condition.any.includes(owner));
    case "tag":
      return facts.tags.some((tag) => condition.any.includes(tag));
    case "schema":
      return condition.any.some((schema) => `.${placeOf(facts.fqn)}.`.includes(`.${schema}.`));
    case "connector":
      return condition.any.includes(catalog.connector);
    case "materialization":
      return condition.any.includes(facts.materialization);
    case "data type":
      return condition.any.some((type) => facts.dataType.startsWith(type));
    case "kind":
      return condition.any.some((kind) => kindsOf(node).includes(kind));
    case "name":
      return condition.any.includes(facts.name);
    case "name part":
      return condition.any.some((part) => (condition.begins ? facts.name.startsWith(part) : facts.name.includes(part)));
    case "has":
      return amountOf(catalog, node, condition.feature) > 0;
    case "measure": {
      const amount = amountOf(catalog, node, condition.of, condition.among);
      return amount >= (condition.least ?? 0) && amount <= (condition.most ?? MOST);
    }
    case "along": {
      const { way, of, depth } = condition.along;
      const roots = findNaively(catalog, of);
      if (way === "columns") return node.parentId !== null && roots.includes(node.parentId);
      if (way === "parents")
        return catalog.nodes.some(({ id, parentId }) => parentId === node.id && roots.includes(id));
      return roots.some((root) => (hopsFrom(catalog, root, way).get(node.id) ?? NEVER) <= (depth ?? MOST));
    }
    default:
      throw new Error(`${condition.is} is not worked out here`);
  }
}

function placeOf(fqn: string): string {
  return fqn.split(".").slice(0, -1).join(".");
}

function kindsOf({ type, facts: { resourceTypes } }: NodeWrite): readonly string[] {
  if (resourceTypes.length > 0) return resourceTypes;
  return [type === "table" ? "source" : type];
}

/** Hops to each node that lineage reaches, without the root. */
function hopsFrom({ edges }: SmallCatalog, root: string, way: "upstream" | "downstream"): Map<string, number> {
  const hops = new Map([[root, 0]]);
  // A map's entries are visited in insertion order, including new ones.
  for (const [id, distance] of hops) {
    for (const { from, to } of edges) {
      const [near, far] = way === "downstream" ? [from, to] : [to, from];
      if (near === id && !hops.has(far)) hops.set(far, distance + 1);
    }
  }
  hops.delete(root);
  return hops;
}

function amountOf(catalog: SmallCatalog, node: NodeWrite, of: Feature | Measure, among?: Things): number {
  const { facts, id } = node;
  const counted = among === undefined ? null : new Set(findNaively(catalog, among));
  const count = (way: "upstream" | "downstream", most: number): number =>
    catalog.nodes.filter(
      (other) => (counted?.has(other.id) ?? true) && (hopsFrom(catalog, id, way).get(other.id) ?? NEVER) <= most,
    ).length;
  switch (of) {
    case "owner":
      return facts.owner || facts.ownerName ? 1 : 0;
    case "description":
      return facts.description === "" ? 0 : 1;
    case "tags":
      return facts.tags.length;
    case "certification":
      return facts.certification === "certified" ? 1 : 0;
    case "url":
      return facts.url === null ? 0 : 1;
    case "columns":
      return catalog.nodes.filter(({ parentId }) => parentId === id).length;
    case "upstream":
    case "downstream":
      return count(of, 1);
    case "all upstream":
      return count("upstream", MOST);
    case "all downstream":
      return count("downstream", MOST);
    case "checks":
    case "failing checks":
    case "dimensions":
      return 0;
  }
}
