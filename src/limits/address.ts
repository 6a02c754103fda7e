/** The addresses of sources. An IPv4 address mapped into IPv6 (RFC 4291, 2.5.5.2) is the IPv4 address itself. */
import { isIP, isIPv4 } from "node:net";

import ipaddr from "ipaddr.js";

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** An address in its usual spelling, with or without a zone, which is dropped; null for anything else. */
export function parseAddress(text: string): Address | null {
  if (isIP(text) === 0) return null;
  const [address = ""] = text.split("%", 1);
  if (isIPv4(address)) return ipaddr.IPv4.parse(address);
  const parsed = parseIPv6(address);
  return parsed.isIPv4MappedAddress() ? parsed.toIPv4Address() : parsed;
}

/**
 * ipaddr.js takes `::192.0.2.1`, an address of IPv6 (RFC 4291, 2.5.5.1), for the mapped `::ffff:192.0.2.1`, unless its
 * end is in hexadecimal digits as the rest is.
 */
export function parseIPv6(text: string): ipaddr.IPv6 {
  const end = /[^:]*$/.exec(text)?.[0] ?? "";
  if (!isIPv4(end)) return ipaddr.IPv6.parse(text);
  const [a = 0, b = 0, c = 0, d = 0] = ipaddr.IPv4.parse(end).octets;
  const groups = [a * 256 + b, c * 256 + d].map((group) => group.toString(16));
  return ipaddr.IPv6.parse(`${text.slice(0, -end.length)}${groups.join(":")}`);
}

/** The one spelling of an address: dotted decimals, or RFC 5952. */
export function toAddressText(address: Address): string {
  return address instanceof ipaddr.IPv6 ? address.toRFC5952String() : address.toString();
}
