/** Reads the errors of connections: codes of Node.js, https://nodejs.org/api/errors.html#common-system-errors. */

/** Why a host cannot be reached, by code. Each text follows "cannot be reached: ". */
export const UNREACHABLE: Readonly<Record<string, string>> = {
  EAI_AGAIN: "its host name cannot be resolved now",
  ECONNREFUSED: "nothing accepts connections at its host and port",
  EHOSTUNREACH: "there is no way to its host",
  ENETUNREACH: "there is no way to its host",
  ENOTFOUND: "its host name is unknown",
  ETIMEDOUT: "its host does not answer",
};

/** Codes for a certificate that is not trusted. */
export const BAD_CERTIFICATE = /CERT|^UNABLE_TO_|SELF_SIGNED/;

/** @returns the code and the message, "" if there is none */
export function describeError(error: unknown): { code: string; message: string } {
  // If a host has several addresses, Node.js puts the errors of all attempts into one.
  if (error instanceof AggregateError && !("code" in error)) return describeError(error.errors[0]);
  if (!(error instanceof Error)) return { code: "", message: "" };
  return { code: "code" in error && typeof error.code === "string" ? error.code : "", message: error.message };
}
