/** Where a Valkey server is, and how to sign in there. */
import { isIPv6 } from "node:net";

export interface ValkeyAddress {
  /** A host name or an IP address. */
  host: string;
  port: number;
  /** Null: the server's default user. */
  username: string | null;
  /** A secret. Null if the server needs none. */
  password: string | null;
  /** The number of the database there. */
  database: number;
  tls: boolean;
}

const DEFAULT_PORT = 6379;
const URL_FORM = /^rediss?:\/\/[^/?#\s]+(\/\d{0,4})?$/i;

/**
 * Parses `redis://user:password@host:port/database`, or `rediss://` for TLS. Everything but the host may be absent.
 * @returns null if the text is not such a URL
 */
export function parseValkeyAddress(text: string): ValkeyAddress | null {
  const url = URL_FORM.test(text) ? URL.parse(text) : null;
  if (url === null || url.hostname === "" || url.port === "0") return null;
  const [username, password] = [url.username, url.password].map(decode);
  if (username === undefined || password === undefined) return null;
  return {
    host: decode(url.hostname)?.replace(/^\[(.*)\]$/, "$1") ?? "",
    port: Number(url.port) || DEFAULT_PORT,
    username: username || null,
    password: password || null,
    database: Number(url.pathname.slice(1)),
    tls: url.protocol === "rediss:",
  };
}

/** The address without the credentials, for messages. */
export function toLocation({ host, port, database, tls }: ValkeyAddress): string {
  return `${tls ? "rediss" : "redis"}://${isIPv6(host) ? `[${host}]` : host}:${port}/${database}`;
}

/** Undefined if a % begins no character. */
export function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
