/** The key under which the lockout counts a source. */
import { isIPv4 } from "node:net";

import ipaddr from "ipaddr.js";

import { parseAddress, toAddressText } from "./address.ts";

/** An IPv4 address, or the first 64 bits of an IPv6 address, because one customer gets the whole /64 (RFC 6177). */
export function toLockoutKey(source: string): string {
  if (isIPv4(source)) return source;
  const address = parseAddress(source);
  if (!(address instanceof ipaddr.IPv6)) return address === null ? source : toAddressText(address);
  return toAddressText(new ipaddr.IPv6([...address.parts.slice(0, 4), 0, 0, 0, 0]));
}
