/** Databases for metadata stores, on a PostgreSQL server that a test file starts for all its tests. */
import { afterAll, beforeAll } from "vitest";

import type { TestDatabase } from "./metadata-store.ts";
import { type PostgresServer, startPostgres, type ServerOptions } from "./postgres.ts";
import { present } from "./present.ts";

interface PostgresDatabase extends TestDatabase {
  name: string;
  /** Its URL without credentials. */
  address: string;
  url: Extract<TestDatabase["url"], { kind: "postgres" }>;
}

export interface MetadataServer {
  server(): PostgresServer;
  /** An empty database. */
  makeDatabase(): Promise<PostgresDatabase>;
  /**
   * The same database each time, emptied, because many of them would fill the disk. The test before must have ended.
   */
  emptyDatabase(): Promise<PostgresDatabase>;
}

/** Starts the server before the tests of a file, and ends it after them. */
export function usePostgres(options?: ServerOptions): MetadataServer {
  let running: PostgresServer | undefined;
  let databases = 0;
  beforeAll(async () => {
    running = await startPostgres(options);
    await running.run("postgres", "create role tributary login password 's3cret:/@'");
  });
  afterAll(() => running?.close());
  const server = (): PostgresServer => present(running);
  let kept: PostgresDatabase | undefined;
  async function makeDatabase(): Promise<PostgresDatabase> {
    const name = `metadata_${databases++}`;
    // Most databases have an order other than that of bytes.
    const order = "template template0 locale_provider icu icu_locale 'en-US'";
    await server().run("postgres", `create database ${name} owner tributary ${order}`);
    const address = `postgres://127.0.0.1:${server().port}/${name}`;
    const url = `postgres://tributary:s3cret%3A%2F%40@127.0.0.1:${server().port}/${name}`;
    return {
      name,
      address,
      url: { kind: "postgres", url },
      async runSql(statement) {
        const client = await server().connect(name);
        try {
          return (await client.query<Record<string, unknown>>(statement)).rows;
        } finally {
          await client.end();
        }
      },
    };
  }
  return {
    server,
    makeDatabase,
    async emptyDatabase() {
      kept ??= await makeDatabase();
      const { name } = kept;
      await server().run(name, "drop schema public cascade", "create schema public authorization tributary");
      return kept;
    },
  };
}
