/** Drops columns of a dbt project, and compares each break that DuckDB finds with the product's prediction. */
import { onTestFinished } from "vitest";

import { compare, isMissed, type Pair } from "../../bench/lineage/compare.ts";
import { openDatabase } from "../../bench/lineage/duckdb.ts";
import { prepareProject } from "../../bench/lineage/prepare.ts";
import { crawlProject } from "../../bench/lineage/product.ts";
import { fold, readProject, type Relation } from "../../bench/lineage/project.ts";

const tell = ({ relation, column, model, said }: Pair): string =>
  `${relation.fqn}.${fold(column)} -> ${model.fqn}: ${said}`;

/**
 * @param folder contains manifest.json and catalog.json
 * @param only the relations of which to drop columns; all by default
 * @returns each missed break in a line, how many models failed by a drop, and those that DuckDB could not bind
 */
export async function dropColumns(folder: string, only: (relation: Relation) => boolean = () => true) {
  const database = await openDatabase();
  onTestFinished(() => database.close());
  const world = await prepareProject(readProject(folder), database);
  const product = await crawlProject(folder);
  onTestFinished(() => product.close());
  const pairs = await compare(world, product, { only });
  return {
    missed: pairs.filter(isMissed).map(tell),
    broken: pairs.filter(({ outcome }) => outcome === "fails").map(tell),
    undecided: world.models
      .filter(({ text }) => text === null)
      .map(({ relation, error }) => `${relation.uniqueId}: ${error}`),
  };
}
