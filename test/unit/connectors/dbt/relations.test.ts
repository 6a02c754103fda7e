import { describe, expect, test } from "vitest";

import { catalog, crawlArtifacts, entries, manifest, MODEL } from "./project.ts";

const SOURCE = { ...MODEL, resource_type: "source", schema: "raw", loader: "fivetran", config: { enabled: true } };

const codes = (errors: readonly { code: string; object: string; severity: string }[]) =>
  errors.map(({ severity, code, object }) => `${severity} ${code} ${object}`);

const withOwner = (owner: unknown) => ({ config: { meta: { owner } } });

const shown = (crawled: Awaited<ReturnType<typeof crawlArtifacts>>) =>
  crawled.assets.get("model wh.mart.orders")?.columns.map(({ name, dataType }) => `${name} ${dataType}`);

/** The hash of the code of a model that calls the macro `direct`. That calls `far`, which calls `direct` again. */
async function hashWith(texts: Record<string, string>, model: Record<string, unknown> = {}) {
  const calls: Record<string, string[]> = { direct: ["macro.shop.far"], far: ["macro.shop.direct"] };
  const macros = Object.entries(texts).map(([name, macro_sql]) => [
    `macro.shop.${name}`,
    { macro_sql, depends_on: { macros: calls[name] ?? [] } },
  ]);
  const depends_on = { macros: ["macro.shop.direct", "macro.dbt.absent"], nodes: [] };
  const nodes = entries({ "model.shop.m": { raw_code: "{{ direct() }}", depends_on, ...model } });
  const { assets } = await crawlArtifacts({ manifest: manifest({ nodes, macros: Object.fromEntries(macros) }) });
  return assets.get("model wh.mart.m")?.facts.codeHash;
}

