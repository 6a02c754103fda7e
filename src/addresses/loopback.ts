/** Recognises hosts that are this machine. Data sent to them does not leave the machine. */
import { BlockList, isIP } from "node:net";

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");

/** @param hostname as in a URL, with an IPv6 address in brackets */
export function isLoopback(hostname: string): boolean {
  const host = withoutBrackets(hostname);
  const version = isIP(host);
  return version === 0 ? /^(.+\.)?localhost$/i.test(host) : LOOPBACK.check(host, version === 6 ? "ipv6" : "ipv4");
}

export function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}
