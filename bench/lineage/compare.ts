/** Drops each column of each relation that a model reads, directly or through one other, and compares the product with the judge. */
import type { CatalogNode } from "../../src/catalog/asset.ts";
import type { Risk } from "../../src/catalog/impact.ts";
import { createJudge, type Verdict } from "./judge.ts";
import { columnsOf, type World } from "./prepare.ts";
import type { Product, Told } from "./product.ts";
import { fold, type Relation } from "./project.ts";

/** One drop and one model that might fail by it. */
export interface Pair {
  relation: Relation;
  column: string;
  model: Relation;
  /** Whether the model reads the relation itself, or through one other. */
  distance: "parent" | "grandparent";
  outcome: Verdict["outcome"];
  verdict: Verdict | null;
  /** The product's statement about the model; `unknown column` if it does not know the column. */
  said: Risk | "nothing" | "unknown column";
  told: Told | null;
  /** Whether another model on the way fails, so that this one is not rebuilt. */
  behindFailure: boolean;
}

/** The models that read a relation, directly or through one other. */
function readersOf(world: World, relation: Relation): Map<Relation, Pair["distance"]> {
  const direct = world.models.filter(({ inputs }) => inputs.includes(relation)).map((each) => each.relation);
  const further = world.models.filter(({ inputs }) => inputs.some((input) => direct.includes(input)));
  const readers = new Map<Relation, Pair["distance"]>(direct.map((model) => [model, "parent"]));
  for (const { relation: model } of further) {
    if (model !== relation && !readers.has(model)) readers.set(model, "grandparent");
  }
  return readers;
}

/** These models and everything that they read, at any distance. */
function withAncestors(world: World, models: Iterable<Relation>): Set<Relation> {
  const found = new Set(models);
  // The last built model comes first, so that each is seen before its sources.
  for (const { relation, inputs } of world.models.toReversed()) {
    if (found.has(relation)) for (const input of inputs) found.add(input);
  }
  return found;
}

export interface CompareOptions {
  /** The relations whose columns are dropped; all by default. */
  only?: (relation: Relation) => boolean;
}

/**
 * A relation that only SQL names is left out: the catalog does not have it, so the drop of its columns cannot be
 * assessed.
 * @returns a pair for each column and each model that reads its relation, directly or through one other
 */
export async function compare(world: World, product: Product, { only = () => true }: CompareOptions = {}) {
  const judge = createJudge(world);
  const assets = new Map<string, CatalogNode>(product.assets.map((asset) => [fold(asset.fqn), asset]));
  const pairs: Pair[] = [];
  for (const relation of world.project.relations.values()) {
    if (relation.ephemeral || !relation.stated || !only(relation)) continue;
    const readers = readersOf(world, relation);
    if (readers.size === 0) continue;
    const among = withAncestors(world, readers.keys());
    const asset = assets.get(fold(relation.fqn));
    const columns = new Map((product.columns.get(asset?.id ?? "") ?? []).map((each) => [fold(each.name), each]));
    for (const { name } of columnsOf(world, relation)) {
      if (world.guessed.has(fold(`${relation.uniqueId} ${name}`))) continue;
      const verdicts = new Map((await judge.drop(relation, name, among)).map((each) => [each.model, each]));
      const column = columns.get(fold(name));
      const affected = column === undefined ? [] : await product.drop(column.id);
      const told = new Map(affected.filter(({ type }) => type === "model").map((each) => [fold(each.fqn), each]));
      const failing = new Set([...verdicts.values()].filter(({ outcome }) => outcome === "fails").map((v) => v.model));
      for (const [model, distance] of readers) {
        const verdict = verdicts.get(model) ?? null;
        const found = told.get(fold(model.fqn)) ?? null;
        const inputs = world.models.find((each) => each.relation === model)?.inputs ?? [];
        pairs.push({
          relation,
          column: name,
          model,
          distance,
          outcome: verdict?.outcome ?? "passes",
          verdict,
          said: column === undefined ? "unknown column" : (found?.risk ?? "nothing"),
          told: found,
          behindFailure: inputs.some((input) => failing.has(input)),
        });
      }
    }
  }
  return pairs;
}

/** A break that the product does not rate as high. */
export const isMissed = ({ outcome, said }: Pair): boolean => outcome === "fails" && said !== "high";
/** A model that is affected according to the product, and that does not fail. */
export const isFalseAlarm = ({ outcome, said }: Pair): boolean =>
  outcome === "passes" && (said === "high" || said === "medium");

/** The possible reason of the product, as far as it can be told from outside. */
export function classOf({ verdict, told, behindFailure }: Pair): string {
  if ((verdict?.lost.length ?? 0) > 0) return "it passes the column on by `*`, and loses it";
  if (told !== null && /not known|could not|unknown/i.test(told.reason)) return "its lineage is not known";
  if (behindFailure) return "a model that it reads fails";
  return "other";
}
