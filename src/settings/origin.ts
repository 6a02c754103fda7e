/** The origin at which clients reach the service. */
import { isIPv6 } from "node:net";

interface ListenAddress {
  host: string;
  port: number;
  /** Null: the address on which the server listens. */
  publicUrl: string | null;
}

/** @param port the one that the server listens on, if it is not the one of the settings */
export function originOf({ host, port: wanted, publicUrl }: ListenAddress, port = wanted): string {
  return publicUrl ?? `http://${toUrlHost(host)}:${port}`;
}

/** The host as it is written in a URL. If the server listens on all addresses, `localhost`. */
function toUrlHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "localhost";
  return isIPv6(host) ? `[${host}]` : host;
}
