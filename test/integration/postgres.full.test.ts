/**
 * The PostgreSQL connector with a real server: the parts of a database that become assets, columns, lineage and checks.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { NodeId } from "../../src/ids.ts";
import { openCrawls } from "../support/crawls.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "../support/postgres.ts";
import { addWarehouse, CREATE_READER, findLocalType, optionsFor } from "../support/postgres-crawl.ts";
import { present } from "../support/present.ts";

// Skipped without PostgreSQL. Continuous integration has it.
describe.skipIf(!hasPostgres)("syncs of a PostgreSQL database", () => {
  let server: PostgresServer;
  let databases = 0;

  beforeAll(async () => {
    server = await startPostgres();
    await server.run("postgres", CREATE_READER);
  });
  afterAll(() => server?.close());

  /** Creates a database and syncs it. */
  async function crawl(statements: readonly string[], more: Record<string, string> = {}) {
    const database = `shop_${databases++}`;
    await server.run("postgres", `create database ${database}`);
    await server.run(database, ...statements);
    const crawls = await openCrawls(findLocalType);
    const again = await addWarehouse(crawls, optionsFor(server.port, database, more));
    const outcome = await again();
    const table = (name: string) => crawls.findNode(`${database}.${name}`, "table");
    const column = (name: string) => crawls.findNode(`${database}.${name}`, "column");
    const names = async () => (await crawls.list("table")).map(({ fqn }) => fqn.slice(database.length + 1));
    const sources = async (of: ReturnType<typeof table>) =>
      (await crawls.sourcesOf(await of)).map((text) => text.replaceAll(`${database}.`, "")).toSorted();
    return { ...crawls, database, again, outcome, table, column, names, sources };
  }

  it("A sync states every kind of relation with its columns, types, comments, owner and keys", async () => {
    const { outcome, list, table, column, names, graph, workspace } = await crawl([
      'create role "owner@example.com"',
      "create type mood as enum ('good', 'bad')",
      `create table customers (
         id bigint generated always as identity primary key, email varchar(80) not null unique, moods mood[],
         balance numeric(10, 2) default 0 check (balance >= 0))`,
      "comment on table customers is 'Everybody who ever ordered.'",
      "comment on column customers.email is 'Where the bill goes.'",
      'alter table customers owner to "owner@example.com"',
      `create table orders (
         id int, customer bigint references customers (id), at timestamptz not null, primary key (id, at)) partition by range (at)`,
      "create table orders_2025 partition of orders for values from ('2025-01-01') to ('2026-01-01')",
      "create table orders_2026 partition of orders for values from ('2026-01-01') to ('2027-01-01') partition by list (id)",
      "create table orders_2026_one partition of orders_2026 for values in (1)",
      "create view open_orders as select id, customer from orders where at > now()",
      "create materialized view per_day as select at::date as day, count(*) as n from orders group by 1",
      "create extension file_fdw",
      "create server files foreign data wrapper file_fdw",
      "create foreign table feed (line text) server files options (filename '/dev/null')",
      "create temporary table passing (id int)",
    ]);
    expect(outcome).toMatchObject({ status: "completed", errors: [], assetsRemoved: 0 });
    expect(await names()).toEqual([
      "public.customers",
      "public.feed",
      "public.open_orders",
      "public.orders",
      "public.per_day",
    ]);
    const kinds = (await list("table")).map(({ name, materialization }) => `${name} ${materialization}`);
    expect(kinds).toEqual([
      "customers table",
      "feed foreign_table",
      "open_orders view",
      "orders partitioned_table",
      "per_day materialized_view",
    ]);

    const customers = await table("public.customers");
    expect(customers).toMatchObject({
      platform: "postgres",
      description: "Everybody who ever ordered.",
      owner: "owner@example.com",
      ownerName: "",
      meta: { postgres: { primary_key: ["id"], not_null: ["id", "email"] } },
    });
    expect(await table("public.orders")).toMatchObject({
      owner: "",
      ownerName: "admin",
      meta: { postgres: { partitioned_by: "RANGE (at)", partitions: 2 } },
    });
    expect((await table("public.feed")).meta).toEqual({
      postgres: { foreign_server: "files", foreign_data_wrapper: "file_fdw" },
    });
    const types = Object.fromEntries(
      (await list("column")).map(({ fqn, dataType }) => [fqn.split(".").slice(2).join("."), dataType]),
    );
    expect(types).toMatchObject({
      "customers.id": "bigint",
      "customers.email": "character varying(80)",
      "customers.moods": "public.mood[]",
      "customers.balance": "numeric(10,2)",
      "orders.at": "timestamp with time zone",
      "per_day.day": "date",
      "per_day.n": "bigint",
    });
    expect(await column("public.customers.email")).toMatchObject({ description: "Where the bill goes.", ordinal: 1 });

    const [page] = await graph.loadChecks(workspace.id, [{ node: customers.id, first: 50, after: null }]);
    const checks = present(page).items;
    expect(checks.map(({ name, test, result }) => [name, test, result?.status])).toEqual([
      ["customers_balance_check", "check", "pass"],
      ["customers_email_key", "unique", "pass"],
      ["customers_pkey", "primary_key", "pass"],
      ["orders_customer_fkey", "relationships", "pass"],
    ]);
    const id = (await column("public.customers.id")).id;
    expect(checks.at(-1)?.columns.map((each) => each.id)).toContain(id);
  });

  it("A sync follows views over views from column to column, with how each column is used", async () => {
    const { outcome, table, column, sources } = await crawl([
      "create schema raw",
      "create table raw.payments (id int, cents int, customer int, status text)",
      "create table raw.customers (id int, email text)",
      "create view paid as select p.id, p.cents / 100.0 as euros, p.customer from raw.payments p where status = 'paid'",
      "create view report as select c.email, sum(euros) as total from paid join raw.customers c on c.id = paid.customer group by 1",
      "create materialized view top as select * from report where total > 100",
    ]);
    expect(outcome.errors).toEqual([]);
    expect(await sources(table("public.report"))).toEqual(["public.paid", "raw.customers"]);
    // PostgreSQL 16 and later omit the name of a table if it is the only one.
    expect(await sources(column("public.paid.euros"))).toEqual([
      expect.stringMatching(/^raw\.payments\.cents TRANSFORMATION CAST\((p\.)?cents AS DECIMAL\) \/ 100\.0$/),
      expect.stringMatching(/^raw\.payments\.status FILTER (p\.)?status = CAST\('paid' AS TEXT\)$/),
    ]);
    const total = await sources(column("public.report.total"));
    expect(total).toContain("public.paid.euros AGGREGATION SUM(paid.euros)");
    expect(total).toContain("raw.customers.id JOIN c.id = paid.customer");
    expect(await sources(column("public.top.total"))).toContain("public.report.total IDENTITY total");
    for (const name of ["paid", "report", "top"]) {
      expect((await table(`public.${name}`)).columnLineage).toMatchObject({ status: "known" });
    }
  });

  it("A sync knows what a view reads even if its columns cannot be read from the SQL", async () => {
    const { table, sources, outcome } = await crawl([
      "create table words (id int, text text, place point)",
      "create table other (id int)",
      `create view hard as
         select w.id, x.* from words w, xmltable('/a/b' passing xmlparse(document w.text) columns b text path '.') x
         where exists (select from other o where o.id = w.id)`,
    ]);
    expect(outcome.status).toBe("completed");
    expect((await table("public.hard")).columnLineage).toMatchObject({ status: "unknown" });
    expect(await sources(table("public.hard"))).toEqual(["public.other", "public.words"]);
  });

  it("A view that calls a function says which columns may be missing, unless the function reads no tables", async () => {
    const { table, column, sources, outcome } = await crawl([
      "create extension tablefunc",
      "create extension pgcrypto",
      "create schema fn",
      "create table rates (code text, rate numeric)",
      "create table sales (id int, code text, amount numeric)",
      "create function fn.rate(c text) returns numeric language sql stable as 'select rate from public.rates where code = c'",
      "create function fn.rates() returns table (code text, rate numeric) language plpgsql as 'begin return query select r.code, r.rate from public.rates r; end'",
      "create function fn.half(x numeric) returns numeric language sql immutable as 'select x / 2'",
      "create function fn.next(x numeric) returns numeric language plpgsql as 'begin return x + 1; end'",
      "create function fn.sum_next(s numeric, x numeric) returns numeric language plpgsql as 'begin return s + x; end'",
      "create aggregate fn.total(numeric) (sfunc = fn.sum_next, stype = numeric, initcond = '0')",
      "create function fn.differs(a text, b text) returns bool language plpgsql as 'begin return a <> b; end'",
      "create operator fn.<~> (leftarg = text, rightarg = text, function = fn.differs)",
      "create view scalar as select id, amount * fn.rate(code) as euros from sales",
      "create view set_returning as select code, rate from fn.rates()",
      "create view several as select fn.next(amount) as a, fn.rate(code) as b from sales",
      "create view aggregated as select fn.total(amount) as a from sales",
      "create view operated as select id from sales where code operator(fn.<~>) 'x'",
      "create view of_extension as select r from normal_rand(3, 1, 1) as r",
      "create view pure as select fn.half(amount) as a, lower(code) as b, generate_series(1, 2) as c from sales",
      "create view extended as select encode(digest(code, 'md5'), 'hex') as a, gen_salt('bf') as b from sales",
    ]);
    expect(outcome).toMatchObject({ status: "completed", errors: [] });
    const gaps = {
      scalar: "fn.rate",
      set_returning: "fn.rates",
      several: "fn.next and 1 more",
      aggregated: "fn.sum_next",
      operated: "fn.differs",
      of_extension: "public.normal_rand",
    };
    for (const [name, called] of Object.entries(gaps)) {
      const { gap, columnLineage } = await table(`public.${name}`);
      const reason = `its SQL calls ${called}, and which tables and columns a function reads is not known`;
      expect({ name, gap, columnLineage }).toMatchObject({ gap: reason, columnLineage: { status: "partial", reason } });
    }
    expect((await column("public.scalar.euros")).columnLineage).toMatchObject({ status: "partial" });
    expect(await sources(column("public.scalar.id"))).toEqual(["public.sales.id IDENTITY id"]);
    for (const name of ["pure", "extended"]) {
      expect(await table(`public.${name}`)).toMatchObject({ gap: "", columnLineage: { status: "known" } });
    }
  });

  it("A sync follows functions with a parsed body to the tables that they read", async () => {
    const { table, sources } = await crawl([
      "create table rates (code text, rate numeric)",
      "create table sales (id int, code text, amount numeric)",
      "create function inner_rate(c text) returns numeric stable begin atomic select rate from rates where code = c; end",
      "create function rate(c text) returns numeric stable begin atomic select inner_rate(c); end",
      "create function next(x numeric) returns numeric begin atomic select x + 1; end",
      "create view scalar as select id, amount * rate(code) as euros from sales",
      "create view pure as select next(amount) as a from sales",
    ]);
    expect(await sources(table("public.scalar"))).toEqual(["public.rates", "public.sales"]);
    expect((await table("public.scalar")).gap).toBe(
      "its SQL calls public.inner_rate, and which tables and columns a function reads is not known",
    );
    expect(await table("public.pure")).toMatchObject({ gap: "", columnLineage: { status: "known" } });
  });

  it("A sync follows functions to what their bodies name with its schema, so an impact tells the views that call them", async () => {
    const { table, column, sources, graph, workspace, database } = await crawl([
      'create schema "Mixed Case"',
      "create table orders (id int, euros numeric)",
      "create table rates (code text, rate numeric)",
      'create table "Mixed Case"."Day.Rates" (rate numeric)',
      "create table unnamed (id int)",
      `create function rate() returns numeric stable language plpgsql as
         $$ begin return (select max(d.rate) from "Mixed Case"."Day.Rates" d, public . RATES r); end $$`,
      "create function of_orders() returns setof numeric stable language sql as 'select o.euros from public.orders o'",
      "create view lateral_view as select u.id, x from unnamed u, of_orders() x",
      "create view rated as select id, rate() as rate from unnamed",
      "create view resting as select id from unnamed",
    ]);
    expect(await sources(table("public.lateral_view"))).toEqual(["public.orders", "public.unnamed"]);
    expect(await sources(table("public.rated"))).toEqual(["Mixed Case.Day.Rates", "public.rates", "public.unnamed"]);
    expect((await table("public.rated")).columnLineage).toMatchObject({ status: "partial" });
    expect(await sources(table("public.resting"))).toEqual(["public.unnamed"]);
    const query = { root: (await column("public.orders.euros")).id, change: "column_drop", newType: null } as const;
    const { affected } = present(await graph.assessImpact(workspace.id, { ...query, maxAffected: 10 }));
    expect(affected.map(({ fqn, risk }) => `${risk} ${fqn.slice(database.length + 1)}`)).toContain(
      "medium public.lateral_view",
    );
  });

  it("A relation that is left out and that only a function reads leaves a view the lineage of its own SQL", async () => {
    const { table, column, sources } = await crawl([
      "create table orders (id int, euros numeric)",
      'create table "Orders" (id int)',
      "create table rates (rate numeric)",
      `create function most() returns numeric stable language sql as 'select max(id) from public."Orders"'`,
      `create function fixed() returns numeric immutable language sql as 'select max(id) from public."Orders"'`,
      "create view calling as select rate, most() as most from rates",
      "create view promised as select rate, fixed() as fixed from rates",
      `create view mixed as select o.id, most() as most from "Orders" o`,
    ]);
    const called = "a function that it calls reads public.Orders, which is left out because of its name";
    const unknown = "its SQL calls public.most, and which tables and columns a function reads is not known";
    expect((await table("public.calling")).gap).toBe(`${called}; ${unknown}`);
    expect((await table("public.promised")).gap).toBe(called);
    for (const name of ["calling", "promised"]) {
      expect(await sources(table(`public.${name}`))).toEqual(["public.rates"]);
      expect(await sources(column(`public.${name}.rate`))).toEqual(["public.rates.rate IDENTITY rate"]);
      expect((await table(`public.${name}`)).columnLineage).toMatchObject({ status: "partial" });
    }
    expect((await table("public.mixed")).gap).toBe("it reads public.Orders, which is left out because of its name");
    expect(await sources(column("public.mixed.id"))).toEqual([]);
  });

  it("A sync shows partitions as their table, also if a view or a key names a partition", async () => {
    const { names, table, sources, outcome } = await crawl([
      "create table events (id int, at date) partition by range (at)",
      "create table events_2025 partition of events for values from ('2025-01-01') to ('2026-01-01')",
      "create table events_old partition of events default partition by hash (id)",
      "create table events_old_0 partition of events_old for values with (modulus 1, remainder 0)",
      "create view last_year as select id from events_2025 union all select id from events_old_0",
      "alter table events_2025 add primary key (id)",
      "create table notes (event int references events_2025 (id))",
      "create table base (id int)",
      "create table child (extra int) inherits (base)",
    ]);
    expect(outcome).toMatchObject({ status: "completed", errorsTotal: 0 });
    expect(await names()).toEqual(["public.base", "public.child", "public.events", "public.last_year", "public.notes"]);
    expect(await sources(table("public.last_year"))).toEqual(["public.events"]);
    // A table that inherits is a table of its own, and a query of its parent reads it.
    expect(await sources(table("public.base"))).toEqual(["public.child"]);
  });

  it("A sync follows a table that inherits to its parent, from column to column", async () => {
    const { table, column, sources, outcome } = await crawl([
      'create table places (name text, height int, "Code" text)',
      "create table named (label text)",
      "create table cities (capital bool) inherits (places, named)",
      'create table capitals (state text, "code" text) inherits (cities)',
      "create table states () inherits (places)",
      "create view tall as select name, label from places, named where height > 100",
    ]);
    expect(outcome.status).toBe("completed");
    expect(await sources(table("public.places"))).toEqual(["public.cities", "public.states"]);
    expect(await sources(table("public.cities"))).toEqual(["public.capitals"]);
    expect(await sources(column("public.places.name"))).toEqual([
      "public.cities.name IDENTITY name",
      "public.states.name IDENTITY name",
    ]);
    expect(await sources(column("public.named.label"))).toEqual(["public.cities.label IDENTITY label"]);
    expect(await sources(column("public.cities.name"))).toEqual(["public.capitals.name IDENTITY name"]);
    expect((await table("public.places")).columnLineage).toMatchObject({ status: "known" });
    expect((await column("public.places.name")).columnLineage).toMatchObject({ status: "known" });
    // The source of a table without children is not known.
    expect((await table("public.states")).columnLineage).toBeNull();
    // Of the child's two columns with this name, the inherited one is left out.
    expect(await sources(column("public.cities.Code"))).toEqual([]);
    expect(await table("public.cities")).toMatchObject({ columnLineage: { status: "partial" } });
  });

  it("A sync follows a generated column to the columns that it is computed from, and an impact to what reads it", async () => {
    const { table, column, sources, again, outcome, graph, workspace, database } = await crawl([
      `create table orders (
         id int, cents int, rate numeric, "Rate" int, note text,
         euros numeric generated always as (cents / 100.0 * rate) stored, copy int generated always as (cents) stored,
         odd int generated always as ("Rate" + 1) stored, fixed int generated always as (1) stored)`,
      "create view totals as select id, euros from orders",
      "create materialized view top as select max(euros) as most from totals",
    ]);
    expect(outcome.status).toBe("completed");
    expect(await sources(column("public.orders.euros"))).toEqual([
      "public.orders.cents TRANSFORMATION cents::numeric / 100.0 * rate",
      "public.orders.rate TRANSFORMATION cents::numeric / 100.0 * rate",
    ]);
    expect(await sources(column("public.orders.copy"))).toEqual(["public.orders.cents IDENTITY cents"]);
    expect(await sources(column("public.orders.fixed"))).toEqual([]);
    for (const name of ["euros", "copy", "fixed"]) {
      expect((await column(`public.orders.${name}`)).columnLineage).toMatchObject({ status: "known" });
    }
    expect((await column("public.orders.odd")).columnLineage).toMatchObject({ status: "partial" });
    expect((await column("public.orders.note")).columnLineage).toBeNull();
    // Nobody knows what fills the other columns of the table.
    expect((await table("public.orders")).columnLineage).toBeNull();

    const { id: root } = await column("public.orders.cents");
    for (const [change, risk] of [["column_drop", "high"] as const, ["type_change", "medium"] as const]) {
      const query = { root, change, newType: null, maxAffected: 100 };
      const { affected } = present(await graph.assessImpact(workspace.id, query));
      expect(affected.map((each) => `${each.risk} ${each.fqn.slice(database.length + 1)}`).toSorted()).toEqual(
        ["orders", "orders.copy", "orders.euros", "top", "top.most", "totals", "totals.euros"].map(
          (name) => `${risk} public.${name}`,
        ),
      );
    }
    expect(await again()).toMatchObject({ assetsUpdated: 0, assetsRemoved: 0 });
    await server.run(database, "alter table orders alter column euros drop expression");
    await again();
    expect(await sources(column("public.orders.euros"))).toEqual([]);
    expect((await column("public.orders.euros")).columnLineage).toBeNull();
  });

  it("A sync reads names with quotes, dots, spaces, Unicode and 63 bytes", async () => {
    const long = "x".repeat(63);
    const wide = "ü".repeat(31);
    const { outcome, table, sources, graph, workspace, database } = await crawl([
      'create schema "Über.Schema"',
      `create table "Über.Schema"."say ""hi""" ("a.b" int, "select" text, "日本" text)`,
      `create table "${long}" ("${wide}" int)`,
      `create view "the view" as select "a.b" as x, "日本" as y from "Über.Schema"."say ""hi"""`,
    ]);
    expect(outcome).toMatchObject({ status: "completed", errors: [] });
    expect((await table(`public.${long}`)).name).toBe(long);
    expect(await sources(table("public.the view"))).toEqual(['Über.Schema.say "hi"']);
    const y = present((await graph.loadByFqn(workspace.id, `${database}.public.the view.y`, { type: "column" }))[0]);
    expect(await sources(Promise.resolve(y))).toEqual(['Über.Schema.say "hi".日本 IDENTITY 日本']);
  });

  it("Of two names that differ only in case, a sync leaves out the one that needs quotes, and says so where it matters", async () => {
    const statements = [
      'create table "Orders" (id int, secret text)',
      'create table orders (id int, "ID" int, amount int)',
      'create view of_quoted as select id, secret from "Orders"',
      "create view of_plain as select id, amount from orders",
      'create view of_column as select "ID" as x from orders',
    ];
    const { outcome, names, table, column, again, sources, graph, workspace, database } = await crawl(statements);
    expect(outcome.status).toBe("completed");
    expect(outcome.errors.map(({ code, object }) => `${code} ${object.replace(/^shop_\d+\./, "")}`)).toEqual([
      "alike_name public.Orders",
      "alike_name public.orders",
    ]);
    expect(await names()).toEqual(["public.of_column", "public.of_plain", "public.of_quoted", "public.orders"]);
    expect((await table("public.orders")).gap).toContain("public.Orders is left out");
    expect((await table("public.orders")).name).toBe("orders");
    const alike = async ({ id }: { id: NodeId }) => (await graph.loadSources(workspace.id, [id]))[0]?.[0]?.alikeNames;
    expect(await alike(await table("public.orders"))).toEqual([`${database}.public.Orders`]);
    expect(await alike(await column("public.orders.id"))).toEqual(["ID"]);
    expect(await alike(await column("public.orders.amount"))).toEqual([]);
    for (const name of ["of_quoted", "of_column"]) {
      expect((await table(`public.${name}`)).gap).toMatch(/which is left out because of its name/);
    }
    expect(await sources(table("public.of_quoted"))).toEqual([]);
    expect(await sources(column("public.of_quoted.id"))).toEqual([]);
    expect(await sources(column("public.of_plain.id"))).toEqual(["public.orders.id IDENTITY id"]);
    // Whoever knows of them needs to be told no more than that.
    const accepted = await crawl(statements, { alike_names: "warning" });
    const told = [outcome, accepted.outcome].map(({ errors }) => errors.map(({ severity }) => severity));
    expect(told).toEqual([
      ["error", "error"],
      ["warning", "warning"],
    ]);
    expect((await accepted.table("public.orders")).gap).toContain("public.Orders is left out");
    // Relations that are left out in every sync do not prevent the removal of others.
    expect(await again()).toMatchObject({ status: "completed", assetsRemoved: 0, assetsUpdated: 0 });
  });

  it("A sync knows which columns are left out before it reads what names them, whatever their order", async () => {
    const { outcome, table, column, sources, list, graph, workspace } = await crawl([
      "create view first as select 1 as x",
      "create table early (a int)",
      'create table late (id int, "ID" int unique, "É" int, "é" int)',
      'create view second as select id, "ID" from late',
      'create or replace view first as select "ID" as x from second',
      'create view third as select "É" as x, id as y from late',
      'alter table early add foreign key (a) references late ("ID")',
    ]);
    expect(outcome.errors.map(({ code, message }) => `${code} ${/column ("[^"]*")/.exec(message)?.[1]}`)).toEqual([
      'alike_name "ID"',
      'alike_name "É"',
      'alike_name "ID"',
    ]);
    expect((await table("public.first")).gap).toBe("it reads second.ID, which is left out because of its name");
    expect((await table("public.third")).gap).toBe("it reads late.É, which is left out because of its name");
    expect(await sources(table("public.first"))).toEqual(["public.second"]);
    expect(await sources(column("public.first.x"))).toEqual([]);
    expect((await list("column")).map(({ name }) => name)).not.toContain("ID");
    const early = await table("public.early");
    const [page] = await graph.loadChecks(workspace.id, [{ node: early.id, first: 5, after: null }]);
    expect(present(page).items.map(({ columns }) => columns.map(({ id }) => id))).toEqual([
      [(await column("public.early.a")).id],
    ]);
  });

  it("A sync reads the schemas that the options name, and never those of the server", async () => {
    const statements = ["staging", "staging_old", "marts"].flatMap((schema) => [
      `create schema ${schema}`,
      `create table ${schema}.orders (id int)`,
    ]);
    const reads = { schemas: "stag*, mart?", exclude_schemas: "*_old" };
    const { names, outcome } = await crawl([...statements, "create table elsewhere (id int)"], reads);
    expect(await names()).toEqual(["marts.orders", "staging.orders"]);
    expect(outcome.errors).toEqual([]);
    const nothing = await crawl([], { schemas: "marts,pg_catalog" });
    expect(nothing.outcome.errors.map(({ message }) => message)).toEqual([
      "No schema fits marts, which the option schemas names.",
      "No schema fits pg_catalog, which the option schemas names.",
    ]);
  });

  it("A sync needs only the right to connect, for what the server shows to everybody", async () => {
    const { outcome, names, table } = await crawl([
      "create schema closed",
      "revoke all on schema closed from public",
      "create table closed.salaries (id int, amount int)",
      "create view closed.high as select id from closed.salaries where amount > 10",
    ]);
    expect(outcome.errors).toEqual([]);
    expect(await names()).toEqual(["closed.high", "closed.salaries"]);
    expect((await table("closed.high")).columnLineage).toMatchObject({ status: "known" });
  });

  it("A sync follows a foreign table and its columns to the relation of the same server, and to no other", async () => {
    await server.run("postgres", "create database remote");
    await server.run("remote", "create schema raw", "create table raw.things (id int, label text)");
    const table = "foreign data wrapper postgres_fdw options";
    const {
      table: find,
      column,
      sources,
      outcome,
    } = await crawl([
      "create extension postgres_fdw",
      `create server here ${table} (host '127.0.0.1', port '${server.port}', dbname 'remote')`,
      `create server there ${table} (host 'db.example.com', port '${server.port}', dbname 'remote')`,
      "create foreign table things (id int, name text options (column_name 'label')) server here options (schema_name 'raw')",
      "create foreign table others (id int) server there options (schema_name 'raw', table_name 'things')",
    ]);
    expect(outcome.errors).toEqual([]);
    expect(await sources(find("public.things"))).toEqual(["remote.raw.things"]);
    expect(await sources(column("public.things.id"))).toEqual(["remote.raw.things.id IDENTITY id"]);
    expect(await sources(column("public.things.name"))).toEqual(["remote.raw.things.label IDENTITY label"]);
    expect((await find("public.things")).columnLineage).toMatchObject({ status: "known" });
    expect(await sources(find("public.others"))).toEqual([]);
    expect(await find("public.others")).toMatchObject({ columnLineage: null });
    expect((await find("public.others")).meta).toEqual({
      postgres: { foreign_server: "there", foreign_data_wrapper: "postgres_fdw", remote_relation: "remote.raw.things" },
    });
  });

  it("A sync removes what is gone, and changes nothing if nothing changed", async () => {
    const { again, database, names, outcome } = await crawl([
      "create table a (id int primary key)",
      "create table b (id int references a)",
      "create view c as select id from b",
    ]);
    expect(outcome).toMatchObject({ assetsDiscovered: 6 });
    expect(await again()).toMatchObject({ assetsDiscovered: 6, assetsUpdated: 0, assetsRemoved: 0, read: 0 });
    await server.run(database, "drop view c", "create view c as select id + 1 as id from a", "drop table b");
    expect(await again()).toMatchObject({ assetsDiscovered: 4, assetsRemoved: 2, read: 1 });
    expect(await names()).toEqual(["public.a", "public.c"]);
  });

  it("A sync reads two thousand tables", async () => {
    const { outcome, names, list } = await crawl([
      `do $$ begin for i in 1..2000 loop
         execute format('create table t%s (id int primary key, a text, b numeric(8, 2))', i);
       end loop; end $$`,
    ]);
    expect(outcome).toMatchObject({ status: "completed", assetsDiscovered: 8000, errorsTotal: 0 });
    expect((await names()).length).toBe(2000);
    expect((await list("column")).length).toBe(6000);
  });
});
