/** Reads METADATA_URL, and says how each connection is made. */
import { readFileSync } from "node:fs";
import type { ConnectionOptions } from "node:tls";

import { type ClientConfig, types } from "pg";

import { isLoopback } from "../../addresses/loopback.ts";
import { UnusableStore } from "../../work/connecting.ts";

const CONNECT_TIMEOUT_MS = 5_000;
/** The queries of this store take milliseconds. */
const STATEMENT_TIMEOUT_MS = 20_000;
/** How long a write waits for the writes of other processes. */
const LOCK_TIMEOUT_MS = 10_000;
/** A process that was frozen in a transaction keeps the others from writing for as long as this. */
const IDLE_IN_TRANSACTION_MS = 10_000;
/** If the connection is dead, the server cannot tell. So the driver gives up a little later than the server would. */
const ANSWER_TIMEOUT_MS = 25_000;
const KEEP_ALIVE_AFTER_MS = 10_000;

const NUMERIC_TYPES: ReadonlySet<number> = new Set([types.builtins.INT8, types.builtins.NUMERIC]);

/** The address of the database, without credentials. */
export function toLocation(url: string): string {
  const { host, pathname } = new URL(url);
  return `postgres://${host}${pathname}`;
}

/**
 * @param url as the settings permit it
 * @throws UnusableStore if the file of `sslrootcert` cannot be read
 */
export function toClientConfig(url: string): ClientConfig {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  return {
    host,
    port: Number(port || "5432"),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
    ssl: toTls(host, searchParams, toLocation(url)),
    application_name: "tributary",
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    types: { getTypeParser },
  };
}

/** Counts and sums are numbers, as on SQLite. The driver returns them as text by default. */
function getTypeParser(...[oid, format]: Parameters<typeof types.getTypeParser>): unknown {
  return NUMERIC_TYPES.has(Number(oid)) && format !== "binary" ? Number : types.getTypeParser(oid, format);
}

/** As libpq does, but a server on another machine must show who it is unless the URL says otherwise. */
function toTls(host: string, parameters: URLSearchParams, location: string): ConnectionOptions | false {
  const mode = parameters.get("sslmode") ?? (isLoopback(host) ? "disable" : "verify-full");
  if (mode === "disable") return false;
  const path = parameters.get("sslrootcert");
  if (path === null) return { rejectUnauthorized: mode === "verify-full" };
  const ca = readCertificate(path, location);
  // If an authority is named, `require` checks it too. Only the name of the host is not checked.
  return { ca, ...(mode === "require" && { checkServerIdentity: () => undefined }) };
}

function readCertificate(path: string, location: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new UnusableStore("The file of sslrootcert in METADATA_URL cannot be read.", { cause, location });
  }
}
