/** Networks from which requests are accepted, as CIDRs (RFC 4632, RFC 4291 section 2.3). */
import { isIPv4, isIPv6 } from "node:net";

import ipaddr from "ipaddr.js";
import { LRUCache } from "lru-cache";

import { badField } from "../errors.ts";
import { type Address, parseAddress, parseIPv6, toAddressText } from "./address.ts";

const MAX_NETWORKS = 200;

type Network = [Address, number];

interface Parsed {
  network: Network | null;
}

/** Every request checks a list, and lists seldom change. So this many parsed networks are cached. */
const MAX_PARSED = 5_000;
const parsed = new LRUCache<string, Parsed>({ max: MAX_PARSED, memoMethod: (cidr) => ({ network: toNetwork(cidr) }) });

/** The length of the prefix before the IPv4 address in an IPv4-mapped address. */
const MAPPED_PREFIX = 96;

/**
 * The canonical spelling of a network: `10.0.0.0/8` for `10.1.2.3/8`. Clears host bits, and writes mapped IPv4 as IPv4.
 * @throws AppError `bad_request` if the text is not a CIDR
 */
export function parseCidr(text: string, field = "cidrs"): string {
  const network = toNetwork(text);
  if (network === null) {
    const shown = JSON.stringify(text.slice(0, 50));
    throw badField(field, `${shown} is not a CIDR such as 203.0.113.0/24, 203.0.113.7/32 or 2001:db8::/32`);
  }
  const [address, length] = network;
  const kind = address instanceof ipaddr.IPv6 ? ipaddr.IPv6 : ipaddr.IPv4;
  return `${toAddressText(kind.networkAddressFromCIDR(`${toAddressText(address)}/${length}`))}/${length}`;
}

/**
 * The canonical spelling of each network, once.
 * @throws AppError `bad_request` for a text that is not a CIDR, or more than 200 of them
 */
export function parseCidrs(field: string, texts: readonly string[]): string[] {
  if (texts.length > MAX_NETWORKS) throw badField(field, `must have at most ${MAX_NETWORKS} CIDRs`);
  return [...new Set(texts.map((text) => parseCidr(text, field)))];
}

/**
 * Whether a request may come from this source. An empty list allows every source.
 * @param source an address. Any other text is in no network.
 */
export function isAllowed(source: string, allowlist: readonly string[]): boolean {
  return allowlist.length === 0 || isWithin(source, allowlist);
}

/** Whether an address is in one of the networks. An IPv6 address is never in an IPv4 network, and vice versa. */
export function isWithin(source: string, cidrs: readonly string[]): boolean {
  const address = parseAddress(source);
  return address !== null && cidrs.some((cidr) => holds(parsed.memo(cidr), address));
}

function holds({ network }: Parsed, address: Address): boolean {
  return network !== null && network[0].kind() === address.kind() && address.match(network);
}

function toNetwork(text: string): Network | null {
  const [, base = "", digits = ""] = /^([0-9a-f.:]+)\/(\d{1,3})$/i.exec(text) ?? [];
  const length = Number(digits);
  if (isIPv4(base)) return length <= 32 ? [ipaddr.IPv4.parse(base), length] : null;
  if (!isIPv6(base) || length > 128) return null;
  const address = parseIPv6(base);
  const isMapped = length >= MAPPED_PREFIX && address.isIPv4MappedAddress();
  return isMapped ? [address.toIPv4Address(), length - MAPPED_PREFIX] : [address, length];
}
