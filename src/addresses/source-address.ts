/** Finds the address that a request comes from. The lockout, the allowlist and the audit trail use it. */
import type { Logger } from "pino";

import { parseAddress, toAddressText } from "./address.ts";
import { isWithin } from "./allowlist.ts";

/** Used if the system does not report an address, for example because the connection is already closed. */
const UNKNOWN_SOURCE = "unknown";

/** At most this many proxies in a row are read from the header. */
const MAX_HOPS = 20;
/** The longest IPv6 address has 45 characters; with brackets and a port it has 53. */
const MAX_HOP_CHARACTERS = 53;

/**
 * @param peer the address of the connection's other end
 * @param forwardedFor the values of all `X-Forwarded-For` headers, in their order
 * @returns an address in its canonical spelling, or `unknown`
 */
export type SourceFinder = (peer: string | undefined, forwardedFor: readonly string[]) => string;

/**
 * Uses `X-Forwarded-For` only from trusted proxies, and only the entries that they wrote. The header is read from the
 * right: each proxy wrote the entry to the left of its own. The first address that is not trusted is the source. If an
 * entry is not an address, the proxy that wrote it is the source.
 * @param trustedProxies CIDRs
 */
export function createSourceFinder(trustedProxies: readonly string[], log: Logger): SourceFinder {
  const warnOnce = createWarning(log);
  return (peer, forwardedFor) => {
    let source = toSource(peer ?? "");
    if (source === null) return UNKNOWN_SOURCE;
    if (forwardedFor.length === 0) return source;
    if (!isWithin(source, trustedProxies)) {
      warnOnce(source);
      return source;
    }
    for (const hop of hopsFromTheRight(forwardedFor)) {
      const next = toSource(withoutPort(hop));
      if (next === null) break;
      source = next;
      if (!isWithin(source, trustedProxies)) break;
    }
    return source;
  };
}

function createWarning(log: Logger): (source: string) => void {
  let warned = false;
  return (source) => {
    if (warned) return;
    warned = true;
    log.warn({ source }, "X-Forwarded-For is ignored: it comes from outside of TRUSTED_PROXIES");
  };
}

function toSource(text: string): string | null {
  const address = parseAddress(text);
  return address && toAddressText(address);
}

/** The elements of the header's list, the last one first, without empty ones (RFC 9110, 5.6.1). */
function* hopsFromTheRight(values: readonly string[]): Generator<string> {
  const list = values.join(",");
  let end = list.length;
  for (let hops = 0; hops < MAX_HOPS && end >= 0; hops++) {
    const comma = end === 0 ? -1 : list.lastIndexOf(",", end - 1);
    const hop = list.slice(comma + 1, end).trim();
    if (hop !== "") yield hop;
    end = comma;
  }
}

/** Removes brackets and the port: `192.0.2.1:80`, `[2001:db8::1]:80` and `[2001:db8::1]`. */
function withoutPort(hop: string): string {
  if (hop.length > MAX_HOP_CHARACTERS) return "";
  const [, bracketed, plain] = /^(?:\[([^\]]*:[^\]]*)\]|([\d.]+))(?::\d{1,5})?$/.exec(hop) ?? [];
  return bracketed ?? plain ?? hop;
}
