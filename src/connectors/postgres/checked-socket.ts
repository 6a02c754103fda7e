/** A socket that connects only to permitted addresses, for a driver that opens its connections itself. */
import { Socket } from "node:net";

import { withoutBrackets } from "../../addresses/loopback.ts";
import { createSourceAddresses, type SourceNetwork } from "../http/source-addresses.ts";
import type { LocateFile } from "../source-folders.ts";
import type { Endpoint } from "./options.ts";

/** What the settings say about the addresses of sources. */
export interface Network extends SourceNetwork {
  /** How long the server may take to accept a connection, in milliseconds. */
  connectTimeoutMs: number;
  /** How long the server may take to answer one query, in milliseconds. */
  statementTimeoutMs: number;
  /** The largest answer to one query. A server that is no PostgreSQL could send data without end. */
  maxAnswerBytes: number;
  /** Finds files in the permitted folders. Default: everywhere. */
  locateFile?: LocateFile;
}

export const DEFAULT_NETWORK: Network = {
  privateSources: [],
  insecureHosts: [],
  connectTimeoutMs: 10_000,
  statementTimeoutMs: 60_000,
  maxAnswerBytes: 256 * 1024 ** 2,
};

/**
 * The name is resolved only once, when the connection is made, so the address that is checked is the one that is used.
 * @throws FetchFailure if the host is an address that may not be read from. For a name, the connection fails with it.
 */
export function createCheckedSocket(endpoint: Endpoint, { privateSources, resolve }: Network): Socket {
  const addresses = createSourceAddresses(privateSources, resolve);
  addresses.check({ hostname: endpoint.host });
  class CheckedSocket extends Socket {
    /** Connects to the endpoint, whatever the driver asks for. */
    override connect(): this {
      return super.connect({ host: withoutBrackets(endpoint.host), port: endpoint.port, lookup: addresses.lookup });
    }
  }
  return new CheckedSocket();
}
