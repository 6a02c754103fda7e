/** dbt itself, with its adapters for DuckDB and PostgreSQL, and OpenLineage's wrapper of it. */
import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { type FoundPython, findPython, type Python } from "./python.ts";

/** dbt 1.12 downloads a parser from another place than the index, so 1.11 is the last that pip alone installs. */
const PACKAGES = [
  "dbt-core==1.11.16",
  "dbt-duckdb==1.10.1",
  "dbt-postgres==1.10.2",
  "openlineage-dbt==1.54.0",
  "openlineage-python==1.54.0",
];

export const findDbt = (): Promise<FoundPython> => findPython(PACKAGES);

const SAMPLE = join(import.meta.dirname, "../../samples/shop");
/** What of the sample people write. The rest is made from it. */
const SOURCES = ["dbt_project.yml", "macros", "models", "seeds", "snapshots"];

/**
 * Copies the sample's project without its artifacts.
 * @param output where dbt builds, as profiles.yml has it; JSON is YAML too
 */
export async function copyShop(folder: string, output: object): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of SOURCES) await cp(join(SAMPLE, name), join(folder, name), { recursive: true });
  await writeFile(
    join(folder, "profiles.yml"),
    JSON.stringify({ shop: { target: "test", outputs: { test: output } } }),
  );
}

/**
 * Runs a command of dbt, or of its wrapper, in a project.
 * @param program `dbt` or `dbt-ol`
 */
export function runDbt(
  python: Python,
  program: string,
  args: readonly string[],
  { folder, env = {} }: { folder: string; env?: Record<string, string> },
): Promise<string> {
  const quiet = { DBT_SEND_ANONYMOUS_USAGE_STATS: "false", DBT_PROFILES_DIR: folder, HOME: folder, ...env };
  return python.run(program, args, { cwd: folder, env: quiet });
}
