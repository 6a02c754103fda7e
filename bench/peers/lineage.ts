/**
 * Compares our column lineage with that of other programs, for the same dbt projects in one run:
 * `node bench/peers/lineage.ts [folder of projects] [project …]`, by default all of ../shared/data/dbt. A pair is a column
 * of a model, and a column that it is made from. A pair is wrong if DuckDB binds the model's SQL without the source, and
 * the column is still there. A pair is missing if two other programs tell it, DuckDB does not find it wrong, and this one
 * does not tell it as a condition either.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";

import { carriesValues } from "../../src/catalog/edge.ts";
import { findPython } from "../../test/support/python.ts";
import { openDatabase } from "../lineage/duckdb.ts";
import { columnsOf, type Prepared, prepareProject, type World } from "../lineage/prepare.ts";
import { crawlProject } from "../lineage/product.ts";
import { fold, type Project, readProject, type Relation } from "../lineage/project.ts";
import { askPeer, PEERS } from "./peers.ts";

const FOLDER = join(import.meta.dirname, "../../../shared/data/dbt");
const EXAMPLES = 10;

interface Pair {
  model: Prepared;
  column: string;
  /** `relation.column`, folded. */
  source: string;
}

/** The lineage of one project, as one program tells it. */
interface Told {
  name: string;
  /** How many models it could read. */
  models: number;
  /** By `model.column <- source`. */
  pairs: Map<string, Pair>;
  /** Pairs of which it tells that the source only decides the value or the rows, such as by a condition. */
  indirect: ReadonlySet<string>;
  seconds: number;
}

interface Row {
  name: string;
  models: number;
  columns: number;
  pairs: number;
  wrong: readonly string[];
  missing: readonly string[];
  seconds: number;
}

/** A relation as SQL names it, folded. ClickHouse's schemas are its databases, and artifacts name them twice. */
const nameOf = ({ parts }: Relation): string => fold(parts.join("."));

/** The models that DuckDB binds, by `nameOf`. */
type Models = ReadonlyMap<string, Prepared>;

/** What is told of one model: the sources of each column, folded. */
type Sources = ReadonlyMap<string, readonly string[]>;

function toPairs(told: ReadonlyMap<string, Sources>, models: Models): Map<string, Pair> {
  const pairs = new Map<string, Pair>();
  for (const [fqn, columns] of told) {
    const model = models.get(fqn);
    if (model === undefined) continue;
    for (const [column, sources] of columns) {
      for (const source of sources) {
        // An incremental model reads what it holds. That is no lineage for us.
        if (!source.startsWith(`${fqn}.`)) pairs.set(`${fqn}.${column} <- ${source}`, { model, column, source });
      }
    }
  }
  return pairs;
}

/** The others find an ephemeral model as a CTE in the SQL of its users. We tell it as a model of its own. */
function followCtes(told: ReadonlyMap<string, Sources>, ephemeral: ReadonlySet<string>): Map<string, Sources> {
  const follow = (source: string): readonly string[] => {
    const at = source.lastIndexOf(".");
    const relation = source.slice(0, at);
    return ephemeral.has(relation) ? (told.get(relation)?.get(source.slice(at + 1)) ?? []).flatMap(follow) : [source];
  };
  return new Map(
    [...told].map(([relation, columns]) => [
      relation,
      new Map([...columns].map(([column, sources]) => [column, sources.flatMap(follow)])),
    ]),
  );
}

async function tellOurs(folder: string, project: Project, models: Models): Promise<Told> {
  const before = process.cpuUsage();
  const product = await crawlProject(folder);
  const { user, system } = process.cpuUsage(before);
  const names = new Map([...project.relations.values()].map((relation) => [fold(relation.fqn), nameOf(relation)]));
  const named = (fqn: string): string => names.get(fold(fqn)) ?? fold(fqn);
  const [values, all] = [new Map<string, Map<string, string[]>>(), new Map<string, Map<string, string[]>>()];
  for (const asset of product.assets) {
    const relation = named(asset.fqn);
    for (const column of product.columns.get(asset.id) ?? []) {
      for (const { node, uses } of await product.sourcesOf(column)) {
        const source = `${named(node.fqn.slice(0, -node.name.length - 1))}.${fold(node.name)}`;
        for (const told of carriesValues(uses) ? [values, all] : [all]) {
          const columns = told.getOrInsertComputed(relation, () => new Map());
          columns.getOrInsertComputed(fold(column.name), () => []).push(source);
        }
      }
    }
  }
  await product.close();
  const ephemeral = new Set([...project.relations.values()].flatMap((each) => (each.ephemeral ? [nameOf(each)] : [])));
  return {
    name: "Tributary, with the whole sync",
    models: product.assets.filter(({ id, fqn }) => models.has(named(fqn)) && product.columns.has(id)).length,
    pairs: toPairs(followCtes(values, ephemeral), models),
    indirect: new Set(toPairs(followCtes(all, ephemeral), models).keys()),
    seconds: (user + system) / 1e6,
  };
}

