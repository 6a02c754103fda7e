/** Interrupted syncs of a PostgreSQL server. Everything that was known stays known. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { DEFAULT_NETWORK, type Network } from "../../src/connectors/postgres/checked-socket.ts";
import { createPostgresConnector } from "../../src/connectors/postgres/connector.ts";
import { readDefinitions } from "../../src/connectors/postgres/definitions.ts";
import { postgresOptions } from "../../src/connectors/postgres/options.ts";
import { openSession } from "../../src/connectors/postgres/session.ts";
import { surveyDatabase } from "../../src/connectors/postgres/survey.ts";
import type { FindConnectorType } from "../../src/ingest/connector-types.ts";
import { SyncCancelled } from "../../src/ingest/queue/crawler-queue.ts";
import { openCrawls } from "../support/crawls.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "../support/postgres.ts";
import { present } from "../support/present.ts";
import { addWarehouse, CREATE_READER, findLocalType, optionsFor } from "../support/postgres-crawl.ts";

/** Warnings are expected: they give the operator the location of the database. */
const QUIET = { error: console.error, warn: () => {}, info: () => {} };

/** More relations than one batch of a sync. */
const MANY_TABLES = `do $$ begin for i in 1..700 loop execute format('create table t%s (id int)', i); end loop; end $$`;

const LOCAL: Network = { ...DEFAULT_NETWORK, privateSources: ["127.0.0.0/8"] };

const findSmallType: FindConnectorType = () => createPostgresConnector({ ...LOCAL, maxAnswerBytes: 16 * 1024 });

