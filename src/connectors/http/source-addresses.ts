/** Decides which addresses connectors may read from: public ones, and the private ones that the settings allow. */
import { lookup as askSystem, type LookupAddress, type LookupAllOptions } from "node:dns";
import { isIP, type LookupFunction } from "node:net";

import { isWithin } from "../../addresses/allowlist.ts";
import { isLoopback, withoutBrackets } from "../../addresses/loopback.ts";
import { isPublicAddress } from "../../addresses/public-address.ts";
import { FetchFailure } from "./connection-fault.ts";

/** Finds all addresses of a host name, as `lookup` of node:dns does. */
export type Resolve = (
  name: string,
  options: LookupAllOptions,
  answer: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

/** What the settings say about the addresses of sources. */
export interface SourceNetwork {
  /** CIDRs of private addresses that may be read from. */
  privateSources: readonly string[];
  /** Hosts that secrets may be sent to without encryption, besides this machine. */
  insecureHosts: readonly string[];
  /** Finds the addresses of names. Default: the system's resolver. */
  resolve?: Resolve;
}

/** A connector may not read from an address. Nothing has been sent to it. */
function privateAddress(): FetchFailure {
  const why = "is at a private address: to read it, list it in ALLOW_PRIVATE_SOURCES";
  return new FetchFailure({ code: "private_address", why });
}

/** Whether secrets may be sent to a host without encryption. */
export function mayBeSentInClear(host: string, insecureHosts: readonly string[]): boolean {
  return isLoopback(host) || insecureHosts.some((each) => each.toLowerCase() === withoutBrackets(host));
}

export type SourceAddresses = ReturnType<typeof createSourceAddresses>;

/** @param allowed CIDRs of private addresses that may be read from */
export function createSourceAddresses(allowed: readonly string[], resolve: Resolve = askSystem) {
  const mayRead = (address: string): boolean => isPublicAddress(address) || isWithin(address, allowed);
  return {
    /** @throws FetchFailure if the URL's host is an address that may not be read from. Names are checked by `lookup`. */
    check({ hostname }: Pick<URL, "hostname">): void {
      const host = withoutBrackets(hostname);
      // Node calls `lookup` only for names, so an address is checked here.
      if (isIP(host) !== 0 && !mayRead(host)) throw privateAddress();
    },
    /** Resolves names for the connection itself, so only checked addresses are connected to. */
    lookup: ((name, options, callback) => {
      resolve(name, { ...options, all: true }, (error, found) => {
        const readable = found?.filter(({ address }) => mayRead(address)) ?? [];
        const [first] = readable;
        if (error !== null) callback(error, []);
        else if (first === undefined) callback(privateAddress(), []);
        else if (options.all) callback(null, readable);
        else callback(null, first.address, first.family);
      });
    }) satisfies LookupFunction,
  };
}
