/** The relation of another server that a foreign table shows. */
import { isLoopback } from "../../addresses/loopback.ts";
import { type Endpoint, endpointOf, type PostgresOptions } from "./options.ts";
import type { RelationRow } from "./relations.ts";

const DEFAULT_PORT = "5432";

/** A relation of another PostgreSQL, as the options of a foreign table name it. */
interface Remote {
  /** Database, schema and relation. */
  parts: [string, string, string];
  /** Whether it is a database of the server that is crawled. Else another one may have the same names. */
  isSameServer: boolean;
}

type ForeignTable = Pick<RelationRow, "schema" | "name" | "wrapper" | "tableOptions" | "serverOptions">;

/**
 * @param port the port at which the crawled server listens, as it sees itself
 * @returns null if it is not a table of postgres_fdw, or its options do not name a database
 */
export function findRemote(table: ForeignTable, options: Pick<PostgresOptions, "url">, port: string): Remote | null {
  if (table.wrapper !== "postgres_fdw") return null;
  const own = parseOptions(table.tableOptions);
  const server = parseOptions(table.serverOptions);
  const database = server.get("dbname") ?? "";
  if (database === "") return null;
  const parts: Remote["parts"] = [
    database,
    own.get("schema_name") ?? table.schema,
    own.get("table_name") ?? table.name,
  ];
  return { parts, isSameServer: isSameServer(server, endpointOf(options), port) };
}

function isSameServer(server: ReadonlyMap<string, string>, endpoint: Endpoint, port: string): boolean {
  // Either of these may lead to another server than `host` says.
  if (server.has("service") || server.has("hostaddr")) return false;
  const host = (server.get("host") ?? "").toLowerCase();
  const remotePort = server.get("port") ?? DEFAULT_PORT;
  // On the server's own machine, the port distinguishes servers.
  if (host === "" || host.startsWith("/") || isLoopback(host)) return remotePort === port;
  return host === endpoint.host && remotePort === String(endpoint.port);
}

/** Options as the catalog keeps them: `name=value`. */
function parseOptions(options: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    options.map((option) => {
      const at = option.indexOf("=");
      return [option.slice(0, at), option.slice(at + 1)];
    }),
  );
}
