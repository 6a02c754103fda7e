/** Decides which addresses connectors may read from: public ones, and the private ones that the settings allow. */
import { lookup as askSystem, type LookupAddress, type LookupAllOptions } from "node:dns";
import { isIP, type LookupFunction } from "node:net";

import { isWithin } from "../../addresses/allowlist.ts";
import { withoutBrackets } from "../../addresses/loopback.ts";
import { isPublicAddress } from "../../addresses/public-address.ts";

/** Finds all addresses of a host name, as `lookup` of node:dns does. */
export type Resolve = (
  name: string,
  options: LookupAllOptions,
  answer: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

/** Thrown if a connector may not read from an address. Nothing has been sent to it. */
export class PrivateAddress extends Error {
  override readonly name = "PrivateAddress";
  /** The host as the URL names it. */
  readonly host: string;

  constructor(host: string) {
    super(`${host} is not at a public address`);
    this.host = host;
  }
}

export type SourceAddresses = ReturnType<typeof createSourceAddresses>;

/** @param allowed CIDRs of private addresses that may be read from */
export function createSourceAddresses(allowed: readonly string[], resolve: Resolve = askSystem) {
  const mayRead = (address: string): boolean => isPublicAddress(address) || isWithin(address, allowed);
  return {
    /**
     * @throws PrivateAddress if the URL's host is an address that may not be read from. Names are checked by `lookup`.
     */
    check({ hostname }: Pick<URL, "hostname">): void {
      const host = withoutBrackets(hostname);
      // Node calls `lookup` only for names, so an address is checked here.
      if (isIP(host) !== 0 && !mayRead(host)) throw new PrivateAddress(hostname);
    },
    /** Resolves names for the connection itself, so only checked addresses are connected to. */
    lookup: ((name, options, callback) => {
      resolve(name, { ...options, all: true }, (error, found) => {
        const readable = found?.filter(({ address }) => mayRead(address)) ?? [];
        const [first] = readable;
        if (error !== null) callback(error, []);
        else if (first === undefined) callback(new PrivateAddress(name), []);
        else if (options.all) callback(null, readable);
        else callback(null, first.address, first.family);
      });
    }) satisfies LookupFunction,
  };
}
