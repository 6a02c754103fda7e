/** The PostgreSQL connector: what the catalog of one or more databases of a server says. */
import type { ConnectorType } from "../connector.ts";
import { DEFAULT_NETWORK, type Network } from "./checked-socket.ts";
import { crawlServer } from "./crawl.ts";
import { databasesOf, postgresOptions, type PostgresOptions } from "./options.ts";
import { testServer } from "./test-server.ts";

/** About ten thousand tables can be read and stored in this time. Most databases have fewer. */
const SECONDS_PER_DATABASE = 30;

/** @param limits from which addresses databases may be read, and how long they may take to answer */
export function createPostgresConnector(limits: Partial<Network> = {}) {
  const network = { ...DEFAULT_NETWORK, ...limits };
  return {
    type: "postgres",
    description: "Databases of a PostgreSQL server: tables, views, their columns, keys and owners from its catalog.",
    precedence: 100,
    lineagePrecedence: 100,
    options: postgresOptions,
    secretOptions: ["password"],
    pathOptions: ["ssl_root_cert"],
    pull: {
      estimateSeconds: async (options) => SECONDS_PER_DATABASE * databasesOf(options).length,
      test: (options, signal) => testServer(options, signal, network),
      crawl: (options, context) => crawlServer(options, context, network),
    },
  } satisfies ConnectorType<PostgresOptions>;
}
