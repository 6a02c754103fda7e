/** The addresses of sources. An IPv4 address mapped into IPv6 (RFC 4291, 2.5.5.2) is the IPv4 address itself. */
import { isIP } from "node:net";

import ipaddr from "ipaddr.js";

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** An address in its usual spelling, with or without a zone, which is dropped; null for anything else. */
export function parseAddress(text: string): Address | null {
  if (isIP(text) === 0) return null;
  const [address = ""] = text.split("%", 1);
  return ipaddr.process(address);
}

/** The one spelling of an address: dotted decimals, or RFC 5952. */
export function toAddressText(address: Address): string {
  return address instanceof ipaddr.IPv6 ? address.toRFC5952String() : address.toString();
}
