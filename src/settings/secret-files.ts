/** Reads secrets from files, where container platforms put them. */
import { readFileSync } from "node:fs";

import { SETTINGS } from "./schema.ts";

/** No secret is longer than this. A longer file is not a secret. */
const MAX_CHARACTERS = 10_000;

/**
 * Reads the file that `NAME_FILE` names, for each secret called `NAME`. The line break at its end does not count. An
 * empty variable counts as absent.
 * @returns the secrets by their names, and all faults, which contain no secret
 */
export function readSecretFiles(env: Readonly<Record<string, string | undefined>>): {
  values: Record<string, string>;
  faults: string[];
} {
  const values: Record<string, string> = {};
  const faults: string[] = [];
  for (const { name, words } of SETTINGS) {
    const path = words.isSecret && env[`${name}_FILE`];
    if (!path) continue;
    if (env[name]) {
      faults.push(`${name} and ${name}_FILE must not both be set.`);
      continue;
    }
    try {
      const value = readFileSync(path, "utf8").replace(/\r?\n$/, "");
      if (value === "" || value.length > MAX_CHARACTERS) throw new Error("it is empty or too long");
      values[name] = value;
    } catch (error) {
      // Not the message: it has the path, and somebody may have put the secret itself there.
      faults.push(`${name}_FILE cannot be read (${reasonOf(error)}).`);
    }
  }
  return { values, faults };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error ? String(error.code) : error.message;
}
