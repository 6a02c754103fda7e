/** Keeps secrets out of the log, also those that the errors of drivers and libraries contain. */

/** What is hidden, wherever it stands in a line: our tokens, addresses of feeds, credentials of URLs, and values of `Authorization`. */
const SECRETS: readonly [pattern: RegExp, shown: string][] = [
  [/\b(svc_[a-z]+_)[A-Za-z0-9]+/g, "$1***"],
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/?#"\\]*@/gi, "$1***@"],
  [/(\/notices\/feed\/[^\s/"]+\/)[^\s/?"\\]+/g, "$1***"],
  [/\b(Bearer|Basic) [A-Za-z0-9+/=._~-]+/g, "$1 ***"],
];

export function hideSecrets(line: string): string {
  return SECRETS.reduce((text, [pattern, shown]) => text.replaceAll(pattern, shown), line);
}

/** At most so many errors that caused each other are shown. */
const MAX_CAUSES = 5;

interface LoggedError {
  type: string;
  message: string;
  code?: string;
  /** The file or the address that the error is about. */
  location?: string;
  stack?: string;
  cause?: unknown;
}

/**
 * An error without its other properties. Drivers put statements with their values there, and clients put whole requests
 * with their headers.
 */
export function toLoggedError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return error;
  const { message, stack, cause } = error;
  const logged: LoggedError = { type: error.constructor.name, message };
  if ("code" in error && typeof error.code === "string") logged.code = error.code;
  if ("location" in error && typeof error.location === "string") logged.location = error.location;
  if (stack !== undefined) logged.stack = stack;
  if (cause instanceof Error && depth < MAX_CAUSES) logged.cause = toLoggedError(cause, depth + 1);
  return logged;
}
