/**
 * Measures how much of the column lineage of real projects is known: `node bench/lineage/coverage.ts [folder of
 * projects] [project …]`, by default all of ../shared/data/dbt. Prints a line for each project, with the time and the
 * peak memory of its sync in another process. Then it prints why models are not fully known, the most frequent reason
 * first.
 */
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";

import { crawlProject } from "./product.ts";
import { fold, readProject } from "./project.ts";

const FOLDER = join(import.meta.dirname, "../../../shared/data/dbt");
const REASONS = 40;

interface Found {
  name: string;
  /** Models and snapshots with compiled SQL, in the manifest. */
  models: number;
  known: number;
  partial: number;
  unknown: number;
  /** Models that the catalog does not have, or has without information about their lineage. */
  silent: number;
  columns: number;
  columnsKnown: number;
  seconds: number;
  processorSeconds: number;
  peakMiB: number;
  /** The reason why a model is not fully known. */
  reasons: { model: string; status: string; reason: string }[];
}

async function measure(folder: string): Promise<Found> {
  const project = readProject(folder);
  const before = process.cpuUsage();
  const product = await crawlProject(folder);
  const { user, system } = process.cpuUsage(before);
  const assets = new Map(product.assets.map((asset) => [fold(asset.fqn), asset]));
  const models = [...project.relations.values()].filter(({ sql }) => sql !== "");
  const told = models.map((model) => ({ model, asset: assets.get(fold(model.fqn)) }));
  const count = (status: string | undefined): number =>
    told.filter(({ asset }) => asset?.columnLineage?.status === status).length;
  const columns = told.flatMap(({ asset }) => product.columns.get(asset?.id ?? "") ?? []);
  const reasons = told.flatMap(({ model, asset }) => {
    const { status = "", reason = "it has no column lineage" } = asset?.columnLineage ?? {};
    return status === "known" ? [] : [{ model: model.uniqueId, status, reason }];
  });
  await product.close();
  return {
    name: project.name,
    models: models.length,
    known: count("known"),
    partial: count("partial"),
    unknown: count("unknown"),
    silent: count(undefined),
    columns: columns.length,
    columnsKnown: columns.filter(({ columnLineage }) => columnLineage?.status === "known").length,
    seconds: product.crawlMs / 1000,
    processorSeconds: (user + system) / 1e6,
    peakMiB: process.resourceUsage().maxRSS / 1024,
    reasons,
  };
}

/** The reason without names and numbers, so that equal reasons are counted together. */
const normalise = (reason: string): string =>
  reason
    .replace(/^[^:\s]+: /, "")
    .replace(/\(and \d+ more of \d+ columns\)/, "")
    .replaceAll(/["'`][^"'`]*["'`]/g, "…")
    .replaceAll(/(?<!\w)[\w$-]+(?:\.[\w$-]+)+/g, "…")
    .replaceAll(/\d+/g, "#")
    .trim();

const percent = (part: number, whole: number): string => ((100 * part) / Math.max(1, whole)).toFixed(1);

function print(all: readonly Found[]): void {
  const widths = [8, 8, 9, 9, 8, 10, 9, 10, 10, 8, 10];
  const line = (name: string, cells: readonly (number | string)[]): void =>
    console.log(name.padEnd(31) + cells.map((cell, at) => String(cell).padStart(widths[at] ?? 8)).join(""));
  const sum = (key: "models" | "known" | "partial" | "unknown" | "silent" | "columns" | "columnsKnown"): number =>
    all.reduce((total, found) => total + found[key], 0);
  const heads = [
    "models",
    "known",
    "partial",
    "unknown",
    "silent",
    "known %",
    "columns",
    "known %",
    "crawl s",
    "cpu s",
  ];
  line("project", [...heads, "peak MiB"]);
  for (const found of all) {
    const { models, known, partial, unknown, silent, columns, columnsKnown } = found;
    const shares = [percent(known, models), columns, percent(columnsKnown, columns)];
    const cost = [found.seconds.toFixed(1), found.processorSeconds.toFixed(1), Math.round(found.peakMiB)];
    line(found.name, [models, known, partial, unknown, silent, ...shares, ...cost]);
  }
  const counts = [sum("models"), sum("known"), sum("partial"), sum("unknown"), sum("silent")];
  const shares = [percent(sum("known"), sum("models")), sum("columns"), percent(sum("columnsKnown"), sum("columns"))];
  line("all", [...counts, ...shares]);

  const reasons = Map.groupBy(
    all.flatMap((found) => found.reasons),
    ({ status, reason }) => `${status}: ${normalise(reason)}`,
  );
  console.log("\nmodels  why they are not fully known, with one of them");
  const sorted = [...reasons].toSorted((a, b) => b[1].length - a[1].length);
  for (const [reason, models] of sorted.slice(0, REASONS)) {
    const [example] = models;
    console.log(`${String(models.length).padStart(6)}  ${reason.slice(0, 200)}`);
    console.log(`        ${example?.model}: ${example?.reason.slice(0, 300)}`);
  }
}

const [folder = FOLDER, ...asked] = process.argv.slice(2);
if (folder === "--one") {
  console.log(JSON.stringify(await measure(asked[0] ?? "")));
} else {
  const names = asked.length > 0 ? asked : readdirSync(folder).toSorted();
  const runs = names.map((name) => {
    const options = { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 } as const;
    const text = execFileSync(process.execPath, [import.meta.filename, "--one", join(folder, name)], options);
    return JSON.parse(text) as Found;
  });
  print(runs);
}
