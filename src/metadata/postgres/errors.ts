/** Says what an error of the driver, of the connection or of the server means. */
import { DatabaseError } from "pg";

import { BAD_CERTIFICATE, describeError, UNREACHABLE } from "../../addresses/connection-error.ts";
import { AppError, unavailable } from "../../errors.ts";

/** By SQLSTATE or by a code of Node.js. https://www.postgresql.org/docs/current/errcodes-appendix.html */
const REASONS: Readonly<Record<string, string>> = {
  "28P01": "refuses the user or the password of METADATA_URL",
  "28000": "does not let the user of METADATA_URL in from here",
  "3D000": "has no such database",
  "42501": "does not give the user of METADATA_URL the rights that Tributary needs: make it the owner of the database",
  "25006": "can only be read: it is a standby, or was made read-only",
  "25P03": "closed the connection, because a transaction stood still for too long",
  "53100": "cannot be written: the disk is full",
  "53200": "has no memory left",
  "53300": "has no free connection",
  "55P03": "is busy: another process has been writing for too long",
  "57014": "did not answer in time",
  "57P01": "closed the connection",
  "57P02": "closed the connection",
  "57P03": "is starting or stopping",
  "57P05": "closed the connection",
  ECONNRESET: "closed the connection",
  EPIPE: "closed the connection",
};

/** Messages of the driver, which gives these errors no code. */
const BY_MESSAGE: readonly (readonly [RegExp, string])[] = [
  [
    /^timeout exceeded when trying to connect/,
    "gave no connection in time: its host does not answer, or all connections of this process are in use",
  ],
  [/connection timeout|^timeout expired/, "cannot be reached: its host does not answer"],
  [/^Query read timeout|^no answer within/, "did not answer in time"],
  [/^Connection terminated|not queryable|^Client was closed/, "closed the connection"],
  [/does not support SSL/, "does not offer encryption: sslmode=disable in METADATA_URL connects without it"],
  [/SASL|SCRAM/, "asks for the password in a way that the driver refuses, or METADATA_URL has no password"],
];

const CONTENTION: ReadonlySet<string> = new Set([
  "40001", // serialization failure
  "40P01", // deadlock
  "23505", // somebody else inserted the same key first
]);

/**
 * Turns an error of the store itself into `unavailable`. A refused statement is a bug of ours: it is returned as it is,
 * like every other error.
 * @param location the address of the store, for the log and the command line
 */
export function toAppError(error: unknown, location: string): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  const reason = reasonOf(error);
  return reason === undefined ? error : unavailable(`The metadata store ${reason}.`, error, location);
}

function reasonOf(error: Error): string | undefined {
  const { code, message } = describeError(error);
  if (!(error instanceof DatabaseError) && BAD_CERTIFICATE.test(code)) {
    return `has a certificate that cannot be verified (${code}): sslrootcert in METADATA_URL names its authority`;
  }
  if (/^08...$/.test(code)) return "closed the connection";
  if (code in UNREACHABLE) return `cannot be reached: ${UNREACHABLE[code]}`;
  return REASONS[code] ?? BY_MESSAGE.find(([words]) => words.test(message))?.[1];
}

/** Whether two transactions got in each other's way, so that another attempt may succeed. */
export function isContention(error: unknown): boolean {
  return error instanceof DatabaseError && CONTENTION.has(error.code ?? "");
}
