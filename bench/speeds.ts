/**
 * How fast the service answers, as a table: `npm run bench -- [--assets 100000] [--edges 300000] [--models 50000]
 * [--rounds 200] [--against COMMIT] [--keep FOLDER] [--write] [names of questions, or parts of them]`. `--against` measures
 * another commit in turns. `--keep` keeps the catalog and the rows, so that the questions can be asked one after the other.
 * `--write` writes docs/benchmarks.md.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, tmpdir, totalmem } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

import { measureSpeeds, type Speed, type Speeds } from "./support/speeds.ts";

const ROOT = path.join(import.meta.dirname, "..");
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    assets: { type: "string", default: "100000" },
    edges: { type: "string", default: "300000" },
    models: { type: "string", default: "50000" },
    rounds: { type: "string", default: "200" },
    against: { type: "string" },
    keep: { type: "string" },
    write: { type: "boolean", default: false },
  },
});

const PAUSE_MS = 15_000;

const git = (...args: string[]): string => execFileSync("git", ["-C", ROOT, ...args], { encoding: "utf8" }).trim();

/** The sources of a commit, with the benchmarks of now. */
function checkOut(commit: string): string {
  const folder = path.join(mkdtempSync(path.join(tmpdir(), "tributary-bench-")), "sources");
  git("worktree", "add", "--detach", folder, commit);
  symlinkSync(path.join(ROOT, "node_modules"), path.join(folder, "node_modules"));
  for (const own of ["bench", "test/support"])
    cpSync(path.join(ROOT, own), path.join(folder, own), { recursive: true });
  return folder;
}

/** Adds the rows of earlier runs, and keeps all of them. */
function withKeptRows(measured: Speeds, folder: string): Speeds {
  const file = path.join(folder, "rows.json");
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Speed[]) : [];
  const rows = new Map([...kept, ...measured.speeds].map((speed) => [speed.question, speed]));
  writeFileSync(file, JSON.stringify([...rows.values()]));
  return { ...measured, speeds: [...rows.values()] };
}

const rowOf = (cells: string[]): string => `| ${cells.join(" | ")} |`;

function tableOf({ loadSeconds, speeds }: Speeds): string {
  const isCompared = values.against !== undefined;
  const heads = [
    "question",
    "KB",
    "ms",
    ...(isCompared ? ["ms before", "times as fast"] : []),
    "bare ms",
    "service MB",
  ];
  const rows = speeds.map(({ question, bytes, ms: { service, against = 0, bare }, megabytes }) => [
    question,
    (bytes / 1_000).toFixed(1),
    service.toFixed(2),
    ...(isCompared ? [against.toFixed(2), (against / service).toFixed(1)] : []),
    bare.toFixed(2),
    megabytes.toFixed(0),
  ]);
  return [
    rowOf(heads),
    rowOf(heads.map((_, i) => (i === 0 ? "---" : "---:"))),
    ...rows.map(rowOf),
    "",
    `Loaded in ${loadSeconds.toFixed(0)} s.`,
    "",
  ].join("\n");
}

const against = values.against === undefined ? undefined : checkOut(values.against);
try {
  const speeds = await measureSpeeds({
    assets: Number(values.assets),
    edges: Number(values.edges),
    models: Number(values.models),
    rounds: Number(values.rounds),
    pauseMs: PAUSE_MS,
    ...(positionals.length === 0 ? {} : { only: positionals }),
    ...(against === undefined ? {} : { against }),
    ...(values.keep === undefined ? {} : { folder: values.keep }),
  });
  const table = tableOf(values.keep === undefined ? speeds : withKeptRows(speeds, values.keep));
  console.log(table);
  if (values.write) {
    const machine = `${availableParallelism()} × ${cpus()[0]?.model.trim()}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, Node ${process.version}`;
    const catalog = `${values.assets} assets and ${values.edges} edges, and a hub with ${values.models} models of two columns each`;
    const before = values.against === undefined ? "" : ` Before: ${git("rev-parse", "--short", values.against)}.`;
    const lines = [
      "# Benchmarks",
      "",
      `Printed by \`npm run bench -- --write\` on ${new Date().toISOString().slice(0, 10)}: ${machine}.${before}`,
      "",
      `The catalog has ${catalog}.`,
      "The times are processor time for one answer over HTTP, of all threads of the service: medians. The bare",
      "server does nothing but stringify the same answer. Both are asked in turns, so compare times within the table. The last column",
      "is the resident memory of the service after the answers. Each group of questions was asked of a service that had just started.",
      "",
      table,
    ];
    writeFileSync(path.join(ROOT, "docs/benchmarks.md"), lines.join("\n"));
  }
} finally {
  if (against !== undefined) git("worktree", "remove", "--force", against);
}
