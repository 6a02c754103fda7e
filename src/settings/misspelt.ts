/** Whether a name in the environment is a setting misspelt. */
import { diff } from "node:util";

import { SETTINGS } from "./schema.ts";

const NAMES = SETTINGS.map(({ name }) => name);

export function isSetting(name: string): boolean {
  return NAMES.includes(name);
}

/**
 * The variables that Kubernetes puts into every container of a namespace for each Service, such as a Service called
 * `tributary`: `…_SERVICE_HOST`, `…_SERVICE_PORT` and `…_SERVICE_PORT_<name>`, and those of Docker's links, which hold
 * a URL or a part of one: `…_PORT`, `…_PORT_8080_TCP`, `…_PORT_8080_TCP_ADDR`.
 */
const SERVICE = /_SERVICE_(HOST|PORT(_[A-Z0-9_]+)?)$/;
const LINK_URL = /_PORT(_\d+_(TCP|UDP|SCTP))?$/;
const LINK_PART = /_PORT_\d+_(TCP|UDP|SCTP)_(PROTO|PORT|ADDR)$/;

function isOfKubernetes(name: string, value: string): boolean {
  // A person may well write TRIBUTARY_PORT=8080 for PORT, but never a URL.
  return SERVICE.test(name) || LINK_PART.test(name) || (LINK_URL.test(name) && /^(tcp|udp|sctp):\/\//.test(value));
}

/**
 * An environment holds many names that are none of ours, so a name is at fault only when it begins with
 * `TRIBUTARY_`, or is one slip of the pen away from a setting whose name is long enough to be meant.
 */
export function faultOfName(name: string, value: string): string[] {
  if (isSetting(name) || isOfKubernetes(name, value)) return [];
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
