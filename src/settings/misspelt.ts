/** Whether a name in the environment is a setting misspelt. */
import { diff } from "node:util";

import { SETTINGS } from "./schema.ts";

const NAMES = SETTINGS.map(({ name }) => name);

export function isSetting(name: string): boolean {
  return NAMES.includes(name);
}

/**
 * An environment holds many names that are none of ours, so a name is at fault only when it begins with
 * `TRIBUTARY_`, or is one slip of the pen away from a setting whose name is long enough to be meant.
 */
export function faultOfName(name: string): string[] {
  if (isSetting(name)) return [];
  const meant = NAMES.find((ours) => letters(ours).length >= 7 && isOneSlipAway(letters(name), letters(ours)));
  if (meant !== undefined) return [`${name} is no setting; did you mean ${meant}?`];
  return name.startsWith("TRIBUTARY_") ? [`${name} is no setting.`] : [];
}

const letters = (name: string): string => name.toUpperCase().replaceAll("_", "");

/** Whether two words are equal but for one letter left out, added, changed or moved. */
function isOneSlipAway(one: string, other: string): boolean {
  const steps = diff(one, other).filter(([step]) => step !== 0).length;
  return steps <= 2 && Math.abs(one.length - other.length) <= 1;
}
