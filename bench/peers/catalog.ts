/**
 * Compares Tributary with Marquez, over HTTP, in one run: `node bench/peers/catalog.ts [--marquez CHECKOUT] [--tables 1000]
 * [--rounds 30] [--only PART_OF_A_QUESTION] [--write]`. The checkout has the sources of Marquez. It is built there at the
 * first run, which needs Maven and Java 17; PostgreSQL is needed too. Without `--marquez`, only Tributary is measured. Both
 * are sent the same events, by as many connections, and then are asked in turns. Most of the time goes into Marquez's load.
 * `--write` puts the tables into docs/compared.md. Linux only.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { mkdtempDisposable } from "node:fs/promises";
import { availableParallelism, cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";

import { median } from "../support/measure.ts";
import { type Catalog, type Question, questionsFor, sendAll, startOurs, toCatalog } from "./catalogs.ts";
import { makeEvents } from "./events.ts";
import { startMarquez } from "./marquez.ts";
import { createMeter, memoryMib, processorSeconds } from "./processes.ts";
import { createReference } from "./reference.ts";

const PAGE = join(import.meta.dirname, "../../docs/compared.md");
const CONNECTIONS = 4;
const MIB = 2 ** 20;
/** After the last event: what is done in the background belongs to the load. */
const REST_MS = 3_000;
/** PostgreSQL ends a statement after this. */
const MOST_STATEMENT_MS = 60_000;
/** A question is first asked so long, for the JVM's compiler. */
const WARM_MS = 2_000;
/** No question is asked longer, unless it has fewer than the least answers by then. */
const MOST_MS = 8_000;
const LEAST_ROUNDS = 3;

const { values } = parseArgs({
  options: {
    marquez: { type: "string" },
    tables: { type: "string", default: "1000" },
    rounds: { type: "string", default: "30" },
    only: { type: "string", default: "" },
    write: { type: "boolean", default: false },
  },
});
const tables = Number(values.tables);
const rounds = Number(values.rounds);

const rowOf = (cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;

function tableOf(heads: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [rowOf(heads), rowOf(heads.map((_, i) => (i === 0 ? "---" : "---:"))), ...rows.map(rowOf)].join("\n");
}

const short = (value: number): string => value.toFixed(value < 10 ? 2 : 0);

interface Load {
  seconds: number;
  processor: number;
  memory: number;
  disk: number;
}

async function load(catalog: Catalog, bodies: readonly string[]): Promise<Load> {
  const [begun, before] = [performance.now(), await processorSeconds(catalog.pids)];
  await sendAll(catalog, bodies, CONNECTIONS);
  const seconds = (performance.now() - begun) / 1_000;
  await sleep(REST_MS);
  const processor = (await processorSeconds(catalog.pids)) - before;
  const [memory, disk] = [await memoryMib(catalog.pids), (await catalog.size()) / MIB];
  await catalog.refreshStatistics();
  return { seconds, processor, memory, disk };
}

interface Speed {
  clock: number;
  processor: number;
  bytes: number;
  /** How many tables, columns or hits the answer about the first subject holds. */
  held: number;
}

/** Asks all catalogs in turns. */
async function measure(catalogs: readonly Catalog[], questions: readonly Question[], reference: Reference) {
  const first = new Map<Catalog, { bytes: number; held: number }>();
  for (const catalog of catalogs) {
    const until = performance.now() + WARM_MS;
    for (const [i, question] of questions.entries()) {
      const answers = await catalog.ask(question);
      const held = catalog.check(question, answers, reference);
      if (i === 0) first.set(catalog, { bytes: Buffer.byteLength(answers.join("")), held });
    }
    for (let i = 0; performance.now() < until; i++) await catalog.ask(at(questions, i));
  }
  const measured = await Promise.all(
    catalogs.map(async (catalog) => ({
      catalog,
      meter: await createMeter(catalog.pids),
      clock: [] as number[],
      costs: [] as number[],
    })),
  );
  const until = performance.now() + MOST_MS;
  for (let i = 0; i < rounds && (i < LEAST_ROUNDS || performance.now() < until); i++) {
    for (const { catalog, meter, clock, costs } of measured) {
      const cost = await meter(async () => {
        const begun = performance.now();
        await catalog.ask(at(questions, i));
        clock.push(performance.now() - begun);
      });
      costs.push(cost);
    }
  }
  return measured.map(({ catalog, clock, costs }): Speed => {
    const { bytes = 0, held = 0 } = first.get(catalog) ?? {};
    return { clock: median(clock), processor: median(costs), bytes, held };
  });
}

type Reference = ReturnType<typeof createReference>;

function at(questions: readonly Question[], i: number): Question {
  const question = questions[i % questions.length];
  if (question === undefined) throw new Error("there are too few tables: take at least 300");
  return question;
}

await using stack = new AsyncDisposableStack();
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => void stack.disposeAsync().then(() => process.exit(1)));
}
const folder = stack.use(await mkdtempDisposable(join(tmpdir(), "tributary-peers-")));
const started = (catalog: Catalog): Catalog => {
  stack.defer(() => catalog.close());
  return catalog;
};
const catalogs = [started(await startOurs(join(folder.path, "data")))];
if (values.marquez !== undefined) {
  catalogs.push(started(toCatalog(await startMarquez(values.marquez, folder.path, MOST_STATEMENT_MS))));
}

