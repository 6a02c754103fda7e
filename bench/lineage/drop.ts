/**
 * Drops columns of real projects and compares the product's impact with DuckDB's result for the models' SQL: `node
 * bench/lineage/drop.ts [folder of projects] [project …]`, by default three projects of ../shared/data/dbt, or `all`.
 * Prints the counts, then each break that the product missed, and false alarms by class.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";

import { classOf, compare, isFalseAlarm, isMissed, type Pair } from "./compare.ts";
import { openDatabase } from "./duckdb.ts";
import { prepareProject } from "./prepare.ts";
import { crawlProject } from "./product.ts";
import { fold, readProject } from "./project.ts";

const FOLDER = join(import.meta.dirname, "../../../shared/data/dbt");
const SHOWN = 400;

const [folder = FOLDER, ...asked] = process.argv.slice(2);
const projects = asked.length === 0 ? ["fivetran_hubspot", "pems", "sagerx"] : asked;
const names = projects.includes("all") ? readdirSync(folder).toSorted() : projects;

const share = (part: number, whole: number): string =>
  `${part} of ${whole} (${whole === 0 ? "0" : ((100 * part) / whole).toFixed(1)}%)`;

function countBy<T>(items: readonly T[], key: (item: T) => string): string {
  const counts = [...Map.groupBy(items, key)].map(([name, group]) => [name, group.length] as const);
  const sorted = counts.toSorted((a, b) => b[1] - a[1]);
  return sorted.map(([name, count]) => `${name}: ${count}`).join(", ") || "none";
}

/** The first lines of the model's SQL that name the column or its lost copies. */
function excerpt({ model, column, verdict }: Pair): string {
  const wanted = [column, ...(verdict?.inputs ?? []).map((name) => name.slice(name.lastIndexOf(".") + 1))].map(fold);
  const lines = model.sql.split("\n").map((line) => line.trim());
  const naming = lines.filter((line) => wanted.some((name) => fold(line).includes(name)));
  return naming.slice(0, 2).join(" … ").slice(0, 240);
}

/** The SQL contains the column's name, and no other relation that it reads has such a column. */
function isSuspect({ outcome, said, model, column, verdict }: Pair): boolean {
  if (outcome === "fails" || said === "high" || said === "medium") return false;
  if (outcome === "passes" && (verdict === null || verdict.lost.length > 0)) return false;
  return new RegExp(String.raw`(?<![\w$])${RegExp.escape(column)}(?![\w$])`, "i").test(model.sql);
}

const place = ({ relation, column, model }: Pair): string => `${relation.fqn}.${column} -> ${model.uniqueId}`;

function report(name: string, pairs: readonly Pair[]): void {
  const of = (outcome: Pair["outcome"]) => pairs.filter((pair) => pair.outcome === outcome);
  const [fails, passes, undecided] = [of("fails"), of("passes"), of("undecided")];
  const missed = pairs.filter(isMissed);
  const alarms = pairs.filter(isFalseAlarm);
  const [high, medium] = ["high", "medium"].map((risk) => alarms.filter(({ said }) => said === risk));
  const suspects = pairs.filter(isSuspect);
  const agreed = pairs.length - missed.length - alarms.length - undecided.length;
  console.log(`\n== ${name}: ${pairs.length} drops of a column before a model (${countBy(pairs, (p) => p.distance)})`);
  console.log(`   DuckDB decides ${share(pairs.length - undecided.length, pairs.length)}; agreed ${agreed}`);
  console.log(
    `   missed       ${share(missed.length, fails.length)} of the models that fail; said: ${countBy(missed, (p) => `${p.distance} ${p.said}`)}`,
  );
  console.log(
    `   false high   ${share(high?.length ?? 0, passes.length)} of those that do not; ${countBy(high ?? [], classOf)}`,
  );
  console.log(`   false medium ${share(medium?.length ?? 0, passes.length)}; ${countBy(medium ?? [], classOf)}`);
  console.log(`   undecided    ${undecided.length}; said: ${countBy(undecided, (p) => p.said)}`);
  console.log(`   suspects     ${suspects.length}: not said to break, and the SQL has the word`);
  for (const pair of missed.slice(0, SHOWN)) {
    const error = pair.verdict?.error.split("\n")[0] ?? "";
    console.log(
      `   MISSED ${place(pair)}\n     said ${pair.said}: ${pair.told?.reason ?? ""}\n     ${error}\n     ${excerpt(pair)}`,
    );
  }
  for (const [kind, group] of Map.groupBy(alarms, (pair) => `${pair.said}, ${classOf(pair)}`)) {
    for (const pair of group.slice(0, 6)) console.log(`   FALSE ${kind}: ${place(pair)}\n     ${pair.told?.reason}`);
  }
  for (const pair of suspects.slice(0, 25)) console.log(`   SUSPECT ${pair.outcome} ${place(pair)}: ${excerpt(pair)}`);
}

const all: Pair[] = [];
for (const name of names) {
  const database = await openDatabase();
  const world = await prepareProject(readProject(join(folder, name)), database);
  const unbound = world.models.filter(({ text }) => text === null);
  const product = await crawlProject(join(folder, name));
  const pairs = await compare(world, product);
  console.log(
    `\n${name}: SQL that binds in DuckDB ${share(world.models.length - unbound.length, world.models.length)}`,
  );
  const named = [...world.project.relations.values()].filter(({ stated }) => !stated);
  if (named.length > 0) console.log(`   left out, as only SQL names them: ${named.map(({ fqn }) => fqn).join(", ")}`);
  for (const { relation, error } of unbound) console.log(`   not bound: ${relation.uniqueId}: ${error.split("\n")[0]}`);
  report(name, pairs);
  all.push(...pairs);
  await product.close();
  database.close();
}
if (names.length > 1) {
  const [fails, passes] = ["fails", "passes"].map((outcome) => all.filter((pair) => pair.outcome === outcome).length);
  const alarms = all.filter(isFalseAlarm);
  console.log(
    `\nALL ${names.length}: missed ${share(all.filter(isMissed).length, fails ?? 0)}, false high ${share(
      alarms.filter(({ said }) => said === "high").length,
      passes ?? 0,
    )}, false medium ${share(
      alarms.filter(({ said }) => said === "medium").length,
      passes ?? 0,
    )}, undecided ${all.filter(({ outcome }) => outcome === "undecided").length}`,
  );
}