describe.skipIf(!hasPostgres)("interrupted syncs of a PostgreSQL server", () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await startPostgres();
    await server.run("postgres", CREATE_READER);
  });
  afterAll(() => server?.close());

  async function open(database: string, statements: readonly string[], find: FindConnectorType = findLocalType) {
    await server.run("postgres", `create database ${database}`);
    await server.run(database, ...statements);
    const crawls = await openCrawls(find, QUIET);
    const crawl = await addWarehouse(crawls, optionsFor(server.port, database));
    const names = async () => (await crawls.list("table")).map(({ fqn }) => fqn);
    return { ...crawls, crawl, names };
  }

  /** Does it while somebody changes the table. */
  async function withLock(database: string, table: string, work: () => Promise<void>): Promise<void> {
    const locking = await server.connect(database);
    try {
      await locking.query("begin");
      await locking.query(`lock table ${table} in access exclusive mode`);
      await work();
    } finally {
      await locking.end();
    }
  }

  /** How many sessions of the connector the server has. */
  async function countSessions(): Promise<number> {
    const client = await server.connect("postgres");
    const { rows } = await client.query<{ n: number }>(
      "select count(*)::int as n from pg_stat_activity where application_name = 'tributary'",
    );
    await client.end();
    return rows[0]?.n ?? 0;
  }

  it("A sync that is cancelled half-way removes nothing and leaves no session", async () => {
    const { crawl, names } = await open("cancelled", [MANY_TABLES]);
    await crawl();
    await server.run("cancelled", "drop table t700");
    const controller = new AbortController();
    const outcome = await crawl({
      signal: controller.signal,
      onProgress: ({ label }) => {
        if (label.startsWith("Reading")) controller.abort(new SyncCancelled());
      },
    });
    expect(outcome).toMatchObject({ status: "cancelled", assetsRemoved: 0 });
    expect(outcome.assetsDiscovered).toBeLessThan(1400);
    expect((await names()).length).toBe(700);
    // The server notices the closed connection by itself.
    while ((await countSessions()) > 0);
  });

  it("A sync that waits for the database ends at once if it is cancelled", async () => {
    const { crawl } = await open("blocked", ["create table orders (id int)"]);
    const locking = await server.connect("blocked");
    const watching = await server.connect("blocked");
    try {
      await locking.query("begin");
      await locking.query("lock table pg_description in access exclusive mode");
      const controller = new AbortController();
      const crawling = crawl({ signal: controller.signal });
      const waiting = "select from pg_stat_activity where application_name = 'tributary' and wait_event_type = 'Lock'";
      while ((await watching.query(waiting)).rowCount === 0);
      controller.abort(new SyncCancelled());
      expect(await crawling).toMatchObject({ status: "cancelled", errors: [] });
    } finally {
      await locking.end();
      await watching.end();
    }
  });

  it("A sync that is too slow says so, and removes nothing", async () => {
    let { statementTimeoutMs } = DEFAULT_NETWORK;
    const tables = ["create table a (id int)", "create table b (id int)"];
    const find: FindConnectorType = () => createPostgresConnector({ ...LOCAL, statementTimeoutMs });
    const { crawl, names } = await open("slow", tables, find);
    expect(await crawl()).toMatchObject({ status: "completed" });
    statementTimeoutMs = 300;
    await server.run("slow", "drop table b");
    const locking = await server.connect("slow");
    try {
      await locking.query("begin");
      await locking.query("lock table pg_description in access exclusive mode");
      const { status, errors } = await crawl();
      expect(status).toBe("failed");
      expect(errors).toMatchObject([
        { code: "timeout", message: "The database slow did not answer in time.", retryable: true },
      ]);
    } finally {
      await locking.end();
    }
    expect(await names()).toEqual(["slow.public.a", "slow.public.b"]);
  });

  it("A sync that cannot read the definition of one view reads the rest, keeps what it knew, and says so", async () => {
    const { crawl, names, findNode, sourcesOf } = await open("locked", [
      "create table a (id int)",
      "create table b (id int)",
      "create table gone (id int)",
      "create view of_a as select id from a",
      "create view of_b as select id from b",
    ]);
    await crawl();
    await server.run("locked", "drop table gone");
    await withLock("locked", "a", async () => {
      const { status, errors } = await crawl();
      expect(status).toBe("completed");
      expect(errors).toMatchObject([
        { code: "unreadable_definition", object: "locked.public.of_a", severity: "error" },
      ]);
    });
    expect(await names()).toContain("locked.public.gone");
    const view = await findNode("locked.public.of_a", "table");
    expect(view.gap).toBe("its definition could not be read: what it reads is locked");
    expect(await sourcesOf(view)).toEqual(["locked.public.a"]);
    expect(await sourcesOf(await findNode("locked.public.of_b.id", "column"))).toEqual([
      "locked.public.b.id IDENTITY id",
    ]);
    expect(await crawl()).toMatchObject({ status: "completed", errors: [], assetsRemoved: 2 });
    expect((await findNode("locked.public.of_a", "table")).gap).toBe("");
  });

  it("A sync while a table is locked keeps what it read of its views and generated columns, and tells no changes", async () => {
    const { crawl, findNode, sourcesOf, graph, workspace } = await open("kept", [
      "create table a (id int, twice int generated always as (id * 2) stored)",
      "create view of_a as select id + 1 as next, twice from a",
      "create view over_a as select next from of_a",
      "create view of_b as select 1 as one",
    ]);
    const seen = async () => {
      const views = await Promise.all(["of_a", "over_a"].map((name) => findNode(`kept.public.${name}`, "table")));
      const columns = ["of_a.next", "of_a.twice", "over_a.next", "a.twice"];
      const nodes = await Promise.all(columns.map((name) => findNode(`kept.public.${name}`, "column")));
      const told = views.map(({ sql, columnLineage }) => ({ sql, columnLineage }));
      return {
        told,
        sources: await Promise.all(nodes.slice(0, 3).map(sourcesOf)),
        twice: await sourcesOf(present(nodes[3])),
      };
    };
    await crawl();
    const before = await seen();
    expect(before.told).toMatchObject([{ columnLineage: { status: "known" } }, { columnLineage: { status: "known" } }]);
    await withLock("kept", "a", async () => {
      const { status, errors } = await crawl();
      expect(status).toBe("completed");
      expect(errors.map(({ code, object }) => `${code} ${object}`)).toEqual([
        "unreadable_definition kept.public.a",
        "unreadable_definition kept.public.of_a",
      ]);
    });
    const after = await seen();
    expect(after).toEqual(before);
    await crawl();
    expect(await seen()).toEqual(before);
    const query = { since: null, until: "2100-01-01T00:00:00.000Z" };
    const { items } = await graph.listChanges(workspace.id, query, { after: null, limit: 100 });
    expect(items.map(({ kind, field }) => `${kind} ${field}`)).toEqual([]);
  });

  it("A view of which no sync could read the definition has no known lineage, and says why", async () => {
    const { crawl, findNode, sourcesOf } = await open("never", [
      "create table a (id int)",
      "create view of_a as select id from a",
    ]);
    await withLock("never", "a", async () => {
      expect((await crawl()).errors.map(({ code }) => code)).toContain("unreadable_definition");
    });
    const view = await findNode("never.public.of_a", "table");
    const reason = "its definition could not be read: what it reads is locked";
    expect(view).toMatchObject({ sql: null, columnLineage: { status: "unknown", reason }, gap: reason });
    expect(await sourcesOf(view)).toEqual(["never.public.a"]);
  });

  it("A sync reads the other views if somebody drops one meanwhile", async () => {
    await server.run("postgres", "create database dropping");
    await server.run(
      "dropping",
      "create table a (id int)",
      "create table b (id int)",
      "create view of_a as select id from a",
      "create view of_b as select id from b",
      "create view over_a as select id from of_a",
    );
    const options = postgresOptions.parse(optionsFor(server.port, "dropping"));
    const session = await openSession(options, "dropping", { network: LOCAL, signal: new AbortController().signal });
    try {
      const { relations } = await surveyDatabase(session, options);
      await server.run("dropping", "drop table a cascade");
      const views = relations.slice(2).map(({ oid }) => oid);
      const { sql, unread } = await readDefinitions(session, views);
      expect(sql.size).toBe(1);
      expect([...sql.values()].join().replaceAll(/\s+/g, " ")).toMatch(/^SELECT (b\.)?id FROM public\.b$/);
      expect(unread.size).toBe(2);
      // The session continues with what it saw at its beginning.
      expect((await surveyDatabase(session, options)).relations.length).toBe(5);
    } finally {
      await session.close();
    }
  });

  it("A sync ends with an error if one answer is larger than any catalog", async () => {
    const { crawl, names } = await open("huge", ["create table a (id int)"], findSmallType);
    expect(await crawl()).toMatchObject({ status: "completed" });
    await server.run("huge", `comment on table a is '${"x".repeat(20_000)}'`, "create table b (id int)");
    const { status, errors } = await crawl();
    expect(status).toBe("failed");
    expect(errors).toMatchObject([
      { code: "too_large", message: "The database huge sent a larger answer than any catalog has." },
    ]);
    expect(await names()).toEqual(["huge.public.a"]);
  });

  it("A sync that loses its server half-way keeps everything that was known", async () => {
    const dying = await startPostgres();
    try {
      await dying.run(
        "postgres",
        CREATE_READER,
        MANY_TABLES,
        "create view v as select t1.id from t1 join t2 using (id)",
      );
      const { list, add, findNode, sourcesOf } = await openCrawls(findLocalType, {
        error: console.error,
        warn: () => {},
        info: () => {},
      });
      const crawl = await addWarehouse({ add }, optionsFor(dying.port, "postgres"));
      expect(await crawl()).toMatchObject({ status: "completed", errors: [] });
      await dying.run("postgres", "drop table t700");
      let killed: Promise<void> | undefined;
      const outcome = await crawl({
        onProgress: ({ label }) => {
          if (label.startsWith("Reading")) killed ??= dying.kill();
        },
      });
      await killed;
      expect(outcome).toMatchObject({ status: "failed", assetsRemoved: 0 });
      expect(outcome.errors).toMatchObject([{ code: "connection_lost", object: "postgres", retryable: true }]);
      expect((await list("table")).length).toBe(701);
      const view = await findNode("postgres.public.v", "table");
      expect((await sourcesOf(view)).length).toBe(2);
      const refused = await crawl();
      expect(refused.errors).toMatchObject([{ code: "unreachable", stage: "connect", retryable: true }]);
      expect((await list("table")).length).toBe(701);
    } finally {
      await dying.close();
    }
  });

  it("A sync of several databases reads those that it can, and removes only what these have lost", async () => {
    await server.run("postgres", "create database one", "create database two");
    for (const database of ["one", "two"])
      await server.run(database, "create table a (id int)", "create table b (id int)");
    const { add, list } = await openCrawls(findLocalType, QUIET);
    const crawl = await addWarehouse({ add }, optionsFor(server.port, "postgres", { databases: "one, two" }));
    expect(await crawl()).toMatchObject({ status: "completed", errors: [], assetsDiscovered: 8 });
    for (const database of ["one", "two"]) await server.run(database, "drop table b");
    await server.run("postgres", "revoke connect on database one from public");
    const { status, errors } = await crawl();
    expect(status).toBe("completed");
    expect(errors).toMatchObject([{ code: "forbidden", object: "one", severity: "error" }]);
    expect((await list("table")).map(({ fqn }) => fqn)).toEqual(["one.public.a", "one.public.b", "two.public.a"]);
    await server.run("postgres", "revoke connect on database two from public");
    const none = await crawl();
    expect(none.status).toBe("failed");
    expect(none.errors.map(({ code }) => code)).toEqual(["forbidden", "forbidden", "unreadable"]);
    expect((await list("table")).length).toBe(3);
  });
});
