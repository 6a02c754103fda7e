import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

interface ProcessSettings {
  options: string[];
  environment: Record<string, string>;
}

/**
 * How `bin/tributary.js` begins the service: settings of V8 and malloc that count from the beginning of a process.
 * @param sources the folder of the commit
 */
export function asService(sources = path.join(import.meta.dirname, "../..")) {
  const file = path.join(sources, "bin/process.json");
  if (!existsSync(file)) return {};
  const { options, environment } = JSON.parse(readFileSync(file, "utf8")) as ProcessSettings;
  return { execArgv: options, env: { ...process.env, ...environment } };
}
