/** Finds misspelt settings in the environment. */
import { SETTINGS } from "./schema.ts";

const NAMES = SETTINGS.flatMap(({ name, words }) => (words.isSecret ? [name, `${name}_FILE`] : [name]));

export function isSetting(name: string): boolean {
  return NAMES.includes(name);
}

/**
 * Variables that Kubernetes sets in every container for each Service, which may be called `tributary`:
 * `…_SERVICE_HOST`, `…_SERVICE_PORT` and `…_SERVICE_PORT_<name>`. It also sets those of Docker's links, with a URL or a
 * part of one: `…_PORT`, `…_PORT_8080_TCP`, `…_PORT_8080_TCP_ADDR`.
 */
const SERVICE = /_SERVICE_(HOST|PORT(_[A-Z0-9_]+)?)$/;
const LINK_URL = /_PORT(_\d+_(TCP|UDP|SCTP))?$/;
const LINK_PART = /_PORT_\d+_(TCP|UDP|SCTP)_(PROTO|PORT|ADDR)$/;

function isOfKubernetes(name: string, value: string): boolean {
  // A person may write TRIBUTARY_PORT=8080 instead of PORT, but never with a URL.
  return SERVICE.test(name) || LINK_PART.test(name) || (LINK_URL.test(name) && /^(tcp|udp|sctp):\/\//.test(value));
}

/**
 * Reports a name that is not a setting, but looks like one. Most names in an environment belong to other programs, so
 * the name must begin with `TRIBUTARY_`, or differ by one letter from a setting with a long name.
 */
export function faultOfName(name: string, value: string): string[] {
  if (isSetting(name) || isOfKubernetes(name, value)) return [];
  const meant = NAMES.find((ours) => letters(ours).length >= 7 && isOneSlipAway(letters(name), letters(ours)));
  if (meant !== undefined) return [`${name} is not a setting; did you mean ${meant}?`];
  return name.startsWith("TRIBUTARY_") ? [`${name} is not a setting.`] : [];
}

const letters = (name: string): string => name.toUpperCase().replaceAll("_", "");

/** Whether two words differ in one letter that is missing, added, changed or moved. */
function isOneSlipAway(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  let [end, otherEnd] = [one.length, other.length];
  for (; end > start && otherEnd > start && one[end - 1] === other[otherEnd - 1]; end--) otherEnd--;
  const [rest, otherRest] = [one.slice(start, end), other.slice(start, otherEnd)];
  if (rest.length <= 1 && otherRest.length <= 1) return true;
  return moveFirst(rest) === otherRest || moveFirst(otherRest) === rest;
}

const moveFirst = (word: string): string => word.slice(1) + word.slice(0, 1);