async function tellPeers(project: Project, models: Models): Promise<Told[]> {
  const all: Told[] = [];
  for (const peer of PEERS) {
    const { python, missing } = await findPython(peer.packages);
    if (python === null) {
      console.log(`${peer.name} is left out: ${missing}`);
      continue;
    }
    const relationName = (id: string): string => {
      const relation = project.relations.get(id);
      return relation === undefined ? "" : nameOf(relation);
    };
    const { answers, seconds } = await askPeer(peer, python, project);
    const read = Object.entries(answers).flatMap(([id, { columns }]) =>
      columns === undefined ? [] : [[relationName(id), new Map(Object.entries(columns))] as const],
    );
    const pairs = toPairs(new Map(read), models);
    const known = read.filter(([fqn]) => models.has(fqn)).length;
    all.push({ name: peer.name, models: known, pairs, indirect: new Set(), seconds });
  }
  return all;
}

/** Decides whether pairs are wrong. Each source of each model is tried once. */
function createJudge(world: World) {
  const left = new Map<string, Promise<ReadonlySet<string> | null>>();

  /** The columns of the model without this source; null if its SQL does not bind then. */
  async function without({ relation, inputs, text, untyped }: Prepared, source: string) {
    const at = source.lastIndexOf(".");
    const input = inputs.find((each) => nameOf(each) === source.slice(0, at));
    if (input === undefined || text === null) return null;
    const columns = columnsOf(world, input);
    const kept = columns.filter(({ name }) => fold(name) !== source.slice(at + 1));
    await world.database.use(relation.parts.slice(0, -1));
    await world.database.define(input.parts, kept);
    const bound = untyped ? null : await world.database.bind(text);
    await world.database.define(input.parts, columns);
    return bound !== null && "columns" in bound ? new Set(bound.columns.map(({ name }) => fold(name))) : null;
  }

  return async ({ model, column, source }: Pair): Promise<boolean> => {
    const key = `${model.relation.uniqueId} ${source}`;
    const columns = await left.getOrInsertComputed(key, () => without(model, source));
    return columns?.has(column) === true;
  };
}

async function compareProject(folder: string): Promise<Row[]> {
  const project = readProject(folder);
  const database = await openDatabase();
  const world = await prepareProject(project, database);
  const models = new Map(
    world.models.flatMap((model) => (model.text === null ? [] : [[nameOf(model.relation), model] as const])),
  );
  const told = [await tellOurs(folder, project, models), ...(await tellPeers(project, models))];
  const isWrong = createJudge(world);
  const wrong = new Set<string>();
  for (const [key, pair] of told.flatMap(({ pairs }) => [...pairs])) {
    if (!wrong.has(key) && (await isWrong(pair))) wrong.add(key);
  }
  database.close();
  const everything = new Set(told.flatMap(({ pairs }) => [...pairs.keys()]));
  return told.map((each) => {
    const tellers = (key: string): number => told.filter((other) => other !== each && other.pairs.has(key)).length;
    return {
      name: each.name,
      models: each.models,
      columns: new Set([...each.pairs.values()].map(({ model, column }) => `${nameOf(model.relation)}.${column}`)).size,
      pairs: each.pairs.size,
      wrong: [...each.pairs.keys()].filter((key) => wrong.has(key)),
      missing: [...everything].filter(
        (key) => !each.pairs.has(key) && !each.indirect.has(key) && !wrong.has(key) && tellers(key) >= 2,
      ),
      seconds: each.seconds,
    };
  });
}

function print(title: string, rows: readonly Row[]): void {
  console.log(
    `\n${title}\n| program | models read | columns with a source | pairs | wrong | missing | seconds of processor |`,
  );
  console.log("|---|---|---|---|---|---|---|");
  for (const { name, models, columns, pairs, wrong, missing, seconds } of rows) {
    console.log(
      `| ${name} | ${models} | ${columns} | ${pairs} | ${wrong.length} | ${missing.length} | ${seconds.toFixed(1)} |`,
    );
  }
}

const [folder = FOLDER, ...names] = process.argv.slice(2);
const all: Row[] = [];
for (const name of names.length > 0 ? names : readdirSync(folder).toSorted()) {
  const rows = await compareProject(join(folder, name));
  print(name, rows);
  const [ours] = rows;
  for (const pair of ours?.wrong.slice(0, EXAMPLES) ?? []) console.log(`ours, wrong: ${pair}`);
  for (const pair of ours?.missing.slice(0, EXAMPLES) ?? []) console.log(`ours, missing: ${pair}`);
  all.push(...rows);
}
const sum = (rows: readonly Row[], of: (row: Row) => number): number => rows.reduce((total, row) => total + of(row), 0);
print(
  "All projects",
  [...Map.groupBy(all, ({ name }) => name)].map(([name, rows]) => ({
    name,
    models: sum(rows, (row) => row.models),
    columns: sum(rows, (row) => row.columns),
    pairs: sum(rows, (row) => row.pairs),
    wrong: rows.flatMap(({ wrong }) => wrong),
    missing: rows.flatMap(({ missing }) => missing),
    seconds: sum(rows, (row) => row.seconds),
  })),
);
process.exit();