const { pipelines, bodies } = makeEvents(tables);
const loads: Load[] = [];
for (const catalog of catalogs) {
  loads.push(await load(catalog, bodies));
  console.log(`${catalog.name}: loaded`);
}

const reference = createReference(pipelines);
const rows: string[][] = [];
for (const [name, questions] of Object.entries(questionsFor(tables))) {
  if (!name.includes(values.only)) continue;
  const speeds = await measure(catalogs, questions, reference);
  const cells = [
    ...speeds.map(({ processor }) => short(processor)),
    ...speeds.map(({ clock }) => short(clock)),
    ...speeds.map(({ bytes }) => (bytes / 1_000).toFixed(1)),
    ...speeds.map(({ held }) => String(held)),
  ];
  rows.push([name, ...cells]);
  console.log(rowOf([name, ...cells]));
}
const memories = await Promise.all(catalogs.map(({ pids }) => memoryMib(pids)));

const megabytes = bodies.reduce((sum, body) => sum + body.length, 0) / MIB;
const names = catalogs.map(({ name }) => name);
const perCatalog = (of: (load: Load) => string): string[] => loads.map(of);
const needs = tableOf(
  ["", ...names],
  [
    ["load, seconds of processor", ...perCatalog(({ processor }) => short(processor))],
    ["load, seconds by the clock", ...perCatalog(({ seconds }) => short(seconds))],
    ["memory after the load, MiB", ...perCatalog(({ memory }) => memory.toFixed(0))],
    ["memory after the questions, MiB", ...memories.map((memory) => memory.toFixed(0))],
    ["on disk, MiB", ...perCatalog(({ disk }) => disk.toFixed(0))],
  ],
);
const heads = ["processor ms", "ms by the clock", "KB", "held"].flatMap((head) =>
  names.map((name) => `${head}, ${name}`),
);
const machine = `${availableParallelism()} × ${cpus()[0]?.model.trim()}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, Node ${process.version}`;
const measured = [
  `On ${new Date().toISOString().slice(0, 10)}: ${machine}. ${tables} events of ${tables} tables, ${megabytes.toFixed(1)} MiB.`,
  needs,
  tableOf(["question", ...heads], rows),
  "",
].join("\n\n");
console.log(`\n${measured}`);
if (values.write) {
  const page = readFileSync(PAGE, "utf8");
  writeFileSync(
    PAGE,
    page.replace(/(?<=\n### Measured\n\n)[^]*?(?=### )/, () => measured),
  );
}
