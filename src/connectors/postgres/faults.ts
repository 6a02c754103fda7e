/** The errors of a PostgreSQL crawl. The messages name databases, schemas and relations, and never the server. */
import type { CrawlError } from "../../catalog/crawl.ts";
import { CrawlFailure } from "../connector.ts";
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
