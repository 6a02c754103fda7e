/** Recognises addresses of the public internet. */
import ipaddr from "ipaddr.js";

import { type Address, parseAddress } from "./address.ts";

/** The addresses that are assigned to hosts (RFC 4291, 2.4). All other IPv6 addresses have a special purpose. */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("2000::"), 3];
/** IPv4 addresses as seen from networks without IPv4 (RFC 6052, 2.1). */
const NAT64: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("64:ff9b::"), 96];

/**
 * Whether an address belongs to a public host. Not public: loopback, private, link-local, carrier-grade NAT, multicast,
 * reserved and documentation addresses, IPv6 addresses that contain one of these, and tunnels (6to4, Teredo).
 * @param text returns false for a text that is not an address
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
