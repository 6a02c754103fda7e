/** What the certification of a metric depends on, as it is stored. */
import { hash } from "node:crypto";

import type { KeptDependencies } from "../catalog/certification.ts";
import { type Dependencies, VERSION } from "../catalog/dependencies/dependencies.ts";

export function toKept(dependencies: Dependencies): KeptDependencies {
  const text = JSON.stringify(dependencies);
  return { fingerprint: hash("sha256", text, "hex"), text };
}

/** Reads stored dependencies. Returns null if another version of these rules wrote them. */
export function parseDependencies(text: string): Dependencies | null {
  // Only `toKept` writes this text. If it has another form, it has another version.
  const dependencies = JSON.parse(text) as Dependencies;
  return dependencies.version === VERSION ? dependencies : null;
}