describe("Relations of a dbt project", () => {
  test.each([10, 11, 12])(
    "A manifest v%i states models, seeds, snapshots and sources, and no tests",
    async (version) => {
      const { assets, edges, errors, complete } = await crawlArtifacts({
        manifest: manifest(
          {
            nodes: entries({
              "model.shop.orders": {
                alias: "fct_orders",
                compiled_code: "select 1 as id",
                meta: { tier: "gold" },
                config: { materialized: "table", meta: { reviewed: true } },
                depends_on: { nodes: ["seed.shop.countries", "source.shop.erp.orders", "snapshot.shop.prices"] },
              },
              "seed.shop.countries": { config: { materialized: "seed" } },
              "snapshot.shop.prices": { config: { materialized: "snapshot" } },
              "analysis.shop.idea": {},
              "operation.shop.hook": {},
              "test.shop.not_null_orders_id.1": { depends_on: { nodes: ["model.shop.orders"] } },
            }),
            sources: entries({ "source.shop.erp.orders": { identifier: "ORDERS_V2" } }, SOURCE),
          },
          version,
        ),
      });
      expect(errors).toEqual([]);
      expect(complete).toBe(true);
      expect([...assets.keys()].toSorted()).toEqual([
        "model wh.mart.fct_orders",
        "pipeline shop.fivetran",
        "table wh.mart.countries",
        "table wh.mart.prices",
        "table wh.raw.ORDERS_V2",
      ]);
      expect(edges.toSorted()).toEqual([
        "shop.fivetran materializes wh.raw.ORDERS_V2",
        "wh.mart.countries derives wh.mart.fct_orders",
        "wh.mart.prices derives wh.mart.fct_orders",
        "wh.raw.ORDERS_V2 derives wh.mart.fct_orders",
      ]);
      const model = assets.get("model wh.mart.fct_orders");
      expect(model).toMatchObject({
        name: "fct_orders",
        ref: { platform: "postgres", instance: "" },
        facts: { sql: "select 1 as id", materialization: "table", meta: { tier: "gold", reviewed: true } },
      });
    },
  );

  test("Two sources with the same loader have one pipeline", async () => {
    const sources = entries(
      { "source.shop.erp.a": {}, "source.shop.erp.b": { loader: "Fivetran" }, "source.shop.erp.c": { loader: "" } },
      SOURCE,
    );
    const { events, edges } = await crawlArtifacts({ manifest: manifest({ sources }) });
    const stated = events.flatMap((event) => (event.kind === "asset" ? [event.asset.name] : []));
    expect(stated.toSorted()).toEqual(["a", "b", "c", "fivetran"]);
    expect(edges).toHaveLength(2);
  });

  test("Only compiled SQL is kept as SQL, not Jinja or Python", async () => {
    const nodes = entries({
      "model.shop.new": { compiled_code: "select 1" },
      "model.shop.old": { compiled_sql: "select 2" },
      "model.shop.parsed": { raw_code: "select * from {{ ref('new') }}" },
      "model.shop.python": { language: "python", compiled_code: "def model(dbt, session): ..." },
    });
    const { assets } = await crawlArtifacts({ manifest: manifest({ nodes }) });
    expect([...assets.values()].map(({ facts }) => facts.sql)).toEqual(["select 1", "select 2", null, null]);
  });

  test("A warning names the models and snapshots that dbt's last command did not compile", async () => {
    const nodes = entries({
      "model.shop.compiled": { raw_code: "select 1", compiled_code: "select 1" },
      "model.shop.parsed": { raw_code: "select * from {{ ref('new') }}" },
      "snapshot.shop.kept": { raw_code: "select 1", language: "sql" },
      "model.shop.python": { language: "python", raw_code: "def model(dbt, session): ..." },
      "seed.shop.seed": { raw_code: "" },
    });
    const { assets, errors, complete } = await crawlArtifacts({ manifest: manifest({ nodes }) });
    const untold = [...assets.values()].flatMap(({ name, sqlUntold }) => (sqlUntold === undefined ? [] : [name]));
    expect(untold).toEqual(["parsed", "kept"]);
    expect(codes(errors)).toEqual(["warning not_compiled manifest.json"]);
    expect(errors[0]?.message).toMatch(
      /^manifest\.json has no compiled SQL for 2 of 3 models and snapshots \(model\.shop\.parsed, snapshot\.shop\.kept\).*dbt compile/,
    );
    expect(complete).toBe(true);
  });

  test("The hash of a model's code changes with its code and with what it refers to", async () => {
    const code = { raw_code: "select * from {{ ref('a') }}", compiled_code: "select * from a" };
    const hashOf = async (model: Record<string, unknown>) => {
      const nodes = entries({ "model.shop.m": { ...code, ...model } });
      const { assets } = await crawlArtifacts({ manifest: manifest({ nodes }) });
      return assets.get("model wh.mart.m")?.facts.codeHash;
    };
    const first = await hashOf({});
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(await hashOf({ compiled_code: null })).toBe(first);
    expect(await hashOf({ raw_code: "select 1 from {{ ref('a') }}" })).not.toBe(first);
    expect(await hashOf({ depends_on: { nodes: ["source.shop.a.a"] } })).not.toBe(first);
    const python = { language: "python", compiled_code: null };
    expect(await hashOf({ ...python, raw_code: "a" })).not.toBe(await hashOf({ ...python, raw_code: "b" }));
  });

  test("The hash of a model's code changes with the text of every macro that it calls, directly or through others", async () => {
    const texts = { direct: "a", far: "b", other: "c" };
    const first = await hashWith(texts);
    expect(await hashWith({ ...texts, direct: "x" })).not.toBe(first);
    expect(await hashWith({ ...texts, far: "x" })).not.toBe(first);
    expect(await hashWith({ ...texts, other: "x" })).toBe(first);
    // Python calls no macros.
    const python = { language: "python" };
    expect(await hashWith({ ...texts, direct: "x" }, python)).toBe(await hashWith(texts, python));
  });

  test("The hash of a seed is that of its file, which dbt does not tell for a large one", async () => {
    const seed = { ...MODEL, resource_type: "seed", config: { materialized: "seed" }, raw_code: "" };
    const nodes = entries(
      {
        "seed.shop.a": { checksum: { name: "sha256", checksum: "1" } },
        "seed.shop.b": { checksum: { name: "sha256", checksum: "2" } },
        "seed.shop.c": { checksum: { name: "path", checksum: "c.csv" } },
      },
      seed,
    );
    const { assets } = await crawlArtifacts({ manifest: manifest({ nodes }) });
    const [a, b, c] = [...assets.values()].map(({ facts }) => facts.codeHash);
    expect([a, b, c]).toEqual([expect.any(String), expect.any(String), undefined]);
    expect(a).not.toBe(b);
  });

  test("A warehouse without databases has two-part names", async () => {
    const nodes = entries({ "model.shop.a": { database: null }, "model.shop.b": { database: "" } });
    const { assets } = await crawlArtifacts({ manifest: manifest({ nodes }) });
    expect([...assets.keys()]).toEqual(["model mart.a", "model mart.b"]);
  });

  test("An owner comes from meta, or else from the group, and tags come from the node and its configuration", async () => {
    const nodes = entries({
      "model.shop.address": withOwner("Finance@Example.com"),
      "model.shop.name": withOwner("Finance team"),
      "model.shop.both": withOwner({ name: "Ann", email: "ann@example.com" }),
      "model.shop.several": withOwner(["bob@example.com", "ann@example.com"]),
      "model.shop.plain": { meta: { owner: "old@example.com" }, tags: "daily", config: { tags: ["daily", "core"] } },
      "model.shop.grouped": { group: "finance" },
      "model.shop.nobody": { config: { group: "unknown" } },
    });
    const groups = {
      "group.shop.finance": { name: "finance", package_name: "shop", owner: { name: "Fin", email: "fin@example.com" } },
    };
    const { assets, errors } = await crawlArtifacts({ manifest: manifest({ nodes, groups }) });
    expect(errors).toEqual([]);
    const owners = Object.fromEntries(
      [...assets.values()].map(({ name, facts }) => [name, [facts.owner, facts.ownerName]]),
    );
    expect(owners).toEqual({
      address: ["Finance@Example.com", ""],
      name: ["", "Finance team"],
      both: ["ann@example.com", "Ann"],
      several: ["bob@example.com", ""],
      plain: ["old@example.com", ""],
      grouped: ["fin@example.com", "Fin"],
      nobody: ["", ""],
    });
    expect(assets.get("model wh.mart.plain")?.facts.tags).toEqual(["daily", "core"]);
  });

  test("A certification is read, and an invalid one causes a warning that names the node", async () => {
    const nodes = entries({
      "model.shop.good": {
        meta: { certification: "certified", certified_by: "ann@example.com", certified_at: "2026-05-01" },
      },
      "model.shop.odd": { meta: { certification: "gold", certified_by: "Ann" } },
    });
    const { assets, errors, complete } = await crawlArtifacts({ manifest: manifest({ nodes }) });
    expect(assets.get("model wh.mart.good")?.facts).toMatchObject({
      certification: "certified",
      certifiedBy: "ann@example.com",
      certifiedAt: "2026-05-01T00:00:00.000Z",
    });
    expect(assets.get("model wh.mart.odd")?.facts).toMatchObject({ certification: null, certifiedBy: null });
    expect(codes(errors)).toEqual([
      "warning invalid_certification model.shop.odd",
      "warning invalid_certification model.shop.odd",
    ]);
    expect(complete).toBe(true);
  });

  test("A malformed node causes an error that names it; the rest is loaded and nothing is swept", async () => {
    const nodes = entries({ "model.shop.bad": { columns: "none" }, "model.shop.good": {} });
    const { assets, errors, complete } = await crawlArtifacts({ manifest: manifest({ nodes }) });
    expect([...assets.keys()]).toEqual(["model wh.mart.good"]);
    expect(codes(errors)).toEqual(["error malformed_node model.shop.bad"]);
    expect(errors[0]?.message).toContain("columns");
    expect(complete).toBe(false);
  });

  test("A reference to a missing node causes an error that names both, except to a test or macro, and the scope is complete", async () => {
    const nodes = entries({
      "model.shop.a": { depends_on: { nodes: ["model.shop.gone", "model.shop.b", "test.shop.t", "function.shop.f"] } },
      "model.shop.b": {},
    });
    const { edges, errors, complete } = await crawlArtifacts({ manifest: manifest({ nodes }) });
    expect(edges).toEqual(["wh.mart.b derives wh.mart.a"]);
    expect(codes(errors)).toEqual(["error missing_reference model.shop.a"]);
    expect(errors[0]?.message).toContain("model.shop.gone");
    expect(complete).toBe(true);
  });

  test("A name that cannot be stored causes an error that names the object", async () => {
    const nodes = entries({
      "model.shop.bell": { alias: "be\u0007ll" },
      "model.shop.half": { alias: "half\ud800" },
      "model.shop.column": { columns: { "a\nb": { name: "a\nb" }, c: { name: "c" } } },
    });
    const { assets, errors, complete } = await crawlArtifacts({ manifest: manifest({ nodes }) });
    expect([...assets.keys()]).toEqual(["model wh.mart.column"]);
    expect(assets.get("model wh.mart.column")?.columns.map((c) => c.name)).toEqual(["c"]);
    expect(codes(errors)).toEqual([
      "error invalid_name model.shop.bell",
      "error invalid_name model.shop.half",
      "error invalid_name model.shop.column",
    ]);
    expect(complete).toBe(false);
  });

  test("Two sources that name one table are one asset, and edges of both lead to it", async () => {
    const sources = entries({ "source.shop.a.t": {}, "source.shop.b.t": { schema: "RAW" } }, { ...SOURCE, loader: "" });
    const nodes = entries({ "model.shop.m": { depends_on: { nodes: ["source.shop.b.t"] } } });
    const { assets, edges, errors } = await crawlArtifacts({ manifest: manifest({ sources, nodes }) });
    expect([...assets.keys()].toSorted()).toEqual(["model wh.mart.m", "table wh.raw.t"]);
    expect(errors).toEqual([]);
    expect(edges).toEqual(["wh.raw.t derives wh.mart.m"]);
  });

  for (const order of ["nodes first", "sources first"] as const) {
    test(`A model and a source that are one relation are one model, ${order}`, async () => {
      const nodes = entries({ "model.shop.m": { compiled_code: "select 1" } });
      const sources = entries({ "source.shop.a.m": { schema: "mart" } }, { ...SOURCE, loader: "" });
      const parts = order === "nodes first" ? { nodes, sources } : { sources, nodes };
      const { assets, errors } = await crawlArtifacts({ manifest: manifest(parts) });
      expect([...assets.values()].at(-1)).toMatchObject({ ref: { type: "model" }, facts: { sql: "select 1" } });
      expect(errors).toEqual([]);
    });

    test(`A seed and sources that are one relation are one asset that keeps what each says, ${order}`, async () => {
      const id = { id: { name: "id", description: "" } };
      const seed = { columns: id, tags: ["csv"], config: { materialized: "seed", meta: { rows: 3 }, tags: [] } };
      const nodes = entries({ "seed.shop.t": { ...seed, schema: "raw" } });
      const documented = {
        id: { name: "ID", description: "Its key" },
        note: { name: "note", description: "A remark" },
      };
      const meta = { certification: "certified", owner: "ann@example.com", rows: 4 };
      const said = { description: "What came in", tags: ["raw"], columns: documented, meta, loader: "Fivetran" };
      const freshness = { warn_after: { count: 1, period: "day" } };
      const known = {
        "source.shop.b.t": { ...said, freshness },
        "source.shop.a.t": { description: "A copy", loader: "Fivetran" },
      };
      const pairs = Object.entries(known);
      const sources = entries(Object.fromEntries(order === "nodes first" ? pairs : pairs.toReversed()), SOURCE);
      const parts = order === "nodes first" ? { nodes, sources } : { sources, nodes };
      const { events, assets, edges, checks, errors } = await crawlArtifacts({ manifest: manifest(parts) });
      expect(errors).toEqual([]);
      const stated = events.flatMap((event) => (event.kind === "asset" ? [event.asset.name] : []));
      expect(stated.toSorted(), "stated once, or each crawl would change it").toEqual(["Fivetran", "t"]);
      expect(assets.get("table wh.raw.t")).toMatchObject({
        name: "t",
        facts: {
          sourceId: "seed.shop.t",
          description: "A copy",
          tags: ["csv", "raw"],
          certification: "certified",
          owner: "ann@example.com",
          materialization: "seed",
          resourceTypes: ["seed", "source"],
          meta: { rows: 3 },
        },
        columns: [
          { name: "id", description: "Its key" },
          { name: "note", description: "A remark" },
        ],
      });
      expect(edges).toContain("shop.Fivetran materializes wh.raw.t");
      expect(checks.map(({ kind, assets: [asset] }) => [kind, asset?.parts])).toEqual([
        ["freshness", ["wh", "raw", "t"]],
      ]);
    });
  }

  test("Two models of one relation are one asset, with a warning that names the model whose SQL is not shown", async () => {
    const nodes = entries({ "model.shop.a": { alias: "t" }, "model.shop.b": { alias: "t" } });
    const { assets, errors } = await crawlArtifacts({ manifest: manifest({ nodes }) });
    expect([...assets.values()].map(({ facts }) => facts.sourceId)).toEqual(["model.shop.a"]);
    expect(codes(errors)).toEqual(["warning duplicate_identity model.shop.b"]);
  });

  test("Of two relations whose names differ only in case, the one that unquoted SQL means is kept", async () => {
    const nodes = entries({
      "model.shop.Shout": { alias: "M", relation_name: '"wh"."mart"."M"' },
      "model.shop.plain": { alias: "m", relation_name: '"wh"."mart"."m"' },
    });
    const { assets, errors } = await crawlArtifacts({ manifest: manifest({ nodes }) });
    expect([...assets.values()].map(({ facts }) => facts.sourceId)).toEqual(["model.shop.plain"]);
    expect(codes(errors)).toEqual(["error alike_name model.shop.Shout"]);
  });

  test("An ephemeral model is identified by its project and unique id", async () => {
    const nodes = entries({ "model.shop.m": { config: { materialized: "ephemeral" }, compiled_code: "select 1" } });
    const { assets } = await crawlArtifacts({ manifest: manifest({ nodes }) });
    expect(assets.get("model wh.mart.m")?.ref.identifiedBy?.at(-1)).toBe("model.shop.m");
  });

  test("An ephemeral model of a project without a name is identified by its unique id", async () => {
    const metadata = { dbt_schema_version: "https://schemas.getdbt.com/dbt/manifest/v10.json", adapter_type: "duckdb" };
    const nodes = entries({ "model.shop.m": { config: { materialized: "ephemeral" }, compiled_code: "select 1" } });
    const { assets } = await crawlArtifacts({ manifest: { ...manifest({ nodes }), metadata } });
    expect(assets.get("model wh.mart.m")?.ref.identifiedBy).toEqual(["model.shop.m"]);
  });
});

