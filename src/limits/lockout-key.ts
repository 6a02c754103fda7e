/** What the lockout knows a source by. */
import { isIPv4 } from "node:net";

import ipaddr from "ipaddr.js";

import { parseAddress, toAddressText } from "./address.ts";

/** An IPv4 address itself; of an IPv6 address the first 64 bits, since one customer has all the others (RFC 6177). */
export function toLockoutKey(source: string): string {
  if (isIPv4(source)) return source;
  const address = parseAddress(source);
  if (!(address instanceof ipaddr.IPv6)) return address === null ? source : toAddressText(address);
  return toAddressText(new ipaddr.IPv6([...address.parts.slice(0, 4), 0, 0, 0, 0]));
}
