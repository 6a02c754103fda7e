/** Translates errors of the driver into AppErrors. */
import { Neo4jError } from "neo4j-driver";

import { AppError, unavailable } from "../../errors.ts";

/**
 * As in "Transaction was asked to abort because of transaction timeout." and "Memory limit exceeded! Attempting to allocate
 * a chunk of 16MiB which would put the current use to 1GiB, while the maximum allowed size for allocation is set to 1GiB."
 */
const STOPPED = /asked to abort|memory limit/i;

/** As in "Cannot get unique access to the storage. Try stopping other queries that are running in parallel." */
const STORAGE_HELD = /^Cannot get [\w ]+ access/;

/**
 * Turns an error of the store itself into `unavailable`, with a message that says what to look at. A refused statement
 * is a bug of ours: it is returned as it is, like every other error.
 * @param store.location the address of the store, for the log and the command line
 * @param store.isCredentialGiven whether the connection has a user
 */
export function toAppError(
  error: unknown,
  { location, isCredentialGiven = true }: { location?: string; isCredentialGiven?: boolean } = {},
): unknown {
  if (error instanceof AppError || !(error instanceof Neo4jError)) return error;
  const reason = reasonOf(error, isCredentialGiven);
  return reason === undefined ? error : unavailable(`The graph store ${reason}.`, error, location);
}

function reasonOf(error: Neo4jError, isCredentialGiven: boolean): string | undefined {
  if (error.code.includes(".Security.") || error.message.includes("Authentication failure")) {
    return isCredentialGiven
      ? "refuses the user or the password (GRAPH_USER and GRAPH_PASSWORD, or those in GRAPH_URL)"
      : "has users, and refuses connections without one: set GRAPH_USER and GRAPH_PASSWORD";
  }
  switch (error.code) {
    case "ServiceUnavailable":
      return "cannot be reached";
    case "SessionExpired":
      return "closed the connection";
    case "ProtocolError":
      return "does not speak Bolt as it should";
  }
  if (isStopped(error)) return "stopped the query: it took too long or needed too much memory";
  if (error.code.includes("TransientError") || STORAGE_HELD.test(error.message)) return "is too busy";
  // This error of the connection pool has no code.
  return error.message.includes("acquisition timed out") ? "has no free connection" : undefined;
}

/** The error for an answer that does not come. */
export function noAnswer(): Neo4jError {
  return unreachable("no answer in time");
}

/** The driver's error for a store that cannot be reached. */
export function unreachable(message: string): Neo4jError {
  return new Neo4jError(message, "ServiceUnavailable", "", "");
}

/** Whether the store, or the way to it, is away. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Neo4jError)) return false;
  return ["ServiceUnavailable", "SessionExpired"].includes(error.code) || /acquisition timed out/.test(error.message);
}

/**
 * Whether Memgraph stopped a statement by its time or memory limit. Memgraph calls that transient, so the driver would
 * run the same statement again and again.
 */
export function isStopped(error: unknown): boolean {
  return error instanceof Neo4jError && STOPPED.test(error.message);
}

/**
 * Whether work that Memgraph refused may succeed when it runs again. Two transactions may have made the same new node
 * at once, and the second finds it next time. Or a change of the schema and a transaction blocked each other.
 */
export function isPassing(error: unknown): boolean {
  return (
    error instanceof Neo4jError &&
    (error.message.includes("unique constraint violation") || STORAGE_HELD.test(error.message))
  );
}
