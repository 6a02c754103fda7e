/**
 * The errors of a PostgreSQL crawl: what an error of the driver, of the connection or of the server means, in plain words. The
 * messages name databases, schemas and relations, and never the server.
 */
import type { CrawlError } from "../../catalog/crawl.ts";
import { BAD_CERTIFICATE, describeError, UNREACHABLE } from "../../addresses/connection-error.ts";
import { CrawlFailure } from "../connector.ts";
import { FetchFailure } from "../http/connection-fault.ts";
import type { PostgresOptions } from "./options.ts";

type Option = keyof PostgresOptions;

/** Why a database cannot be read. */
export interface Fault {
  code: string;
  /** The rest of a sentence that begins with the database's name. */
  why: string;
  /** The option that the person who set the source should look at first. */
  option: Option;
  stage?: CrawlError["stage"];
  retryable?: boolean;
}

/** A database as its errors name it. */
export interface Source {
  database: string;
  /** The URL without credentials. Only the operator sees it. */
  location: string;
}

/** A crawl that cannot go on, and the option that is to blame. */
export class SourceFailure extends CrawlFailure {
  readonly option: Option;

  constructor(
    { database, location }: Source,
    { code, why, option, stage = "connect", retryable = false }: Fault,
    cause?: unknown,
  ) {
    const message = `The database ${database} ${why}.`;
    super({ code, message, object: database, stage, retryable, location }, cause);
    this.option = option;
  }
}

function unreachable(reason: string): Fault {
  return { code: "unreachable", option: "url", why: `cannot be reached: ${reason}`, retryable: true };
}

function passing(code: string, why: string): Fault {
  return { code, option: "url", why, stage: "read", retryable: true };
}

const LOST = passing("connection_lost", "closed the connection");
const TIMEOUT = passing("timeout", "did not answer in time");

/** What an error says by its SQLSTATE. https://www.postgresql.org/docs/current/errcodes-appendix.html */
const BY_CODE: Readonly<Record<string, Fault>> = {
  "28P01": { code: "unauthorized", option: "password", why: "refuses the user or the password" },
  "3D000": { code: "not_found", option: "databases", why: "does not exist on the server" },
  "53300": { code: "busy", option: "url", why: "has no free connection", retryable: true },
  "57P03": { code: "unavailable", option: "url", why: "is starting or stopping", retryable: true },
  "57014": TIMEOUT,
  "55P03": passing("locked", "is locked by somebody else"),
  "40001": passing("conflict", "is a standby that stopped the sync to follow its primary"),
};

/** Messages of the driver, which gives these errors no code. */
const BY_MESSAGE: readonly (readonly [RegExp, Fault])[] = [
  [
    /does not support SSL/,
    {
      code: "no_encryption",
      option: "ssl",
      why: "does not offer encryption, so no connection was made: ssl=disable would connect without it",
    },
  ],
  [/^timeout expired/, unreachable("its host does not answer")],
  [/Query read timeout/, TIMEOUT],
  [/Connection terminated|not queryable/, LOST],
  [
    /SASL|SCRAM/,
    { code: "unauthorized", option: "password", why: "asks for the password in a way that the driver refuses" },
  ],
];

/** @param encrypted whether the connection was to be encrypted */
export function toFault(error: unknown, { encrypted, connected }: { encrypted: boolean; connected: boolean }): Fault {
  if (error instanceof FetchFailure) return { ...error.fault, option: "url" };
  const { code, message } = describeError(error);
  if (code === "28000") return toRefusal(message, encrypted);
  if (code === "42501") return toForbidden(connected);
  if (code === "08P01" && !connected) {
    const why = "cannot be connected to: a pooler, such as PgBouncer, refuses the database, the user or the password";
    return { code: "unauthorized", option: "url", why };
  }
  if (BAD_CERTIFICATE.test(code)) {
    const why = `has a certificate that cannot be verified (${code}): name its authority in ssl_root_cert, or set ssl to require`;
    return { code: "bad_certificate", option: "ssl", why };
  }
  if (/^(57P0[12]|08...|ECONNRESET|EPIPE)$/.test(code)) return LOST;
  const reason = UNREACHABLE[code];
  if (reason !== undefined) return unreachable(reason);
  const known = BY_CODE[code] ?? BY_MESSAGE.find(([words]) => words.test(message))?.[1];
  const why = `cannot be read: ${code || "the connection failed"}`;
  return known ?? { code: "unreadable", option: "url", why, stage: connected ? "read" : "connect" };
}

/**
 * The server has no rule that lets the user in, or no such user. Only its message says which, in the language of the
 * server.
 */
function toRefusal(message: string, encrypted: boolean): Fault {
  if (/pg_hba\.conf/.test(message) && !encrypted) {
    const why =
      "does not let this user in from here without encryption, by its pg_hba.conf: set ssl to verify-full, or ask its administrator for an entry";
    return { code: "unauthorized", option: "ssl", why };
  }
  if (/pg_hba\.conf/.test(message)) {
    const why = "does not let this user in from here: ask its administrator for an entry in pg_hba.conf";
    return { code: "unauthorized", option: "user", why };
  }
  return { code: "unauthorized", option: "user", why: "has no such user, or the user may not log in" };
}

function toForbidden(connected: boolean): Fault {
  if (connected) {
    const why = "does not let the user read its catalog: some of pg_catalog is closed to it";
    return { code: "forbidden", option: "user", why, stage: "read" };
  }
  const why = "does not let the user connect: grant it the right CONNECT";
  return { code: "forbidden", option: "user", why };
}
