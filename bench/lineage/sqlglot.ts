/**
 * Compares our column lineage with that of sqlglot: `node bench/lineage/sqlglot.ts [folder of projects] [project …]`, by
 * default all of ../shared/data/dbt. A pair is a column of a model, and a column that it is made from. Prints for each
 * project how many pairs both tell, how many only one tells, and examples of these.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";

import { carriesValues } from "../../src/catalog/edge.ts";
import { findPython, type Python } from "../../test/support/python.ts";
import { askPeer, SQLGLOT } from "../peers/peers.ts";
import { crawlProject } from "./product.ts";
import { fold, readProject } from "./project.ts";

const FOLDER = join(import.meta.dirname, "../../../shared/data/dbt");
const EXAMPLES = 10;

export interface Comparison {
  project: string;
  models: number;
  /** Why sqlglot could not read a model. */
  errors: string[];
  /** Pairs that both tell. */
  both: number;
  /** Pairs that sqlglot tells, and we too, but as a use that only decides values or rows: a condition, a window. */
  indirect: number;
  /** `model.column <- source` */
  onlyOurs: string[];
  onlySqlglot: string[];
}

/** Our pairs, of models that sqlglot has read: whether values flow along them. */
async function askOurs(folder: string, models: ReadonlySet<string>): Promise<Map<string, boolean>> {
  const product = await crawlProject(folder);
  const pairs = new Map<string, boolean>();
  for (const asset of product.assets.filter(({ fqn }) => models.has(fold(fqn)))) {
    for (const column of product.columns.get(asset.id) ?? []) {
      for (const { node, uses } of await product.sourcesOf(column)) {
        pairs.set(`${fold(column.fqn)} <- ${fold(node.fqn)}`, carriesValues(uses));
      }
    }
  }
  await product.close();
  return pairs;
}

/** @param folder holds manifest.json and catalog.json */
export async function compareWithSqlglot(python: Python, folder: string): Promise<Comparison> {
  const project = readProject(folder);
  const { answers } = await askPeer(SQLGLOT, python, project);
  const theirs = new Set<string>();
  const models = new Set<string>();
  for (const [id, { columns }] of Object.entries(answers)) {
    const { fqn = "" } = project.relations.get(id) ?? {};
    if (columns !== undefined) models.add(fold(fqn));
    for (const [name, sources] of Object.entries(columns ?? {})) {
      for (const source of sources) theirs.add(`${fold(fqn)}.${name} <- ${source}`);
    }
  }
  const ours = await askOurs(folder, models);
  const told = [...theirs];
  return {
    project: project.name,
    models: Object.keys(answers).length,
    errors: Object.values(answers).flatMap(({ error }) => (error === undefined ? [] : [error])),
    both: told.filter((pair) => ours.get(pair) === true).length,
    indirect: told.filter((pair) => ours.get(pair) === false).length,
    onlyOurs: [...ours].flatMap(([pair, isDirect]) => (isDirect && !theirs.has(pair) ? [pair] : [])).toSorted(),
    onlySqlglot: told.filter((pair) => !ours.has(pair)).toSorted(),
  };
}

function print({ project, models, errors, both, indirect, onlyOurs, onlySqlglot }: Comparison): void {
  console.log(
    `${project}: ${models} models, ${both} pairs of both, ${indirect} that decide only values or rows for us`,
  );
  const classes = { "sqlglot cannot read": errors, "only ours": onlyOurs, "only sqlglot": onlySqlglot };
  for (const [name, found] of Object.entries(classes)) {
    console.log(`  ${name}: ${found.length}`);
    for (const example of found.slice(0, EXAMPLES)) console.log(`    ${example}`);
  }
}

if (import.meta.main) {
  const [folder = FOLDER, ...names] = process.argv.slice(2);
  const { python, missing } = await findPython(SQLGLOT.packages);
  if (python === null) throw new Error(missing);
  const projects = names.length > 0 ? names : readdirSync(folder);
  for (const name of projects) print(await compareWithSqlglot(python, join(folder, name)));
  process.exit();
}