describe("Columns", () => {
  const columns = { Id: { name: "Id", data_type: "int", description: "Key", tags: "pk" }, gone: { name: "gone" } };
  const nodes = entries({ "model.shop.orders": { columns } });

  test("The columns without a catalog are those of the manifest, in its order", async () => {
    const crawled = await crawlArtifacts({ manifest: manifest({ nodes }) });
    expect(shown(crawled)).toEqual(["Id int", "gone "]);
  });

  test("The columns with a catalog are those of the warehouse, with the manifest's case and descriptions", async () => {
    const crawled = await crawlArtifacts({
      manifest: manifest({ nodes }),
      catalog: catalog({ "model.shop.orders": { AMOUNT: "numeric", id: "bigint" } }),
    });
    expect(shown(crawled)).toEqual(["AMOUNT numeric", "Id bigint"]);
    expect(crawled.assets.get("model wh.mart.orders")?.columns[1]).toMatchObject({ description: "Key", tags: ["pk"] });
    expect(crawled.assets.get("model wh.mart.orders")?.columnsUnseen).toMatchObject([{ name: "gone" }]);
    expect(crawled.errors).toEqual([]);
    expect(crawled.complete).toBe(true);
  });

  test("Nested columns keep their paths", async () => {
    const crawled = await crawlArtifacts({
      manifest: manifest({ nodes: entries({ "model.shop.orders": {} }) }),
      catalog: catalog({ "model.shop.orders": { address: "STRUCT<city STRING>", "address.city": "STRING" } }),
    });
    expect(shown(crawled)).toEqual(["address STRUCT<city STRING>", "address.city STRING"]);
  });

  test("The columns that dbt adds to a snapshot are stated, under the project's names for them", async () => {
    const config = {
      materialized: "snapshot",
      snapshot_meta_column_names: { dbt_valid_to: "until", dbt_scd_id: null },
    };
    const snapshots = entries({ "snapshot.shop.prices": { config }, "model.shop.orders": {} });
    const { assets } = await crawlArtifacts({ manifest: manifest({ nodes: snapshots }) });
    expect(assets.get("table wh.mart.prices")?.columnsAdded).toEqual([
      "dbt_scd_id",
      "dbt_updated_at",
      "dbt_valid_from",
      "until",
    ]);
    expect(assets.get("model wh.mart.orders")?.columnsAdded).toBeUndefined();
  });

  test("An ephemeral model has the name of dbt's CTE for it", async () => {
    const ephemeral = { config: { materialized: "ephemeral" } };
    const models = entries({
      "model.shop.read": { ...ephemeral, compiled_code: "select 1 as id" },
      "model.shop.unread": ephemeral,
      "model.shop.built": { compiled_code: "select 1 as id" },
    });
    const { assets } = await crawlArtifacts({ manifest: manifest({ nodes: models }) });
    expect([...assets.values()].map(({ name, inlinedAs }) => [name, inlinedAs])).toEqual([
      ["read", "__dbt__cte__read"],
      ["unread", "__dbt__cte__unread"],
      ["built", undefined],
    ]);
  });

  test("Columns that Snowflake wrote in upper case are shown in lower case, and quoted ones unchanged", async () => {
    const project = manifest({
      metadata: { dbt_schema_version: "https://schemas.getdbt.com/dbt/manifest/v12.json", adapter_type: "Snowflake" },
      nodes: entries({ "model.shop.orders": {}, "model.shop.quoted": {} }),
    });
    const crawled = await crawlArtifacts({
      manifest: project,
      catalog: catalog({
        "model.shop.orders": { ID: "NUMBER" },
        "model.shop.quoted": { ID: "NUMBER", Total: "FLOAT" },
      }),
    });
    expect(shown(crawled)).toEqual(["id NUMBER"]);
    expect(crawled.assets.get("model wh.mart.quoted")?.columns.map((c) => c.name)).toEqual(["ID", "Total"]);
    expect(crawled.assets.get("model wh.mart.quoted")?.ref.platform).toBe("snowflake");
  });

  test("A catalog that cannot be read causes an error, and the manifest is loaded without a sweep", async () => {
    const crawled = await crawlArtifacts({ manifest: manifest({ nodes }), catalog: manifest() });
    expect(codes(crawled.errors)[0]).toMatch(/^error not_a_catalog .*catalog\.json$/);
    expect(shown(crawled)).toEqual(["Id int", "gone "]);
    expect(crawled.complete).toBe(false);
  });
});
