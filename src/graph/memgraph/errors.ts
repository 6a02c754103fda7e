/** Driver errors as the service's own. */
import { Neo4jError } from "neo4j-driver";

import { AppError, unavailable } from "../../errors.ts";

/**
 * Turns what went wrong with the store itself into `unavailable`, saying what to look at.
 * A refused statement is a fault of ours: it comes back as it is, and so does every other error.
 */
export function toAppError(error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Neo4jError)) return error;
  const reason = reasonOf(error);
  return reason === undefined ? error : unavailable(`The graph store ${reason}.`, error);
}

function reasonOf(error: Neo4jError): string | undefined {
  if (error.code.includes(".Security.") || error.message.includes("Authentication failure")) {
    return "refuses the credentials of GRAPH_URL";
  }
  switch (error.code) {
    case "ServiceUnavailable":
      return "cannot be reached";
    case "SessionExpired":
      return "closed the connection";
    case "ProtocolError":
      return "does not speak Bolt as it should";
  }
  if (error.code.includes("TransientError")) return "is too busy";
  // The pool's own error carries no code.
  return error.message.includes("acquisition timed out") ? "has no free connection" : undefined;
}

/** Whether two transactions made the same new node at once: the second finds it when it runs again. */
export function isUniquenessConflict(error: unknown): boolean {
  return error instanceof Neo4jError && error.message.includes("unique constraint violation");
}
