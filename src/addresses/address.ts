/** Parses addresses. An IPv4-mapped IPv6 address (RFC 4291, 2.5.5.2) is treated as the IPv4 address. */
import { isIP, isIPv4 } from "node:net";

import ipaddr from "ipaddr.js";

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Parses an address, and drops its zone. Returns null if the text is not an address. */
export function parseAddress(text: string): Address | null {
  if (isIP(text) === 0) return null;
  const [address = ""] = text.split("%", 1);
  if (isIPv4(address)) return ipaddr.IPv4.parse(address);
  const parsed = parseIPv6(address);
  return parsed.isIPv4MappedAddress() ? parsed.toIPv4Address() : parsed;
}

/**
 * Parses an IPv6 address. Rewrites a dotted end in hexadecimal digits first, because ipaddr.js reads `::192.0.2.1`
 * (RFC 4291, 2.5.5.1) as the mapped address `::ffff:192.0.2.1`.
 */
export function parseIPv6(text: string): ipaddr.IPv6 {
  const end = /[^:]*$/.exec(text)?.[0] ?? "";
  if (!isIPv4(end)) return ipaddr.IPv6.parse(text);
  const [a = 0, b = 0, c = 0, d = 0] = ipaddr.IPv4.parse(end).octets;
  const groups = [a * 256 + b, c * 256 + d].map((group) => group.toString(16));
  return ipaddr.IPv6.parse(`${text.slice(0, -end.length)}${groups.join(":")}`);
}

/** The canonical spelling of an address: dotted decimals, or RFC 5952. */
export function toAddressText(address: Address): string {
  return address instanceof ipaddr.IPv6 ? address.toRFC5952String() : address.toString();
}

/**
 * The text by which the callers of one network are counted together: an IPv4 address, or the first 64 bits of an IPv6
 * address, because one customer gets the whole /64 (RFC 6177).
 */
export function toNetworkKey(source: string): string {
  if (isIPv4(source)) return source;
  const address = parseAddress(source);
  if (!(address instanceof ipaddr.IPv6)) return address === null ? source : toAddressText(address);
  return toAddressText(new ipaddr.IPv6([...address.parts.slice(0, 4), 0, 0, 0, 0]));
}
