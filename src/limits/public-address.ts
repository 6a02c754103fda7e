/** Which addresses belong to the public internet. */
import ipaddr from "ipaddr.js";

import { type Address, parseAddress } from "./address.ts";

/** The addresses that are given out to hosts (RFC 4291, 2.4); all others of IPv6 have some special meaning. */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("2000::"), 3];
/** An IPv4 address as a network without IPv4 reaches it (RFC 6052, 2.1). */
const NAT64: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("64:ff9b::"), 96];

/**
 * Whether an address is a public host's. Loopback, private, link-local, carrier-grade NAT, multicast, reserved and
 * documentation addresses are not, nor are IPv6 addresses that carry one of them, nor tunnels (6to4, Teredo).
 * @param text anything that is no address is not public
 */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text);
  return address !== null && isPublic(address);
}

function isPublic(address: Address): boolean {
  if (!(address instanceof ipaddr.IPv6)) return address.range() === "unicast";
  if (address.match(NAT64)) return isPublic(embeddedIPv4(address));
  return address.match(GLOBAL_UNICAST) && address.range() === "unicast";
}

/** The IPv4 address in the last 32 bits. */
function embeddedIPv4({ parts }: ipaddr.IPv6): ipaddr.IPv4 {
  return new ipaddr.IPv4(parts.slice(6).flatMap((part) => [part >> 8, part & 0xff]));
}
